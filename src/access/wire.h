/* A connection to a program's own D-Bus socket, or to a bus, that has no thread and no loop:
 * whoever asks sends many questions at once, and reads the answers itself. Through GDBus each
 * question costs five switches between threads. Used by one thread at a time. */
#pragma once

#include "access/wire-format.h"
#include "base/deadline.h"

typedef struct HfWire HfWire;

/* Connected and known to the program; NULL when that is not possible, or not in time. */
HfWire *hf_wire_connect(const char *address, const HfDeadline *deadline);
/* The same to a message bus, which has given it a name. */
HfWire *hf_wire_join(const char *address, const HfDeadline *deadline);
void hf_wire_free(HfWire *wire);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfWire, hf_wire_free)

int hf_wire_get_fd(const HfWire *wire);
/* FALSE: the other side has gone away, or has sent what is no message. */
gboolean hf_wire_is_open(HfWire *wire);
/* The serial number of the question. It is sent with the next hf_wire_flush. */
guint32 hf_wire_send(HfWire *wire, GByteArray *take_message);
/* What the other side takes now. TRUE: something is left, to be sent when it takes more. */
gboolean hf_wire_flush(HfWire *wire);
/* Takes what has come in. */
void hf_wire_receive(HfWire *wire);
/* One answer of it, valid until more is taken; FALSE: there is none any more. */
gboolean hf_wire_next(HfWire *wire, HfWireAnswer *ret_answer);
