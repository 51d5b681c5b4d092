/* SPDX-License-Identifier: Apache-2.0 */
/* The table of MCP methods by era, and the checks before a method runs: the envelope of a modern
 * request, and `initialize` before a legacy one. */
#include "desk/doors/mcp/mcp-methods.h"

#include <string.h>

#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

enum { LEGACY = 1, MODERN = 2, BOTH = 3 };

typedef enum Where {
    AT_ONCE, /* in order, on the reading thread: quick, and it changes the connection */
    MANAGE,
    CALL, /* it may go to a hand */
} Where;

typedef struct Method {
    const char *name;
    int eras;
    Where where;
    void (*run)(HfMcpRequest *request);
} Method;

/* ---- the handshake: `initialize` in the legacy era, `server/discover` in the modern one ---- */

#define KEEP_MS 3600000

static json_t *list_capabilities(const HfMcpRequest *request)
{
    json_t *capabilities = json_pack("{s:{}, s:{s:b, s:b}, s:{}}", "tools", "resources",
                                     "subscribe", 1, "listChanged", 1, "logging");
    const HfMcpExtras *extras = request->mcp->server->extras;
    if (extras)
        extras->capabilities(capabilities);
    return capabilities;
}

static json_t *server_info(void)
{
    return json_pack("{s:s, s:s, s:s}", "name", "handfast", "title", "Handfast", "version",
                     HF_VERSION);
}

static json_t *profile_instructions(const HfMcpRequest *request)
{
    return json_string(hf_profile_get_instructions(request->mcp->profile));
}

static void answer_initialize(HfMcpRequest *request)
{
    const json_t *params = request->params;
    const char *asked = hf_json_string(params, "protocolVersion", NULL);
    if (!asked) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.protocolVersion must be a string");
        return;
    }
    const char *version = hf_mcp_find_legacy(asked);
    version = version ? version : HF_MCP_NEWEST_LEGACY;
    json_t *capabilities = json_object_get(params, "capabilities");
    hf_mcp_begin_legacy(request->mcp, version,
                        json_is_object(capabilities) ? json_deep_copy(capabilities)
                                                     : json_object());
    hf_mcp_request_reply(request,
                         json_pack("{s:s, s:o, s:o, s:o}", "protocolVersion", version,
                                   "capabilities", list_capabilities(request), "serverInfo",
                                   server_info(), "instructions", profile_instructions(request)));
}

static void answer_ping(HfMcpRequest *request)
{
    hf_mcp_request_reply(request, json_object());
}

static void answer_discover(HfMcpRequest *request)
{
    hf_mcp_reply_cacheable(request,
                           json_pack("{s:o, s:o, s:o}", "supportedVersions", hf_mcp_list_versions(),
                                     "capabilities", list_capabilities(request), "instructions",
                                     profile_instructions(request)),
                           KEEP_MS);
}

static void answer_set_level(HfMcpRequest *request)
{
    int level = hf_mcp_log_level_find(hf_json_string(request->params, "level", NULL));
    if (level < 0) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.level must be one of debug, info, notice, warning, error, "
                            "critical, alert, emergency");
        return;
    }
    hf_mcp_set_log_level(request->mcp, level);
    hf_mcp_request_reply(request, json_object());
}

/* ---- the table ---- */

static void run_extra(HfMcpRequest *request)
{
    const HfMcpExtras *extras = request->mcp->server->extras;
    if (!extras->method(request))
        hf_mcp_request_refuse(request, HF_MCP_METHOD_NOT_FOUND, 404, NULL, "no such method");
}

static const Method methods[] = {
    {"initialize", LEGACY, AT_ONCE, answer_initialize},
    {"ping", LEGACY, AT_ONCE, answer_ping},
    {"logging/setLevel", LEGACY, AT_ONCE, answer_set_level},
    {"server/discover", MODERN, AT_ONCE, answer_discover},
    {"tools/list", BOTH, MANAGE, hf_mcp_tools_list},
    {"tools/call", BOTH, CALL, hf_mcp_tools_call},
    {"resources/list", BOTH, MANAGE, hf_mcp_resources_list},
    {"resources/templates/list", BOTH, MANAGE, hf_mcp_templates_list},
    {"resources/read", BOTH, CALL, hf_mcp_resources_read},
    {"resources/subscribe", LEGACY, AT_ONCE, hf_mcp_resources_subscribe},
    {"resources/unsubscribe", LEGACY, AT_ONCE, hf_mcp_resources_unsubscribe},
    {"subscriptions/listen", MODERN, AT_ONCE, hf_mcp_listen},
};
static const Method extra_methods[] = {
    {"prompts/list", BOTH, MANAGE, run_extra},
    {"prompts/get", BOTH, MANAGE, run_extra},
    {"completion/complete", BOTH, MANAGE, run_extra},
};

static const Method *find_mcp_method(const HfMcpRequest *request, int era)
{
    const char *name = hf_mcp_request_get_method(request);
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
        if (strcmp(methods[i].name, name) == 0 && (methods[i].eras & era))
            return &methods[i];
    for (gsize i = 0; request->mcp->server->extras && i < G_N_ELEMENTS(extra_methods); i++)
        if (strcmp(extra_methods[i].name, name) == 0)
            return &extra_methods[i];
    return NULL;
}

