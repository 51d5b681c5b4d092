/* SPDX-License-Identifier: Apache-2.0 */
/* Checks every request before its body is read: is it addressed to this machine, who sent it, does
 * the route exist, is it small enough? Browsers are untrusted: a request from a foreign page has a
 * foreign Host or Origin, or no token. */
#include <errno.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "desk/doors/http/auth/bearer-token.h"
#include "desk/doors/http/auth/http-address.h"
#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/server/http-internal.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

#define LINGER_MS    2000
#define LINGER_BYTES (4 * 1024 * 1024)
/* The rest of a refused body is read and discarded up to this size, to keep the connection usable.
 * Above it, the connection is closed. */
#define SMALL_BODY 65536

static const char *get_message_header(SoupServerMessage *message, const char *name)
{
    return soup_message_headers_get_one(soup_server_message_get_request_headers(message), name);
}

static goffset body_length(SoupServerMessage *message)
{
    SoupMessageHeaders *headers = soup_server_message_get_request_headers(message);
    if (soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CHUNKED)
        return -1;
    return soup_message_headers_get_content_length(headers);
}

static gboolean expects_word(SoupServerMessage *message)
{
    return soup_message_headers_get_expectations(
               soup_server_message_get_request_headers(message)) == SOUP_EXPECTATION_CONTINUE;
}

/* The run that the client names, or else the connection's own. */
static const char *run_id_of_message(SoupServerMessage *message, const HfHttpConnection *connection)
{
    const char *run = get_message_header(message, "X-Run-Id");
    gboolean fits =
        run && *run && strlen(run) <= HF_LIMIT_NAME_BYTES && g_utf8_validate(run, -1, NULL);
    return fits ? run : hf_http_connection_get_run(connection);
}

static const char *path_of_message(SoupServerMessage *message)
{
    const char *path = g_uri_get_path(soup_server_message_get_uri(message));
    return path && *path ? path : "/";
}

static char *dup_refusal(SoupServerMessage *message, const GError *error)
{
    const HfHttpConnection *connection =
        hf_http_connection_find(soup_server_message_get_remote_address(message));
    g_autoptr(json_t) json = hf_http_error_json(hf_http_route_at(path_of_message(message)),
                                                run_id_of_message(message, connection), error);
    return hf_json_dump(json);
}

/* Bypasses libsoup, which would not answer before it has read the whole request. */
static void send_now(SoupServerMessage *message, HfHttpConnection *connection, const char *text)
{
    GSocketAddress *remote = soup_server_message_get_remote_address(message);
    GIOStream *tls = g_object_get_data(G_OBJECT(remote), HF_HTTP_TLS_KEY);
    if (tls)
        g_pollable_output_stream_write_nonblocking(
            G_POLLABLE_OUTPUT_STREAM(g_io_stream_get_output_stream(tls)), text, strlen(text), NULL,
            NULL);
    else
        (void)!send(hf_http_connection_get_fd(connection), text, strlen(text),
                    MSG_DONTWAIT | MSG_NOSIGNAL);
}

typedef struct Linger {
    HfHttp *http;
    SoupServerMessage *message;
    HfHttpConnection *connection;
    gsize bytes;
    gboolean ended; /* the client has sent everything */
} Linger;

/* libsoup now reads the end of the connection, and releases it. */
static void end_lingering(gpointer data)
{
    Linger *linger = data;
    if (linger->ended)
        hf_http_connection_drop(linger->connection);
    else
        hf_http_connection_abort(linger->connection);
    if (!linger->http->shut)
        soup_server_message_unpause(linger->message);
    g_object_unref(linger->message);
    hf_http_connection_unref(linger->connection);
    g_free(linger);
}

