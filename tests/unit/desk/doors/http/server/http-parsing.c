/* SPDX-License-Identifier: Apache-2.0 */
/* What the HTTP door reads from strangers: paths, queries, hosts, addresses, bodies; and how long
 * it makes those wait who guess. */
#include <string.h>

#include "desk/doors/http/auth/auth-backoff.h"
#include "desk/doors/http/auth/http-address.h"
#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/routes/routes.h"
#include "desk/doors/http/server/json-body.h"
#include "desk/doors/http/server/url-path.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

static void test_paths(void)
{
    static const struct {
        const char *pattern, *path, *value; /* NULL: no match; "": without a value */
    } cases[] = {
        {"/v1/tools", "/v1/tools", ""},
        {"/v1/tools", "/v1/tools/", NULL},
        {"/v1/tools", "/v1//tools", NULL},
        {"/v1/tools/{name}", "/v1/tools/wait", "wait"},
        {"/v1/tools/{name}", "/v1/tools/", NULL},
        {"/v1/tools/{name}", "/v1/tools/a/b", NULL},
        {"/v1/tools/{name}", "/v1/tools/a%2Fb", "a/b"},
        {"/v1/tools/{name}", "/v1/tools/%2e%2e", ".."},
        {"/v1/tools/{name}", "/v1/tools/%E4%BD%A0", "你"},
        {"/v1/tools/{name}", "/v1/tools/%FF", NULL},
        {"/v1/tools/{name}", "/v1/tools/a%00b", NULL},
        {"/v1/tools/{name}", "/v1/tools/%zz", NULL},
        {"/v1/runs/{id}/bundle.zip", "/v1/runs/r_1/bundle.zip", "r_1"},
        {"/v1/runs/{id}/bundle.zip", "/v1/runs/r_1/bundle.tar", NULL},
        {"/v1/runs/{id}", "/v1/runs/r_1/bundle.zip", NULL},
        {"/", "/", ""},
        {"/", "*", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) values = hf_http_path_match(cases[i].pattern, cases[i].path);
        g_test_message("%s %s", cases[i].pattern, cases[i].path);
        g_assert_true((values != NULL) == (cases[i].value != NULL));
        if (values)
            g_assert_cmpstr(values->len ? values->pdata[0] : "", ==, cases[i].value);
    }
}

static void test_values_by_name(void)
{
    static const char pattern[] = "/a/{one}/{other}";
    g_autoptr(GPtrArray) values = hf_http_path_match(pattern, "/a/1/2");
    g_assert_cmpstr(hf_http_path_value(pattern, values, "one"), ==, "1");
    g_assert_cmpstr(hf_http_path_value(pattern, values, "other"), ==, "2");
    g_assert_null(hf_http_path_value(pattern, values, "oth"));
    g_assert_null(hf_http_path_value(pattern, values, "none"));
}

static void test_queries(void)
{
    g_autoptr(GHashTable) query =
        hf_http_query_parse("a=1&b=x+y%26z&a=2&bad=%FF&=none&flag&%E4%BD%A0=%E5%A5%BD");
    g_assert_cmpstr(g_hash_table_lookup(query, "a"), ==, "1");
    g_assert_cmpstr(g_hash_table_lookup(query, "b"), ==, "x y&z");
    g_assert_cmpstr(g_hash_table_lookup(query, "flag"), ==, "");
    g_assert_cmpstr(g_hash_table_lookup(query, "你"), ==, "好");
    g_assert_cmpuint(g_hash_table_size(query), ==, 4);
    g_autoptr(GHashTable) none = hf_http_query_parse(NULL);
    g_assert_cmpuint(g_hash_table_size(none), ==, 0);
}

