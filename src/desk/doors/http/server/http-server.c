/* SPDX-License-Identifier: Apache-2.0 */
/* The wiring of the door: hands accepted streams to libsoup, which calls back at each stage of a
 * request. */
#include "desk/doors/http/server/http-server.h"

#include <string.h>
#include <sys/socket.h>

#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/http/server/web-socket.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static HfHttpRequest *request_of_message(SoupServerMessage *message)
{
    return g_object_get_data(G_OBJECT(message), HF_HTTP_REQUEST_KEY);
}

static HfHttpConnection *connection_of(SoupServerMessage *message)
{
    return hf_http_connection_find(soup_server_message_get_remote_address(message));
}

/* We ask for TLS 1.3 when the door opens; this catches systems that negotiate something else. */
static gboolean is_modern(HfHttp *http, SoupServerMessage *message)
{
    GTlsConnection *tls = g_object_get_data(
        G_OBJECT(soup_server_message_get_remote_address(message)), HF_HTTP_TLS_KEY);
    return !tls || g_tls_connection_get_protocol_version(tls) >= G_TLS_PROTOCOL_VERSION_TLS_1_3;
}

static void on_got_headers(SoupServerMessage *message, gpointer data)
{
    HfHttp *http = data;
    HfHttpConnection *connection = connection_of(message);
    if (soup_server_message_get_status(message) != 0)
        return;
    if (!is_modern(http, message)) {
        hf_http_connection_drop(connection);
        return;
    }
    hf_http_connection_expect(connection, HF_LIMIT_HTTP_BODY_MS);
    HfHttpRequest *request = hf_http_admit_request(http, message, connection);
    if (!request)
        return;
    /* A client that frames a body in two ways, or leaves bytes behind one, gets no second request
     * on this connection. */
    SoupMessageHeaders *headers = soup_server_message_get_request_headers(message);
    if (soup_message_headers_get_one(headers, "Transfer-Encoding"))
        soup_message_headers_replace(soup_server_message_get_response_headers(message),
                                     "Connection", "close");
    else
        request->body_bytes = (gsize)soup_message_headers_get_content_length(headers);
    http->bodies_bytes += request->body_bytes;
    g_hash_table_add(http->requests, request);
    g_object_set_data(G_OBJECT(message), HF_HTTP_REQUEST_KEY, request);
}

/* Only chunked bodies can grow beyond the announced length. */
static void on_got_chunk(SoupServerMessage *message, GBytes *chunk, gpointer data)
{
    HfHttp *http = data;
    HfHttpRequest *request = request_of_message(message);
    g_autoptr(GError) error = NULL;
    goffset length = soup_server_message_get_request_body(message)->length;
    if (!request || (gsize)length <= request->body_bytes)
        return;
    http->bodies_bytes += (gsize)length - request->body_bytes;
    request->body_bytes = (gsize)length;
    if (length <= (goffset)HF_LIMIT_REQUEST_BYTES &&
        http->bodies_bytes <= HF_LIMIT_HTTP_BODIES_BYTES)
        return;
    http->totals.too_large++;
    hf_fail(&error, HF_ERROR_LIMIT_EXCEEDED, "the body is larger than %u bytes",
            HF_LIMIT_REQUEST_BYTES);
    hf_http_request_finish(request);
    hf_http_refuse(http, message, error, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE);
}

static void on_body(SoupServer *server, SoupServerMessage *message, const char *path,
                    GHashTable *query, gpointer data)
{
    HfHttpRequest *request = request_of_message(message);
    if (!request) {
        soup_server_message_set_status(message, SOUP_STATUS_BAD_REQUEST, NULL);
        return;
    }
    request->bytes = soup_message_body_flatten(soup_server_message_get_request_body(message));
    hf_http_dispatch(request);
}

static void on_wrote(SoupServerMessage *message, guint bytes, gpointer data)
{
    HfHttpRequest *request = request_of_message(message);
    if (request)
        hf_http_request_wrote(request, bytes);
}

static void on_finished(SoupServerMessage *message, gpointer data)
{
    HfHttpRequest *request = request_of_message(message);
    HfHttpConnection *connection = connection_of(message);
    g_object_set_data(G_OBJECT(message), HF_HTTP_LATER_KEY, NULL);
    if (request)
        hf_http_request_finish(request);
    if (connection)
        hf_http_connection_expect_request(connection);
}

static void on_started(SoupServer *server, SoupServerMessage *message, gpointer data)
{
    g_signal_connect(message, "got-headers", G_CALLBACK(on_got_headers), data);
    g_signal_connect(message, "got-chunk", G_CALLBACK(on_got_chunk), data);
    g_signal_connect(message, "wrote-body-data", G_CALLBACK(on_wrote), data);
    g_signal_connect(message, "finished", G_CALLBACK(on_finished), data);
}

static void on_http_connection(GIOStream *stream, HfHttpConnection *connection, gpointer data)
{
    HfHttp *http = data;
    GIOStream *base = stream;
    if (G_IS_TLS_CONNECTION(stream))
        g_object_get(stream, "base-io-stream", &base, NULL);
    g_autoptr(GSocketAddress) local =
        g_socket_connection_get_local_address(G_SOCKET_CONNECTION(base), NULL);
    g_autoptr(GSocketAddress) remote =
        g_socket_connection_get_remote_address(G_SOCKET_CONNECTION(base), NULL);
    if (base != stream)
        g_object_unref(base);
    if (!local || !remote)
        return;
    hf_http_connection_bind_address(connection, remote);
    if (G_IS_TLS_CONNECTION(stream))
        g_object_set_data(G_OBJECT(remote), HF_HTTP_TLS_KEY, stream);
    g_autoptr(GIOStream) inlet =
        hf_http_framing_stream_new(stream, hf_http_connection_get_framing(connection));
    soup_server_accept_iostream(http->server, inlet, local, remote, NULL);
}

