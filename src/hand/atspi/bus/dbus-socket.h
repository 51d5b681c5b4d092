/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to a program's own D-Bus socket, or to a bus, without a thread or a main loop: the
 * caller sends many calls at once and reads the replies itself. GDBus needs five thread switches
 * for each call. Used by one thread at a time. */
#pragma once

#include "hand/atspi/bus/dbus-message.h"
#include "shared/base/deadline.h"

typedef struct HfDbusSocket HfDbusSocket;

/* Connected and authenticated; NULL when that fails, or takes too long. */
HfDbusSocket *hf_dbus_socket_connect(const char *address, const HfDeadline *deadline);
/* The same for a message bus, which assigns a name. */
HfDbusSocket *hf_dbus_socket_join_bus(const char *address, const HfDeadline *deadline);
void hf_dbus_socket_free(HfDbusSocket *socket);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDbusSocket, hf_dbus_socket_free)

int hf_dbus_socket_get_fd(const HfDbusSocket *socket);
/* FALSE: the peer has gone away, or has sent something that is not a message. */
gboolean hf_dbus_socket_is_open(HfDbusSocket *socket);
/* Queues the call for the next flush; returns its serial number. */
guint32 hf_dbus_socket_send(HfDbusSocket *socket, GByteArray *take_message);
/* Writes what the peer takes now. TRUE: bytes are left, to be sent when it takes more. */
gboolean hf_dbus_socket_flush(HfDbusSocket *socket);
void hf_dbus_socket_receive(HfDbusSocket *socket);
/* The next received reply, valid until more is received; FALSE: none left. */
gboolean hf_dbus_socket_next_reply(HfDbusSocket *socket, HfDbusReply *ret_answer);
