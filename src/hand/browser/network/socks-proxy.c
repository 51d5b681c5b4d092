/* SPDX-License-Identifier: Apache-2.0 */
/* One thread per connection, top to bottom: check the user, read the destination, check it,
 * connect, copy bytes. The descriptors are in a table so that other threads can close a connection:
 * shutdown() wakes whoever waits for it. */
#include "hand/browser/network/socks-proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/browser/browser-limits.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"

/* ---- the handshake ----
 *
 * Reads exactly its bytes: what follows belongs to the server. */

/* Reply codes of RFC 1928. */
typedef enum HfSocksReply {
    HF_SOCKS_REPLY_DONE = 0,
    HF_SOCKS_REPLY_NOT_ALLOWED = 2,
    HF_SOCKS_REPLY_NOT_REACHED = 4,
    HF_SOCKS_REPLY_REFUSED = 5,
} HfSocksReply;

/* Time limit for each part of the handshake. */
#define GREETING_MS 10000

enum { VERSION = 5, CONNECT = 1, IS_IPV4 = 1, IS_NAME = 3, IS_IPV6 = 4 };

static gboolean read_exactly(int fd, guint8 *bytes, gsize count)
{
    while (count > 0) {
        struct pollfd ready = {fd, POLLIN, 0};
        ssize_t got = poll(&ready, 1, GREETING_MS) > 0 ? read(fd, bytes, count) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return FALSE;
        bytes += got;
        count -= (gsize)got;
    }
    return TRUE;
}

