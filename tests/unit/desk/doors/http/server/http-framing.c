/* SPDX-License-Identifier: Apache-2.0 */
/* Where requests end and what is refused, in one piece and byte by byte: the pieces in which bytes
 * come must not matter. */
#include "desk/doors/http/server/http-framing.h"

#include <string.h>

typedef struct Case {
    const char *name, *bytes;
    gboolean refused;
} Case;

#define GET  "GET /health HTTP/1.1\r\nHost: localhost\r\n"
#define POST "POST /v1/tools/wait HTTP/1.1\r\nHost: localhost\r\n"

static const Case cases[] = {
    {"get", GET "\r\n", FALSE},
    {"bare line feeds", "GET /health HTTP/1.1\nHost: localhost\n\n", FALSE},
    {"an empty line before", "\r\n" GET "\r\n", FALSE},
    {"two in a row", GET "\r\n" GET "\r\n", FALSE},
    {"a body and another", POST "Content-Length: 2\r\n\r\n{}" GET "\r\n", FALSE},
    {"chunks and another", POST "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" GET "\r\n",
     FALSE},
    {"a trailer", POST "Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n" GET "\r\n", FALSE},
    {"chunked in capitals", POST "Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n" GET "\r\n", FALSE},
    {"a body that looks like a head",
     POST "Content-Length: 21\r\n\r\nGET /x\r\nHost: a/b\r\n\r\n" GET "\r\n", FALSE},
    {"no host", "GET / HTTP/1.0\r\n\r\n", FALSE},
    {"a blank before the colon", POST "Transfer-Encoding : chunked\r\n\r\n", TRUE},
    {"a header on two lines", POST "X: a\r\n b\r\n\r\n", TRUE},
    {"a header without a name", POST ": a\r\n\r\n", TRUE},
    {"a header without a colon", POST "Accept\r\n\r\n", TRUE},
    {"no HTTP", "hello\r\n\r\n", TRUE},
    {"unknown encoding", POST "Transfer-Encoding: gzip\r\n\r\n", TRUE},
    {"encoding said twice",
     POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n", TRUE},
    {"length and encoding", POST "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", TRUE},
    {"two lengths", POST "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", TRUE},
    {"two equal lengths", POST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", TRUE},
    {"negative length", POST "Content-Length: -2\r\n\r\n", TRUE},
    {"length with a sign", POST "Content-Length: +2\r\n\r\n", TRUE},
    {"length in hexadecimal", POST "Content-Length: 0x2\r\n\r\n", TRUE},
    {"huge length", POST "Content-Length: 99999999999999999999\r\n\r\n", TRUE},
    {"empty length", POST "Content-Length:\r\n\r\n", TRUE},
    {"host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", TRUE},
    {"host that is none", "GET / HTTP/1.1\r\nHost: [::\r\n\r\n", TRUE},
    {"whole address", "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", TRUE},
    {"chunk of no size", POST "Transfer-Encoding: chunked\r\n\r\n\r\n", TRUE},
    {"chunk with an extension", POST "Transfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n", TRUE},
    {"chunk of a negative size", POST "Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n", TRUE},
    {"chunk of a huge size", POST "Transfer-Encoding: chunked\r\n\r\n1ffffffff\r\nx\r\n", TRUE},
    {"chunk that is longer", POST "Transfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", TRUE},
    {"the second is wrong", GET "\r\n" POST "Transfer-Encoding: x\r\n\r\n", TRUE},
};

static gsize take(HfHttpFraming *framing, const char *bytes, gsize length, gsize piece)
{
    gsize done = 0;
    while (done < length) {
        gsize some = MIN(piece, length - done);
        gsize passed = hf_http_framing_take(framing, bytes + done, some);
        done += passed;
        if (passed < some)
            break;
    }
    return done;
}

static void test_case(gconstpointer data)
{
    const Case *wanted = data;
    gsize length = strlen(wanted->bytes), first = 0;
    static const gsize pieces[] = {1, 2, 7, 100000};
    for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autoptr(HfHttpFraming) framing = hf_http_framing_new();
        gsize passed = take(framing, wanted->bytes, length, pieces[i]);
        first = i ? first : passed;
        g_assert_cmpuint(passed, ==, first);
        g_assert_true((hf_http_framing_get_refusal(framing) != NULL) == wanted->refused);
        if (!wanted->refused)
            g_assert_cmpuint(passed, ==, length);
        else
            g_assert_cmpuint(passed, <, length);
    }
}

/* A head that never ends. */
static void test_long_head(void)
{
    g_autoptr(HfHttpFraming) framing = hf_http_framing_new();
    g_autofree char *long_path = g_strnfill(1024 * 1024, 'a');
    g_assert_cmpuint(hf_http_framing_take(framing, GET, strlen(GET)), ==, strlen(GET));
    g_assert_cmpuint(hf_http_framing_take(framing, long_path, 1024 * 1024), <, 64 * 1024);
    g_assert_nonnull(hf_http_framing_get_refusal(framing));
    g_assert_cmpuint(hf_http_framing_take(framing, "\r\n\r\n", 4), ==, 0);
}

static void test_long_trailer(void)
{
    static const char head[] = POST "Transfer-Encoding: chunked\r\n\r\n0\r\n";
    g_autoptr(HfHttpFraming) framing = hf_http_framing_new();
    g_autofree char *trailer = g_strnfill(1024 * 1024, 'a');
    hf_http_framing_take(framing, head, strlen(head));
    g_assert_cmpuint(hf_http_framing_take(framing, trailer, 1024 * 1024), <, 64 * 1024);
    g_assert_nonnull(hf_http_framing_get_refusal(framing));
}

/* A byte that ends a text for C does not end it for others. */
static void test_nul(void)
{
    static const struct {
        const char *bytes;
        gsize length;
    } heads[] = {
#define BYTES(text) {text, sizeof(text) - 1}
        BYTES(POST "X: \0\r\nTransfer-Encoding: gzip\r\n\r\n"),
        BYTES("\0" GET "\r\n"),
        BYTES(POST "Transfer-Encoding: chunked\r\n\r\n1\0\r\nx\r\n"),
        BYTES(POST "Transfer-Encoding: chunked\r\n\r\n0\r\n\0x\r\n"),
    };
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
        g_autoptr(HfHttpFraming) framing = hf_http_framing_new();
        gsize passed = hf_http_framing_take(framing, heads[i].bytes, heads[i].length);
        g_assert_cmpuint(passed, ==, strlen(heads[i].bytes));
        g_assert_nonnull(hf_http_framing_get_refusal(framing));
    }
}

