/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a batch are numbered, and a reply arrives with the number of its call. Only the
 * queue of replies is shared with GDBus's thread. */
#include "hand/atspi/bus/call-batch.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hand/atspi/atspi-limits.h"

#define PROPERTIES "org.freedesktop.DBus.Properties"

typedef struct PendingCall {
    HfBusConnection *connection;
    HfBusMessage message; /* cleared when it is sent */
    const GVariantType *reply_type;
    HfBatchDone done;
    gpointer owner;
    int index;
    gboolean property, answered;
} PendingCall;

typedef struct Answer {
    guint number;
    GVariant *body; /* NULL: refused, or none will come */
} Answer;

struct HfCallBatch {
    const HfDeadline *deadline;
    GArray *calls; /* of PendingCall */
    guint sent, completed;
    GHashTable *connections; /* set of HfBusConnection */
    GPtrArray *sockets;      /* of HfBusConnection: those that this batch reads itself */
    GHashTable *open;        /* owner → how many of its calls are open */
    GMutex lock;             /* guards the members below */
    GCond arrived;
    GArray *answers; /* of Answer */
    int wake_fd;     /* ends a poll of the sockets when replies arrive; -1: no sockets */
};

HfCallBatch *hf_call_batch_new(const HfDeadline *deadline)
{
    HfCallBatch *batch = g_new0(HfCallBatch, 1);
    batch->deadline = deadline;
    batch->calls = g_array_new(FALSE, TRUE, sizeof(PendingCall));
    batch->connections = g_hash_table_new(NULL, NULL);
    batch->open = g_hash_table_new(NULL, NULL);
    batch->sockets = g_ptr_array_new();
    batch->wake_fd = -1;
    g_mutex_init(&batch->lock);
    g_cond_init(&batch->arrived);
    batch->answers = g_array_new(FALSE, TRUE, sizeof(Answer));
    return batch;
}

static PendingCall *call_at(const HfCallBatch *batch, guint number)
{
    return &g_array_index(batch->calls, PendingCall, number);
}

void hf_call_batch_free(HfCallBatch *batch)
{
    GHashTableIter connections;
    gpointer connection;
    if (!batch)
        return;
    g_hash_table_iter_init(&connections, batch->connections);
    while (g_hash_table_iter_next(&connections, &connection, NULL))
        hf_bus_connection_forget_batch(connection, batch);
    for (guint i = 0; i < batch->calls->len; i++)
        hf_bus_message_clear(&call_at(batch, i)->message);
    for (guint i = 0; i < batch->answers->len; i++)
        g_clear_pointer(&g_array_index(batch->answers, Answer, i).body, g_variant_unref);
    g_array_unref(batch->calls);
    g_array_unref(batch->answers);
    g_hash_table_unref(batch->connections);
    g_hash_table_unref(batch->open);
    g_ptr_array_unref(batch->sockets);
    if (batch->wake_fd >= 0)
        close(batch->wake_fd);
    g_cond_clear(&batch->arrived);
    g_mutex_clear(&batch->lock);
    g_free(batch);
}

/* The caller holds the lock. */
static void signal_answers(HfCallBatch *batch)
{
    g_cond_signal(&batch->arrived);
    if (batch->wake_fd >= 0)
        eventfd_write(batch->wake_fd, 1);
}

void hf_call_batch_take_answer(HfCallBatch *batch, guint number, GVariant *body)
{
    Answer answer = {number, body ? g_variant_ref(body) : NULL};
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&batch->lock);
    g_array_append_val(batch->answers, answer);
    if (batch->answers->len == 1)
        signal_answers(batch);
}

static void send_due(HfCallBatch *batch)
{
    while (batch->sent < batch->calls->len &&
           batch->sent - batch->completed < HF_LIMIT_ACCESS_IN_FLIGHT) {
        guint number = batch->sent++;
        PendingCall *call = call_at(batch, number);
        if (!hf_bus_connection_send(call->connection, &call->message, batch, number))
            hf_call_batch_take_answer(batch, number, NULL);
    }
}

static void add_open_calls(HfCallBatch *batch, gpointer owner, int more)
{
    int open = GPOINTER_TO_INT(g_hash_table_lookup(batch->open, owner));
    g_hash_table_insert(batch->open, owner, GINT_TO_POINTER(open + more));
}

static void track_connection(HfCallBatch *batch, HfBusConnection *connection)
{
    if (!g_hash_table_add(batch->connections, connection) ||
        hf_bus_connection_get_fd(connection) < 0)
        return;
    g_ptr_array_add(batch->sockets, connection);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&batch->lock);
    if (batch->wake_fd < 0)
        batch->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static void queue_call(HfCallBatch *batch, const HfBatchCall *call, const char *interface,
                       const char *method, GVariant *arguments, gboolean property)
{
    PendingCall pending = {
        .connection = call->connection,
        .message = hf_bus_connection_write_call(
            call->connection, &(HfDbusCall){call->destination, call->path, interface, method},
            arguments),
        .reply_type = property ? G_VARIANT_TYPE("(v)") : G_VARIANT_TYPE(call->reply_type),
        .done = call->done,
        .owner = call->owner,
        .index = call->index,
        .property = property,
    };
    pending.message.raw = call->raw;
    track_connection(batch, call->connection);
    g_array_append_val(batch->calls, pending);
    add_open_calls(batch, call->owner, 1);
    send_due(batch);
}

