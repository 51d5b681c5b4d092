/* SPDX-License-Identifier: Apache-2.0 */
/* What the official conformance suite wants to find in a server, as tests/mcp/fixtures.json says
 * it: tools, resources and prompts that only test the protocol. This main passes them to the desk;
 * the product's main passes none. */
#include <string.h>

#include "desk/doors/mcp/mcp-methods.h"
#include "program.h"
#include "shared/base/json.h"

/* Between two steps of a fixture that takes its time, as the suite asks for it. */
#define STEP_US 50000

static json_t *fixtures;

static json_t *part(const char *name, const char *member)
{
    return json_object_get(json_object_get(fixtures, name), member);
}

static void list(const char *what, json_t *listed)
{
    json_array_extend(listed, json_object_get(fixtures, what));
}

static void add_capabilities(json_t *capabilities)
{
    json_object_set_new(capabilities, "prompts", json_object());
    json_object_set_new(capabilities, "completions", json_object());
}

static void reply_text(HfMcpRequest *request, const char *text)
{
    hf_mcp_request_reply(request, json_pack("{s:[{s:s, s:o}]}", "content", "type", "text", "text",
                                            hf_json_text(text)));
}

/* ---- tools with a behaviour ---- */

static void do_logging(HfMcpRequest *request)
{
    static const char *const steps[] = {"Tool execution started", "Tool processing data",
                                        "Tool execution completed"};
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        hf_mcp_request_log(request, HF_MCP_LOG_INFO, json_string(steps[i]));
        g_usleep(STEP_US);
    }
    reply_text(request, "logged");
}

static void do_progress(HfMcpRequest *request)
{
    for (int i = 0; i <= 2; i++) {
        hf_mcp_request_progress(request, i * 50, 100, NULL);
        g_usleep(STEP_US);
    }
    reply_text(request, "done");
}

static void do_reconnection(HfMcpRequest *request)
{
    hf_mcp_output_send(request->output, &(HfMcpMessage){.hang_up = TRUE});
    g_usleep(4 * STEP_US);
    reply_text(request, "answered after the client came back");
}

static void do_missing_capability(HfMcpRequest *request)
{
    if (hf_mcp_request_can(request, "sampling"))
        reply_text(request, "ok");
    else
        hf_mcp_request_refuse(request, HF_MCP_MISSING_CAPABILITY, 400,
                              json_pack("{s:{s:{}}}", "requiredCapabilities", "sampling"),
                              "this tool needs sampling");
}

static const struct {
    const char *name;
    void (*run)(HfMcpRequest *request);
} behaviours[] = {
    {"test_tool_with_logging", do_logging},
    {"test_logging_tool", do_logging},
    {"test_tool_with_progress", do_progress},
    {"test_reconnection", do_reconnection},
    {"test_missing_capability", do_missing_capability},
};

/* ---- tools that ask a legacy client ---- */

typedef struct Asked {
    HfMcpRequest *request;
    const char *says;
} Asked;

static void on_answered(const json_t *result, gpointer data)
{
    Asked *asked = data;
    const json_t *content = json_object_get(result, "content");
    const char *spoken = hf_json_string(content, "text", NULL);
    g_autofree char *dump = hf_json_dump(content ? content : json_null());
    g_autofree char *text = spoken
                                ? g_strconcat(asked->says, spoken, NULL)
                                : g_strdup_printf("%saction=%s, content=%s", asked->says,
                                                  hf_json_string(result, "action", "none"), dump);
    reply_text(asked->request, text);
    hf_mcp_request_unref(asked->request);
    g_free(asked);
}

static json_t *new_question(const json_t *ask, const json_t *arguments)
{
    json_t *params = json_object_get(ask, "params");
    const char *prompt = hf_json_string(arguments, "prompt", NULL);
    if (params)
        return json_deep_copy(params);
    if (prompt)
        return json_pack("{s:[{s:s, s:{s:s, s:s}}], s:i}", "messages", "role", "user", "content",
                         "type", "text", "text", prompt, "maxTokens", 100);
    return json_pack("{s:s, s:{s:s, s:{s:{s:s, s:s}, s:{s:s, s:s}}, s:[s, s]}}", "message",
                     hf_json_string(arguments, "message", ""), "requestedSchema", "type", "object",
                     "properties", "username", "type", "string", "description", "User's response",
                     "email", "type", "string", "description", "User's email address", "required",
                     "username", "email");
}