static void test_hosts(void)
{
    static char *const own[] = {"100.101.102.103", "fd7a::1", NULL};
    static const struct {
        const char *host;
        gboolean ours;
    } cases[] = {
        {"localhost", TRUE},
        {"LocalHost:17890", TRUE},
        {"127.0.0.1:1", TRUE},
        {"[::1]", TRUE},
        {"[::1]:65535", TRUE},
        {"100.101.102.103:17890", TRUE},
        {"[fd7a::1]:17890", TRUE},
        {"my-machine", TRUE},
        {"", FALSE},
        {NULL, FALSE},
        {":80", FALSE},
        {"localhost.", FALSE},
        {"localhost.evil.example", FALSE},
        {"evil.example", FALSE},
        {"127.0.0.1.evil.example", FALSE},
        {"localhost:80@evil.example", FALSE},
        {"localhost:x", FALSE},
        {"localhost:123456", FALSE},
        {"[::1", FALSE},
        {"[::1]x", FALSE},
        {"::1", FALSE},
        {"localhost evil", FALSE},
    };
    g_autoptr(json_t) more = json_pack("[s]", "my-machine");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].host);
        g_assert_true(hf_http_host_is_ours(cases[i].host, own, more) == cases[i].ours);
        g_autofree char *origin = g_strconcat("https://", cases[i].host ? cases[i].host : "", NULL);
        g_assert_true(hf_http_origin_is_ours(origin, own, more) == cases[i].ours);
    }
    g_assert_false(hf_http_origin_is_ours("null", own, more));
    g_assert_false(hf_http_origin_is_ours("file://localhost", own, more));
    g_assert_false(hf_http_origin_is_ours("http://localhost/path", own, more));
}

static void test_addresses(void)
{
    static const struct {
        const char *address;
        gboolean allowed;
    } cases[] = {
        {"127.0.0.1", TRUE},
        {"127.9.9.9", TRUE},
        {"128.0.0.1", FALSE},
        {"::1", TRUE},
        {"::2", FALSE},
        {"100.64.1.2", TRUE},
        {"100.63.1.2", FALSE},
        {"::ffff:127.0.0.1", TRUE},
        {"::ffff:128.0.0.1", FALSE},
        {"0.0.0.0", FALSE},
        {"fe80::1", FALSE},
    };
    g_autofree char *wrong = NULL;
    g_autoptr(json_t) list =
        json_pack("[s, s, s, s]", "127.0.0.0/8", "::1", "100.64.0.0/10", "nonsense");
    g_autoptr(HfHttpAllow) allow = hf_http_allow_new(list, &wrong);
    g_assert_cmpstr(wrong, ==, "nonsense");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GInetAddress) address = g_inet_address_new_from_string(cases[i].address);
        g_test_message("%s", cases[i].address);
        g_assert_true(hf_http_allow_has(allow, address) == cases[i].allowed);
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) loopback = hf_http_addresses("lo", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(loopback->len, >=, 1);
    g_assert_null(hf_http_addresses("no-such-interface", &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
}

/* Whatever is not understood lets nobody in. */
static void test_wrong_networks(void)
{
    static const char *const wrong[] = {"",
                                        "/8",
                                        "10.0.0.0/",
                                        "10.0.0.0/33",
                                        "10.0.0.0/1010",
                                        "::/129",
                                        "10.0.0.0/-1",
                                        "10.0.0.0/8x",
                                        "10.1.2.3/8",
                                        "localhost",
                                        "10.0.0.0/ 8",
                                        "*"};
    g_autoptr(GInetAddress) ten = g_inet_address_new_from_string("10.1.1.1");
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *told = NULL;
        g_autoptr(json_t) list = json_pack("[s]", wrong[i]);
        g_autoptr(HfHttpAllow) allow = hf_http_allow_new(list, &told);
        g_test_message("%s", wrong[i]);
        g_assert_cmpstr(told, ==, wrong[i]);
        g_assert_false(hf_http_allow_has(allow, ten));
    }
}

static json_t *parse(const char *text, GError **error)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    return hf_http_body_parse(bytes, error);
}

