/* SPDX-License-Identifier: Apache-2.0 */
/* Which question an answer belongs to is found by its serial number, in a filter that sees each
 * message before GDBus does. */
#include "hand/atspi/bus/bus-connection.h"

#include <sys/socket.h>

#include "hand/atspi/bus/call-batch.h"
#include "hand/desktop/session-bus.h"

typedef struct Open {
    HfCallBatch *batch;
    guint mark;
    gboolean raw; /* its answer is given as it came */
} Open;

struct HfBusConnection {
    GDBusConnection *connection; /* NULL: it is a wire */
    HfDbusSocket *wire;
    HfBusSignalHandler heard;
    gpointer data;
    guint filter;
    GMutex lock;      /* guards what follows */
    GHashTable *open; /* serial → Open */
    gboolean dead;
};

static void deliver_reply(HfBusConnection *line, guint32 serial, GVariant *body)
{
    gpointer key = GUINT_TO_POINTER(serial);
    g_mutex_lock(&line->lock);
    const Open *open = g_hash_table_lookup(line->open, key);
    if (open) {
        hf_call_batch_take_answer(open->batch, open->mark, body);
        g_hash_table_remove(line->open, key);
    }
    g_mutex_unlock(&line->lock);
}

/* NULL: it was refused. */
static GVariant *dup_reply_body(GDBusMessage *message)
{
    GVariant *body = g_dbus_message_get_body(message);
    if (g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_METHOD_RETURN)
        return NULL;
    return g_variant_ref_sink(body ? body : g_variant_new("()"));
}

static gboolean is_reply_to_us(HfBusConnection *line, GDBusMessage *message)
{
    gpointer key = GUINT_TO_POINTER(g_dbus_message_get_reply_serial(message));
    g_mutex_lock(&line->lock);
    gboolean ours = g_hash_table_contains(line->open, key);
    g_mutex_unlock(&line->lock);
    return ours;
}

/* What is ours goes no further: GDBus would only look for somebody who wants it. */
static GDBusMessage *filter_bus_message(GDBusConnection *connection, GDBusMessage *message,
                                        gboolean incoming, gpointer data)
{
    HfBusConnection *line = data;
    GDBusMessageType type = g_dbus_message_get_message_type(message);
    if (!incoming)
        return message;
    if (type == G_DBUS_MESSAGE_TYPE_SIGNAL) {
        if (line->heard)
            line->heard(message, line->data);
        g_object_unref(message);
        return NULL;
    }
    if (type == G_DBUS_MESSAGE_TYPE_METHOD_CALL || !is_reply_to_us(line, message))
        return message;
    g_autoptr(GVariant) body = dup_reply_body(message);
    deliver_reply(line, g_dbus_message_get_reply_serial(message), body);
    g_object_unref(message);
    return NULL;
}

static HfBusConnection *new_bus_connection(void)
{
    HfBusConnection *line = g_new0(HfBusConnection, 1);
    g_mutex_init(&line->lock);
    line->open = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return line;
}

HfBusConnection *hf_bus_connection_new_socket(HfDbusSocket *take_wire)
{
    HfBusConnection *line = new_bus_connection();
    line->wire = take_wire;
    return line;
}

HfBusConnection *hf_bus_connection_new(GDBusConnection *take_connection, HfBusSignalHandler heard,
                                       gpointer data)
{
    HfBusConnection *line = new_bus_connection();
    line->connection = take_connection;
    line->heard = heard;
    line->data = data;
    line->filter = g_dbus_connection_add_filter(take_connection, filter_bus_message, line, NULL);
    return line;
}

static void wait_for_close(GObject *object, GAsyncResult *result, gpointer data)
{
    g_dbus_connection_close_finish(G_DBUS_CONNECTION(object), result, NULL);
    *(gboolean *)data = TRUE;
}

/* A program that does not read could hold up what is still being written to it. */
static void shut_down(GDBusConnection *connection)
{
    GIOStream *stream = g_dbus_connection_get_stream(connection);
    if (G_IS_SOCKET_CONNECTION(stream))
        g_socket_shutdown(g_socket_connection_get_socket(G_SOCKET_CONNECTION(stream)), TRUE, TRUE,
                          NULL);
}

void hf_bus_connection_close(HfBusConnection *line)
{
    if (line->wire)
        shutdown(hf_dbus_socket_get_fd(line->wire), SHUT_RDWR);
    else
        shut_down(line->connection);
}

char *hf_bus_connection_dup_name(const HfBusConnection *line)
{
    return line->connection ? g_strdup(hf_dbus_get_name(line->connection)) : NULL;
}

/* Removing a filter does not wait for one that runs; closing the connection does. */
static void close_connection(HfBusConnection *line)
{
    shut_down(line->connection);
    g_autoptr(GMainContext) context = g_main_context_new();
    gboolean closed = FALSE;
    g_main_context_push_thread_default(context);
    g_dbus_connection_close(line->connection, NULL, wait_for_close, &closed);
    while (!closed)
        g_main_context_iteration(context, TRUE);
    g_main_context_pop_thread_default(context);
}

