/* SPDX-License-Identifier: Apache-2.0 */
/* A small state machine over bytes: the lines of a head until the empty one, then a body of known
 * length or in chunks, then the next head. libsoup's own parser reads the head, so that both cannot
 * disagree. Heads that libsoup handles badly are refused: repeated or odd lengths, unusual
 * encodings, invalid addresses. */
#include "desk/doors/http/server/http-framing.h"

#include <string.h>

#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/server/libsoup.h"
#include "shared/base/error.h"

/* Most digits of a chunk size or a length. */
#define CHUNK_DIGITS  8
#define LENGTH_DIGITS 15

typedef enum State {
    HEAD,
    BODY,       /* `left` bytes of a body or of a chunk */
    CHUNK_SIZE, /* a line */
    CHUNK_END,  /* the empty line after a chunk */
    TRAILER,    /* lines after the last chunk, until an empty one */
    OPEN,
    REFUSED,
} State;

struct HfHttpFraming {
    gatomicrefcount refs;
    State state;
    gboolean chunked;
    guint64 left;
    gsize trailer; /* bytes of trailers so far */
    GString *text; /* the head, or the line, so far */
    GError *refusal;
};

HfHttpFraming *hf_http_framing_new(void)
{
    HfHttpFraming *framing = g_new0(HfHttpFraming, 1);
    g_atomic_ref_count_init(&framing->refs);
    framing->text = g_string_new(NULL);
    return framing;
}

HfHttpFraming *hf_http_framing_ref(HfHttpFraming *framing)
{
    g_atomic_ref_count_inc(&framing->refs);
    return framing;
}

void hf_http_framing_unref(HfHttpFraming *framing)
{
    if (!framing || !g_atomic_ref_count_dec(&framing->refs))
        return;
    g_string_free(framing->text, TRUE);
    g_clear_error(&framing->refusal);
    g_free(framing);
}

const GError *hf_http_framing_get_refusal(const HfHttpFraming *framing)
{
    return framing->refusal;
}

void hf_http_framing_open(HfHttpFraming *framing)
{
    framing->state = OPEN;
}

static gboolean refuse_framing(HfHttpFraming *framing, const char *what, const char *suggestion)
{
    framing->state = REFUSED;
    hf_fail(&framing->refusal, HF_ERROR_INVALID_PARAMS, "%s", what);
    hf_error_suggest(&framing->refusal, "%s", suggestion);
    return FALSE;
}

static gboolean is_digits(const char *text, gsize most)
{
    return *text && strlen(text) <= most && strspn(text, "0123456789") == strlen(text);
}

/* ---- heads ---- */

static gboolean check_body_length(HfHttpFraming *framing, SoupMessageHeaders *headers)
{
    const char *length = soup_message_headers_get_list(headers, "Content-Length");
    const char *encoding = soup_message_headers_get_list(headers, "Transfer-Encoding");
    framing->chunked = encoding && g_ascii_strcasecmp(encoding, "chunked") == 0;
    framing->left =
        length && is_digits(length, LENGTH_DIGITS) ? g_ascii_strtoull(length, NULL, 10) : 0;
    if ((!length || is_digits(length, LENGTH_DIGITS)) && (!encoding || framing->chunked) &&
        !(length && encoding))
        return TRUE;
    return refuse_framing(framing, "the length of the body is ambiguous",
                          "send one Content-Length, or Transfer-Encoding: chunked");
}

static gboolean check_target(HfHttpFraming *framing, SoupMessageHeaders *headers, const char *path)
{
    const char *host = soup_message_headers_get_one(headers, "Host");
    g_autofree char *address = g_strconcat("http://", host ? host : "localhost", path, NULL);
    if (path[0] == '/' && !(host && strpbrk(host, "/?#@")) &&
        g_uri_is_valid(address, SOUP_HTTP_URI_FLAGS, NULL))
        return TRUE;
    return refuse_framing(framing, "the request has no valid address",
                          "send a path that begins with / and one valid Host");
}

/* Of two such headers one reader takes the first and another the last: a proxy could check a token
 * that we do not. */
static gboolean check_single_headers(HfHttpFraming *framing, SoupMessageHeaders *headers)
{
    static const char *const names[] = {"Authorization", "Host", "Idempotency-Key",
                                        "Mcp-Session-Id", "Origin"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_strcmp0(soup_message_headers_get_list(headers, names[i]),
                      soup_message_headers_get_one(headers, names[i])) != 0) {
            refuse_framing(framing, "a header stands twice", "send each header once");
            hf_error_take_details(&framing->refusal, json_pack("{s:s}", "header", names[i]));
            return FALSE;
        }
    return TRUE;
}

/* Header names must be plain, each on its own line: parsers disagree about anything else, and
 * libsoup drops what it does not understand. */
static gboolean check_header_names(HfHttpFraming *framing)
{
    const char *line = framing->text->str + strspn(framing->text->str, "\r\n");
    while ((line = strchr(line, '\n')) && line[1] && line[1] != '\r' && line[1] != '\n') {
        gsize name = strcspn(++line, ": \t\r\n");
        if (name == 0 || line[name] != ':')
            return refuse_framing(framing, "a header is malformed",
                                  "send each header as NAME: VALUE on its own line");
    }
    return TRUE;
}

