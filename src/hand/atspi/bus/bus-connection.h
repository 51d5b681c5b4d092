/* SPDX-License-Identifier: Apache-2.0 */
/* One connection to a message bus, or directly to a program, that carries many calls at a time.
 * Replies are sorted by GDBus's thread and picked up by the waiting batch (call-batch.h). On a
 * plain socket the batch reads them itself. There is no main loop and no task for each call: those
 * would take longer than the calls. */
#pragma once

#include <gio/gio.h>

#include "hand/atspi/bus/dbus-socket.h"

typedef struct HfCallBatch HfCallBatch;
typedef struct HfBusConnection HfBusConnection;

/* Runs on GDBus's thread: be quick and make no calls. */
typedef void (*HfBusSignalHandler)(GDBusMessage *message, gpointer data);

/* `on_signal` NULL: signals are dropped. */
HfBusConnection *hf_bus_connection_new(GDBusConnection *take_connection,
                                       HfBusSignalHandler on_signal, gpointer data);
/* Over a plain socket, which delivers no signals. */
HfBusConnection *hf_bus_connection_new_socket(HfDbusSocket *take_socket);
/* Open calls get no reply. `on_signal` never runs after this. */
void hf_bus_connection_free(HfBusConnection *connection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBusConnection, hf_bus_connection_free)
gboolean hf_bus_connection_is_open(const HfBusConnection *connection);
/* Closes at once, from any thread; the peer notices. The connection must still be freed. */
void hf_bus_connection_close(HfBusConnection *connection);
/* Our unique name on the bus; NULL for a socket. */
char *hf_bus_connection_dup_name(const HfBusConnection *connection);
/* For single calls through GIO. Borrowed; NULL for a socket. */
GDBusConnection *hf_bus_connection_get_gdbus(const HfBusConnection *connection);

/* For batches: a call, ready to be sent. */
typedef struct HfBusMessage {
    GDBusMessage *gdbus; /* NULL: for a socket */
    GByteArray *bytes;
    gboolean raw; /* return the reply undecoded (hf_dbus_reply_dup_bytes); sockets only */
} HfBusMessage;
void hf_bus_message_clear(HfBusMessage *message);
/* Takes floating `arguments`. */
HfBusMessage hf_bus_connection_write_call(const HfBusConnection *connection, const HfDbusCall *call,
                                          GVariant *arguments);
/* Sends and clears the message; its reply goes to `batch` with `number`. FALSE: the connection is
 * dead. */
gboolean hf_bus_connection_send(HfBusConnection *connection, HfBusMessage *message,
                                HfCallBatch *batch, guint number);

/* Sockets only; the fd is -1 for others. */
int hf_bus_connection_get_fd(const HfBusConnection *connection);
gboolean hf_bus_connection_flush(HfBusConnection *connection);
/* Gives the replies that have arrived to their batches. FALSE: the socket has ended, and all of its
 * calls have failed. */
gboolean hf_bus_connection_receive(HfBusConnection *connection);

/* Drops the replies to the batch's calls. */
void hf_bus_connection_forget_batch(HfBusConnection *connection, HfCallBatch *batch);
/* The peer is gone: every open call gets NULL. */
void hf_bus_connection_fail_calls(HfBusConnection *connection);
