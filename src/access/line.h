/* One connection to a message bus, or to a program directly, for many questions at a time. Answers
 * are sorted by GDBus's own thread and taken by whoever waits for them (batch.h), or, on a wire,
 * read by those themselves: no main loop and no task for each question, which would take longer
 * than the questions themselves. */
#pragma once

#include <gio/gio.h>

#include "access/wire.h"

typedef struct HfBatch HfBatch;
typedef struct HfLine HfLine;

/* A signal that came in. Runs on GDBus's thread: be quick, ask nothing. */
typedef void (*HfLineHeard)(GDBusMessage *message, gpointer data);

/* `heard` may be NULL: then signals are thrown away. */
HfLine *hf_line_new(GDBusConnection *take_connection, HfLineHeard heard, gpointer data);
/* To a program itself, or to a bus: nothing is heard on it. */
HfLine *hf_line_new_wire(HfWire *take_wire);
/* Questions that are open stay without an answer. No `heard` runs from then on. */
void hf_line_free(HfLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLine, hf_line_free)
gboolean hf_line_is_open(const HfLine *line);
/* At once, on any thread: the other side sees that we are gone. It is still to be freed. */
void hf_line_hang_up(HfLine *line);
/* What the bus calls us on it; NULL: it is a wire. */
char *hf_line_dup_name(const HfLine *line);
/* For single calls, in GIO's own ways. Borrowed; NULL: it is a wire. */
GDBusConnection *hf_line_connection(const HfLine *line);

/* For batches: a question, ready to be sent. */
typedef struct HfLetter {
    GDBusMessage *message; /* NULL: for a wire */
    GByteArray *bytes;
    gboolean raw; /* the answer is wanted as it came (hf_wire_dup_bytes); over wires alone */
} HfLetter;
void hf_letter_clear(HfLetter *letter);
/* Floating `arguments` are taken. */
HfLetter hf_line_write(const HfLine *line, const HfWireCall *call, GVariant *arguments);
/* Sends it, and clears it; its answer goes to `batch` with `mark`. FALSE: the line is dead. */
gboolean hf_line_send(HfLine *line, HfLetter *letter, HfBatch *batch, guint mark);
/* Of a wire; -1: it is none. */
int hf_line_get_fd(const HfLine *line);
/* Of a wire: see hf_wire_flush. */
gboolean hf_line_flush(HfLine *line);
/* Of a wire: gives the answers that have come in to their batches. FALSE: it has ended, and all of
 * its questions are answered with nothing. */
gboolean hf_line_receive(HfLine *line);
/* Answers to these are thrown away when they come. */
void hf_line_forget(HfLine *line, HfBatch *batch);
/* The program at the other end is gone: answers all questions with "nothing". */
void hf_line_fail(HfLine *line);