void hf_call_batch_call(HfCallBatch *batch, const HfBatchCall *call)
{
    queue_call(batch, call, call->interface, call->method, call->arguments, FALSE);
}

void hf_call_batch_ping(HfCallBatch *batch, HfBusConnection *connection, const char *bus,
                        const char *path, HfBatchDone done, gpointer owner, int index)
{
    HfBatchCall call = {
        .connection = connection,
        .destination = bus,
        .path = path,
        .interface = "org.freedesktop.DBus.Peer",
        .method = "Ping",
        .reply_type = "()",
        .done = done,
        .owner = owner,
        .index = index,
    };
    hf_call_batch_call(batch, &call);
}

void hf_call_batch_call_bus(HfCallBatch *batch, HfBusConnection *connection, const char *method,
                            const char *argument, const char *reply_type, HfBatchDone done,
                            gpointer owner, int index)
{
    HfBatchCall call = {
        .connection = connection,
        .destination = "org.freedesktop.DBus",
        .path = "/org/freedesktop/DBus",
        .interface = "org.freedesktop.DBus",
        .method = method,
        .arguments = g_variant_new("(s)", argument),
        .reply_type = reply_type,
        .done = done,
        .owner = owner,
        .index = index,
    };
    hf_call_batch_call(batch, &call);
}

void hf_call_batch_get(HfCallBatch *batch, const HfBatchCall *call, const char *property)
{
    queue_call(batch, call, PROPERTIES, "Get", g_variant_new("(ss)", call->interface, property),
               TRUE);
}

/* NULL when the body has another type. */
static GVariant *dup_typed_body(const PendingCall *call, GVariant *body)
{
    if (!body || !g_variant_is_of_type(body, call->reply_type))
        return NULL;
    if (!call->property)
        return g_variant_ref(body);
    GVariant *value = NULL;
    g_variant_get(body, "(v)", &value);
    return value;
}

/* `done` may add calls, which moves `call`. */
static void complete_call(HfCallBatch *batch, Answer answer)
{
    PendingCall *call = call_at(batch, answer.number);
    g_autoptr(GVariant) reply = answer.body;
    if (call->answered)
        return;
    call->answered = TRUE;
    batch->completed++;
    add_open_calls(batch, call->owner, -1);
    g_autoptr(GVariant) body = dup_typed_body(call, reply);
    if (call->done)
        call->done(call->owner, call->index, body);
}

static void wake_batch(GCancellable *cancellable, gpointer data)
{
    HfCallBatch *batch = data;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&batch->lock);
    signal_answers(batch);
}

/* Sends what is queued, and reads what arrives. */
static void poll_sockets(HfCallBatch *batch)
{
    guint count = batch->sockets->len;
    g_autofree struct pollfd *fds = g_new0(struct pollfd, count + 1);
    eventfd_t rung;
    for (guint i = 0; i < count; i++) {
        HfBusConnection *connection = batch->sockets->pdata[i];
        short writing = hf_bus_connection_flush(connection) ? POLLOUT : 0;
        fds[i] = (struct pollfd){hf_bus_connection_get_fd(connection), POLLIN | writing, 0};
    }
    fds[count] = (struct pollfd){batch->wake_fd, POLLIN, 0};
    poll(fds, count + 1, (int)MIN(hf_deadline_left_ms(batch->deadline) + 1, G_MAXINT));
    for (guint i = count; i-- > 0;) /* backwards: ended sockets are removed */
        if ((fds[i].revents & ~POLLOUT) && !hf_bus_connection_receive(batch->sockets->pdata[i]))
            g_ptr_array_remove_index(batch->sockets, i);
    eventfd_read(batch->wake_fd, &rung);
}

static gboolean has_batch_answers(HfCallBatch *batch)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&batch->lock);
    return batch->answers->len > 0;
}

/* The replies that have arrived; empty when the time is over. */
static GArray *wait_for_answers(HfCallBatch *batch)
{
    GArray *fresh = g_array_new(FALSE, TRUE, sizeof(Answer));
    while (batch->sockets->len > 0 && !has_batch_answers(batch) &&
           hf_deadline_check(batch->deadline, NULL))
        poll_sockets(batch);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&batch->lock);
    while (batch->answers->len == 0 && hf_deadline_check(batch->deadline, NULL) &&
           g_cond_wait_until(&batch->arrived, &batch->lock, batch->deadline->at_us))
        continue;
    GArray *answers = batch->answers;
    batch->answers = fresh;
    return answers;
}

gboolean hf_call_batch_step(HfCallBatch *batch)
{
    gulong waker = 0;
    if (batch->completed == batch->calls->len)
        return TRUE;
    if (batch->deadline->cancellable)
        waker = g_cancellable_connect(batch->deadline->cancellable, G_CALLBACK(wake_batch), batch,
                                      NULL);
    g_autoptr(GArray) answers = wait_for_answers(batch);
    g_cancellable_disconnect(batch->deadline->cancellable, waker);
    for (guint i = 0; i < answers->len; i++)
        complete_call(batch, g_array_index(answers, Answer, i));
    send_due(batch);
    return answers->len > 0;
}

gboolean hf_call_batch_run(HfCallBatch *batch)
{
    while (batch->completed < batch->calls->len)
        if (!hf_call_batch_step(batch))
            return FALSE;
    return TRUE;
}

guint hf_call_batch_count_calls(const HfCallBatch *batch)
{
    return batch->sent;
}

guint hf_call_batch_count_open(const HfCallBatch *batch, gconstpointer owner)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(batch->open, owner));
}