/* A connection may end between requests only: the library would take half a head for a whole one.
 */
static void test_end(void)
{
    static const struct {
        const char *bytes;
        gboolean fine;
    } ends[] = {
        {"", TRUE},
        {GET "\r\n", TRUE},
        {POST "Content-Length: 2\r\n\r\n{}", TRUE},
        {POST "Transfer-Encoding: gzip\r\n", FALSE},
        {GET, FALSE},
        {"\r", FALSE},
        {POST "Content-Length: 2\r\n\r\n{", FALSE},
        {POST "Transfer-Encoding: chunked\r\n\r\n0\r\n", FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(HfHttpFraming) framing = hf_http_framing_new();
        hf_http_framing_take(framing, ends[i].bytes, strlen(ends[i].bytes));
        g_assert_cmpint(hf_http_framing_end(framing), ==, ends[i].fine);
        g_assert_true((hf_http_framing_get_refusal(framing) == NULL) == ends[i].fine);
    }
}

static void test_open(void)
{
    g_autoptr(HfHttpFraming) framing = hf_http_framing_new();
    hf_http_framing_take(framing, GET "\r\n", strlen(GET "\r\n"));
    hf_http_framing_open(framing);
    g_assert_cmpuint(hf_http_framing_take(framing, "\x81\x02\n\n\n\nxx", 8), ==, 8);
    g_assert_null(hf_http_framing_get_refusal(framing));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/http-framing/%s", cases[i].name);
        g_test_add_data_func(path, &cases[i], test_case);
    }
    g_test_add_func("/http-framing/long-head", test_long_head);
    g_test_add_func("/http-framing/long-trailer", test_long_trailer);
    g_test_add_func("/http-framing/nul", test_nul);
    g_test_add_func("/http-framing/end", test_end);
    g_test_add_func("/http-framing/open", test_open);
    return g_test_run();
}
