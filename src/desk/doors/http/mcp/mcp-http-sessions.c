/* SPDX-License-Identifier: Apache-2.0 */
/* The table of sessions, with the event streams that each keeps for a disconnected client. */
#include "desk/doors/http/mcp/mcp-http-sessions.h"

#include <stdio.h>
#include <string.h>

#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/server/http-internal.h"
#include "shared/base/error.h"
#include "shared/base/id.h"

#define EVENTS_TYPE "text/event-stream"
/* How soon a disconnected client should reconnect. */
#define COME_BACK_MS 500

struct HfMcpEventStream {
    gatomicrefcount refs;
    guint number;
    GMutex lock;            /* guards what follows */
    HfHttpRequest *request; /* NULL: no client is connected */
    gboolean began;         /* the response has begun, as events */
    GPtrArray *events;      /* of GBytes; the first is number `first` */
    guint first;
    gsize bytes;
    gboolean done;
};

HfMcpEventStream *hf_mcp_event_stream_new(guint number)
{
    HfMcpEventStream *stream = g_new0(HfMcpEventStream, 1);
    g_atomic_ref_count_init(&stream->refs);
    stream->number = number;
    stream->first = 1;
    stream->events = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_mutex_init(&stream->lock);
    return stream;
}

HfMcpEventStream *hf_mcp_event_stream_ref(HfMcpEventStream *stream)
{
    g_atomic_ref_count_inc(&stream->refs);
    return stream;
}

void hf_mcp_event_stream_unref(HfMcpEventStream *stream)
{
    if (!stream || !g_atomic_ref_count_dec(&stream->refs))
        return;
    hf_http_request_unref(stream->request);
    g_ptr_array_unref(stream->events);
    g_mutex_clear(&stream->lock);
    g_free(stream);
}

guint hf_mcp_event_stream_get_number(const HfMcpEventStream *stream)
{
    return stream->number;
}

gboolean hf_mcp_event_stream_is_done(HfMcpEventStream *stream)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stream->lock);
    return stream->done;
}

gsize hf_mcp_event_stream_get_bytes(HfMcpEventStream *stream)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stream->lock);
    return stream->bytes;
}

/* ---- with the lock held ---- */

static void begin_sse_response(HfMcpEventStream *stream)
{
    if (stream->began)
        return;
    stream->began = TRUE;
    hf_http_request_add_header(stream->request, "X-Accel-Buffering", "no");
    hf_http_stream_begin(stream->request, 200, EVENTS_TYPE);
}

/* Ends the response and releases the request. */
static void end_sse_response(HfMcpEventStream *stream)
{
    if (!stream->request)
        return;
    if (stream->began)
        hf_http_stream_end(stream->request);
    g_clear_pointer(&stream->request, hf_http_request_unref);
    stream->began = FALSE;
}

static void write_event(HfMcpEventStream *stream, guint index)
{
    GBytes *event = stream->events->pdata[index];
    gsize size;
    const char *text = g_bytes_get_data(event, &size);
    g_autofree char *head =
        g_strdup_printf("id: %u-%u\nevent: message\ndata: ", stream->number, stream->first + index);
    hf_http_stream_send(stream->request, head, strlen(head));
    hf_http_stream_send(stream->request, text, size);
    hf_http_stream_send(stream->request, "\n\n", 2);
}

static void keep_stream_event(HfMcpEventStream *stream, const HfMcpMessage *message)
{
    g_ptr_array_add(stream->events, g_bytes_new(message->text, message->length));
    stream->bytes += message->length;
    while (stream->bytes > HF_LIMIT_MCP_STREAM_BYTES && stream->events->len > 1) {
        stream->bytes -= g_bytes_get_size(stream->events->pdata[0]);
        g_ptr_array_remove_index(stream->events, 0);
        stream->first++;
    }
}

/* ---- public ---- */

void hf_mcp_event_stream_send(HfMcpEventStream *stream, const HfMcpMessage *message)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stream->lock);
    gboolean alone = message->last && message->text && stream->request && !stream->began;
    stream->done |= message->last;
    if (message->text)
        keep_stream_event(stream, message);
    if (alone) {
        hf_http_respond_bytes(stream->request, (guint)message->status, "application/json",
                              g_bytes_ref(stream->events->pdata[stream->events->len - 1]));
    } else if (stream->request && message->text) {
        begin_sse_response(stream);
        write_event(stream, stream->events->len - 1);
    } else if (stream->request && (message->last || message->hang_up)) {
        begin_sse_response(stream);
    }
    if (message->last || message->hang_up)
        end_sse_response(stream);
}

static void send_priming_event(HfMcpEventStream *stream)
{
    g_autofree char *event =
        g_strdup_printf("id: %u-0\nretry: %d\ndata: \n\n", stream->number, COME_BACK_MS);
    hf_http_stream_send(stream->request, event, strlen(event));
}

