/* SPDX-License-Identifier: Apache-2.0 */
/* Two queues, unauthenticated and authenticated connections, each with the oldest first, and a
 * count per address. A connection leaves when its stream is freed. */
#include "desk/doors/http/server/http-connection.h"

#include <sys/socket.h>

#include "desk/doors/http/http-limits.h"
#include "shared/base/id.h"

struct HfHttpConnections {
    GQueue unauthenticated, known;
    GHashTable *of_address; /* address → how many */
    guint timer;
    HfHttpCounts counts;
};

struct HfHttpConnection {
    gatomicrefcount refs;
    HfHttpConnections *table; /* NULL after its stream was freed */
    GList link;               /* in one of the queues */
    gboolean is_known;
    GSocket *socket;
    HfHttpFraming *framing;
    char *address, *run_id;
    gint reads;
    gint64 deadline_us; /* 0: none */
};

static gboolean on_timer(gpointer data);

HfHttpConnections *hf_http_connections_new(void)
{
    HfHttpConnections *table = g_new0(HfHttpConnections, 1);
    g_queue_init(&table->unauthenticated);
    g_queue_init(&table->known);
    table->of_address = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    table->timer = g_timeout_add(500, on_timer, table);
    return table;
}

/* Connections that others still hold outlive the table, and know it. */
static void forget_all(GQueue *queue)
{
    GList *link;
    while ((link = g_queue_pop_head_link(queue)))
        ((HfHttpConnection *)link->data)->table = NULL;
}

void hf_http_connections_free(HfHttpConnections *table)
{
    if (!table)
        return;
    g_source_remove(table->timer);
    forget_all(&table->unauthenticated);
    forget_all(&table->known);
    g_hash_table_unref(table->of_address);
    g_free(table);
}

HfHttpCounts hf_http_connections_count(const HfHttpConnections *table)
{
    HfHttpCounts counts = table->counts;
    counts.unauthenticated = table->unauthenticated.length;
    counts.open = table->unauthenticated.length + table->known.length;
    return counts;
}

static GQueue *queue_of(HfHttpConnection *connection)
{
    return connection->is_known ? &connection->table->known : &connection->table->unauthenticated;
}

static guint count_address(const HfHttpConnections *table, const char *address)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(table->of_address, address));
}

static void set_address_count(HfHttpConnections *table, const char *address, guint count)
{
    if (count > 0)
        g_hash_table_replace(table->of_address, g_strdup(address), GUINT_TO_POINTER(count));
    else
        g_hash_table_remove(table->of_address, address);
}

HfHttpConnection *hf_http_connection_ref(HfHttpConnection *connection)
{
    g_atomic_ref_count_inc(&connection->refs);
    return connection;
}

void hf_http_connection_unref(HfHttpConnection *connection)
{
    if (!connection || !g_atomic_ref_count_dec(&connection->refs))
        return;
    g_object_unref(connection->socket);
    hf_http_framing_unref(connection->framing);
    g_free(connection->address);
    g_free(connection->run_id);
    g_free(connection);
}

static void leave_connection_table(HfHttpConnection *connection)
{
    HfHttpConnections *table = connection->table;
    if (!table)
        return;
    g_queue_unlink(queue_of(connection), &connection->link);
    set_address_count(table, connection->address, count_address(table, connection->address) - 1);
    connection->table = NULL;
}

static void on_stream_gone(gpointer data, GObject *stream)
{
    leave_connection_table(data);
    hf_http_connection_unref(data);
}

void hf_http_connection_drop(HfHttpConnection *connection)
{
    g_socket_shutdown(connection->socket, TRUE, TRUE, NULL);
}

void hf_http_connection_abort(HfHttpConnection *connection)
{
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    setsockopt(g_socket_get_fd(connection->socket), SOL_SOCKET, SO_LINGER, &none, sizeof none);
    hf_http_connection_drop(connection);
}

/* It no longer counts, though its stream needs a moment to end. */
static void evict_connection(HfHttpConnection *connection)
{
    connection->table->counts.evicted++;
    hf_http_connection_abort(connection);
    leave_connection_table(connection);
}

void hf_http_connections_evict_one(HfHttpConnections *table)
{
    if (table->unauthenticated.head)
        evict_connection(table->unauthenticated.head->data);
}

static void evict_of_address(HfHttpConnections *table, const char *address)
{
    for (GList *link = table->unauthenticated.head; link; link = link->next) {
        HfHttpConnection *connection = link->data;
        if (g_str_equal(connection->address, address)) {
            evict_connection(connection);
            return;
        }
    }
}

static gboolean has_connection_room(const HfHttpConnections *table, const char *address)
{
    return table->unauthenticated.length + table->known.length < HF_LIMIT_HTTP_CONNECTIONS &&
           table->unauthenticated.length < HF_LIMIT_HTTP_STRANGERS &&
           count_address(table, address) < HF_LIMIT_HTTP_ADDRESS_CONNECTIONS;
}