static void ask_client(HfMcpRequest *request, const json_t *ask, const json_t *arguments)
{
    const char *needs = hf_json_string(ask, "needs", "");
    if (request->modern || !hf_mcp_request_can(request, needs)) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_REQUEST, NULL, "the client has no %s", needs);
        return;
    }
    Asked *asked = g_new(Asked, 1);
    *asked = (Asked){hf_mcp_request_ref(request), hf_json_string(ask, "says", "")};
    hf_mcp_ask(request->mcp, request->output, hf_json_string(ask, "method", ""),
               new_question(ask, arguments), on_answered, asked);
}

/* ---- what asks a modern client, in rounds ---- */

static gboolean is_declared(HfMcpRequest *request, const json_t *question)
{
    const char *method = hf_json_string(question, "method", "");
    g_auto(GStrv) words = g_strsplit(method, "/", 2);
    return hf_mcp_request_can(request, words[0]);
}

/* The questions of a round that this client can be asked. */
static json_t *list_questions(HfMcpRequest *request, const json_t *script, int round)
{
    json_t *all = json_array_get(json_object_get(script, "rounds"), (size_t)round);
    json_t *questions = json_object();
    const char *key;
    json_t *question;
    json_object_foreach (all, key, question)
        if (!json_is_true(json_object_get(script, "declared_only")) ||
            is_declared(request, question))
            json_object_set(questions, key, question);
    return questions;
}

static gboolean is_answered(HfMcpRequest *request, const json_t *questions)
{
    const json_t *given = json_object_get(request->params, "inputResponses");
    const char *key;
    json_t *question;
    if (!json_is_object(given))
        return FALSE;
    json_object_foreach ((json_t *)questions, key, question) {
        const json_t *answer = json_object_get(given, key);
        gboolean form = strcmp(hf_json_string(question, "method", ""), "elicitation/create") == 0;
        if (!json_is_object(answer) || (form && !json_object_get(answer, "action")))
            return FALSE;
    }
    return TRUE;
}

/* The round that the client's state says; -1: it is not ours. */
static int round_of(HfMcpRequest *request, const json_t *script, const HfMcpStateSigner *seal)
{
    const char *state = hf_json_string(request->params, "requestState", NULL);
    if (!state || !json_is_true(json_object_get(script, "state")))
        return 0;
    g_autoptr(json_t) claims = hf_mcp_state_verify(seal, state);
    return claims ? (int)hf_json_int(claims, "round", -1) : -1;
}

static void ask_round(HfMcpRequest *request, const json_t *script, json_t *take_questions,
                      const HfMcpStateSigner *seal, int round)
{
    json_t *result =
        json_pack("{s:s, s:o}", "resultType", "input_required", "inputRequests", take_questions);
    if (json_is_true(json_object_get(script, "state"))) {
        g_autofree char *state = hf_mcp_state_sign(seal, json_pack("{s:i}", "round", round), 60000);
        json_object_set_new(result, "requestState", json_string(state));
    }
    hf_mcp_request_reply(request, result);
}

/* TRUE when all rounds are through: the answer is due. */
static gboolean play_rounds(HfMcpRequest *request, const json_t *script)
{
    const HfMcpStateSigner *seal = request->mcp->server->signer;
    int round = round_of(request, script, seal);
    if (round < 0) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL, "requestState is not ours");
        return FALSE;
    }
    g_autoptr(json_t) questions = list_questions(request, script, round);
    if (!is_answered(request, questions)) {
        ask_round(request, script, g_steal_pointer(&questions), seal, round);
        return FALSE;
    }
    if (round + 1 == (int)json_array_size(json_object_get(script, "rounds")))
        return TRUE;
    ask_round(request, script, list_questions(request, script, round + 1), seal, round + 1);
    return FALSE;
}