/* The client has disconnected, or was dropped. */
static void on_stream_client_gone(GCancellable *cancellable, gpointer data)
{
    HfMcpEventStream *stream = data;
    g_mutex_lock(&stream->lock);
    HfHttpRequest *request = stream->request;
    gboolean ours = request && request->cancellable == cancellable;
    if (ours)
        stream->request = NULL;
    stream->began = ours ? FALSE : stream->began;
    g_mutex_unlock(&stream->lock);
    if (ours)
        hf_http_request_unref(request);
}

void hf_mcp_event_stream_attach(HfMcpEventStream *stream, HfHttpRequest *request, HfMcpCarry carry,
                                guint after)
{
    g_mutex_lock(&stream->lock);
    end_sse_response(stream);
    stream->request = hf_http_request_ref(request);
    if (carry != HF_MCP_CARRY_LAZY)
        begin_sse_response(stream);
    if (carry == HF_MCP_CARRY_PRIMED)
        send_priming_event(stream);
    for (guint i = 0; i < stream->events->len; i++)
        if (stream->first + i > after) {
            begin_sse_response(stream);
            write_event(stream, i);
        }
    if (stream->done)
        end_sse_response(stream);
    gboolean carried = stream->request != NULL;
    g_mutex_unlock(&stream->lock);
    if (carried)
        g_cancellable_connect(request->cancellable, G_CALLBACK(on_stream_client_gone),
                              hf_mcp_event_stream_ref(stream),
                              (GDestroyNotify)hf_mcp_event_stream_unref);
}

void hf_mcp_event_stream_close(HfMcpEventStream *stream)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stream->lock);
    stream->done = TRUE;
    if (stream->request)
        begin_sse_response(stream);
    end_sse_response(stream);
}

struct HfMcpHttpSession {
    gatomicrefcount refs;
    char *id, *token;
    HfMcp *mcp;
    HfMcpEventStream *general;
    gint64 used_us; /* under the table's lock */
    GMutex lock;    /* guards what follows */
    GQueue streams; /* of HfMcpEventStream, the oldest first */
    guint numbered;
};

struct HfMcpHttpSessions {
    HfMcpServer *server;
    GMutex lock;       /* guards what follows */
    GHashTable *table; /* id → HfMcpHttpSession */
};

HfMcpHttpSessions *hf_mcp_http_sessions_new(HfMcpServer *server)
{
    HfMcpHttpSessions *sessions = g_new0(HfMcpHttpSessions, 1);
    sessions->server = server;
    g_mutex_init(&sessions->lock);
    sessions->table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                            (GDestroyNotify)hf_mcp_http_session_unref);
    return sessions;
}

HfMcpHttpSession *hf_mcp_http_session_ref(HfMcpHttpSession *session)
{
    g_atomic_ref_count_inc(&session->refs);
    return session;
}

void hf_mcp_http_session_unref(HfMcpHttpSession *session)
{
    if (!session || !g_atomic_ref_count_dec(&session->refs))
        return;
    hf_mcp_unref(session->mcp);
    hf_mcp_event_stream_unref(session->general);
    g_queue_clear_full(&session->streams, (GDestroyNotify)hf_mcp_event_stream_unref);
    g_mutex_clear(&session->lock);
    g_free(session->id);
    g_free(session->token);
    g_free(session);
}

const char *hf_mcp_http_session_get_id(const HfMcpHttpSession *session)
{
    return session->id;
}

HfMcp *hf_mcp_http_session_get_mcp(const HfMcpHttpSession *session)
{
    return session->mcp;
}

/* ---- the table ---- */

/* Outside the lock, because it notifies others. */
static void close_session(HfMcpHttpSession *session)
{
    hf_mcp_close(session->mcp);
    hf_mcp_event_stream_close(session->general);
}

static HfMcpHttpSession *find_oldest_session(HfMcpHttpSessions *sessions)
{
    GHashTableIter iter;
    gpointer value;
    HfMcpHttpSession *oldest = NULL;
    g_hash_table_iter_init(&iter, sessions->table);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        if (!oldest || ((HfMcpHttpSession *)value)->used_us < oldest->used_us)
            oldest = value;
    return oldest;
}

static void register_http_session(HfMcpHttpSessions *sessions, HfMcpHttpSession *session)
{
    g_autoptr(HfMcpHttpSession) crowded_out = NULL;
    g_mutex_lock(&sessions->lock);
    if (g_hash_table_size(sessions->table) >= HF_LIMIT_MCP_SESSIONS) {
        crowded_out = hf_mcp_http_session_ref(find_oldest_session(sessions));
        g_hash_table_remove(sessions->table, crowded_out->id);
    }
    session->used_us = g_get_monotonic_time();
    g_hash_table_insert(sessions->table, session->id, hf_mcp_http_session_ref(session));
    g_mutex_unlock(&sessions->lock);
    if (crowded_out)
        close_session(crowded_out);
}

