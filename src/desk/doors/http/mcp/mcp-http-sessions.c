/* SPDX-License-Identifier: Apache-2.0 */
/* The table of sessions, with the event streams that each keeps for a disconnected client. */
#include "desk/doors/http/mcp/mcp-http-sessions.h"

#include <stdio.h>

#include "desk/doors/http/http-limits.h"
#include "shared/base/error.h"
#include "shared/base/id.h"

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
    g_mutex_lock(&sessions->lock);
    HfMcpHttpSession *session = g_hash_table_lookup(sessions->table, id);
    if (session && g_strcmp0(session->token, caller->token) != 0)
        session = NULL;
    if (session) {
        session->used_us = g_get_monotonic_time();
        hf_mcp_http_session_ref(session);
    }
    g_mutex_unlock(&sessions->lock);
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
    g_mutex_lock(&session->lock);
    drop_done_streams(session);
    HfMcpEventStream *stream = hf_mcp_event_stream_new(++session->numbered);
    g_queue_push_tail(&session->streams, hf_mcp_event_stream_ref(stream));
    g_mutex_unlock(&session->lock);
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
    g_mutex_lock(&session->lock);
    for (GList *each = session->streams.head; each && !found; each = each->next)
        if (hf_mcp_event_stream_get_number(each->data) == number)
            found = hf_mcp_event_stream_ref(each->data);
    g_mutex_unlock(&session->lock);
    return found;
}