static gboolean send_bytes(int fd, const guint8 *bytes, gsize count)
{
    return send(fd, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

/* Version, number of methods, methods. */
gboolean hf_socks_greet(int fd)
{
    guint8 head[2], methods[255];
    return read_exactly(fd, head, 2) && head[0] == VERSION && read_exactly(fd, methods, head[1]) &&
           send_bytes(fd, (const guint8[]){VERSION, 0}, 2);
}

static char *read_socks_host(int fd)
{
    guint8 length, bytes[256];
    if (!read_exactly(fd, &length, 1) || length == 0 || !read_exactly(fd, bytes, length) ||
        memchr(bytes, 0, length))
        return NULL;
    return g_strndup((const char *)bytes, length);
}

static char *read_socks_address(int fd, GSocketFamily family)
{
    guint8 bytes[16];
    if (!read_exactly(fd, bytes, family == G_SOCKET_FAMILY_IPV4 ? 4 : 16))
        return NULL;
    g_autoptr(GInetAddress) address = g_inet_address_new_from_bytes(bytes, family);
    return g_inet_address_to_string(address);
}

/* Version, command, reserved, kind of address, address, port. */
gboolean hf_socks_read_request(int fd, char **ret_host, guint16 *ret_port)
{
    guint8 head[4], port[2];
    if (!read_exactly(fd, head, 4) || head[0] != VERSION || head[1] != CONNECT)
        return FALSE;
    g_autofree char *host = head[3] == IS_NAME   ? read_socks_host(fd)
                            : head[3] == IS_IPV4 ? read_socks_address(fd, G_SOCKET_FAMILY_IPV4)
                            : head[3] == IS_IPV6 ? read_socks_address(fd, G_SOCKET_FAMILY_IPV6)
                                                 : NULL;
    if (!host || !read_exactly(fd, port, 2))
        return FALSE;
    *ret_host = g_steal_pointer(&host);
    *ret_port = (guint16)(port[0] << 8 | port[1]);
    return TRUE;
}

static void socks_reply(int fd, HfSocksReply code)
{
    const guint8 answer[] = {VERSION, (guint8)code, 0, IS_IPV4, 0, 0, 0, 0, 0, 0};
    send_bytes(fd, answer, sizeof answer);
}

/* ---- copying bytes ----
 *
 * Two buffers, one poll(): a side that does not read only delays its own data. */

#define BUFFER_BYTES ((gsize)64 * 1024)

typedef struct Direction {
    int from, to;
    gsize begin, end; /* of the data in the buffer */
    gboolean ended;   /* no more data comes */
    gboolean closed;  /* and the other side knows */
    char *buffer;
} Direction;

static gboolean is_relay_alive(ssize_t count)
{
    return count >= 0 || errno == EAGAIN || errno == EINTR;
}

static gboolean fill_relay_buffer(Direction *direction)
{
    ssize_t count = read(direction->from, direction->buffer, BUFFER_BYTES);
    direction->begin = 0;
    direction->end = count > 0 ? (gsize)count : 0;
    direction->ended |= count == 0;
    return is_relay_alive(count);
}

static gboolean has_waiting(const Direction *direction)
{
    return direction->begin < direction->end;
}

/* Which events matter to this direction. */
static void set_poll_events(const Direction *direction, struct pollfd *from, struct pollfd *to)
{
    if (has_waiting(direction))
        to->events |= POLLOUT;
    else if (!direction->ended)
        from->events |= POLLIN;
}

static gboolean pump_relay(Direction *direction, const struct pollfd *from, const struct pollfd *to)
{
    if (!has_waiting(direction) && !direction->ended && from->revents &&
        !fill_relay_buffer(direction))
        return FALSE;
    if (has_waiting(direction)) {
        ssize_t count = send(direction->to, direction->buffer + direction->begin,
                             direction->end - direction->begin, MSG_NOSIGNAL);
        direction->begin += (gsize)MAX(count, 0);
        if (!is_relay_alive(count))
            return FALSE;
    }
    if (direction->ended && !has_waiting(direction) && !direction->closed) {
        direction->closed = TRUE;
        shutdown(direction->to, SHUT_WR);
    }
    return !(to->revents & (POLLERR | POLLNVAL));
}

/* Runs until both sides have ended, or one is broken or shut down. Makes both non-blocking, closes
 * neither. */
static void socket_relay_run(int one, int other)
{
    g_autofree char *there = g_malloc(BUFFER_BYTES), *back = g_malloc(BUFFER_BYTES);
    Direction directions[] = {{.from = one, .to = other, .buffer = there},
                              {.from = other, .to = one, .buffer = back}};
    fcntl(one, F_SETFL, fcntl(one, F_GETFL) | O_NONBLOCK);
    fcntl(other, F_SETFL, fcntl(other, F_GETFL) | O_NONBLOCK);
    while (!directions[0].closed || !directions[1].closed) {
        struct pollfd fds[] = {{one, 0, 0}, {other, 0, 0}};
        set_poll_events(&directions[0], &fds[0], &fds[1]);
        set_poll_events(&directions[1], &fds[1], &fds[0]);
        /* poll() would report the end of an idle descriptor again and again. */
        for (int i = 0; i < 2; i++)
            if (!fds[i].events)
                fds[i].fd = -1;
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return;
        if (!pump_relay(&directions[0], &fds[0], &fds[1]) ||
            !pump_relay(&directions[1], &fds[1], &fds[0]))
            return;
    }
}

/* /proc/net/tcp lists both ends; the peer's has our port as the remote one. */
static gboolean socket_relay_is_own_user(int fd, guint16 port)
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
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&socks->lock);
    hf_page_policy_free(*place);
    *place = policy;
    for (guint i = 0; i < socks->connections->len; i++) {
        Connection *connection = socks->connections->pdata[i];
        if (connection->host && !may_connect(socks, connection->host, NULL))
            cut_connection(connection);
    }
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

/* ---- one connection ---- */

static gboolean read_request(Connection *connection)
{
    char *host;
    guint16 port;
    if (!hf_socks_greet(connection->client) ||
        !hf_socks_read_request(connection->client, &host, &port))
        return FALSE;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->socks->lock);
    connection->host = host;
    connection->port = port;
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
        socks_reply(connection->client, HF_SOCKS_REPLY_NOT_ALLOWED);
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
        socks_reply(connection->client, note_connect_failure(connection, error));
    return made;
}

/* The policy may have changed while the connection was made. */
static gboolean join_if_allowed(Connection *connection, int server)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->socks->lock);
    gboolean allowed = may_connect(connection->socks, connection->host, NULL) &&
                       !g_cancellable_is_cancelled(connection->cancellable);
    if (allowed)
        connection->server = server;
    return allowed;
}

static void serve_connection(Connection *connection)
{
    if (!socket_relay_is_own_user(connection->client, connection->socks->port) ||
        !read_request(connection))
        return;
    g_autoptr(GSocketConnection) made = connect_to_host(connection);
    if (!made)
        return;
    int server = g_socket_get_fd(g_socket_connection_get_socket(made));
    if (join_if_allowed(connection, server)) {
        socks_reply(connection->client, HF_SOCKS_REPLY_DONE);
        socket_relay_run(connection->client, server);
    }
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->socks->lock);
    connection->server = -1;
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
