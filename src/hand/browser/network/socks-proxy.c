/* SPDX-License-Identifier: Apache-2.0 */
/* Each connection has a thread (shared/network/connections.h), top to bottom: check the user, read
 * the destination, check it, connect, copy bytes. On a desktop whose network is that of a proxy
 * (container.network "policy"), connecting means asking that proxy, which has lists of its own;
 * what it refuses is noted here like what we refuse. */
#include "hand/browser/network/socks-proxy.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/browser/browser-limits.h"
#include "shared/base/error.h"
#include "shared/network/connections.h"
#include "shared/network/network-limits.h"
#include "shared/network/relay.h"
#include "shared/network/socks.h"

/* /proc/net/tcp lists both ends; the peer's has our port as the remote one. */
static gboolean is_client_own_user(int fd, guint16 port)
{
    struct sockaddr_in peer = {0};
    socklen_t size = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &size) != 0 || peer.sin_family != AF_INET)
        return FALSE;
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/net/tcp", &text, NULL, NULL))
        return FALSE;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        unsigned here, here_port, there, there_port, uid;
        if (sscanf(*line, " %*d: %8X:%4X %8X:%4X %*2X %*8X:%*8X %*2X:%*8X %*8X %u", &here,
                   &here_port, &there, &there_port, &uid) == 5 &&
            here_port == ntohs(peer.sin_port) && there_port == port)
            return uid == geteuid();
    }
    return FALSE;
}

struct HfSocks {
    guint16 port;
    guint16 next_proxy; /* on the loopback address; 0: we connect ourselves */
    HfConnections *connections;
    GMutex lock; /* guards the members below; taken last */
    HfPagePolicy *policy, *live_policy;
    GQueue *notes; /* of HfSocksNote, newest last */
};

static void note_free(gpointer data)
{
    HfSocksNote *note = data;
    g_free(note->host);
    g_free(note->reason);
    g_free(note);
}

/* ---- policy ---- */

static gboolean check_host(HfSocks *socks, const char *host, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&socks->lock);
    return (!socks->live_policy || hf_page_policy_check_host(socks->live_policy, host, error)) &&
           (!socks->policy || hf_page_policy_check_host(socks->policy, host, error));
}

static gboolean may_go_on(const HfConnection *connection, gpointer data)
{
    return check_host(data, connection->host, NULL);
}

static void replace_socks_policy(HfSocks *socks, HfPagePolicy **place, HfPagePolicy *policy)
{
    g_mutex_lock(&socks->lock);
    hf_page_policy_free(*place);
    *place = policy;
    g_mutex_unlock(&socks->lock);
    hf_connections_review(socks->connections, may_go_on, socks);
}

void hf_socks_take_policy(HfSocks *socks, HfPagePolicy *take_policy)
{
    replace_socks_policy(socks, &socks->policy, take_policy);
}

void hf_socks_take_live_policy(HfSocks *socks, HfPagePolicy *take_policy)
{
    replace_socks_policy(socks, &socks->live_policy, take_policy);
}

static void add_note(HfSocks *socks, const HfConnection *connection, HfSocksProblem problem,
                     const char *reason)
{
    if (g_str_equal(connection->host, HF_SOCKS_NOWHERE))
        return;
    HfSocksNote *note = g_new0(HfSocksNote, 1);
    *note = (HfSocksNote){problem, g_strdup(connection->host), connection->port, g_strdup(reason),
                          g_get_monotonic_time()};
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&socks->lock);
    g_queue_push_tail(socks->notes, note);
    if (g_queue_get_length(socks->notes) > HF_LIMIT_PROXY_NOTES)
        note_free(g_queue_pop_head(socks->notes));
}

GPtrArray *hf_socks_dup_notes(HfSocks *socks, gint64 since_us)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(note_free);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&socks->lock);
    for (GList *link = socks->notes->head; link; link = link->next) {
        const HfSocksNote *note = link->data;
        HfSocksNote *copy = g_memdup2(note, sizeof *note);
        copy->host = g_strdup(note->host);
        copy->reason = g_strdup(note->reason);
        if (note->at_us >= since_us)
            g_ptr_array_add(notes, copy);
        else
            note_free(copy);
    }
    return notes;
}

/* ---- connecting ---- */

static gboolean read_destination(HfConnection *connection)
{
    char *host;
    guint16 port;
    if (!hf_socks_greet(connection->client) ||
        !hf_socks_read_request(connection->client, &host, &port))
        return FALSE;
    hf_connection_set_target(connection, host, port);
    return TRUE;
}

static HfSocksReply note_failure(HfSocks *socks, const HfConnection *connection,
                                 const GError *error)
{
    gboolean unknown = error->domain == G_RESOLVER_ERROR;
    gboolean refused = hf_error_code(error) == HF_ERROR_FORBIDDEN;
    add_note(socks, connection,
             refused   ? HF_SOCKS_REFUSED
             : unknown ? HF_SOCKS_UNKNOWN
                       : HF_SOCKS_UNREACHABLE,
             error->message);
    return refused   ? HF_SOCKS_REPLY_NOT_ALLOWED
           : unknown ? HF_SOCKS_REPLY_UNKNOWN
           : g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)
               ? HF_SOCKS_REPLY_REFUSED
               : HF_SOCKS_REPLY_NOT_REACHED;
}