HfHttpConnection *hf_http_connections_add(HfHttpConnections *table, GSocketConnection *stream,
                                          const char *address)
{
    if (count_address(table, address) >= HF_LIMIT_HTTP_ADDRESS_CONNECTIONS)
        evict_of_address(table, address);
    else if (!has_connection_room(table, address))
        hf_http_connections_evict_one(table);
    if (!has_connection_room(table, address))
        return NULL;
    HfHttpConnection *connection = g_new0(HfHttpConnection, 1);
    g_atomic_ref_count_init(&connection->refs);
    connection->table = table;
    connection->link.data = connection;
    connection->socket = g_object_ref(g_socket_connection_get_socket(stream));
    connection->framing = hf_http_framing_new();
    connection->address = g_strdup(address);
    connection->run_id = hf_id_new("r");
    g_queue_push_tail_link(&table->unauthenticated, &connection->link);
    set_address_count(table, address, count_address(table, address) + 1);
    table->counts.accepted++;
    g_object_weak_ref(G_OBJECT(stream), on_stream_gone, connection);
    hf_http_connection_expect_request(connection);
    return connection;
}

const char *hf_http_connection_get_address(const HfHttpConnection *connection)
{
    return connection->address;
}

int hf_http_connection_get_fd(const HfHttpConnection *connection)
{
    return g_socket_get_fd(connection->socket);
}

HfHttpFraming *hf_http_connection_get_framing(const HfHttpConnection *connection)
{
    return connection->framing;
}

const char *hf_http_connection_get_run(const HfHttpConnection *connection)
{
    return connection->run_id;
}

gint *hf_http_connection_get_reads(HfHttpConnection *connection)
{
    return &connection->reads;
}

void hf_http_connection_set_known(HfHttpConnection *connection, gboolean known)
{
    if (connection->is_known == known || !connection->table)
        return;
    g_queue_unlink(queue_of(connection), &connection->link);
    connection->is_known = known;
    g_queue_push_tail_link(queue_of(connection), &connection->link);
}

void hf_http_connection_expect(HfHttpConnection *connection, gint64 within_ms)
{
    connection->deadline_us = within_ms ? g_get_monotonic_time() + within_ms * 1000 : 0;
}

void hf_http_connection_expect_request(HfHttpConnection *connection)
{
    hf_http_connection_expect(connection, connection->is_known ? HF_LIMIT_HTTP_IDLE_MS
                                                               : HF_LIMIT_HTTP_HEADERS_MS);
}

void hf_http_connection_bind_address(HfHttpConnection *connection, GSocketAddress *remote)
{
    g_object_set_data_full(G_OBJECT(remote), "hf-connection", hf_http_connection_ref(connection),
                           (GDestroyNotify)hf_http_connection_unref);
}

HfHttpConnection *hf_http_connection_find(GSocketAddress *remote)
{
    return g_object_get_data(G_OBJECT(remote), "hf-connection");
}

void hf_http_connection_unbind_address(GSocketAddress *remote)
{
    g_object_set_data(G_OBJECT(remote), "hf-connection", NULL);
}

static void drop_late(HfHttpConnections *table, GQueue *queue, gint64 now)
{
    for (GList *link = queue->head; link; link = link->next) {
        HfHttpConnection *connection = link->data;
        if (!connection->deadline_us || connection->deadline_us > now)
            continue;
        connection->deadline_us = 0;
        table->counts.late++;
        hf_http_connection_abort(connection);
    }
}

static gboolean on_timer(gpointer data)
{
    HfHttpConnections *table = data;
    gint64 now = g_get_monotonic_time();
    drop_late(table, &table->unauthenticated, now);
    drop_late(table, &table->known, now);
    return G_SOURCE_CONTINUE;
}

static void drop_others(GQueue *queue, const HfHttpAllow *allow)
{
    for (GList *link = queue->head; link; link = link->next) {
        HfHttpConnection *connection = link->data;
        g_autoptr(GInetAddress) address = g_inet_address_new_from_string(connection->address);
        if (!address || !hf_http_allow_has(allow, address))
            hf_http_connection_drop(connection);
    }
}

void hf_http_connections_drop_others(HfHttpConnections *table, const HfHttpAllow *allow)
{
    drop_others(&table->unauthenticated, allow);
    drop_others(&table->known, allow);
}

void hf_http_connections_drop_all(HfHttpConnections *table)
{
    for (GList *link = table->unauthenticated.head; link; link = link->next)
        hf_http_connection_drop(link->data);
    for (GList *link = table->known.head; link; link = link->next)
        hf_http_connection_drop(link->data);
}
