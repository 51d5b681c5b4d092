/* SPDX-License-Identifier: Apache-2.0 */
/* One thread per connection (shared/network/connections.h). The first byte says which protocol the
 * client speaks. An HTTP connection serves one request and closes, so that each is judged. */
#include "proxy/proxy-server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/destination.h"
#include "proxy/http-request.h"
#include "proxy/proxy-limits.h"
#include "shared/base/error.h"
#include "shared/network/connections.h"
#include "shared/network/host-policy.h"
#include "shared/network/network-limits.h"
#include "shared/network/relay.h"
#include "shared/network/socks.h"

struct HfProxyServer {
    HfConnections *connections;
    HfProxyRefused refused;
    gpointer data;
    GMutex lock; /* guards the policy; taken last */
    HfHostPolicy *policy;
};

/* ---- policy ---- */

static HfHostVerdict judge_host(HfProxyServer *server, const char *host)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    return hf_host_policy_judge(server->policy, host);
}

static gboolean forbid_host(HfHostVerdict verdict, const char *host, GError **error)
{
    return hf_fail(error, HF_ERROR_FORBIDDEN,
                   "programs on this desktop may not reach '%s': %s (%s)", host,
                   hf_host_verdict_reason(verdict), hf_host_verdict_field(verdict));
}

static gboolean has_allowed_list(HfProxyServer *server)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&server->lock);
    return hf_host_policy_has_allowed(server->policy);
}

/* Names are on the list of allowed hosts, and their addresses need not be; but a blocked address is
 * blocked by whatever name. Without such a list all hosts are allowed, and a stranger's name could
 * lead into the owner's own network. */
static gboolean is_address_open(const char *address, gpointer data, GError **error)
{
    if (judge_host(data, address) == HF_HOST_BLOCKED)
        return forbid_host(HF_HOST_BLOCKED, address, error);
    if (!hf_address_is_private(address) || has_allowed_list(data))
        return TRUE;
    return hf_fail(error, HF_ERROR_FORBIDDEN,
                   "programs on this desktop may not reach %s, which is in a private network: only "
                   "hosts that are on the list of allowed domains are reached there "
                   "(security.allowed_domains)",
                   address);
}

static gboolean may_go_on(const HfConnection *connection, gpointer data)
{
    return judge_host(data, connection->host) == HF_HOST_ALLOWED &&
           (!connection->address || is_address_open(connection->address, data, NULL));
}

void hf_proxy_server_set_lists(HfProxyServer *server, const json_t *lists)
{
    g_mutex_lock(&server->lock);
    hf_host_policy_free(server->policy);
    server->policy = hf_host_policy_new_from_config(lists);
    g_mutex_unlock(&server->lock);
    hf_connections_review(server->connections, may_go_on, server);
}

/* Judges, resolves, judges again, connects. The connection is joined when it succeeds. */
static GSocketConnection *connect_client(HfProxyServer *server, HfConnection *connection,
                                         GError **error)
{
    g_autofree char *address = NULL;
    g_autoptr(GError) reason = NULL;
    HfHostVerdict verdict = judge_host(server, connection->host);
    if (!hf_proxy_is_host(connection->host))
        hf_fail(&reason, HF_ERROR_INVALID_PARAMS, "the name of the host is malformed");
    else if (verdict != HF_HOST_ALLOWED)
        forbid_host(verdict, connection->host, &reason);
    g_autoptr(GSocketConnection) made =
        reason ? NULL
               : hf_destination_connect(connection->host, connection->port, is_address_open, server,
                                        connection->cancellable, &address, &reason);
    if (made &&
        !hf_connection_join(connection, g_socket_get_fd(g_socket_connection_get_socket(made)),
                            address, may_go_on, server)) {
        g_clear_object(&made);
        hf_fail(&reason, HF_ERROR_FORBIDDEN, "programs on this desktop may no longer reach '%s'",
                connection->host);
    }
    if (reason && hf_error_code(reason) == HF_ERROR_FORBIDDEN)
        server->refused(connection->host, connection->port, reason->message, server->data);
    if (reason)
        g_propagate_error(error, g_steal_pointer(&reason));
    return g_steal_pointer(&made);
}