static GSocketConnection *connect_directly(const HfConnection *connection, const char *host,
                                           guint16 port, GError **error)
{
    g_autoptr(GSocketClient) maker = g_socket_client_new();
    g_socket_client_set_enable_proxy(maker, FALSE);
    g_socket_client_set_timeout(maker, HF_LIMIT_PROXY_CONNECT_S);
    g_autoptr(GSocketConnectable) where = g_network_address_new(host, port);
    return g_socket_client_connect(maker, where, connection->cancellable, error);
}

/* What the reply of the desktop's proxy means. */
static gboolean check_reply(HfSocksReply reply, const char *host, GError **error)
{
    switch (reply) {
    case HF_SOCKS_REPLY_DONE:
        return TRUE;
    case HF_SOCKS_REPLY_NOT_ALLOWED:
        return hf_fail(error, HF_ERROR_FORBIDDEN,
                       "programs on this desktop may not reach '%s': it is not allowed by "
                       "security.allowed_domains or security.blocked_domains, or it leads to the "
                       "machine itself (container.network is 'policy')",
                       host);
    case HF_SOCKS_REPLY_UNKNOWN:
        g_set_error(error, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND,
                    "the name cannot be resolved");
        return FALSE;
    case HF_SOCKS_REPLY_REFUSED:
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED, "Connection refused");
        return FALSE;
    case HF_SOCKS_REPLY_NOT_REACHED:
        break;
    }
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE, "it does not answer");
    return FALSE;
}

/* Its answer takes its time; whoever cuts the connection meanwhile ends the wait. */
static GSocketConnection *connect_by_next_proxy(HfSocks *socks, HfConnection *connection,
                                                GError **error)
{
    HfSocksReply reply;
    g_autoptr(GSocketConnection) made =
        connect_directly(connection, "127.0.0.1", socks->next_proxy, error);
    if (!made)
        return NULL;
    int fd = g_socket_get_fd(g_socket_connection_get_socket(made));
    gboolean answered = hf_connection_join(connection, fd, NULL, may_go_on, socks) &&
                        hf_socks_ask(fd, connection->host, connection->port, &reply);
    hf_connection_part(connection);
    if (!answered) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_PROXY_FAILED,
                    "the proxy of this desktop does not answer");
        return NULL;
    }
    return check_reply(reply, connection->host, error) ? g_steal_pointer(&made) : NULL;
}

/* Servers that run on this desktop: the loopback of its container is its own. */
static gboolean is_on_this_desktop(const char *host)
{
    g_autoptr(GInetAddress) address = g_inet_address_new_from_string(host);
    return address ? g_inet_address_get_is_loopback(address)
                   : g_ascii_strcasecmp(host, "localhost") == 0;
}

static GSocketConnection *connect_to_host(HfSocks *socks, HfConnection *connection)
{
    g_autoptr(GError) error = NULL;
    GSocketConnection *made =
        !check_host(socks, connection->host, &error) ? NULL
        : socks->next_proxy != 0 && !is_on_this_desktop(connection->host)
            ? connect_by_next_proxy(socks, connection, &error)
            : connect_directly(connection, connection->host, connection->port, &error);
    if (!made)
        hf_socks_send_reply(connection->client, note_failure(socks, connection, error));
    return made;
}

static void serve_browser(HfConnection *connection, gpointer data)
{
    HfSocks *socks = data;
    if (!is_client_own_user(connection->client, socks->port) || !read_destination(connection))
        return;
    g_autoptr(GSocketConnection) made = connect_to_host(socks, connection);
    if (!made)
        return;
    int server = g_socket_get_fd(g_socket_connection_get_socket(made));
    if (!hf_connection_join(connection, server, NULL, may_go_on, socks))
        return;
    hf_socks_send_reply(connection->client, HF_SOCKS_REPLY_DONE);
    hf_relay_run(&(HfRelay){.client = connection->client, .server = server, .idle_ms = -1});
    hf_connection_part(connection);
}

/* ---- the listener ---- */

static int listen_on_loopback(guint16 *ret_port, GError **error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 128) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &size) == 0) {
        *ret_port = ntohs(address.sin_port);
        return fd;
    }
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "cannot open the browser's proxy: %s",
            g_strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

HfSocks *hf_socks_new(guint16 next_proxy, GError **error)
{
    guint16 port = 0;
    int listener = listen_on_loopback(&port, error);
    if (listener < 0)
        return NULL;
    HfSocks *socks = g_new0(HfSocks, 1);
    socks->port = port;
    socks->next_proxy = next_proxy;
    socks->notes = g_queue_new();
    g_mutex_init(&socks->lock);
    socks->connections =
        hf_connections_new(listener, HF_LIMIT_PROXY_CONNECTIONS, serve_browser, socks);
    return socks;
}

guint16 hf_socks_get_port(const HfSocks *socks)
{
    return socks->port;
}

void hf_socks_free(HfSocks *socks)
{
    if (!socks)
        return;
    hf_connections_free(socks->connections);
    g_queue_free_full(socks->notes, note_free);
    hf_page_policy_free(socks->policy);
    hf_page_policy_free(socks->live_policy);
    g_mutex_clear(&socks->lock);
    g_free(socks);
}
