/* SPDX-License-Identifier: Apache-2.0 */
/* Parses strictly: what could be read in two ways is refused, so that the server that answers is
 * the one that was judged. */
#include "proxy/http-request.h"

#include <gio/gio.h>
#include <string.h>

#include "shared/base/error.h"

#define LONGEST_HOST 253

static gboolean refuse_request(GError **error, const char *what)
{
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "the request cannot be understood: %s", what);
}

void hf_proxy_request_clear(HfProxyRequest *request)
{
    g_clear_pointer(&request->host, g_free);
    if (request->head)
        g_string_free(g_steal_pointer(&request->head), TRUE);
}

/* ---- the destination ---- */

static gboolean has_only(const char *text, const char *more)
{
    for (; *text; text++)
        if (!g_ascii_isalnum(*text) && !strchr(more, *text))
            return FALSE;
    return TRUE;
}

gboolean hf_proxy_is_host(const char *host)
{
    if (!*host || strlen(host) > LONGEST_HOST)
        return FALSE;
    if (strchr(host, ':')) {
        g_autoptr(GInetAddress) address =
            has_only(host, ":.") ? g_inet_address_new_from_string(host) : NULL;
        return address != NULL;
    }
    return has_only(host, "-._") && strspn(host, ".") == 0;
}

static gboolean parse_port(const char *text, guint16 *ret_port)
{
    guint64 port = 0;
    if (strlen(text) > 5 || !g_ascii_string_to_unsigned(text, 10, 1, G_MAXUINT16, &port, NULL))
        return FALSE;
    *ret_port = (guint16)port;
    return TRUE;
}

/* host, host:port, [address] or [address]:port. */
static gboolean parse_authority(const char *text, int default_port, HfProxyRequest *request)
{
    const char *end = text[0] == '[' ? strchr(text, ']') : text + strcspn(text, ":");
    if (!end)
        return FALSE;
    gboolean bracketed = text[0] == '[';
    const char *rest = bracketed ? end + 1 : end;
    g_autofree char *host = bracketed ? g_strndup(text + 1, (gsize)(end - text - 1))
                                      : g_strndup(text, (gsize)(end - text));
    if (!hf_proxy_is_host(host) || bracketed != (strchr(host, ':') != NULL))
        return FALSE;
    request->port = (guint16)default_port;
    if (*rest == ':' ? !parse_port(rest + 1, &request->port) : *rest != '\0' || default_port == 0)
        return FALSE;
    request->host = g_steal_pointer(&host);
    return TRUE;
}

/* ---- the headers ---- */

/* For us, not for the server. */
static const char *const hop_headers[] = {
    "host",         "connection",         "keep-alive", "proxy-connection", "proxy-authorization",
    "proxy-status", "proxy-authenticate", "te",         "upgrade",          "http2-settings",
};

typedef struct Headers {
    GPtrArray *names, *values; /* of the request, in order */
    const char *length;        /* Content-Length; NULL: none */
    gboolean chunked;
    gboolean old; /* HTTP/1.0 */
} Headers;

static gboolean is_header_name(const char *name)
{
    return *name && has_only(name, "!#$%&'*+-.^_`|~");
}

static gboolean is_header_value(const char *value)
{
    for (; *value; value++)
        if (g_ascii_iscntrl(*value) && *value != '\t')
            return FALSE;
    return TRUE;
}

static gboolean note_header(Headers *headers, const char *name, const char *value, GError **error)
{
    if (g_ascii_strcasecmp(name, "Content-Length") == 0) {
        if (headers->length || !*value || strspn(value, "0123456789") != strlen(value) ||
            strlen(value) > 15)
            return refuse_request(error, "its Content-Length is not one number");
        headers->length = value;
    } else if (g_ascii_strcasecmp(name, "Transfer-Encoding") == 0) {
        if (headers->chunked || g_ascii_strcasecmp(value, "chunked") != 0 || headers->old)
            return refuse_request(error, "its Transfer-Encoding is not 'chunked'");
        headers->chunked = TRUE;
    }
    return headers->length && headers->chunked
               ? refuse_request(error, "it has a Content-Length and a Transfer-Encoding")
               : TRUE;
}

static gboolean parse_header(Headers *headers, const char *line, GError **error)
{
    const char *colon = strchr(line, ':');
    g_autofree char *name = g_strndup(line, colon ? (gsize)(colon - line) : 0);
    g_autofree char *value = g_strdup(colon ? colon + 1 : "");
    g_strstrip(value);
    if (!is_header_name(name) || !is_header_value(value))
        return refuse_request(error, "a header is malformed");
    g_ptr_array_add(headers->names, g_steal_pointer(&name));
    g_ptr_array_add(headers->values, g_steal_pointer(&value));
    guint last = headers->names->len - 1;
    return note_header(headers, headers->names->pdata[last], headers->values->pdata[last], error);
}