/* With the whole head in `text`. */
static gboolean end_head(HfHttpFraming *framing)
{
    SoupMessageHeaders *headers = soup_message_headers_new(SOUP_MESSAGE_HEADERS_REQUEST);
    g_autofree char *method = NULL, *path = NULL;
    SoupHTTPVersion version;
    guint status = soup_headers_parse_request(framing->text->str, (int)framing->text->len, headers,
                                              &method, &path, &version);
    gboolean fine =
        SOUP_STATUS_IS_SUCCESSFUL(status) ||
        refuse_framing(framing, "this is not an HTTP request", "see docs/http.md for examples");
    fine = fine && check_header_names(framing) && check_body_length(framing, headers) &&
           check_target(framing, headers, path) && check_single_headers(framing, headers);
    soup_message_headers_unref(headers);
    g_string_truncate(framing->text, 0);
    if (!fine)
        return FALSE;
    framing->trailer = 0;
    framing->state = framing->chunked ? CHUNK_SIZE : framing->left ? BODY : HEAD;
    return TRUE;
}

static gboolean take_head(HfHttpFraming *framing, char byte)
{
    GString *text = framing->text;
    g_string_append_c(text, byte);
    if (text->len > HF_LIMIT_HTTP_HEAD_BYTES)
        return refuse_framing(framing, "the head of the request is too long",
                              "send shorter headers");
    /* An empty line by libsoup's rule: a line feed right after another one. */
    if (byte != '\n' ||
        !(g_str_has_suffix(text->str, "\n\n") || g_str_has_suffix(text->str, "\n\r\n")))
        return TRUE;
    return end_head(framing);
}

/* ---- bodies ---- */

static gboolean end_chunk_size(HfHttpFraming *framing)
{
    g_strchomp(framing->text->str);
    const char *size = framing->text->str;
    gsize digits = strspn(size, "0123456789abcdefABCDEF");
    gboolean plain = digits > 0 && digits <= CHUNK_DIGITS && size[digits] == '\0';
    framing->left = plain ? g_ascii_strtoull(size, NULL, 16) : 0;
    g_string_truncate(framing->text, 0);
    framing->state = framing->left ? BODY : TRAILER;
    return plain || refuse_framing(framing, "the size of a chunk is malformed",
                                   "send chunk sizes as hexadecimal digits only");
}

/* An empty line ends the body; other trailer lines are ignored. */
static gboolean end_trailer(HfHttpFraming *framing)
{
    g_strchomp(framing->text->str);
    if (*framing->text->str == '\0')
        framing->state = HEAD;
    g_string_truncate(framing->text, 0);
    return TRUE;
}

static gboolean end_chunk(HfHttpFraming *framing)
{
    gboolean empty =
        g_str_equal(framing->text->str, "\r\n") || g_str_equal(framing->text->str, "\n");
    g_string_truncate(framing->text, 0);
    framing->state = CHUNK_SIZE;
    return empty || refuse_framing(framing, "a chunk is longer than its size",
                                   "send as many bytes as the chunk's size says");
}

static gboolean take_chunk_line(HfHttpFraming *framing, char byte)
{
    g_string_append_c(framing->text, byte);
    framing->trailer += framing->state == TRAILER ? 1 : 0;
    if (framing->trailer > HF_LIMIT_HTTP_HEAD_BYTES)
        return refuse_framing(framing, "the trailer is too long", "send no trailers");
    if (framing->state != TRAILER && framing->text->len > CHUNK_DIGITS + 2)
        return refuse_framing(framing, "the size of a chunk is malformed",
                              "send chunk sizes as hexadecimal digits only");
    if (byte != '\n')
        return TRUE;
    return framing->state == CHUNK_SIZE  ? end_chunk_size(framing)
           : framing->state == CHUNK_END ? end_chunk(framing)
                                         : end_trailer(framing);
}

/* As much of a body as has arrived. */
static gsize skip_body(HfHttpFraming *framing, gsize length)
{
    gsize skipped = (gsize)MIN(framing->left, length);
    framing->left -= skipped;
    if (framing->left == 0)
        framing->state = framing->chunked ? CHUNK_END : HEAD;
    return skipped;
}

/* Outside bodies. A NUL byte would hide what follows it from our checks. */
static gboolean take_byte(HfHttpFraming *framing, char byte)
{
    if (byte == '\0')
        return refuse_framing(framing, "this is not an HTTP request",
                              "see docs/http.md for examples");
    return framing->state == HEAD ? take_head(framing, byte) : take_chunk_line(framing, byte);
}

gboolean hf_http_framing_is_between(const HfHttpFraming *framing)
{
    return framing->state == HEAD && framing->text->len == 0;
}

gboolean hf_http_framing_end(HfHttpFraming *framing)
{
    if (framing->state == OPEN || hf_http_framing_is_between(framing))
        return TRUE;
    return framing->state != REFUSED &&
           refuse_framing(framing, "the request is incomplete",
                          "send the whole request before you close the connection");
}

gsize hf_http_framing_take(HfHttpFraming *framing, const char *bytes, gsize length)
{
    gsize done = 0;
    while (done < length) {
        if (framing->state == OPEN)
            return length;
        if (framing->state == REFUSED)
            return done;
        if (framing->state == BODY) {
            done += skip_body(framing, length - done);
            continue;
        }
        if (!take_byte(framing, bytes[done]))
            return done;
        done++;
    }
    return done;
}
