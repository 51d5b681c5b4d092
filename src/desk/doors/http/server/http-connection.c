/* SPDX-License-Identifier: Apache-2.0 */
/* Two queues, unauthenticated and authenticated connections, each with the oldest first, and a
 * count per address. A connection leaves when its stream is freed. */
#include "desk/doors/http/server/http-connection.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "desk/doors/http/auth/http-address.h"
#include "desk/doors/http/http-limits.h"
#include "shared/base/error.h"
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
           table->unauthenticated.length < HF_LIMIT_HTTP_UNAUTHENTICATED &&
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

/* Plain sockets, so that the client's address is known before anything else happens. A refused
 * client sees its connection close. */
#define BACKLOG 1024
/* Connections accepted in one go, before other sources run. */
#define AT_ONCE 32
/* How long nobody is accepted when the desk has no descriptors left. */
#define PAUSE_MS 100
/* A peer that acknowledges nothing for this long is gone. */
#define SILENT_MS 30000

struct HfHttpListener {
    HfHttpConnections *table;
    HfHttpArrival arrival;
    gpointer data;
    HfLiveConfig *live_config;
    HfConfig *config; /* the config that `allow` was read from */
    HfHttpAllow *allow;
    char *wrong;                  /* an invalid entry of the list */
    GTlsCertificate *certificate; /* NULL: no TLS */
    char **addresses;
    guint port;
    GArray *fds;     /* of int */
    GArray *sources; /* of guint; empty during a pause */
    guint pause;     /* timer that ends it; 0: none */
    guint64 refused;
};

static void stop_accepting(HfHttpListener *listener)
{
    for (guint i = 0; i < listener->sources->len; i++)
        g_source_remove(g_array_index(listener->sources, guint, i));
    g_array_set_size(listener->sources, 0);
}

static void free_fds(HfHttpListener *listener)
{
    stop_accepting(listener);
    if (listener->pause)
        g_source_remove(listener->pause);
    for (guint i = 0; i < listener->fds->len; i++)
        close(g_array_index(listener->fds, int, i));
    g_array_unref(listener->sources);
    g_array_unref(listener->fds);
}

void hf_http_listener_free(HfHttpListener *listener)
{
    if (!listener)
        return;
    free_fds(listener);
    hf_http_allow_free(listener->allow);
    hf_config_unref(listener->config);
    g_clear_object(&listener->certificate);
    g_strfreev(listener->addresses);
    g_free(listener->wrong);
    g_free(listener);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfHttpListener, hf_http_listener_free)

/* The stream for HTTP: the socket's, or TLS on it. */
static GIOStream *wrap_in_tls(const HfHttpListener *listener, GSocketConnection *plain)
{
    if (!listener->certificate)
        return g_object_ref(G_IO_STREAM(plain));
    GIOStream *stream =
        g_tls_server_connection_new(G_IO_STREAM(plain), listener->certificate, NULL);
    if (stream)
        g_tls_connection_set_require_close_notify(G_TLS_CONNECTION(stream), FALSE);
    return stream;
}

static void prepare_socket(GSocket *socket)
{
    g_socket_set_blocking(socket, FALSE);
    g_socket_set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
    g_socket_set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, SILENT_MS, NULL);
    g_socket_set_keepalive(socket, TRUE);
}

static void accept_client_socket(HfHttpListener *listener, int take_fd)
{
    g_autoptr(GSocket) socket = g_socket_new_from_fd(take_fd, NULL);
    if (!socket) {
        close(take_fd);
        return;
    }
    g_autoptr(GSocketAddress) remote = g_socket_get_remote_address(socket, NULL);
    GInetAddress *address = G_IS_INET_SOCKET_ADDRESS(remote)
                                ? g_inet_socket_address_get_address(G_INET_SOCKET_ADDRESS(remote))
                                : NULL;
    if (!address || !hf_http_allow_has(listener->allow, address)) {
        listener->refused++;
        return;
    }
    prepare_socket(socket);
    g_autofree char *text = hf_http_address_dup_text(address);
    g_autoptr(GSocketConnection) plain = g_socket_connection_factory_create_connection(socket);
    HfHttpConnection *connection = hf_http_connections_add(listener->table, plain, text);
    g_autoptr(GIOStream) stream = connection ? wrap_in_tls(listener, plain) : NULL;
    if (stream)
        listener->arrival(stream, connection, listener->data);
    else
        listener->refused++;
}

void hf_http_listener_refresh(HfHttpListener *listener)
{
    g_autoptr(HfConfig) config = hf_live_config_get(listener->live_config);
    if (config == listener->config)
        return;
    hf_config_unref(listener->config);
    hf_http_allow_free(listener->allow);
    listener->config = hf_config_ref(config);
    g_free(listener->wrong);
    listener->allow = hf_http_allow_new(hf_config_get(config, "http.allow"), &listener->wrong);
    hf_http_connections_drop_others(listener->table, listener->allow);
}

static gboolean on_listen_socket_ready(gint fd, GIOCondition condition, gpointer data);

static gboolean start_accepting(gpointer data)
{
    HfHttpListener *listener = data;
    listener->pause = 0;
    for (guint i = 0; i < listener->fds->len; i++) {
        guint source = g_unix_fd_add(g_array_index(listener->fds, int, i), G_IO_IN,
                                     on_listen_socket_ready, listener);
        g_array_append_val(listener->sources, source);
    }
    return G_SOURCE_REMOVE;
}