static gboolean discard_client_input(gint fd, GIOCondition condition, gpointer data)
{
    static char waste[65536]; /* main thread only */
    Linger *linger = data;
    ssize_t got = recv(fd, waste, sizeof waste, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    linger->ended = got == 0;
    linger->bytes += (gsize)got;
    return got > 0 && linger->bytes < LINGER_BYTES;
}

/* Closing a socket with unread bytes resets the connection, and the client never sees the answer.
 * So the rest is read and discarded for a moment. libsoup must not read meanwhile: it would
 * continue as long as bytes arrive, and starve others. */
static void linger_before_close(HfHttp *http, SoupServerMessage *message,
                                HfHttpConnection *connection)
{
    Linger *linger = g_new0(Linger, 1);
    int fd = hf_http_connection_get_fd(connection);
    linger->http = http;
    linger->message = g_object_ref(message);
    linger->connection = hf_http_connection_ref(connection);
    soup_server_message_pause(message);
    shutdown(fd, SHUT_WR);
    hf_http_connection_expect(connection, LINGER_MS);
    g_unix_fd_add_full(G_PRIORITY_LOW, fd, G_IO_IN | G_IO_HUP | G_IO_ERR, discard_client_input,
                       linger, end_lingering);
}

/* Answers a client that is still sending, and closes the connection. */
static void refuse_at_once(HfHttp *http, SoupServerMessage *message, const char *text, guint status)
{
    HfHttpConnection *connection =
        hf_http_connection_find(soup_server_message_get_remote_address(message));
    g_autofree char *answer = g_strdup_printf(
        "HTTP/1.1 %u %s\r\nConnection: close\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\n%s\r\n%s",
        status, soup_status_get_phrase(status), strlen(text),
        status == SOUP_STATUS_UNAUTHORIZED ? "WWW-Authenticate: Bearer\r\n" : "", text);
    send_now(message, connection, answer);
    soup_server_message_set_status(message, status, NULL);
    linger_before_close(http, message, connection);
}

gboolean hf_http_refuse(HfHttp *http, SoupServerMessage *message, const GError *error, guint status)
{
    g_autofree char *text = dup_refusal(message, error);
    goffset length = body_length(message);
    if ((length < 0 || length > SMALL_BODY) && !expects_word(message)) {
        refuse_at_once(http, message, text, status);
        return FALSE;
    }
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), FALSE);
    SoupMessageHeaders *headers = soup_server_message_get_response_headers(message);
    if (status == SOUP_STATUS_UNAUTHORIZED)
        soup_message_headers_replace(headers, "WWW-Authenticate", "Bearer");
    soup_server_message_set_status(message, status, NULL);
    soup_server_message_set_response(message, "application/json", SOUP_MEMORY_COPY, text,
                                     strlen(text));
    return TRUE;
}

/* A refusal that is sent after a delay. */
typedef struct Later {
    HfHttp *http;
    SoupServerMessage *message;
    GError *error;
} Later;

static void later_free(gpointer data)
{
    Later *later = data;
    g_object_unref(later->message);
    g_error_free(later->error);
    g_free(later);
}

static gboolean on_later(gpointer data)
{
    Later *later = data;
    gboolean gone =
        later->http->shut || !g_object_get_data(G_OBJECT(later->message), HF_HTTP_LATER_KEY);
    g_object_set_data(G_OBJECT(later->message), HF_HTTP_LATER_KEY, NULL);
    if (gone)
        return G_SOURCE_REMOVE;
    if (hf_http_refuse(later->http, later->message, later->error, SOUP_STATUS_UNAUTHORIZED))
        soup_server_message_unpause(later->message);
    return G_SOURCE_REMOVE;
}

static void audit_wrong_token(gpointer data)
{
    Later *note = data;
    hf_guard_audit_refusal(hf_desk_get_guard(note->http->desk), "http", note->error);
    later_free(note);
}

/* Audits the first wrong token of an address and then each doubling, so that nobody can flood the
 * audit. */