/* ---- bytes ---- */

static gboolean wait_for_bytes(int fd, gint64 until_us)
{
    struct pollfd ready = {fd, POLLIN, 0};
    gint64 left_ms = (until_us - g_get_monotonic_time()) / 1000;
    return left_ms > 0 && poll(&ready, 1, (int)left_ms) > 0;
}

static gboolean send_all(int fd, const char *bytes, gsize count)
{
    while (count > 0) {
        struct pollfd ready = {fd, POLLOUT, 0};
        if (poll(&ready, 1, HF_LIMIT_PROXY_HEAD_MS) <= 0)
            return FALSE;
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return FALSE;
        bytes += MAX(sent, 0);
        count -= (gsize)MAX(sent, 0);
    }
    return TRUE;
}

/* A client that is still sending when we close would lose the answer. */
static void drain_client(int client)
{
    char rest[4096];
    gint64 until = g_get_monotonic_time() + HF_LIMIT_PROXY_LINGER_MS * (gint64)1000;
    shutdown(client, SHUT_WR);
    while (wait_for_bytes(client, until) && read(client, rest, sizeof rest) > 0)
        ;
}

static void relay_tunnel(const HfConnection *connection)
{
    hf_relay_run(&(HfRelay){.client = connection->client,
                            .server = connection->server,
                            .idle_ms = HF_LIMIT_PROXY_IDLE_MS});
}

/* ---- SOCKS 5 ---- */

static HfSocksReply find_reply(const GError *error)
{
    return hf_error_code(error) == HF_ERROR_FORBIDDEN ||
                   hf_error_code(error) == HF_ERROR_INVALID_PARAMS
               ? HF_SOCKS_REPLY_NOT_ALLOWED
           : error->domain == G_RESOLVER_ERROR ? HF_SOCKS_REPLY_UNKNOWN
           : g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)
               ? HF_SOCKS_REPLY_REFUSED
               : HF_SOCKS_REPLY_NOT_REACHED;
}

static void serve_socks(HfProxyServer *server, HfConnection *connection)
{
    g_autoptr(GError) error = NULL;
    char *host;
    guint16 port;
    if (!hf_socks_greet(connection->client) ||
        !hf_socks_read_request(connection->client, &host, &port))
        return;
    hf_connection_set_target(connection, host, port);
    g_autoptr(GSocketConnection) made = connect_client(server, connection, &error);
    hf_socks_send_reply(connection->client, made ? HF_SOCKS_REPLY_DONE : find_reply(error));
    if (!made)
        return;
    relay_tunnel(connection);
    hf_connection_part(connection);
}

/* ---- HTTP ---- */

static const char *find_status(const GError *error)
{
    return hf_error_code(error) == HF_ERROR_FORBIDDEN        ? "403 Forbidden"
           : hf_error_code(error) == HF_ERROR_INVALID_PARAMS ? "400 Bad Request"
           : hf_error_code(error) == HF_ERROR_LIMIT_EXCEEDED ? "431 Request Header Fields Too Large"
           : g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) ? "504 Gateway Timeout"
                                                                      : "502 Bad Gateway";
}

static void answer_with_error(const HfConnection *connection, const GError *error)
{
    gboolean ours = error->domain == HF_ERROR;
    g_autofree char *text =
        g_strdup_printf("Handfast: %s%s%s%s\n", ours ? "" : "cannot connect to '",
                        ours ? "" : connection->host, ours ? "" : "': ", error->message);
    g_autofree char *answer = g_strdup_printf(
        "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
        "Connection: close\r\n\r\n%s",
        find_status(error), strlen(text), text);
    send_all(connection->client, answer, strlen(answer));
    drain_client(connection->client);
}

/* The head, and what came with it. Returns the length of the head; 0: the client has gone, or
 * `error` says what is wrong. */