/* libsoup keeps connections alive only while it has a listener. This one is half of a socket pair
 * that nobody else has, so nobody can connect to it. */
static gboolean keep_alive(HfHttp *http, GError **error)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return hf_fail(error, HF_ERROR_INTERNAL, "no socket pair");
    g_autoptr(GSocket) ours = g_socket_new_from_fd(pair[0], error);
    g_autoptr(GSocket) other = g_socket_new_from_fd(pair[1], error);
    if (!ours || !other)
        return FALSE;
    g_object_set_data_full(G_OBJECT(http->server), "hf-pair", g_steal_pointer(&other),
                           g_object_unref);
    return soup_server_listen_socket(http->server, ours, 0, error);
}

static void refresh_http_listener(gpointer data)
{
    HfHttp *http = data;
    if (!http->shut)
        hf_http_listener_refresh(http->listener);
}

static void on_config_event(HfEvent *event, const json_t *about, gpointer data)
{
    HfHttp *http = data;
    if (g_str_equal(event->type, "config.changed"))
        hf_main_queue_push(http->main_queue, refresh_http_listener, http);
}

static gboolean open_http_server(HfHttp *http, GError **error)
{
    HfLiveConfig *live_config = hf_guard_get_live_config(hf_desk_get_guard(http->desk));
    http->server = soup_server_new("raw-paths", TRUE, "server-header", "handfast", NULL);
    g_signal_connect(http->server, "request-started", G_CALLBACK(on_started), http);
    soup_server_add_handler(http->server, NULL, on_body, http, NULL);
    http->listener = hf_http_listener_new(live_config, hf_desk_get_options(http->desk)->http_port,
                                          http->table, on_http_connection, http, error);
    if (!http->listener || !keep_alive(http, error))
        return FALSE;
    http->changes =
        hf_events_listen(hf_guard_get_events(hf_desk_get_guard(http->desk)), on_config_event, http);
    return TRUE;
}

HfHttp *hf_http_new(HfDesk *desk, HfWorkers *workers, HfMcpServer *mcp, GError **error)
{
    g_autoptr(HfConfig) config =
        hf_live_config_get(hf_guard_get_live_config(hf_desk_get_guard(desk)));
    if (!hf_config_bool(config, "http.enabled") || !hf_soup_load(error))
        return NULL;
    /* The TLS library reads this once, on first use. */
    g_setenv("G_TLS_GNUTLS_PRIORITY", "NORMAL:-VERS-ALL:+VERS-TLS1.3", TRUE);
    HfHttp *http = g_new0(HfHttp, 1);
    http->desk = desk;
    http->workers = workers;
    http->mcp = mcp;
    http->sessions = hf_mcp_http_sessions_new(mcp);
    http->main_queue = hf_main_queue_new();
    http->table = hf_http_connections_new();
    http->backoff = hf_auth_backoff_new();
    http->metrics = hf_http_metrics_new(hf_guard_get_events(hf_desk_get_guard(desk)));
    http->sockets = g_ptr_array_new();
    http->requests = g_hash_table_new_full(NULL, NULL, (GDestroyNotify)hf_http_request_unref, NULL);
    if (open_http_server(http, error))
        return http;
    hf_http_shut(http);
    hf_http_free(http);
    return NULL;
}

void hf_http_shut(HfHttp *http)
{
    GHashTableIter iter;
    gpointer request;
    if (http->changes)
        hf_events_unlisten(hf_guard_get_events(hf_desk_get_guard(http->desk)), http->changes);
    hf_mcp_http_sessions_shut(http->sessions);
    http->shut = TRUE;
    g_clear_pointer(&http->listener, hf_http_listener_free);
    hf_web_sockets_end_all(http);
    g_hash_table_iter_init(&iter, http->requests);
    while (g_hash_table_iter_next(&iter, &request, NULL))
        g_cancellable_cancel(((HfHttpRequest *)request)->cancellable);
    hf_http_connections_drop_all(http->table);
}

void hf_http_free(HfHttp *http)
{
    if (!http)
        return;
    g_hash_table_remove_all(http->requests);
    soup_server_disconnect(http->server);
    hf_mcp_http_sessions_free(http->sessions);
    hf_main_queue_free(http->main_queue);
    g_object_unref(http->server);
    g_hash_table_unref(http->requests);
    g_ptr_array_unref(http->sockets);
    hf_http_connections_free(http->table);
    hf_auth_backoff_free(http->backoff);
    hf_http_metrics_free(http->metrics);
    g_free(http);
}

json_t *hf_http_describe(const HfHttp *http)
{
    char *const *addresses = hf_http_listener_get_addresses(http->listener);
    guint port = hf_http_listener_get_port(http->listener);
    gboolean tls = hf_http_listener_is_tls(http->listener);
    gboolean six = strchr(addresses[0], ':') != NULL;
    g_autofree char *url = g_strdup_printf("%s://%s%s%s:%u", tls ? "https" : "http", six ? "[" : "",
                                           addresses[0], six ? "]" : "", port);
    json_t *list = json_array();
    for (char *const *address = addresses; *address; address++)
        json_array_append_new(list, json_string(*address));
    json_t *json = json_pack("{s:s, s:o, s:i, s:b}", "url", url, "addresses", list, "port",
                             (int)port, "tls", tls);
    const char *wrong = hf_http_listener_get_wrong(http->listener);
    if (wrong)
        json_object_set_new(json, "ignored", hf_json_text(wrong));
    return json;
}