static void queue_wrong_token_audit(HfHttp *http, SoupServerMessage *message, const char *address,
                                    const GError *error, guint count)
{
    if ((count & (count - 1)) != 0)
        return;
    Later *note = g_new0(Later, 1);
    *note = (Later){http, g_object_ref(message), g_error_copy(error)};
    hf_error_take_details(&note->error,
                          json_pack("{s:s, s:i}", "address", address, "times", (int)count));
    hf_workers_manage(http->workers, audit_wrong_token, note);
}

static void refuse_later(HfHttp *http, SoupServerMessage *message, HfHttpConnection *connection,
                         const GError *error)
{
    guint count;
    const char *address = hf_http_connection_get_address(connection);
    guint delay = hf_auth_backoff_add(http->backoff, address, g_get_monotonic_time(), &count);
    http->totals.wrong_tokens++;
    hf_http_connection_set_known(connection, FALSE);
    hf_http_connection_expect(connection, delay + HF_LIMIT_HTTP_HEADERS_MS);
    queue_wrong_token_audit(http, message, address, error, count);
    Later *later = g_new0(Later, 1);
    *later = (Later){http, g_object_ref(message), g_error_copy(error)};
    g_object_set_data(G_OBJECT(message), HF_HTTP_LATER_KEY, later);
    soup_server_message_pause(message);
    g_timeout_add_full(G_PRIORITY_DEFAULT, delay, on_later, later, later_free);
}

static gboolean check_host_and_origin(const HfHttp *http, SoupServerMessage *message,
                                      GError **error)
{
    g_autoptr(HfConfig) config =
        hf_live_config_get(hf_guard_get_live_config(hf_desk_get_guard(http->desk)));
    const json_t *more = hf_config_get(config, "http.hosts");
    char *const *own = hf_http_listener_get_addresses(http->listener);
    const char *host = get_message_header(message, "Host"),
               *origin = get_message_header(message, "Origin");
    if (!hf_http_host_is_ours(host, own, more)) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' is not a name of this machine", host ? host : "");
        hf_error_suggest(error, "ask the owner to add the name to http.hosts");
        return FALSE;
    }
    if (!origin || hf_http_origin_is_ours(origin, own, more))
        return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN, "pages from '%s' may not use this API", origin);
    hf_error_suggest(error, "ask the owner to add its host to http.hosts");
    return FALSE;
}

static void set_http_caller(HfHttpRequest *request)
{
    const HfHttp *http = request->http;
    request->run_id = g_strdup(run_id_of_message(request->message, request->connection));
    request->caller = (HfCaller){
        .kind = request->token ? HF_CALLER_CLIENT : HF_CALLER_NONE,
        .name = request->token ? request->token->name : NULL,
        .grant = request->token ? request->token->grant : NULL,
        .door = "http",
        .token = request->token ? request->token->id : NULL,
        .role = request->token ? (HfRole)request->token->role : HF_ROLE_NONE,
        .level = request->token ? request->token->level : HF_LEVEL_NONE,
        .uid = geteuid(),
        .run_id = request->run_id,
        .reads = hf_http_connection_get_reads(request->connection),
        .inputs = hf_desk_get_input_origin(http->desk),
    };
}

static gboolean check_route_role(const HfHttpRequest *request, GError **error)
{
    HfHttpFlags flags = request->route->flags;
    if ((flags & HF_HTTP_OWNER) && !hf_caller_is_owner(&request->caller, error))
        return FALSE;
    if (!(flags & HF_HTTP_SEES_ALL) || hf_caller_sees_all(&request->caller))
        return TRUE;
    hf_fail(error, HF_ERROR_FORBIDDEN, "token '%s' may see only its own data",
            request->caller.name ? request->caller.name : "");
    hf_error_suggest(error, "use a token with the role observer or owner");
    return FALSE;
}