static void test_bodies(void)
{
    static const char *const good[] = {"", "{}", "{\"a\": [1, {\"b\": \"}]{[\"}]}",
                                       "{\"quote\": \"\\\"[[[\"}"};
    static const char *const bad[] = {
        "[]", "1", "{", "{\"a\":1,\"a\":2}", "{\"a\":\"\xff\"}", "{} {}", "{\"a\":\"\\u0000\"}"};
    for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) json = parse(good[i], &error);
        g_assert_no_error(error);
        g_assert_true(json_is_object(json));
    }
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_test_message("%s", bad[i]);
        g_assert_null(parse(bad[i], &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    }
}

static void test_depth(void)
{
    for (int depth = HF_LIMIT_JSON_DEPTH - 2; depth <= HF_LIMIT_JSON_DEPTH + 1; depth++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) text = g_string_new(NULL);
        for (int i = 0; i < depth; i++)
            g_string_append(text, "{\"a\":");
        g_string_append(text, "1");
        for (int i = 0; i < depth; i++)
            g_string_append(text, "}");
        g_autoptr(json_t) json = parse(text->str, &error);
        g_assert_true((json != NULL) == (depth <= HF_LIMIT_JSON_DEPTH));
    }
}

static void test_delays(void)
{
    HfAuthBackoff *delays = hf_auth_backoff_new();
    gint64 now = 1000 * G_USEC_PER_SEC;
    guint count, before = 0;
    for (int i = 0; i < 20; i++) {
        guint delay = hf_auth_backoff_add(delays, "1.2.3.4", now + i, &count);
        g_assert_cmpuint(delay, >=, before);
        g_assert_cmpuint(delay, <=, HF_LIMIT_AUTH_BACKOFF_MOST_MS);
        before = delay;
    }
    g_assert_cmpuint(count, ==, 20);
    g_assert_cmpuint(before, ==, HF_LIMIT_AUTH_BACKOFF_MOST_MS);
    g_assert_cmpuint(hf_auth_backoff_add(delays, "5.6.7.8", now, &count), ==,
                     HF_LIMIT_AUTH_BACKOFF_MS);
    g_assert_cmpuint(hf_auth_backoff_add(delays, "1.2.3.4", now + 120 * G_USEC_PER_SEC, &count), ==,
                     HF_LIMIT_AUTH_BACKOFF_MS);
    for (guint i = 0; i < 2 * HF_LIMIT_AUTH_BACKOFF_ADDRESSES; i++) {
        g_autofree char *address = g_strdup_printf("address-%u", i);
        hf_auth_backoff_add(delays, address, now, &count);
    }
    hf_auth_backoff_free(delays);
}

/* Every route says what it does and can be found; none stands in the way of another. */
static void test_routes(void)
{
    for (const HfHttpRoute *const *table = hf_http_route_tables; *table; table++)
        for (const HfHttpRoute *route = *table; route->method; route++) {
            g_autoptr(GPtrArray) values = NULL;
            g_autofree char *allow = NULL;
            g_autoptr(GString) path = g_string_new(route->path);
            g_string_replace(path, "{", "x", 0);
            g_string_replace(path, "}", "x", 0);
            g_test_message("%s %s", route->method, route->path);
            g_assert_true(route->handler || route->socket);
            g_assert_nonnull(route->about);
            g_assert_true(hf_http_route_find(route->method, path->str, &values, &allow) == route);
        }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/http/paths", test_paths);
    g_test_add_func("/http/values-by-name", test_values_by_name);
    g_test_add_func("/http/queries", test_queries);
    g_test_add_func("/http/hosts", test_hosts);
    g_test_add_func("/http/addresses", test_addresses);
    g_test_add_func("/http/wrong-networks", test_wrong_networks);
    g_test_add_func("/http/bodies", test_bodies);
    g_test_add_func("/http/depth", test_depth);
    g_test_add_func("/http/delays", test_delays);
    g_test_add_func("/http/routes", test_routes);
    return g_test_run();
}
