/* SPDX-License-Identifier: Apache-2.0 */
/* Where bodies end, in one piece and byte by byte. */
#include "proxy/http-body.h"

#include <string.h>

#include "proxy/proxy-limits.h"

static const struct Case {
    const char *bytes;
    gsize admitted;
    HfBodyState state;
} chunked[] = {
    {"5\r\nhello\r\n0\r\n\r\nGET", 15, HF_BODY_OVER},
    {"5;a=b\r\nhello\r\n00\r\nT: x\r\n\r\nGET", 26, HF_BODY_OVER},
    {"A\r\n0123456789\r\n", 15, HF_BODY_CHUNK_SIZE},
    {"5\r\nhel", 6, HF_BODY_CHUNK_DATA},
    {"5\r\nhello!", 8, HF_BODY_BROKEN},
    {"5\nhello", 1, HF_BODY_BROKEN},
    {"5\rhello", 2, HF_BODY_BROKEN},
    {"\r\n", 1, HF_BODY_BROKEN},
    {"x", 0, HF_BODY_BROKEN},
    {"-1\r\n", 0, HF_BODY_BROKEN},
    {"5 \r\n", 1, HF_BODY_BROKEN},
    {";a\r\n", 0, HF_BODY_BROKEN},
    {"fffffffffffffffff\r\n", 12, HF_BODY_BROKEN},
};

static void test_chunked(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(chunked); i++) {
        HfBody whole, pieces;
        gsize count = strlen(chunked[i].bytes), done = 0;
        g_test_message("%s", chunked[i].bytes);
        hf_body_init_chunked(&whole);
        hf_body_init_chunked(&pieces);
        g_assert_cmpuint(hf_body_admit(&whole, chunked[i].bytes, count), ==, chunked[i].admitted);
        g_assert_cmpint(whole.state, ==, chunked[i].state);
        while (done < count && hf_body_admit(&pieces, chunked[i].bytes + done, 1) == 1)
            done++;
        g_assert_cmpuint(done, ==, chunked[i].admitted);
        g_assert_cmpint(pieces.state, ==, chunked[i].state);
    }
}

static void test_counted(void)
{
    HfBody body;
    hf_body_init_counted(&body, 5);
    g_assert_cmpuint(hf_body_admit(&body, "hel", 3), ==, 3);
    g_assert_cmpuint(hf_body_admit(&body, "loGET", 5), ==, 2);
    g_assert_cmpint(body.state, ==, HF_BODY_OVER);
    hf_body_init_counted(&body, 0);
    g_assert_cmpuint(hf_body_admit(&body, "GET", 3), ==, 0);
}

static void test_endless_trailers(void)
{
    HfBody body;
    gsize passed = 0;
    hf_body_init_chunked(&body);
    g_assert_cmpuint(hf_body_admit(&body, "0\r\n", 3), ==, 3);
    while (body.state != HF_BODY_BROKEN && passed <= 2 * HF_LIMIT_PROXY_CHUNK_LINE_BYTES)
        passed += hf_body_admit(&body, "T: x\r\n", 6);
    g_assert_cmpint(body.state, ==, HF_BODY_BROKEN);
    g_assert_cmpuint(passed, <=, HF_LIMIT_PROXY_CHUNK_LINE_BYTES);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/http-body/chunked", test_chunked);
    g_test_add_func("/http-body/counted", test_counted);
    g_test_add_func("/http-body/endless-trailers", test_endless_trailers);
    return g_test_run();
}
