/* SPDX-License-Identifier: Apache-2.0 */
/* One thread per connection, top to bottom: check the user, read the destination, check it,
 * connect, copy bytes. The descriptors are in a table so that other threads can close a connection:
 * shutdown() wakes whoever waits for it. */
#include "hand/browser/network/socks-proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/browser/browser-limits.h"
#include "hand/browser/network/socket-relay.h"
#include "hand/browser/network/socks-protocol.h"
#include "hand/files/fd.h"
#include "shared/base/error.h"

struct HfSocks {
    int listener;
    int spare; /* a reserved descriptor of the accepting thread */
    guint16 port;
    GThread *acceptor;
    GCancellable *over;
    GMutex lock; /* guards the members below */
    GCond gone;
    GPtrArray *connections; /* of Connection, borrowed from their threads */
    HfPagePolicy *policy, *live_policy;
    GQueue *notes; /* of HfSocksNote, newest last */
};

typedef struct Connection {
    HfSocks *socks;
    int client;
    int server; /* -1 until it is connected */
    char *host; /* NULL until it is known */
    guint16 port;
    GCancellable *cancellable;
} Connection;

static void note_free(gpointer data)
{
    HfSocksNote *note = data;
    g_free(note->host);
    g_free(note->reason);
    g_free(note);
}

/* ---- policy ---- */

/* With the lock held. */
static gboolean may_connect(HfSocks *socks, const char *host, GError **error)
{
    return (!socks->live_policy || hf_page_policy_check_host(socks->live_policy, host, error)) &&
           (!socks->policy || hf_page_policy_check_host(socks->policy, host, error));
}

static void cut_connection(Connection *connection)
{
    shutdown(connection->client, SHUT_RDWR);
    if (connection->server >= 0)
        shutdown(connection->server, SHUT_RDWR);
    g_cancellable_cancel(connection->cancellable);
}

static void replace_socks_policy(HfSocks *socks, HfPagePolicy **place, HfPagePolicy *policy)
{
    g_mutex_lock(&socks->lock);
    hf_page_policy_free(*place);
    *place = policy;
    for (guint i = 0; i < socks->connections->len; i++) {
        Connection *connection = socks->connections->pdata[i];
        if (connection->host && !may_connect(socks, connection->host, NULL))
            cut_connection(connection);
    }
    g_mutex_unlock(&socks->lock);
}

void hf_socks_take_policy(HfSocks *socks, HfPagePolicy *take_policy)
{
    replace_socks_policy(socks, &socks->policy, take_policy);
}

void hf_socks_take_live_policy(HfSocks *socks, HfPagePolicy *take_policy)
{
    replace_socks_policy(socks, &socks->live_policy, take_policy);
}

static void add_note(Connection *connection, HfSocksProblem problem, const char *reason)
{
    HfSocks *socks = connection->socks;
    if (g_str_equal(connection->host, HF_SOCKS_NOWHERE))
        return;
    HfSocksNote *note = g_new0(HfSocksNote, 1);
    *note = (HfSocksNote){problem, g_strdup(connection->host), connection->port, g_strdup(reason),
                          g_get_monotonic_time()};
    g_mutex_lock(&socks->lock);
    g_queue_push_tail(socks->notes, note);
    if (g_queue_get_length(socks->notes) > HF_LIMIT_PROXY_NOTES)
        note_free(g_queue_pop_head(socks->notes));
    g_mutex_unlock(&socks->lock);
}

GPtrArray *hf_socks_dup_notes(HfSocks *socks, gint64 since_us)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(note_free);
    g_mutex_lock(&socks->lock);
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
    g_mutex_unlock(&socks->lock);
    return notes;
}

/* ---- one connection ---- */

static gboolean read_request(Connection *connection)
{
    char *host;
    guint16 port;
    if (!hf_socks_greet(connection->client) ||
        !hf_socks_read_request(connection->client, &host, &port))
        return FALSE;
    g_mutex_lock(&connection->socks->lock);
    connection->host = host;
    connection->port = port;
    g_mutex_unlock(&connection->socks->lock);
    return TRUE;
}

static HfSocksReply note_connect_failure(Connection *connection, const GError *error)
{
    gboolean unknown = error->domain == G_RESOLVER_ERROR;
    add_note(connection, unknown ? HF_SOCKS_UNKNOWN : HF_SOCKS_UNREACHABLE, error->message);
    return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)
               ? HF_SOCKS_REPLY_REFUSED
               : HF_SOCKS_REPLY_NOT_REACHED;
}

static GSocketConnection *connect_to_host(Connection *connection)
{
    g_autoptr(GError) error = NULL;
    g_mutex_lock(&connection->socks->lock);
    gboolean allowed = may_connect(connection->socks, connection->host, &error);
    g_mutex_unlock(&connection->socks->lock);
    if (!allowed) {
        add_note(connection, HF_SOCKS_REFUSED, error->message);
        hf_socks_reply(connection->client, HF_SOCKS_REPLY_NOT_ALLOWED);
        return NULL;
    }
    g_autoptr(GSocketClient) maker = g_socket_client_new();
    g_socket_client_set_enable_proxy(maker, FALSE);
    g_socket_client_set_timeout(maker, HF_LIMIT_PROXY_CONNECT_S);
    g_autoptr(GNetworkAddress) where =
        G_NETWORK_ADDRESS(g_network_address_new(connection->host, connection->port));
    GSocketConnection *made = g_socket_client_connect(maker, G_SOCKET_CONNECTABLE(where),
                                                      connection->cancellable, &error);
    if (!made)
        hf_socks_reply(connection->client, note_connect_failure(connection, error));
    return made;
}