void hf_bus_connection_free(HfBusConnection *line)
{
    if (!line)
        return;
    if (line->connection) {
        g_dbus_connection_remove_filter(line->connection, line->filter);
        close_connection(line);
        g_object_unref(line->connection);
    }
    hf_dbus_socket_free(line->wire);
    g_hash_table_unref(line->open);
    g_mutex_clear(&line->lock);
    g_free(line);
}

gboolean hf_bus_connection_is_open(const HfBusConnection *line)
{
    return line->wire ? hf_dbus_socket_is_open(line->wire)
                      : !g_dbus_connection_is_closed(line->connection);
}

GDBusConnection *hf_bus_connection_get_gdbus(const HfBusConnection *line)
{
    return line->connection;
}

/* ---- questions ---- */

void hf_bus_message_clear(HfBusMessage *letter)
{
    g_clear_object(&letter->message);
    g_clear_pointer(&letter->bytes, g_byte_array_unref);
}

HfBusMessage hf_bus_connection_write_call(const HfBusConnection *line, const HfDbusCall *call,
                                          GVariant *arguments)
{
    if (line->wire)
        return (HfBusMessage){.bytes = hf_dbus_message_write(call, arguments)};
    HfBusMessage letter = {g_dbus_message_new_method_call(call->destination, call->path,
                                                          call->interface, call->method),
                           NULL};
    if (arguments)
        g_dbus_message_set_body(letter.message, arguments);
    return letter;
}

static guint32 send_bus_message(HfBusConnection *line, HfBusMessage *letter)
{
    guint32 serial = 0;
    if (line->dead)
        return 0;
    if (line->wire)
        return hf_dbus_socket_send(line->wire, g_steal_pointer(&letter->bytes));
    gboolean sent = g_dbus_connection_send_message(line->connection, letter->message,
                                                   G_DBUS_SEND_MESSAGE_FLAGS_NONE,
                                                   (volatile guint32 *)&serial, NULL);
    return sent ? serial : 0;
}

/* The lock is held until the number is noted: the answer may be there before `send` returns. */
gboolean hf_bus_connection_send(HfBusConnection *line, HfBusMessage *letter, HfCallBatch *batch,
                                guint mark)
{
    g_mutex_lock(&line->lock);
    guint32 serial = send_bus_message(line, letter);
    if (serial) {
        Open *open = g_new(Open, 1);
        *open = (Open){batch, mark, letter->raw};
        g_hash_table_insert(line->open, GUINT_TO_POINTER(serial), open);
    }
    g_mutex_unlock(&line->lock);
    hf_bus_message_clear(letter);
    return serial != 0;
}

int hf_bus_connection_get_fd(const HfBusConnection *line)
{
    return line->wire ? hf_dbus_socket_get_fd(line->wire) : -1;
}

gboolean hf_bus_connection_flush(HfBusConnection *line)
{
    return hf_dbus_socket_flush(line->wire);
}

/* FALSE: nobody waits for its answer. A wire is used by one thread alone, so that the batch stays
 * until it has it. */
static gboolean close_question(HfBusConnection *line, guint32 serial, Open *ret_open)
{
    gpointer key = GUINT_TO_POINTER(serial);
    g_mutex_lock(&line->lock);
    const Open *open = g_hash_table_lookup(line->open, key);
    if (open)
        *ret_open = *open;
    gboolean found = g_hash_table_remove(line->open, key);
    g_mutex_unlock(&line->lock);
    return found;
}

gboolean hf_bus_connection_receive(HfBusConnection *line)
{
    HfDbusReply answer;
    hf_dbus_socket_receive(line->wire);
    while (hf_dbus_socket_next_reply(line->wire, &answer)) {
        Open open = {0};
        if (!close_question(line, answer.serial, &open))
            continue;
        g_autoptr(GVariant) body =
            open.raw ? hf_dbus_reply_dup_bytes(&answer) : hf_dbus_reply_decode(&answer);
        hf_call_batch_take_answer(open.batch, open.mark, body);
    }
    gboolean open = hf_dbus_socket_is_open(line->wire);
    if (!open)
        hf_bus_connection_fail_calls(line);
    return open;
}

static gboolean is_of_batch(gpointer serial, gpointer open, gpointer batch)
{
    return ((Open *)open)->batch == batch;
}

void hf_bus_connection_forget_batch(HfBusConnection *line, HfCallBatch *batch)
{
    g_mutex_lock(&line->lock);
    g_hash_table_foreach_remove(line->open, is_of_batch, batch);
    g_mutex_unlock(&line->lock);
}

static gboolean answer_nothing(gpointer serial, gpointer value, gpointer unused)
{
    const Open *open = value;
    hf_call_batch_take_answer(open->batch, open->mark, NULL);
    return TRUE;
}

void hf_bus_connection_fail_calls(HfBusConnection *line)
{
    g_mutex_lock(&line->lock);
    line->dead = TRUE;
    g_hash_table_foreach_remove(line->open, answer_nothing, NULL);
    g_mutex_unlock(&line->lock);
}
