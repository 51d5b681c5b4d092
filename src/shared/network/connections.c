/* SPDX-License-Identifier: Apache-2.0 */
/* A thread accepts, and each connection has its own. The table has their descriptors, so that other
 * threads can cut a connection: shutdown() wakes whoever waits for it. */
#include "shared/network/connections.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

struct HfConnections {
    int listener;
    int spare; /* a reserved descriptor of the accepting thread */
    guint most;
    HfConnectionFunc serve;
    gpointer data;
    GThread *acceptor;
    GCancellable *over;
    GMutex lock; /* guards the members below, and what the connections point to */
    GCond gone;
    GPtrArray *list; /* of HfConnection, borrowed from their threads */
};

/* ---- one connection ---- */

static void cut_connection(HfConnection *connection)
{
    shutdown(connection->client, SHUT_RDWR);
    if (connection->server >= 0)
        shutdown(connection->server, SHUT_RDWR);
    g_cancellable_cancel(connection->cancellable);
}

void hf_connection_set_target(HfConnection *connection, char *take_host, guint16 port)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->all->lock);
    g_free(connection->host);
    connection->host = take_host;
    connection->port = port;
}

gboolean hf_connection_join(HfConnection *connection, int server, const char *address,
                            HfConnectionCheck may_go_on, gpointer data)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->all->lock);
    g_free(connection->address);
    connection->address = g_strdup(address);
    gboolean allowed =
        may_go_on(connection, data) && !g_cancellable_is_cancelled(connection->cancellable);
    if (allowed)
        connection->server = server;
    return allowed;
}

void hf_connection_part(HfConnection *connection)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&connection->all->lock);
    connection->server = -1;
}

static void free_connection(HfConnection *connection)
{
    g_object_unref(connection->cancellable);
    g_free(connection->host);
    g_free(connection->address);
    g_free(connection);
}

static gpointer run_connection(gpointer data)
{
    HfConnection *connection = data;
    HfConnections *all = connection->all;
    all->serve(connection, all->data);
    g_mutex_lock(&all->lock);
    g_ptr_array_remove_fast(all->list, connection);
    close(connection->client);
    free_connection(connection);
    g_cond_broadcast(&all->gone);
    g_mutex_unlock(&all->lock);
    return NULL;
}

/* ---- the listener ---- */

static void start_connection(HfConnections *all, int client)
{
    HfConnection *connection = g_new0(HfConnection, 1);
    *connection = (HfConnection){
        .all = all, .client = client, .server = -1, .cancellable = g_cancellable_new()};
    g_mutex_lock(&all->lock);
    gboolean room = all->list->len < all->most;
    if (room)
        g_ptr_array_add(all->list, connection);
    g_mutex_unlock(&all->lock);
    GThread *thread =
        room ? g_thread_try_new("connection", run_connection, connection, NULL) : NULL;
    if (thread) {
        g_thread_unref(thread);
        return;
    }
    g_mutex_lock(&all->lock);
    g_ptr_array_remove_fast(all->list, connection);
    g_mutex_unlock(&all->lock);
    close(client);
    free_connection(connection);
}

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* With no descriptor left, a connection would stay in the queue and poll() would report it without
 * end: the spare descriptor accepts it in order to close it. */
static void refuse_connection(HfConnections *all)
{
    if (all->spare >= 0)
        close(all->spare);
    int client = accept4(all->listener, NULL, NULL, SOCK_CLOEXEC);
    if (client >= 0)
        close(client);
    all->spare = open_spare();
}

static gpointer accept_all(gpointer data)
{
    HfConnections *all = data;
    struct pollfd somebody = {all->listener, POLLIN, 0};
    while (!g_cancellable_is_cancelled(all->over)) {
        /* accept4() reserves a descriptor and then blocks: it must not do that with the last one.
         */
        if (poll(&somebody, 1, -1) <= 0)
            continue;
        int client = accept4(all->listener, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0)
            start_connection(all, client);
        else if (errno == EMFILE || errno == ENFILE)
            refuse_connection(all);
        else if (errno != EINTR && errno != ECONNABORTED)
            break;
    }
    return NULL;
}

HfConnections *hf_connections_new(int take_listener, guint most, HfConnectionFunc serve,
                                  gpointer data)
{
    HfConnections *all = g_new0(HfConnections, 1);
    all->listener = take_listener;
    all->spare = open_spare();
    all->most = most;
    all->serve = serve;
    all->data = data;
    all->over = g_cancellable_new();
    g_mutex_init(&all->lock);
    g_cond_init(&all->gone);
    all->list = g_ptr_array_new();
    all->acceptor = g_thread_new("acceptor", accept_all, all);
    return all;
}

void hf_connections_review(HfConnections *all, HfConnectionCheck may_go_on, gpointer data)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&all->lock);
    for (guint i = 0; i < all->list->len; i++) {
        HfConnection *connection = all->list->pdata[i];
        if (connection->host && !may_go_on(connection, data))
            cut_connection(connection);
    }
}

void hf_connections_free(HfConnections *all)
{
    if (!all)
        return;
    g_cancellable_cancel(all->over);
    shutdown(all->listener, SHUT_RDWR);
    g_thread_join(all->acceptor);
    close(all->listener);
    if (all->spare >= 0)
        close(all->spare);
    g_mutex_lock(&all->lock);
    for (guint i = 0; i < all->list->len; i++)
        cut_connection(all->list->pdata[i]);
    while (all->list->len > 0)
        g_cond_wait(&all->gone, &all->lock);
    g_mutex_unlock(&all->lock);
    g_ptr_array_unref(all->list);
    g_object_unref(all->over);
    g_mutex_clear(&all->lock);
    g_cond_clear(&all->gone);
    g_free(all);
}
