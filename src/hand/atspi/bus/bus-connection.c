/* SPDX-License-Identifier: Apache-2.0 */
/* Replies find their call by serial number, in a filter that sees each message before GDBus. */
#include "hand/atspi/bus/bus-connection.h"

#include <sys/socket.h>

#include "hand/atspi/bus/call-batch.h"
#include "hand/desktop/session-bus.h"

typedef struct OpenCall {
    HfCallBatch *batch;
    guint number;
    gboolean raw; /* return the reply undecoded */
} OpenCall;

struct HfBusConnection {
    GDBusConnection *gdbus; /* NULL: a socket */
    HfDbusSocket *socket;
    HfBusSignalHandler on_signal;
    gpointer data;
    guint filter;
    GMutex lock;      /* guards the members below */
    GHashTable *open; /* serial → OpenCall */
    gboolean dead;
};

static void deliver_reply(HfBusConnection *connection, guint32 serial, GVariant *body)
{
    gpointer key = GUINT_TO_POINTER(serial);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    const OpenCall *open = g_hash_table_lookup(connection->open, key);
    if (open) {
        hf_call_batch_take_answer(open->batch, open->number, body);
        g_hash_table_remove(connection->open, key);
    }
}

static gboolean is_reply_to_us(HfBusConnection *connection, GDBusMessage *message)
{
    gpointer key = GUINT_TO_POINTER(g_dbus_message_get_reply_serial(message));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    return g_hash_table_contains(connection->open, key);
}

/* Swallows replies to our calls: GDBus would search for a handler in vain. */
static GDBusMessage *filter_bus_message(GDBusConnection *gdbus, GDBusMessage *message,
                                        gboolean incoming, gpointer data)
{
    HfBusConnection *connection = data;
    GDBusMessageType type = g_dbus_message_get_message_type(message);
    if (!incoming)
        return message;
    if (type == G_DBUS_MESSAGE_TYPE_SIGNAL) {
        if (connection->on_signal)
            connection->on_signal(message, connection->data);
        g_object_unref(message);
        return NULL;
    }
    if (type == G_DBUS_MESSAGE_TYPE_METHOD_CALL || !is_reply_to_us(connection, message))
        return message;
    g_autoptr(GVariant) reply = NULL; /* NULL: refused */
    if (type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN) {
        GVariant *body = g_dbus_message_get_body(message);
        reply = g_variant_ref_sink(body ? body : g_variant_new("()"));
    }
    deliver_reply(connection, g_dbus_message_get_reply_serial(message), reply);
    g_object_unref(message);
    return NULL;
}

static HfBusConnection *new_bus_connection(void)
{
    HfBusConnection *connection = g_new0(HfBusConnection, 1);
    g_mutex_init(&connection->lock);
    connection->open = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return connection;
}

HfBusConnection *hf_bus_connection_new_socket(HfDbusSocket *take_socket)
{
    HfBusConnection *connection = new_bus_connection();
    connection->socket = take_socket;
    return connection;
}

HfBusConnection *hf_bus_connection_new(GDBusConnection *take_connection,
                                       HfBusSignalHandler on_signal, gpointer data)
{
    HfBusConnection *connection = new_bus_connection();
    connection->gdbus = take_connection;
    connection->on_signal = on_signal;
    connection->data = data;
    connection->filter =
        g_dbus_connection_add_filter(take_connection, filter_bus_message, connection, NULL);
    return connection;
}

static void wait_for_close(GObject *object, GAsyncResult *result, gpointer data)
{
    g_dbus_connection_close_finish(G_DBUS_CONNECTION(object), result, NULL);
    *(gboolean *)data = TRUE;
}

/* Without this, a program that does not read could hold up what is still being written to it. */
static void shut_down(GDBusConnection *connection)
{
    GIOStream *stream = g_dbus_connection_get_stream(connection);
    if (G_IS_SOCKET_CONNECTION(stream))
        g_socket_shutdown(g_socket_connection_get_socket(G_SOCKET_CONNECTION(stream)), TRUE, TRUE,
                          NULL);
}

void hf_bus_connection_close(HfBusConnection *connection)
{
    if (connection->socket)
        shutdown(hf_dbus_socket_get_fd(connection->socket), SHUT_RDWR);
    else
        shut_down(connection->gdbus);
}

char *hf_bus_connection_dup_name(const HfBusConnection *connection)
{
    return connection->gdbus ? g_strdup(hf_dbus_get_name(connection->gdbus)) : NULL;
}

/* Removing a filter does not wait while it runs; closing the connection does. */
static void close_connection(HfBusConnection *connection)
{
    shut_down(connection->gdbus);
    g_autoptr(GMainContext) context = g_main_context_new();
    gboolean closed = FALSE;
    g_main_context_push_thread_default(context);
    g_dbus_connection_close(connection->gdbus, NULL, wait_for_close, &closed);
    while (!closed)
        g_main_context_iteration(context, TRUE);
    g_main_context_pop_thread_default(context);
}