/* The members that every modern request needs in its _meta. */
static gboolean check_envelope(HfMcpRequest *request)
{
    const json_t *meta = json_object_get(request->params, "_meta");
    const json_t *version = json_object_get(meta, HF_MCP_META("protocolVersion"));
    if (!json_is_string(version)) {
        hf_mcp_request_refuse(request, HF_MCP_INVALID_PARAMS, 400, NULL,
                              "_meta must contain io.modelcontextprotocol/protocolVersion");
        return FALSE;
    }
    if (strcmp(json_string_value(version), HF_MCP_MODERN) != 0) {
        hf_mcp_request_refuse(
            request, HF_MCP_UNSUPPORTED_VERSION, 400,
            json_pack("{s:o, s:O}", "supported", hf_mcp_list_versions(), "requested", version),
            "this revision of the protocol is not supported in this form");
        return FALSE;
    }
    if (json_is_object(json_object_get(meta, HF_MCP_META("clientCapabilities"))))
        return TRUE;
    hf_mcp_request_refuse(
        request, HF_MCP_INVALID_PARAMS, 400, NULL,
        "_meta must contain io.modelcontextprotocol/clientCapabilities, an object");
    return FALSE;
}

static gboolean check_begun(HfMcpRequest *request, const Method *method)
{
    if (method->run == answer_initialize || method->run == answer_ping ||
        hf_mcp_get_version(request->mcp))
        return TRUE;
    hf_mcp_request_refuse(request, HF_MCP_INVALID_REQUEST, 400, NULL,
                          "send initialize first, or put the protocolVersion into _meta");
    return FALSE;
}

/* TRUE: the method can run. Otherwise the request was answered. */
static gboolean admit_mcp_request(HfMcpRequest *request, const Method **ret_method)
{
    gboolean modern = request->modern;
    const char *name = hf_mcp_request_get_method(request);
    const Method *method = find_mcp_method(request, modern ? MODERN : LEGACY);
    *ret_method = method;
    if (modern && !check_envelope(request))
        return FALSE;
    if (!method && !modern && find_mcp_method(request, MODERN)) {
        hf_mcp_request_refuse(request, HF_MCP_INVALID_PARAMS, 400, NULL,
                              "this method needs _meta with a protocolVersion");
        return FALSE;
    }
    if (!method) {
        g_autofree char *message = g_strdup_printf("unknown method '%.64s'", name);
        g_autofree char *valid = g_utf8_make_valid(message, -1);
        hf_mcp_request_refuse(request, HF_MCP_METHOD_NOT_FOUND, modern ? 404 : 200, NULL, valid);
        return FALSE;
    }
    return modern || check_begun(request, method);
}

typedef struct Work {
    HfMcpRequest *request;
    void (*run)(HfMcpRequest *request);
} Work;

static void run_mcp_work(gpointer data)
{
    Work *work = data;
    work->run(work->request);
    hf_mcp_request_unref(work->request);
    g_free(work);
}

/* Methods that change the connection are short. A message so long that a worker parsed it is not
 * one. */
static void begin_at_once(HfMcpRequest *request, const Method *method)
{
    if (g_main_context_is_owner(g_main_context_default()))
        method->run(request);
    else
        hf_mcp_request_refuse(request, HF_MCP_INVALID_REQUEST, 400, NULL,
                              "the message is too long for this method");
}

static void begin_mcp_method(HfMcpRequest *request, const Method *method)
{
    if (method->where == AT_ONCE) {
        begin_at_once(request, method);
        return;
    }
    HfWorkers *workers = request->mcp->server->workers;
    Work *work = g_new(Work, 1);
    *work = (Work){hf_mcp_request_ref(request), method->run};
    if (method->where == CALL)
        hf_workers_call(workers, run_mcp_work, work);
    else
        hf_workers_manage(workers, run_mcp_work, work);
}

/* Without its id, which may belong to another request in flight. */
static void reject_excess_request(HfMcpOutput *output)
{
    g_autofree char *text =
        hf_mcp_error_text(NULL, HF_MCP_INVALID_REQUEST,
                          "too many requests in flight for this client, or one with this id", NULL);
    hf_mcp_output_send(
        output, &(HfMcpMessage){.text = text, .length = strlen(text), .last = TRUE, .status = 400});
}

void hf_mcp_methods_begin(HfMcp *mcp, json_t *message, HfMcpOutput *output)
{
    g_autoptr(HfMcpRequest) request = hf_mcp_request_new(mcp, message, output);
    const Method *method;
    if (!hf_mcp_add_request(mcp, request))
        reject_excess_request(output);
    else if (admit_mcp_request(request, &method))
        begin_mcp_method(request, method);
}

void hf_mcp_reply_cacheable(HfMcpRequest *request, json_t *take_result, gint64 for_ms)
{
    if (request->modern) {
        json_object_set_new(take_result, "ttlMs", json_integer(for_ms));
        json_object_set_new(take_result, "cacheScope", json_string("private"));
    }
    hf_mcp_request_reply(request, take_result);
}
