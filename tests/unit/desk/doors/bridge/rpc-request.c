/* SPDX-License-Identifier: Apache-2.0 */
/* JSON-RPC as the bridge takes it: what is a request, and what the reply to anything else says. */
#include "desk/doors/bridge/rpc-request.h"
#include "desk/doors/bridge/bridge-limits.h"
#include "shared/base/json.h"

typedef struct Case {
    const char *line;
    int code;         /* 0: a request */
    const char *word; /* in the message */
    const char *id;   /* of the reply, as JSON; NULL: null */
} Case;

static const Case cases[] = {
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\"}", 0, NULL, NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"params\":{}}", 0, NULL, NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"status\"}", 0, NULL, NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":-9007199254740993,\"method\":\"status\"}", 0, NULL, NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"s\",\"nonce\":\"n\",\"expires\":1}", 0, NULL,
     NULL},
    {"", HF_RPC_PARSE_ERROR, "", NULL},
    {"{", HF_RPC_PARSE_ERROR, "", NULL},
    {"null", HF_RPC_PARSE_ERROR, "", NULL},
    {"{} {}", HF_RPC_PARSE_ERROR, "end of file", NULL},
    {"{\"id\":1,\"id\":1}", HF_RPC_PARSE_ERROR, "duplicate", NULL},
    {"{\"id\":7,\"params\":{\"text\":\"a\\u0000b\"}}", HF_RPC_PARSE_ERROR, "u0000", "7"},
    {"{\"id\":\"x\",\"params\":{\"n\":1000000000000000000000000}}", HF_RPC_PARSE_ERROR, "too large",
     "\"x\""},
    {"{\"id\":8,\"params\":{\"n\":1e999}}", HF_RPC_PARSE_ERROR, "too large", NULL},
    {"{\"id\":\"a\\u0000b\"}", HF_RPC_PARSE_ERROR, "u0000", NULL},
    {"{\"id\":1000000000000000000000000}", HF_RPC_PARSE_ERROR, "too large", NULL},
    {"{\"id\":1.5,\"a\":\"\\u0000\"}", HF_RPC_PARSE_ERROR, "u0000", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"call\",\"params\":{\"tool\":\"a\",\"tool\":\"b\"}"
     "}",
     HF_RPC_PARSE_ERROR, "duplicate", NULL},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}", HF_RPC_PARSE_ERROR, "decode", NULL},
    {"[]", HF_RPC_INVALID_REQUEST, "batches", NULL},
    {"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}]", HF_RPC_INVALID_REQUEST, "batches",
     NULL},
    {"{\"id\":1,\"method\":\"status\"}", HF_RPC_INVALID_REQUEST, "jsonrpc", "1"},
    {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"status\"}", HF_RPC_INVALID_REQUEST, "jsonrpc",
     "1"},
    {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"status\"}", HF_RPC_INVALID_REQUEST, "id", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"status\"}", HF_RPC_INVALID_REQUEST, "id", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"status\"}", HF_RPC_INVALID_REQUEST, "id", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"status\"}", HF_RPC_INVALID_REQUEST, "id", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":\"x\"}", HF_RPC_INVALID_REQUEST, "method", "\"x\""},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", HF_RPC_INVALID_REQUEST, "method", "1"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"s\",\"params\":[]}", HF_RPC_INVALID_REQUEST,
     "params", "1"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"s\",\"params\":null}", HF_RPC_INVALID_REQUEST,
     "params", "1"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"s\",\"nonce\":7}", HF_RPC_INVALID_REQUEST, "nonce",
     "1"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"s\",\"expires\":\"soon\"}", HF_RPC_INVALID_REQUEST,
     "expires", "1"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"s\",\"nonse\":\"x\"}", HF_RPC_INVALID_REQUEST,
     "nonse", "1"},
};

static void check(const char *line, gsize length, const Case *expected)
{
    int code = 0;
    g_autofree char *message = NULL;
    g_autoptr(json_t) id = NULL;
    g_autoptr(json_t) request = hf_rpc_parse(line, length, &code, &message, &id);
    if (expected->code == 0) {
        g_assert_nonnull(request);
        return;
    }
    g_autofree char *text = id ? hf_json_dump(id) : NULL;
    g_assert_null(request);
    g_assert_cmpint(code, ==, expected->code);
    g_assert_nonnull(strstr(message, expected->word));
    g_assert_cmpstr(text, ==, expected->id);
}

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].line);
        check(cases[i].line, strlen(cases[i].line), &cases[i]);
    }
}

static void test_id_has_a_limit(void)
{
    static const Case fits = {.code = 0};
    static const Case too_long = {.code = HF_RPC_INVALID_REQUEST, .word = "id"};
    for (guint more = 0; more <= 1; more++) {
        g_autofree char *id = g_strnfill(HF_LIMIT_RPC_ID_BYTES + more, 'x');
        g_autofree char *line =
            g_strdup_printf("{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"s\"}", id);
        check(line, strlen(line), more ? &too_long : &fits);
    }
}

static void test_deep_nesting(void)
{
    static const Case refused = {.code = HF_RPC_PARSE_ERROR, .word = "depth"};
    g_autoptr(GString) line = g_string_new("{\"jsonrpc\":\"2.0\",\"method\":\"s\",\"params\":");
    for (int i = 0; i < 100000; i++)
        g_string_append(line, "{\"a\":");
    check(line->str, line->len, &refused);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rpc/cases", test_cases);
    g_test_add_func("/rpc/id-has-a-limit", test_id_has_a_limit);
    g_test_add_func("/rpc/deep-nesting", test_deep_nesting);
    return g_test_run();
}