/* There are no descriptors left. The sockets stay readable, so waiting for them would spin. */
static void pause_accepting(HfHttpListener *listener)
{
    hf_http_connections_evict_one(listener->table);
    stop_accepting(listener);
    listener->pause = g_timeout_add(PAUSE_MS, start_accepting, listener);
}

static gboolean on_listen_socket_ready(gint fd, GIOCondition condition, gpointer data)
{
    HfHttpListener *listener = data;
    hf_http_listener_refresh(listener);
    for (int i = 0; i < AT_ONCE; i++) {
        int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client >= 0) {
            accept_client_socket(listener, client);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE) {
            pause_accepting(listener);
            break;
        }
        if (errno != EINTR && errno != ECONNABORTED)
            break;
    }
    return G_SOURCE_CONTINUE;
}

static gboolean fail_listen(const char *address, guint port, GError **error)
{
    int problem = errno;
    hf_fail(error, problem == EADDRINUSE ? HF_ERROR_CONFLICT : HF_ERROR_PRECONDITION_FAILED,
            "cannot listen on %s port %u: %s", address, port, g_strerror(problem));
    if (problem == EADDRINUSE)
        hf_error_suggest(error, "another program uses this port: choose another with http.port, or "
                                "end that program, then restart the desk");
    else
        hf_error_suggest(error, "use an address of this machine in http.listen");
    return FALSE;
}

/* With port 0, the first address chooses the port for all. */
static gboolean read_port(HfHttpListener *listener, int fd)
{
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    if (getsockname(fd, (struct sockaddr *)&bound, &size) != 0)
        return FALSE;
    listener->port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                                       : ((struct sockaddr_in *)&bound)->sin_port);
    return TRUE;
}

static gboolean listen_at_address(HfHttpListener *listener, GInetAddress *address, GError **error)
{
    g_autoptr(GSocketAddress) where = g_inet_socket_address_new(address, (guint16)listener->port);
    g_autofree char *text = g_inet_address_to_string(address);
    struct sockaddr_storage native;
    gboolean six = g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV6;
    int fd = socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;
    if (fd < 0)
        return fail_listen(text, listener->port, error);
    g_array_append_val(listener->fds, fd);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (six)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (!g_socket_address_to_native(where, &native, sizeof native, error))
        return FALSE;
    if (bind(fd, (struct sockaddr *)&native, (socklen_t)g_socket_address_get_native_size(where)) !=
            0 ||
        listen(fd, BACKLOG) != 0 || !read_port(listener, fd))
        return fail_listen(text, listener->port, error);
    return TRUE;
}

static gboolean load_certificate(HfHttpListener *listener, const HfConfig *config, GError **error)
{
    const char *certificate = hf_config_string(config, "http.tls.certificate");
    const char *key = hf_config_string(config, "http.tls.key");
    g_autoptr(GError) problem = NULL;
    if (!*certificate && !*key)
        return TRUE;
    if (*certificate && *key)
        listener->certificate = g_tls_certificate_new_from_files(certificate, key, &problem);
    if (listener->certificate)
        return TRUE;
    hf_fail(error, HF_ERROR_CONFIG_INVALID, "http.tls: %s",
            problem ? problem->message : "the certificate and the key do not work together");
    hf_error_suggest(error, "name readable PEM files in http.tls.certificate and http.tls.key, and "
                            "install the package glib-networking");
    return FALSE;
}

/* Every connection is a descriptor, and the usual limit is low. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    rlim_t wanted = 4 * HF_LIMIT_HTTP_CONNECTIONS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = MIN(wanted, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
}

HfHttpListener *hf_http_listener_new(HfLiveConfig *live_config, const char *usual_port,
                                     HfHttpConnections *table, HfHttpArrival arrival, gpointer data,
                                     GError **error)
{
    g_autoptr(HfConfig) config = hf_live_config_get(live_config);
    g_autoptr(GPtrArray) wanted = hf_http_addresses(hf_config_string(config, "http.listen"), error);
    g_autoptr(HfHttpListener) listener = g_new0(HfHttpListener, 1);
    g_autoptr(GStrvBuilder) texts = g_strv_builder_new();
    listener->live_config = live_config;
    listener->table = table;
    listener->arrival = arrival;
    listener->data = data;
    listener->port = (guint)hf_config_int(config, "http.port");
    if (usual_port && listener->port == HF_HTTP_PORT)
        listener->port = (guint)g_ascii_strtoull(usual_port, NULL, 10);
    listener->fds = g_array_new(FALSE, FALSE, sizeof(int));
    listener->sources = g_array_new(FALSE, FALSE, sizeof(guint));
    hf_http_listener_refresh(listener);
    if (!wanted || !load_certificate(listener, config, error))
        return NULL;
    raise_descriptors();
    for (guint i = 0; i < wanted->len; i++) {
        g_autofree char *text = g_inet_address_to_string(wanted->pdata[i]);
        if (!listen_at_address(listener, wanted->pdata[i], error))
            return NULL;
        g_strv_builder_add(texts, text);
    }
    start_accepting(listener);
    listener->addresses = g_strv_builder_end(texts);
    return g_steal_pointer(&listener);
}

char *const *hf_http_listener_get_addresses(const HfHttpListener *listener)
{
    return listener->addresses;
}

guint hf_http_listener_get_port(const HfHttpListener *listener)
{
    return listener->port;
}

gboolean hf_http_listener_is_tls(const HfHttpListener *listener)
{
    return listener->certificate != NULL;
}

guint64 hf_http_listener_get_refused(const HfHttpListener *listener)
{
    return listener->refused;
}

const char *hf_http_listener_get_wrong(const HfHttpListener *listener)
{
    return listener->wrong;
}
