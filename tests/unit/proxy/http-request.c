/* SPDX-License-Identifier: Apache-2.0 */
/* What a proxy makes of requests, and what it does not take. */
#include "proxy/http-request.h"

#include <string.h>

#include "shared/base/error.h"

#define GET(target)  "GET " target " HTTP/1.1\r\nHost: other.test\r\n\r\n"
#define POST(header) "POST http://a.test/ HTTP/1.1\r\n" header "\r\n\r\n"

static const struct Accepted {
    const char *text, *host;
    int port;
    const char *head; /* NULL: a tunnel */
} accepted[] = {
    {GET("http://a.test/x?y"), "a.test", 80,
     "GET /x?y HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"},
    {GET("HTTP://a.test"), "a.test", 80,
     "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"},
    {GET("http://a.test:81?q"), "a.test", 81,
     "GET /?q HTTP/1.1\r\nHost: a.test:81\r\nConnection: close\r\n\r\n"},
    {GET("http://[::1]:8080/"), "::1", 8080,
     "GET / HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n"},
    {POST("Content-Length: 2\r\nConnection: keep-alive, X-A, Content-Length\r\nx-a: 1\r\nX-B: 2"),
     "a.test", 80,
     "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\nX-B: 2\r\nConnection: close\r\n\r\n"},
    {POST("Proxy-Authorization: Basic c2VjcmV0\r\nUpgrade: h2c"), "a.test", 80,
     "POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"},
    {"GET http://a.test/ HTTP/1.0\r\n\r\n", "a.test", 80,
     "GET / HTTP/1.0\r\nHost: a.test\r\nConnection: close\r\n\r\n"},
    {"CONNECT a.test:443 HTTP/1.1\r\nHost: b.test:443\r\n\r\n", "a.test", 443, NULL},
    {"CONNECT [2001:db8::1]:443 HTTP/1.1\r\n\r\n", "2001:db8::1", 443, NULL},
};

static const char *const refused[] = {
    GET("/"),
    GET("https://a.test/"),
    GET("http:///x"),
    GET("http://a.test@b.test/"),
    GET("http://a.test:0/"),
    GET("http://a.test:65536/"),
    GET("http://a.test:/"),
    GET("http://a.test\\@b.test/"),
    GET("http://a.test#@b.test/"),
    GET("http://.a.test/"),
    GET("http://a%2etest/"),
    GET("http://[a.test]/"),
    GET("http://[::1%25eth0]/"),
    GET("http://::1/"),
    GET("http://a.test/ x"),
    GET("http://a.test/\x80"),
    "GET http://a.test/\r\n\r\n",
    "GET http://a.test/ HTTP/2.0\r\n\r\n",
    "GET http://a.test/ HTTP/1.1\nX: y\r\n\r\n",
    "GET http://a.test/ HTTP/1.1\r\nX: y",
    "CONNECT a.test HTTP/1.1\r\n\r\n",
    "CONNECT http://a.test:1/ HTTP/1.1\r\n\r\n",
    POST("Content-Length: 2\r\nTransfer-Encoding: chunked"),
    POST("Transfer-Encoding: chunked\r\nContent-Length: 2"),
    POST("Content-Length: 2\r\nContent-Length: 2"),
    POST("Content-Length: +2"),
    POST("Content-Length: 9999999999999999"),
    POST("Transfer-Encoding: gzip, chunked"),
    POST("Transfer-Encoding : chunked"),
    POST(" Transfer-Encoding: chunked"),
    POST("X: a\r\n b"),
    POST("X: a\x01"),
    POST(": a"),
};

static void test_accepted(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(accepted); i++) {
        g_auto(HfProxyRequest) request = {0};
        g_autoptr(GError) error = NULL;
        g_test_message("%s", accepted[i].text);
        hf_proxy_request_parse(accepted[i].text, strlen(accepted[i].text), &request, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(request.host, ==, accepted[i].host);
        g_assert_cmpint(request.port, ==, accepted[i].port);
        g_assert_cmpstr(request.head ? request.head->str : NULL, ==, accepted[i].head);
        g_assert_true(request.tunnel == (accepted[i].head == NULL));
    }
}

static void test_refused(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_auto(HfProxyRequest) request = {0};
        g_autoptr(GError) error = NULL;
        g_test_message("%s", refused[i]);
        g_assert_false(hf_proxy_request_parse(refused[i], strlen(refused[i]), &request, &error));
        g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_INVALID_PARAMS);
    }
    g_auto(HfProxyRequest) request = {0};
    static const char zero[] = "GET http://a.test/\0 HTTP/1.1\r\n\r\n";
    g_assert_false(hf_proxy_request_parse(zero, sizeof zero - 1, &request, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/http-request/accepted", test_accepted);
    g_test_add_func("/http-request/refused", test_refused);
    return g_test_run();
}
