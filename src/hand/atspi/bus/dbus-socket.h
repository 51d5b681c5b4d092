/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to a program's own D-Bus socket, or to a bus, that has no thread and no loop:
 * whoever asks sends many questions at once, and reads the answers itself. Through GDBus each
 * question costs five switches between threads. Used by one thread at a time. */
#pragma once

#include "hand/atspi/bus/dbus-message.h"
#include "shared/base/deadline.h"

typedef struct HfDbusSocket HfDbusSocket;

/* Connected and known to the program; NULL when that is not possible, or not in time. */
HfDbusSocket *hf_dbus_socket_connect(const char *address, const HfDeadline *deadline);
/* The same to a message bus, which has given it a name. */
HfDbusSocket *hf_dbus_socket_join_bus(const char *address, const HfDeadline *deadline);
void hf_dbus_socket_free(HfDbusSocket *wire);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDbusSocket, hf_dbus_socket_free)

int hf_dbus_socket_get_fd(const HfDbusSocket *wire);
/* FALSE: the other side has gone away, or has sent what is no message. */
gboolean hf_dbus_socket_is_open(HfDbusSocket *wire);
/* The serial number of the question. It is sent with the next hf_dbus_socket_flush. */
guint32 hf_dbus_socket_send(HfDbusSocket *wire, GByteArray *take_message);
/* What the other side takes now. TRUE: something is left, to be sent when it takes more. */
gboolean hf_dbus_socket_flush(HfDbusSocket *wire);
/* Takes what has come in. */
void hf_dbus_socket_receive(HfDbusSocket *wire);
/* One answer of it, valid until more is taken; FALSE: there is none any more. */
gboolean hf_dbus_socket_next_reply(HfDbusSocket *wire, HfDbusReply *ret_answer);
