/* SPDX-License-Identifier: Apache-2.0 */
/* What MCP is made of and needs no desk: forms of messages, sealed states, headers, what profiles
 * show, and how large a picture a model is given. */
#include <string.h>

#include "cli/mcp/token-estimate.h"
#include "desk/doors/http/mcp/mcp-headers.h"
#include "desk/doors/mcp/mcp-message.h"
#include "desk/doors/mcp/mcp-output.h"
#include "desk/doors/mcp/mcp-resources.h"
#include "desk/doors/mcp/mcp-server.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/json.h"
#include "shared/tool/computer-tool.h"

static void test_kinds(void)
{
    static const struct {
        const char *text;
        HfMcpKind kind;
    } cases[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}", HF_MCP_KIND_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"a\",\"params\":{}}", HF_MCP_KIND_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}", HF_MCP_KIND_NOTIFICATION},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", HF_MCP_KIND_RESPONSE},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}", HF_MCP_KIND_RESPONSE},
        {"[]", HF_MCP_KIND_BATCH},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"a\"}", HF_MCP_KIND_INVALID},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}", HF_MCP_KIND_INVALID},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[]}", HF_MCP_KIND_INVALID},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}", HF_MCP_KIND_INVALID},
        {"{\"id\":1,\"method\":\"a\"}", HF_MCP_KIND_INVALID},
        {"\"text\"", HF_MCP_KIND_INVALID},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *problem = NULL;
        g_autofree char *reason = NULL;
        g_autoptr(json_t) message =
            hf_mcp_message_parse(cases[i].text, strlen(cases[i].text), &reason);
        g_assert_nonnull(message);
        g_assert_cmpint(hf_mcp_message_kind(message, &problem), ==, cases[i].kind);
    }
    g_autofree char *twice = NULL;
    g_assert_null(hf_mcp_message_parse("{\"a\":1,\"a\":2}", 13, &twice));
    g_assert_nonnull(twice);
}

static void test_seal(void)
{
    HfMcpStateSigner *seal = hf_mcp_state_signer_new(), *other = hf_mcp_state_signer_new();
    g_autofree char *state = hf_mcp_state_sign(seal, json_pack("{s:s}", "nonce", "n"), 60000);
    g_autoptr(json_t) claims = hf_mcp_state_verify(seal, state);
    g_assert_cmpstr(hf_json_string(claims, "nonce", NULL), ==, "n");
    g_assert_null(hf_mcp_state_verify(other, state));
    for (gsize i = 0; state[i]; i++) {
        g_autofree char *changed = g_strdup(state);
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        g_assert_null(hf_mcp_state_verify(seal, changed));
    }
    g_autofree char *old = hf_mcp_state_sign(seal, json_object(), -1);
    g_assert_null(hf_mcp_state_verify(seal, old));
    g_assert_null(hf_mcp_state_verify(seal, NULL));
    hf_mcp_state_signer_free(seal);
    hf_mcp_state_signer_free(other);
}

static void test_header_values(void)
{
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"  blanks\t", "blanks"},
        {"=?base64?SGVsbG8=?=", "Hello"},
        {"=?base64?5L2g5aW9?=", "你好"},
        {"=?base64?"
         "?=",
         ""},
        {"=?base64?SGVsbG8?=", NULL},
        {"=?base64?SGV$bG8=?=", NULL},
        {"=?base64?/////w==?=", NULL},
        {"=?base64?SGVsbG8=", "=?base64?SGVsbG8="},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *decoded = hf_mcp_header_decode(cases[i][0]);
        g_assert_cmpstr(decoded, ==, cases[i][1]);
    }
}

