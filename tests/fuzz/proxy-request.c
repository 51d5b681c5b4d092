/* SPDX-License-Identifier: Apache-2.0 */
/* What a program on a desktop sends to its proxy. What is passed on has one meaning: one host, one
 * head, and a body whose end does not depend on the pieces in which it comes. */
#include <stdint.h>
#include <string.h>

#include "proxy/http-request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare_pieces(const HfBody *body, const char *bytes, gsize count)
{
    HfBody whole = *body, pieces = *body;
    gsize passed = hf_body_admit(&whole, bytes, count), done = 0;
    while (done < count && hf_body_admit(&pieces, bytes + done, 1) == 1)
        done++;
    g_assert_cmpuint(done, ==, passed);
    g_assert_cmpint(whole.state, ==, pieces.state);
    g_assert_true(passed == count || whole.state == HF_BODY_OVER || whole.state == HF_BODY_BROKEN);
}

/* A server that is less strict than we are finds one request all the same. */
static void check_server_head(const GString *head)
{
    g_assert_cmpuint(strlen(head->str), ==, head->len);
    const char *end = strstr(head->str, "\r\n\r\n");
    g_assert_true(end && end + 4 == head->str + head->len);
    for (const char *at = head->str; (at = strchr(at, '\n')); at++)
        g_assert_true(at > head->str && at[-1] == '\r');
    const char *host = strstr(head->str, "\r\nHost: ");
    g_assert_nonnull(host);
    g_assert_true(host + 2 == strchr(head->str, '\n') + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *end = size > 0 ? memmem(text, size, "\r\n\r\n", 4) : NULL;
    gsize length = end ? (gsize)(end - text) + 4 : size;
    g_auto(HfProxyRequest) request = {0};
    HfBody chunked;
    hf_body_init_chunked(&chunked);
    compare_pieces(&chunked, text, size);
    if (!hf_proxy_request_parse(text, length, &request, NULL))
        return 0;
    g_assert_true(hf_proxy_is_host(request.host) && request.port > 0);
    g_assert_true(request.tunnel == (request.head == NULL));
    if (request.head)
        check_server_head(request.head);
    compare_pieces(&request.body, text + length, size - length);
    return 0;
}