static void send_general(const HfMcpMessage *message, gpointer data)
{
    /* Messages that belong to no request end nothing. */
    HfMcpMessage plain = {.text = message->text, .length = message->length, .status = 200};
    hf_mcp_event_stream_send(data, &plain);
}

HfMcpHttpSession *hf_mcp_http_session_begin(HfMcpHttpSessions *sessions,
                                            const HfMcpOptions *options, GError **error)
{
    g_autoptr(HfMcpEventStream) general = hf_mcp_event_stream_new(0);
    g_autoptr(HfMcpOutput) output = hf_mcp_output_new(
        send_general, hf_mcp_event_stream_ref(general), (GDestroyNotify)hf_mcp_event_stream_unref);
    HfMcp *mcp = hf_mcp_new(sessions->server, options, output, error);
    if (!mcp)
        return NULL;
    HfMcpHttpSession *session = g_new0(HfMcpHttpSession, 1);
    g_atomic_ref_count_init(&session->refs);
    session->id = hf_id_new("m");
    session->token = g_strdup(options->caller->token);
    session->mcp = mcp;
    session->general = g_steal_pointer(&general);
    g_queue_init(&session->streams);
    g_mutex_init(&session->lock);
    register_http_session(sessions, session);
    return session;
}

HfMcpHttpSession *hf_mcp_http_session_find(HfMcpHttpSessions *sessions, const char *id,
                                           const HfCaller *caller)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&sessions->lock);
    HfMcpHttpSession *session = g_hash_table_lookup(sessions->table, id);
    if (session && g_strcmp0(session->token, caller->token) != 0)
        session = NULL;
    if (session) {
        session->used_us = g_get_monotonic_time();
        hf_mcp_http_session_ref(session);
    }
    return session;
}

void hf_mcp_http_session_end(HfMcpHttpSessions *sessions, HfMcpHttpSession *session)
{
    g_mutex_lock(&sessions->lock);
    g_hash_table_remove(sessions->table, session->id);
    g_mutex_unlock(&sessions->lock);
    close_session(session);
}

void hf_mcp_http_sessions_shut(HfMcpHttpSessions *sessions)
{
    g_mutex_lock(&sessions->lock);
    g_autoptr(GHashTable) table = g_steal_pointer(&sessions->table);
    sessions->table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                            (GDestroyNotify)hf_mcp_http_session_unref);
    g_mutex_unlock(&sessions->lock);
    GHashTableIter iter;
    gpointer session;
    g_hash_table_iter_init(&iter, table);
    while (g_hash_table_iter_next(&iter, NULL, &session))
        close_session(session);
}

void hf_mcp_http_sessions_free(HfMcpHttpSessions *sessions)
{
    if (!sessions)
        return;
    g_hash_table_unref(sessions->table);
    g_mutex_clear(&sessions->lock);
    g_free(sessions);
}

/* ---- streams ---- */

/* With the lock held: removes the oldest finished streams while there are too many, or too many
 * bytes. */
static void drop_done_streams(HfMcpHttpSession *session)
{
    gsize bytes = 0;
    guint count = g_queue_get_length(&session->streams);
    for (GList *each = session->streams.head; each; each = each->next)
        bytes += hf_mcp_event_stream_get_bytes(each->data);
    for (GList *each = session->streams.head, *next;
         each && (count > HF_LIMIT_MCP_STREAMS || bytes > HF_LIMIT_MCP_STREAM_BYTES); each = next) {
        next = each->next;
        if (!hf_mcp_event_stream_is_done(each->data))
            continue;
        bytes -= hf_mcp_event_stream_get_bytes(each->data);
        count--;
        hf_mcp_event_stream_unref(each->data);
        g_queue_delete_link(&session->streams, each);
    }
}

HfMcpEventStream *hf_mcp_http_session_add_stream(HfMcpHttpSession *session)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&session->lock);
    drop_done_streams(session);
    HfMcpEventStream *stream = hf_mcp_event_stream_new(++session->numbered);
    g_queue_push_tail(&session->streams, hf_mcp_event_stream_ref(stream));
    return stream;
}

HfMcpEventStream *hf_mcp_http_session_find_stream(HfMcpHttpSession *session, const char *event,
                                                  guint *ret_after)
{
    guint number;
    char rest;
    *ret_after = 0;
    if (!event)
        return hf_mcp_event_stream_ref(session->general);
    if (sscanf(event, "%u-%u%c", &number, ret_after, &rest) != 2)
        return NULL;
    if (number == 0)
        return hf_mcp_event_stream_ref(session->general);
    HfMcpEventStream *found = NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&session->lock);
    for (GList *each = session->streams.head; each && !found; each = each->next)
        if (hf_mcp_event_stream_get_number(each->data) == number)
            found = hf_mcp_event_stream_ref(each->data);
    return found;
}