static gsize read_head(int client, GString *text, GError **error)
{
    gint64 until = g_get_monotonic_time() + HF_LIMIT_PROXY_HEAD_MS * (gint64)1000;
    const char *end = NULL;
    while (!(end = memmem(text->str, text->len, "\r\n\r\n", 4))) {
        char part[4096];
        if (text->len >= HF_LIMIT_PROXY_HEAD_BYTES) {
            hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the headers have more than %zu bytes",
                    HF_LIMIT_PROXY_HEAD_BYTES);
            return 0;
        }
        ssize_t count =
            wait_for_bytes(client, until) ? read(client, part, sizeof part) : (ssize_t)0;
        if (count <= 0)
            return 0;
        g_string_append_len(text, part, count);
    }
    return (gsize)(end - text->str) + 4;
}

static gsize admit_body(const char *bytes, gsize count, gpointer data)
{
    return hf_body_admit(data, bytes, count);
}

/* `early`: what came with the head. */
static void serve_http_request(const HfConnection *connection, HfProxyRequest *request,
                               const char *early, gsize count)
{
    gsize admitted = hf_body_admit(&request->body, early, count);
    if (!send_all(connection->server, request->head->str, request->head->len) ||
        !send_all(connection->server, early, admitted))
        return;
    gboolean surplus = admitted < count;
    hf_relay_run(&(HfRelay){
        .client = connection->client,
        .server = connection->server,
        .admit = admit_body,
        .data = &request->body,
        .idle_ms = surplus ? HF_LIMIT_PROXY_SURPLUS_MS : HF_LIMIT_PROXY_IDLE_MS,
        .surplus_ms = HF_LIMIT_PROXY_SURPLUS_MS,
    });
    drain_client(connection->client);
}

static void serve_http_tunnel(const HfConnection *connection, const char *early, gsize count)
{
    static const char done[] = "HTTP/1.1 200 Connection established\r\n\r\n";
    if (send_all(connection->client, done, strlen(done)) &&
        send_all(connection->server, early, count))
        relay_tunnel(connection);
}

static void serve_http(HfProxyServer *server, HfConnection *connection)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    g_auto(HfProxyRequest) request = {0};
    gsize length = read_head(connection->client, text, &error);
    if (length == 0 && !error)
        return;
    g_autoptr(GSocketConnection) made = NULL;
    if (!error && hf_proxy_request_parse(text->str, length, &request, &error)) {
        hf_connection_set_target(connection, g_strdup(request.host), request.port);
        made = connect_client(server, connection, &error);
    }
    if (!made) {
        answer_with_error(connection, error);
        return;
    }
    if (request.tunnel)
        serve_http_tunnel(connection, text->str + length, text->len - length);
    else
        serve_http_request(connection, &request, text->str + length, text->len - length);
    hf_connection_part(connection);
}

static void serve_client(HfConnection *connection, gpointer data)
{
    char first;
    gint64 until = g_get_monotonic_time() + HF_LIMIT_PROXY_HEAD_MS * (gint64)1000;
    if (!wait_for_bytes(connection->client, until) ||
        recv(connection->client, &first, 1, MSG_PEEK) != 1)
        return;
    if (first == 5)
        serve_socks(data, connection);
    else
        serve_http(data, connection);
}

/* ---- its life ---- */

HfProxyServer *hf_proxy_server_new(int take_listener, const json_t *lists, HfProxyRefused refused,
                                   gpointer data)
{
    HfProxyServer *server = g_new0(HfProxyServer, 1);
    server->refused = refused;
    server->data = data;
    server->policy = hf_host_policy_new_from_config(lists);
    g_mutex_init(&server->lock);
    server->connections =
        hf_connections_new(take_listener, HF_LIMIT_PROXY_CLIENTS, serve_client, server);
    return server;
}

void hf_proxy_server_free(HfProxyServer *server)
{
    if (!server)
        return;
    hf_connections_free(server->connections);
    hf_host_policy_free(server->policy);
    g_mutex_clear(&server->lock);
    g_free(server);
}
