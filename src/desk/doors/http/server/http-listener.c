/* SPDX-License-Identifier: Apache-2.0 */
/* Plain sockets, so that the client's address is known before anything else happens. A refused
 * client sees its connection close. */
#include "desk/doors/http/server/http-listener.h"

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

#define BACKLOG 1024
/* Connections accepted in one go, before other sources run. */
#define AT_ONCE 32
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
    GArray *sources; /* of guint */
    guint64 refused;
};

static void free_fds(HfHttpListener *listener)
{
    for (guint i = 0; i < listener->sources->len; i++)
        g_source_remove(g_array_index(listener->sources, guint, i));
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
        if (errno == EMFILE || errno == ENFILE)
            hf_http_connections_evict_one(listener->table);
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
    guint source = g_unix_fd_add(fd, G_IO_IN, on_listen_socket_ready, listener);
    g_array_append_val(listener->sources, source);
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
