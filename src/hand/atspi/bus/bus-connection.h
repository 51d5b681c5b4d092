/* SPDX-License-Identifier: Apache-2.0 */
/* One connection to a message bus, or to a program directly, for many questions at a time. Answers
 * are sorted by GDBus's own thread and taken by whoever waits for them (call-batch.h), or, on a
 * wire, read by those themselves: no main loop and no task for each question, which would take
 * longer than the questions themselves. */
#pragma once

#include <gio/gio.h>

#include "hand/atspi/bus/dbus-socket.h"

typedef struct HfCallBatch HfCallBatch;
typedef struct HfBusConnection HfBusConnection;

/* A signal that came in. Runs on GDBus's thread: be quick, ask nothing. */
typedef void (*HfBusSignalHandler)(GDBusMessage *message, gpointer data);

/* `heard` may be NULL: then signals are thrown away. */
HfBusConnection *hf_bus_connection_new(GDBusConnection *take_connection, HfBusSignalHandler heard,
                                       gpointer data);
/* To a program itself, or to a bus: nothing is heard on it. */
HfBusConnection *hf_bus_connection_new_socket(HfDbusSocket *take_wire);
/* Questions that are open stay without an answer. No `heard` runs from then on. */
void hf_bus_connection_free(HfBusConnection *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBusConnection, hf_bus_connection_free)
gboolean hf_bus_connection_is_open(const HfBusConnection *line);
/* At once, on any thread: the other side sees that we are gone. It is still to be freed. */
void hf_bus_connection_close(HfBusConnection *line);
/* What the bus calls us on it; NULL: it is a wire. */
char *hf_bus_connection_dup_name(const HfBusConnection *line);
/* For single calls, in GIO's own ways. Borrowed; NULL: it is a wire. */
GDBusConnection *hf_bus_connection_get_gdbus(const HfBusConnection *line);

/* For batches: a question, ready to be sent. */
typedef struct HfBusMessage {
    GDBusMessage *message; /* NULL: for a wire */
    GByteArray *bytes;
    gboolean raw; /* the answer is wanted as it came (hf_dbus_reply_dup_bytes); over wires alone */
} HfBusMessage;
void hf_bus_message_clear(HfBusMessage *letter);
/* Floating `arguments` are taken. */
HfBusMessage hf_bus_connection_write_call(const HfBusConnection *line, const HfDbusCall *call,
                                          GVariant *arguments);
/* Sends it, and clears it; its answer goes to `batch` with `mark`. FALSE: the line is dead. */
gboolean hf_bus_connection_send(HfBusConnection *line, HfBusMessage *letter, HfCallBatch *batch,
                                guint mark);
/* Of a wire; -1: it is none. */
int hf_bus_connection_get_fd(const HfBusConnection *line);
/* Of a wire: see hf_dbus_socket_flush. */
gboolean hf_bus_connection_flush(HfBusConnection *line);
/* Of a wire: gives the answers that have come in to their batches. FALSE: it has ended, and all of
 * its questions are answered with nothing. */
gboolean hf_bus_connection_receive(HfBusConnection *line);
/* Answers to these are thrown away when they come. */
void hf_bus_connection_forget_batch(HfBusConnection *line, HfCallBatch *batch);
/* The program at the other end is gone: answers all questions with "nothing". */
void hf_bus_connection_fail_calls(HfBusConnection *line);