static void test_header_check(void)
{
    g_autoptr(json_t) message =
        json_pack("{s:s, s:{s:s, s:{s:s}}}", "method", "tools/call", "params", "name", "wait",
                  "_meta", HF_MCP_META("protocolVersion"), HF_MCP_MODERN);
    const struct {
        HfMcpHeaders headers;
        gboolean fine;
    } cases[] = {
        {{HF_MCP_MODERN, "tools/call", "wait"}, TRUE},
        {{HF_MCP_MODERN, " tools/call ", "=?base64?d2FpdA==?="}, TRUE},
        {{HF_MCP_MODERN, "Tools/Call", "wait"}, FALSE},
        {{HF_MCP_MODERN, "tools/call", "Wait"}, FALSE},
        {{HF_MCP_MODERN, "tools/call", NULL}, FALSE},
        {{HF_MCP_MODERN, NULL, "wait"}, FALSE},
        {{NULL, "tools/call", "wait"}, FALSE},
        {{"2025-11-25", "tools/call", "wait"}, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpint(hf_mcp_headers_check(&cases[i].headers, message) == NULL, ==,
                        cases[i].fine);
}

static void test_accept(void)
{
    static const struct {
        const char *accept;
        gboolean json, events;
    } cases[] = {
        {NULL, TRUE, TRUE},
        {"*/*", TRUE, TRUE},
        {"application/json, text/event-stream", TRUE, TRUE},
        {"text/*;q=0.5", FALSE, TRUE},
        {"application/json", TRUE, FALSE},
        {"text/html", FALSE, FALSE},
        {"", FALSE, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(hf_mcp_header_accepts(cases[i].accept, "application/json"), ==,
                        cases[i].json);
        g_assert_cmpint(hf_mcp_header_accepts(cases[i].accept, "text/event-stream"), ==,
                        cases[i].events);
    }
}

/* The sizes that the models' own documentation names. */
static void test_picture_sizes(void)
{
    static const int cases[][4] = {
        {1920, 1080, 1456, 819},
        {3840, 2160, 1456, 819},
        {1075, 1520, 924, 1307},
        {2560, 1600, 1389, 868},
        {1366, 768, 1366, 768},
        {1024, 768, 1024, 768},
        {1, 1, 1, 1},
        {16384, 1, 1568, 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        int width, height;
        hf_computer_tool_fit_screen(cases[i][0], cases[i][1], &width, &height);
        g_assert_cmpint(width, ==, cases[i][2]);
        g_assert_cmpint(height, ==, cases[i][3]);
    }
}

static void test_resources(void)
{
    static const struct {
        const char *uri;
        HfMcpResourceKind kind;
        const char *name;
    } cases[] = {
        {"screen://main", HF_MCP_RESOURCE_SCREEN, "main"},
        {"run://r_1", HF_MCP_RESOURCE_RUN, "r_1"},
        {"audit://latest", HF_MCP_RESOURCE_AUDIT, "latest"},
        {"audit://all", HF_MCP_RESOURCE_NONE, NULL},
        {"screen://", HF_MCP_RESOURCE_NONE, NULL},
        {"file:///etc/passwd", HF_MCP_RESOURCE_NONE, NULL},
        {"", HF_MCP_RESOURCE_NONE, NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *name = NULL;
        g_assert_cmpint(hf_mcp_resource_kind(cases[i].uri, &name), ==, cases[i].kind);
        if (cases[i].name)
            g_assert_cmpstr(name, ==, cases[i].name);
    }
}

static void test_profiles(void)
{
    g_assert_nonnull(hf_profile_find_tool("core", "left_click"));
    g_assert_null(hf_profile_find_tool("core", "computer"));
    g_assert_null(hf_profile_find_tool("core", "hotkey"));
    g_assert_true(hf_profile_find_tool("computer", "computer") == &hf_computer_tool);
    g_assert_null(hf_profile_find_tool("computer", "left_click"));
    g_assert_nonnull(hf_profile_find_tool("all", "hotkey"));
    for (const char *const *name = hf_profile_names(); *name; name++) {
        g_autoptr(json_t) tools = hf_profile_list_tools(*name);
        size_t index;
        json_t *tool;
        g_auto(GStrv) words = g_strsplit_set(hf_profile_get_instructions(*name), " \n", -1);
        g_assert_cmpuint(g_strv_length(words), <, 300);
        json_array_foreach (tools, index, tool) {
            const json_t *schema = json_object_get(tool, "inputSchema");
            g_assert_cmpstr(hf_json_string(schema, "type", ""), ==, "object");
            g_assert_nonnull(json_object_get(tool, "title"));
            g_assert_true(json_is_object(json_object_get(tool, "annotations")));
        }
    }
}

/* The budget of docs/mcp.md, with room for what results are still to say. */
static void test_cost(void)
{
    static const struct {
        const char *profile;
        gsize most;
    } cases[] = {{"core", 3600}, {"computer", 800}, {"all", 41000}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(json_t) tools = hf_profile_list_tools(cases[i].profile);
        g_autofree char *text = hf_json_dump(tools);
        g_assert_cmpuint(hf_token_estimate(text) +
                             hf_token_estimate(hf_profile_get_instructions(cases[i].profile)),
                         <, cases[i].most);
    }
}

/* What is left out to save tokens must leave a tool that can be used. */
static void test_core_can_be_used(void)
{
    static const char *const needed[][2] = {
        {"observe", "since"},       {"left_click", "target"}, {"left_click", "x"},
        {"left_click", "image_id"}, {"screenshot", "region"}, {"window_focus", "window_id"},
        {"type_text", "text"},      {"scroll", "direction"},  {"scroll", "clicks"},
        {"app_close", "name"},
    };
    g_autoptr(json_t) tools = hf_profile_list_tools("core");
    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++) {
        size_t index;
        json_t *tool, *found = NULL;
        json_array_foreach (tools, index, tool)
            if (strcmp(hf_json_string(tool, "name", ""), needed[i][0]) == 0)
                found = tool;
        const json_t *properties =
            json_object_get(json_object_get(found, "inputSchema"), "properties");
        g_assert_nonnull(json_object_get(properties, needed[i][1]));
        g_assert_nonnull(json_object_get(found, "outputSchema"));
    }
}

static void test_tokens(void)
{
    static const struct {
        const char *text;
        gsize tokens;
    } cases[] = {
        {"", 0},        {"word", 1}, {" a word", 2},          {"12345", 2},
        {"{\"a\":", 3}, {"你好", 2}, {"characterisation", 2}, {"  ", 2},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpuint(hf_token_estimate(cases[i].text), ==, cases[i].tokens);
}

/* ---- batches ---- */

static void gather(const HfMcpMessage *message, gpointer data)
{
    g_ptr_array_add(data, g_strndup(message->text ? message->text : "(nothing)",
                                    message->text ? message->length : 9));
}

static void answer(HfMcpOutput *outlet, const char *text)
{
    hf_mcp_output_send(
        outlet, &(HfMcpMessage){.text = text, .length = text ? strlen(text) : 0, .last = TRUE});
}

static void test_batch(void)
{
    g_autoptr(GPtrArray) sent = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(HfMcpOutput) outlet = hf_mcp_output_new(gather, sent, NULL);
    g_autoptr(HfMcpOutput) batch = hf_mcp_output_new_batch(outlet, 3);
    answer(batch, "1");
    hf_mcp_output_notify(batch, "note");
    answer(batch, NULL);
    g_assert_cmpuint(sent->len, ==, 1);
    answer(batch, "3");
    g_assert_cmpstr(sent->pdata[1], ==, "[1,3]");
    g_autoptr(HfMcpOutput) silent = hf_mcp_output_new_batch(outlet, 1);
    answer(silent, NULL);
    g_assert_cmpstr(sent->pdata[2], ==, "(nothing)");
}

/* ---- content ---- */

static void test_content(void)
{
    g_autoptr(HfAnswer) full = hf_answer_new("screenshot", "r_1");
    full->result = hf_result_new(json_pack("{s:i}", "width", 5));
    hf_result_add_attachment(full->result, "image", "image/png", g_bytes_new("abc", 3));
    hf_result_add_attachment(full->result, "sound", "audio/wav", g_bytes_new("d", 1));
    g_autoptr(HfMcpOutcome) outcome = hf_mcp_outcome_of_answer(full);
    const GString *text = hf_mcp_outcome_close(outcome);
    g_autoptr(json_t) content = json_loadb(text->str, text->len, 0, NULL);
    g_assert_cmpuint(json_array_size(content), ==, 3);
    g_assert_cmpstr(hf_json_string(json_array_get(content, 0), "text", ""), ==, "{\"width\":5}");
    g_assert_cmpstr(hf_json_string(json_array_get(content, 1), "data", ""), ==, "YWJj");
    const json_t *part = json_object_get(json_array_get(content, 2), "resource");
    g_assert_cmpstr(hf_json_string(part, "blob", ""), ==, "ZA==");
    const json_t *meta = json_object_get(outcome->result, "_meta");
    g_assert_cmpstr(hf_json_string(meta, "handfast/run_id", ""), ==, "r_1");
    g_assert_null(json_object_get(outcome->result, "isError"));
}

static void test_error_content(void)
{
    g_autoptr(HfAnswer) failed = hf_answer_new("wait", NULL);
    hf_fail(&failed->error, HF_ERROR_PAUSED, "not now");
    g_autoptr(HfMcpOutcome) outcome = hf_mcp_outcome_of_answer(failed);
    const GString *text = hf_mcp_outcome_close(outcome);
    g_assert_nonnull(strstr(text->str, "PAUSED: not now\\n"));
    g_assert_true(json_is_true(json_object_get(outcome->result, "isError")));
    g_assert_null(json_object_get(outcome->result, "structuredContent"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/mcp/kinds", test_kinds);
    g_test_add_func("/mcp/seal", test_seal);
    g_test_add_func("/mcp/header-values", test_header_values);
    g_test_add_func("/mcp/header-check", test_header_check);
    g_test_add_func("/mcp/accept", test_accept);
    g_test_add_func("/mcp/picture-sizes", test_picture_sizes);
    g_test_add_func("/mcp/resources", test_resources);
    g_test_add_func("/mcp/profiles", test_profiles);
    g_test_add_func("/mcp/cost", test_cost);
    g_test_add_func("/mcp/core-can-be-used", test_core_can_be_used);
    g_test_add_func("/mcp/tokens", test_tokens);
    g_test_add_func("/mcp/batch", test_batch);
    g_test_add_func("/mcp/content", test_content);
    g_test_add_func("/mcp/error-content", test_error_content);
    return g_test_run();
}