/* Checks the announced length. Without one, the body is counted as it arrives. */
static gboolean check_body_size(HfHttp *http, SoupServerMessage *message, GError **error)
{
    goffset length = body_length(message);
    if (length > (goffset)HF_LIMIT_REQUEST_BYTES) {
        http->totals.too_large++;
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the body is larger than %u bytes",
                       HF_LIMIT_REQUEST_BYTES);
    }
    if (length <= 0 || http->bodies_bytes + (gsize)length <= HF_LIMIT_HTTP_BODIES_BYTES)
        return TRUE;
    hf_fail(error, HF_ERROR_QUEUE_OVERFLOW, "too many large requests at once");
    return FALSE;
}

static gboolean fail_no_route(SoupServerMessage *message, const char *path, const char *allow,
                              GError **error)
{
    if (!allow) {
        hf_fail(error, HF_ERROR_UNKNOWN_TOOL, "there is no route %s", path);
        hf_error_suggest(error, "GET /v1/openapi.json lists all routes");
        return FALSE;
    }
    soup_message_headers_replace(soup_server_message_get_response_headers(message), "Allow", allow);
    hf_fail(error, HF_ERROR_UNSUPPORTED, "%s accepts %s, not %s", path, allow,
            soup_server_message_get_method(message));
    hf_error_suggest(error, "use one of the methods in the Allow header");
    return FALSE;
}

/* Public routes need no token. `ret_guessed`: the request carried a token. */
static gboolean authenticate_request(HfHttpRequest *request, gboolean *ret_guessed, GError **error)
{
    gboolean needed = !request->route || !(request->route->flags & HF_HTTP_PUBLIC);
    HfTokenStore *book = hf_guard_get_tokens(hf_desk_get_guard(request->http->desk));
    g_autofree char *text =
        hf_http_bearer_dup(get_message_header(request->message, "Authorization"),
                           get_message_header(request->message, "Sec-WebSocket-Protocol"));
    *ret_guessed = text != NULL;
    if (!text && !needed)
        return TRUE;
    if (text)
        request->token = hf_token_store_find(book, text, error);
    if (request->token) {
        hf_http_connection_set_known(request->connection, TRUE);
        return TRUE;
    }
    if (text)
        return FALSE;
    hf_fail(error, HF_ERROR_UNAUTHENTICATED,
            "the request has no token; send Authorization: Bearer hf_...");
    hf_error_suggest(error, "ask the owner to create one: handfast token new NAME");
    return FALSE;
}

static gboolean check_request(HfHttpRequest *request, const char *allow, GError **error,
                              guint *ret_status)
{
    if (!request->route) {
        *ret_status = allow ? SOUP_STATUS_METHOD_NOT_ALLOWED : SOUP_STATUS_NOT_FOUND;
        return fail_no_route(request->message, path_of_message(request->message), allow, error);
    }
    set_http_caller(request);
    gboolean fine =
        check_route_role(request, error) && check_body_size(request->http, request->message, error);
    if (!fine)
        *ret_status = (guint)hf_error_code_status(hf_error_code(*error));
    return fine;
}

HfHttpRequest *hf_http_admit_request(HfHttp *http, SoupServerMessage *message,
                                     HfHttpConnection *connection)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) values = NULL;
    g_autofree char *allow = NULL;
    guint status = SOUP_STATUS_FORBIDDEN;
    http->totals.requests++;
    if (!check_host_and_origin(http, message, &error)) {
        http->totals.wrong_hosts++;
        hf_http_refuse(http, message, error, status);
        return NULL;
    }
    const HfHttpRoute *route = hf_http_route_find(soup_server_message_get_method(message),
                                                  path_of_message(message), &values, &allow);
    g_autoptr(HfHttpRequest) request = hf_http_request_new(http, message, connection, route);
    request->values = g_steal_pointer(&values);
    gboolean guessed;
    if (!authenticate_request(request, &guessed, &error)) {
        if (guessed)
            refuse_later(http, message, connection, error);
        else
            hf_http_refuse(http, message, error, SOUP_STATUS_UNAUTHORIZED);
        return NULL;
    }
    if (check_request(request, allow, &error, &status))
        return g_steal_pointer(&request);
    hf_http_refuse(http, message, error, status);
    return NULL;
}