/* Whether a header Connection names this one, which is then for us alone. */
static gboolean is_named_in_connection(const Headers *headers, const char *name)
{
    for (guint i = 0; i < headers->names->len; i++) {
        if (g_ascii_strcasecmp(headers->names->pdata[i], "Connection") != 0)
            continue;
        g_auto(GStrv) options = g_strsplit(headers->values->pdata[i], ",", -1);
        for (char **option = options; *option; option++)
            if (g_ascii_strcasecmp(g_strstrip(*option), name) == 0)
                return TRUE;
    }
    return FALSE;
}

static gboolean is_for_server(const Headers *headers, const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(hop_headers); i++)
        if (g_ascii_strcasecmp(name, hop_headers[i]) == 0)
            return FALSE;
    gboolean framing = g_ascii_strcasecmp(name, "Content-Length") == 0 ||
                       g_ascii_strcasecmp(name, "Transfer-Encoding") == 0;
    return framing || !is_named_in_connection(headers, name);
}

/* ---- the request ---- */

static GString *new_server_head(const char *method, const char *authority, const char *path,
                                const Headers *headers)
{
    GString *head = g_string_new(NULL);
    g_string_append_printf(head, "%s %s%s HTTP/1.%c\r\nHost: %s\r\n", method,
                           *path == '/' ? "" : "/", path, headers->old ? '0' : '1', authority);
    for (guint i = 0; i < headers->names->len; i++)
        if (is_for_server(headers, headers->names->pdata[i]))
            g_string_append_printf(head, "%s: %s\r\n", (char *)headers->names->pdata[i],
                                   (char *)headers->values->pdata[i]);
    return g_string_append(head, "Connection: close\r\n\r\n");
}

static gboolean is_target(const char *target)
{
    for (const char *at = target; *at; at++)
        if (*at <= ' ' || *at >= 0x7f || *at == '#' || *at == '\\')
            return FALSE;
    return TRUE;
}

static gboolean parse_absolute(const char *method, const char *target, const Headers *headers,
                               HfProxyRequest *request, GError **error)
{
    static const char scheme[] = "http://";
    if (g_ascii_strncasecmp(target, scheme, strlen(scheme)) != 0)
        return refuse_request(error, "this is a proxy, which needs http://HOST/PATH or CONNECT");
    const char *start = target + strlen(scheme), *path = start + strcspn(start, "/?");
    g_autofree char *authority = g_strndup(start, (gsize)(path - start));
    if (!parse_authority(authority, 80, request))
        return refuse_request(error, "it names no host");
    if (headers->chunked)
        hf_body_init_chunked(&request->body);
    else
        hf_body_init_counted(&request->body,
                             headers->length ? g_ascii_strtoull(headers->length, NULL, 10) : 0);
    request->head = new_server_head(method, authority, path, headers);
    return TRUE;
}

static gboolean parse_request_line(const char *line, const Headers *headers,
                                   HfProxyRequest *request, GError **error)
{
    g_auto(GStrv) words = g_strsplit(line, " ", 4);
    if (!is_header_name(words[0]) || !is_target(words[1]))
        return refuse_request(error, "its first line is malformed");
    request->tunnel = g_str_equal(words[0], "CONNECT");
    if (!request->tunnel)
        return parse_absolute(words[0], words[1], headers, request, error);
    hf_body_init_counted(&request->body, 0);
    return parse_authority(words[1], 0, request) ||
           refuse_request(error, "CONNECT needs a host and a port");
}

static gboolean parse_http_version(const char *line, gboolean *ret_old)
{
    g_auto(GStrv) words = g_strsplit(line, " ", 4);
    if (g_strv_length(words) != 3 ||
        (!g_str_equal(words[2], "HTTP/1.1") && !g_str_equal(words[2], "HTTP/1.0")))
        return FALSE;
    *ret_old = g_str_equal(words[2], "HTTP/1.0");
    return TRUE;
}

gboolean hf_proxy_request_parse(const char *text, gsize length, HfProxyRequest *ret_request,
                                GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    Headers headers = {.names = names, .values = values};
    g_auto(HfProxyRequest) request = {0};
    if (length < 4 || memchr(text, 0, length) || memcmp(text + length - 4, "\r\n\r\n", 4) != 0)
        return refuse_request(error, "it has no end");
    g_autofree char *head = g_strndup(text, length - 4);
    g_auto(GStrv) lines = g_strsplit(head, "\r\n", -1);
    for (char **line = lines; *line; line++)
        if (strpbrk(*line, "\r\n"))
            return refuse_request(error, "a line does not end with CR LF");
    if (!lines[0] || !parse_http_version(lines[0], &headers.old))
        return refuse_request(error, "its first line is not one of HTTP/1.1");
    for (char **line = lines + 1; *line; line++)
        if (!parse_header(&headers, *line, error))
            return FALSE;
    if (!parse_request_line(lines[0], &headers, &request, error))
        return FALSE;
    *ret_request = request;
    request = (HfProxyRequest){0};
    return TRUE;
}