void hf_bus_connection_free(HfBusConnection *connection)
{
    if (!connection)
        return;
    if (connection->gdbus) {
        g_dbus_connection_remove_filter(connection->gdbus, connection->filter);
        close_connection(connection);
        g_object_unref(connection->gdbus);
    }
    hf_dbus_socket_free(connection->socket);
    g_hash_table_unref(connection->open);
    g_mutex_clear(&connection->lock);
    g_free(connection);
}

gboolean hf_bus_connection_is_open(const HfBusConnection *connection)
{
    return connection->socket ? hf_dbus_socket_is_open(connection->socket)
                              : !g_dbus_connection_is_closed(connection->gdbus);
}

GDBusConnection *hf_bus_connection_get_gdbus(const HfBusConnection *connection)
{
    return connection->gdbus;
}

/* ---- calls ---- */

void hf_bus_message_clear(HfBusMessage *message)
{
    g_clear_object(&message->gdbus);
    g_clear_pointer(&message->bytes, g_byte_array_unref);
}

HfBusMessage hf_bus_connection_write_call(const HfBusConnection *connection, const HfDbusCall *call,
                                          GVariant *arguments)
{
    if (connection->socket)
        return (HfBusMessage){.bytes = hf_dbus_message_write(call, arguments)};
    HfBusMessage message = {g_dbus_message_new_method_call(call->destination, call->path,
                                                           call->interface, call->method),
                            NULL};
    if (arguments)
        g_dbus_message_set_body(message.gdbus, arguments);
    return message;
}

static guint32 send_bus_message(HfBusConnection *connection, HfBusMessage *message)
{
    guint32 serial = 0;
    if (connection->dead)
        return 0;
    if (connection->socket)
        return hf_dbus_socket_send(connection->socket, g_steal_pointer(&message->bytes));
    gboolean sent = g_dbus_connection_send_message(connection->gdbus, message->gdbus,
                                                   G_DBUS_SEND_MESSAGE_FLAGS_NONE,
                                                   (volatile guint32 *)&serial, NULL);
    return sent ? serial : 0;
}

/* Holds the lock until the call is recorded: the reply may arrive before `send` returns. */
gboolean hf_bus_connection_send(HfBusConnection *connection, HfBusMessage *message,
                                HfCallBatch *batch, guint number)
{
    g_mutex_lock(&connection->lock);
    guint32 serial = send_bus_message(connection, message);
    if (serial) {
        OpenCall *open = g_new(OpenCall, 1);
        *open = (OpenCall){batch, number, message->raw};
        g_hash_table_insert(connection->open, GUINT_TO_POINTER(serial), open);
    }
    g_mutex_unlock(&connection->lock);
    hf_bus_message_clear(message);
    return serial != 0;
}

int hf_bus_connection_get_fd(const HfBusConnection *connection)
{
    return connection->socket ? hf_dbus_socket_get_fd(connection->socket) : -1;
}

gboolean hf_bus_connection_flush(HfBusConnection *connection)
{
    return hf_dbus_socket_flush(connection->socket);
}

/* FALSE: nobody waits for the reply. One thread alone uses a socket, so the batch stays until it
 * has the reply. */
static gboolean take_open_call(HfBusConnection *connection, guint32 serial, OpenCall *ret_open)
{
    gpointer key = GUINT_TO_POINTER(serial);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    const OpenCall *open = g_hash_table_lookup(connection->open, key);
    if (open)
        *ret_open = *open;
    return g_hash_table_remove(connection->open, key);
}

gboolean hf_bus_connection_receive(HfBusConnection *connection)
{
    HfDbusReply answer;
    hf_dbus_socket_receive(connection->socket);
    while (hf_dbus_socket_next_reply(connection->socket, &answer)) {
        OpenCall open = {0};
        if (!take_open_call(connection, answer.serial, &open))
            continue;
        g_autoptr(GVariant) body =
            open.raw ? hf_dbus_reply_dup_bytes(&answer) : hf_dbus_reply_decode(&answer);
        hf_call_batch_take_answer(open.batch, open.number, body);
    }
    gboolean open = hf_dbus_socket_is_open(connection->socket);
    if (!open)
        hf_bus_connection_fail_calls(connection);
    return open;
}

static gboolean is_of_batch(gpointer serial, gpointer open, gpointer batch)
{
    return ((OpenCall *)open)->batch == batch;
}

void hf_bus_connection_forget_batch(HfBusConnection *connection, HfCallBatch *batch)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    g_hash_table_foreach_remove(connection->open, is_of_batch, batch);
}

static gboolean fail_open_call(gpointer serial, gpointer value, gpointer unused)
{
    const OpenCall *open = value;
    hf_call_batch_take_answer(open->batch, open->number, NULL);
    return TRUE;
}

void hf_bus_connection_fail_calls(HfBusConnection *connection)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->lock);
    connection->dead = TRUE;
    g_hash_table_foreach_remove(connection->open, fail_open_call, NULL);
}
