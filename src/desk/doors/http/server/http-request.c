/* SPDX-License-Identifier: Apache-2.0 */
/* A request is created on the main thread, handled on any thread, and answered on the main thread:
 * everything that calls libsoup goes through the main queue. */
#include <glib-unix.h>
#include <poll.h>

#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/http/server/url-path.h"

HfHttpRequest *hf_http_request_new(HfHttp *http, SoupServerMessage *message,
                                   HfHttpConnection *connection, const HfHttpRoute *route)
{
    HfHttpRequest *request = g_new0(HfHttpRequest, 1);
    g_atomic_ref_count_init(&request->refs);
    request->http = http;
    request->message = g_object_ref(message);
    request->connection = hf_http_connection_ref(connection);
    request->route = route;
    request->cancellable = g_cancellable_new();
    request->query = hf_http_query_parse(g_uri_get_query(soup_server_message_get_uri(message)));
    return request;
}

HfHttpRequest *hf_http_request_ref(HfHttpRequest *request)
{
    g_atomic_ref_count_inc(&request->refs);
    return request;
}

/* A handler that forgot to answer must not leave its client waiting. */
static void answer_forgotten(HfHttpRequest *request)
{
    if (request->finished || request->answered || request->http->shut || !request->dispatched)
        return;
    soup_server_message_set_status(request->message, SOUP_STATUS_INTERNAL_SERVER_ERROR, NULL);
    soup_server_message_unpause(request->message);
}

static void free_request(gpointer data)
{
    HfHttpRequest *request = data;
    hf_http_request_unwatch(request);
    answer_forgotten(request);
    request->http->bodies_bytes -= request->body_bytes;
    g_object_unref(request->message);
    hf_http_connection_unref(request->connection);
    g_clear_pointer(&request->values, g_ptr_array_unref);
    g_hash_table_unref(request->query);
    hf_token_free(request->token);
    g_free(request->run_id);
    g_clear_pointer(&request->bytes, g_bytes_unref);
    json_decref(request->json);
    g_object_unref(request->cancellable);
    g_free(request);
}

/* The main thread frees a request, because libsoup's objects belong to it. */
void hf_http_request_unref(HfHttpRequest *request)
{
    if (!request || !g_atomic_ref_count_dec(&request->refs))
        return;
    hf_main_queue_push(request->http->main_queue, free_request, request);
}

const char *hf_http_request_get_part(const HfHttpRequest *request, const char *name)
{
    return hf_http_path_value(request->route->path, request->values, name);
}

const char *hf_http_request_get_query(const HfHttpRequest *request, const char *name)
{
    return g_hash_table_lookup(request->query, name);
}

const char *hf_http_request_get_header(const HfHttpRequest *request, const char *name)
{
    return soup_message_headers_get_one(soup_server_message_get_request_headers(request->message),
                                        name);
}

void hf_http_request_set_waiting(const json_t *approval, gpointer request)
{
    hf_workers_set_waiting(((HfHttpRequest *)request)->http->workers, approval != NULL);
}

static gboolean on_hangup(gint fd, GIOCondition condition, gpointer data)
{
    HfHttpRequest *request = data;
    request->hangup = 0;
    g_cancellable_cancel(request->cancellable);
    if (g_atomic_int_get(&request->streaming)) {
        hf_http_connection_drop(request->connection);
        hf_http_stream_end(request); /* libsoup notices the end only when it writes */
    }
    return G_SOURCE_REMOVE;
}

/* libsoup does not watch a connection before it has an answer. */
void hf_http_request_watch(HfHttpRequest *request)
{
    if (request->hangup)
        return;
    request->hangup =
        g_unix_fd_add(hf_http_connection_get_fd(request->connection),
                      (GIOCondition)(POLLRDHUP | POLLHUP | POLLERR), on_hangup, request);
}

void hf_http_request_unwatch(HfHttpRequest *request)
{
    if (request->hangup)
        g_source_remove(request->hangup);
    request->hangup = 0;
}

void hf_http_request_finish(HfHttpRequest *request)
{
    request->finished = TRUE;
    hf_http_request_unwatch(request);
    g_object_set_data(G_OBJECT(request->message), HF_HTTP_REQUEST_KEY, NULL);
    g_cancellable_cancel(request->cancellable);
    g_hash_table_remove(request->http->requests, request);
}