/* The policy may have changed while the connection was made. */
static gboolean join_if_allowed(Connection *connection, int server)
{
    g_mutex_lock(&connection->socks->lock);
    gboolean allowed = may_connect(connection->socks, connection->host, NULL) &&
                       !g_cancellable_is_cancelled(connection->cancellable);
    if (allowed)
        connection->server = server;
    g_mutex_unlock(&connection->socks->lock);
    return allowed;
}

static void serve_connection(Connection *connection)
{
    if (!hf_socket_relay_is_own_user(connection->client, connection->socks->port) ||
        !read_request(connection))
        return;
    g_autoptr(GSocketConnection) made = connect_to_host(connection);
    if (!made)
        return;
    int server = g_socket_get_fd(g_socket_connection_get_socket(made));
    if (join_if_allowed(connection, server)) {
        hf_socks_reply(connection->client, HF_SOCKS_REPLY_DONE);
        hf_socket_relay_run(connection->client, server);
    }
    g_mutex_lock(&connection->socks->lock);
    connection->server = -1;
    g_mutex_unlock(&connection->socks->lock);
}

static gpointer run_connection(gpointer data)
{
    Connection *connection = data;
    HfSocks *socks = connection->socks;
    serve_connection(connection);
    g_mutex_lock(&socks->lock);
    g_ptr_array_remove_fast(socks->connections, connection);
    close(connection->client);
    g_cond_broadcast(&socks->gone);
    g_mutex_unlock(&socks->lock);
    g_object_unref(connection->cancellable);
    g_free(connection->host);
    g_free(connection);
    return NULL;
}

/* ---- the listener ---- */

static void start_connection(HfSocks *socks, int client)
{
    Connection *connection = g_new0(Connection, 1);
    *connection = (Connection){
        .socks = socks, .client = client, .server = -1, .cancellable = g_cancellable_new()};
    g_mutex_lock(&socks->lock);
    gboolean room = socks->connections->len < HF_LIMIT_PROXY_CONNECTIONS;
    if (room)
        g_ptr_array_add(socks->connections, connection);
    g_mutex_unlock(&socks->lock);
    GThread *thread =
        room ? g_thread_try_new("browser-net", run_connection, connection, NULL) : NULL;
    if (thread) {
        g_thread_unref(thread);
        return;
    }
    g_mutex_lock(&socks->lock);
    g_ptr_array_remove_fast(socks->connections, connection);
    g_mutex_unlock(&socks->lock);
    close(client);
    g_object_unref(connection->cancellable);
    g_free(connection);
}

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* With no descriptor left, a connection would stay in the queue and poll() would report it without
 * end: the spare descriptor accepts it in order to close it. */
static void refuse_connection(HfSocks *socks)
{
    hf_fd_close(&socks->spare);
    g_auto(HfFd) client = accept4(socks->listener, NULL, NULL, SOCK_CLOEXEC);
    hf_fd_close(&client);
    socks->spare = open_spare();
}

static gpointer accept_all(gpointer data)
{
    HfSocks *socks = data;
    struct pollfd somebody = {socks->listener, POLLIN, 0};
    while (!g_cancellable_is_cancelled(socks->over)) {
        /* accept4() reserves a descriptor and then blocks: it must not do that with the last one.
         */
        if (poll(&somebody, 1, -1) <= 0)
            continue;
        int client = accept4(socks->listener, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0)
            start_connection(socks, client);
        else if (errno == EMFILE || errno == ENFILE)
            refuse_connection(socks);
        else if (errno != EINTR && errno != ECONNABORTED)
            break;
    }
    return NULL;
}

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

HfSocks *hf_socks_new(GError **error)
{
    guint16 port = 0;
    int listener = listen_on_loopback(&port, error);
    if (listener < 0)
        return NULL;
    HfSocks *socks = g_new0(HfSocks, 1);
    socks->listener = listener;
    socks->port = port;
    socks->spare = open_spare();
    socks->over = g_cancellable_new();
    g_mutex_init(&socks->lock);
    g_cond_init(&socks->gone);
    socks->connections = g_ptr_array_new();
    socks->notes = g_queue_new();
    socks->acceptor = g_thread_new("browser-net", accept_all, socks);
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
    g_cancellable_cancel(socks->over);
    shutdown(socks->listener, SHUT_RDWR);
    g_thread_join(socks->acceptor);
    close(socks->listener);
    hf_fd_close(&socks->spare);
    g_mutex_lock(&socks->lock);
    for (guint i = 0; i < socks->connections->len; i++)
        cut_connection(socks->connections->pdata[i]);
    while (socks->connections->len > 0)
        g_cond_wait(&socks->gone, &socks->lock);
    g_mutex_unlock(&socks->lock);
    g_ptr_array_unref(socks->connections);
    g_queue_free_full(socks->notes, note_free);
    hf_page_policy_free(socks->policy);
    hf_page_policy_free(socks->live_policy);
    g_object_unref(socks->over);
    g_mutex_clear(&socks->lock);
    g_cond_clear(&socks->gone);
    g_free(socks);
}