static void end_rounds(HfMcpRequest *request, const json_t *script)
{
    const json_t *given = json_object_get(request->params, "inputResponses");
    const json_t *content = json_object_get(json_object_get(given, "user_name"), "content");
    const char *name = hf_json_string(content, "name", NULL);
    g_autofree char *dump = hf_json_dump(given);
    g_auto(GStrv) halves = g_strsplit(hf_json_string(script, "says", "%s"), "%s", 2);
    g_autofree char *text = g_strconcat(halves[0], name ? name : dump, halves[1], NULL);
    reply_text(request, text);
}

/* ---- the seam ---- */

static gboolean call(HfMcpRequest *request, const char *tool, const json_t *arguments)
{
    json_t *result = part("results", tool);
    const json_t *ask = part("asks", tool), *script = part("rounds", tool);
    for (gsize i = 0; i < G_N_ELEMENTS(behaviours); i++)
        if (strcmp(behaviours[i].name, tool) == 0) {
            behaviours[i].run(request);
            return TRUE;
        }
    if (result)
        hf_mcp_request_reply(request, json_deep_copy(result));
    else if (ask)
        ask_client(request, ask, arguments);
    else if (script && play_rounds(request, script))
        end_rounds(request, script);
    return result || ask || script;
}

static gboolean read_resource(HfMcpRequest *request, const char *uri)
{
    json_t *content = json_deep_copy(part("contents", uri));
    g_auto(GStrv) parts = g_strsplit(uri, "/", -1);
    if (!content && g_str_has_prefix(uri, "test://template/") && g_strv_length(parts) == 5) {
        g_autoptr(json_t) data = json_pack("{s:s, s:b, s:o}", "id", parts[3], "templateTest", 1,
                                           "data", json_sprintf("Data for ID: %s", parts[3]));
        g_autofree char *text = hf_json_dump(data);
        content = json_pack("{s:s, s:s}", "mimeType", "application/json", "text", text);
    }
    if (!content)
        return FALSE;
    json_object_set_new(content, "uri", json_string(uri));
    hf_mcp_reply_cacheable(request, json_pack("{s:[o]}", "contents", content), 0);
    return TRUE;
}

/* "{arg1}" in the texts of a prompt becomes what the client gave. */
static json_t *fill_in(const json_t *result, const json_t *arguments)
{
    g_autofree char *dump = hf_json_dump(result);
    g_autoptr(GString) text = g_string_new(dump);
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)arguments, key, value) {
        g_autofree char *mark = g_strdup_printf("{%s}", key);
        g_string_replace(text, mark, json_string_value(value), 0);
    }
    return json_loads(text->str, 0, NULL);
}

static void get_prompt(HfMcpRequest *request)
{
    const json_t *params = request->params;
    const char *name = hf_json_string(params, "name", "");
    const json_t *result = part("prompt_results", name), *script = part("rounds", name);
    if (!result)
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL, "no such prompt");
    else if (!script || play_rounds(request, script))
        hf_mcp_request_reply(request, fill_in(result, json_object_get(params, "arguments")));
}

static gboolean run_method(HfMcpRequest *request)
{
    const char *method = hf_mcp_request_get_method(request);
    json_t *prompts = json_object_get(fixtures, "prompts");
    if (strcmp(method, "prompts/list") == 0)
        hf_mcp_reply_cacheable(request, json_pack("{s:O}", "prompts", prompts), 0);
    else if (strcmp(method, "prompts/get") == 0)
        get_prompt(request);
    else
        hf_mcp_request_reply(request, json_pack("{s:{s:[], s:i, s:b}}", "completion", "values",
                                                "total", 0, "hasMore", 0));
    return TRUE;
}

int main(int argc, char **argv)
{
    static const HfMcpExtras extras = {.list = list,
                                       .capabilities = add_capabilities,
                                       .call = call,
                                       .read = read_resource,
                                       .method = run_method};
    fixtures = json_load_file(FIXTURES, 0, NULL);
    g_assert_nonnull(fixtures);
    return hf_program_main(argc, argv, &(HfServeOptions){.mcp_extras = &extras});
}
