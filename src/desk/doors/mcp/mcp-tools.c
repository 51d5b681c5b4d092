/* SPDX-License-Identifier: Apache-2.0 */
/* tools/list and tools/call: the tools of the connection's profile, and one call through the
 * guard. */
#include <string.h>

#include "desk/doors/mcp/mcp-calls.h"
#include "desk/doors/mcp/mcp-computer.h"
#include "desk/doors/mcp/mcp-methods.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/tool/computer-tool.h"
#include "shared/tool/registry.h"

/* The list changes only with the program's version. */
#define KEEP_MS 300000

void hf_mcp_tools_list(HfMcpRequest *request)
{
    if (!hf_mcp_request_check_cursor(request))
        return;
    json_t *list = hf_profile_list_tools(hf_mcp_get_profile(hf_mcp_request_get_mcp(request)));
    hf_mcp_request_add_extras(request, "tools", list);
    hf_mcp_reply_cacheable(request, json_pack("{s:o}", "tools", list), KEEP_MS);
}

static HfMcpOutcome *do_tool(HfMcpCall *call, json_t *arguments)
{
    const char *tool = hf_json_string(arguments, "tool", "");
    json_t *params = json_object_get(arguments, "params");
    if (!json_object_get(params, "desktop"))
        json_object_set_new(params, "desktop", json_string(hf_mcp_call_desktop(call, params)));
    g_autoptr(HfAnswer) answer = hf_mcp_call_guard(call, tool, params);
    return hf_mcp_outcome_of_answer(answer);
}

/* The tool of that name in the profile; NULL after the request was refused. */
static const HfTool *find_profile_tool(HfMcpRequest *request, const char *name)
{
    const char *profile = hf_mcp_get_profile(hf_mcp_request_get_mcp(request));
    const HfTool *tool = name ? hf_profile_find_tool(profile, name) : NULL;
    if (tool)
        return tool;
    if (!name) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.name must be the name of a tool");
        return NULL;
    }
    g_autofree char *message =
        g_strdup_printf("there is no tool '%.128s' in profile %s; see tools/list", name, profile);
    g_autofree char *valid = g_utf8_make_valid(message, -1);
    hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL, "%s", valid);
    return NULL;
}

void hf_mcp_tools_call(HfMcpRequest *request)
{
    const json_t *params = hf_mcp_request_get_params(request);
    const char *name = hf_json_string(params, "name", NULL);
    json_t *given = json_object_get(params, "arguments");
    if (given && !json_is_object(given)) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.arguments must be an object");
        return;
    }
    g_autoptr(json_t) arguments = given ? json_deep_copy(given) : json_object();
    const HfMcpExtras *extras = hf_mcp_request_get_extras(request);
    if (name && extras && extras->call(request, name, arguments))
        return;
    const HfTool *tool = find_profile_tool(request, name);
    if (!tool)
        return;
    if (tool == &hf_computer_tool) {
        hf_mcp_calls_run(request, name, arguments, hf_mcp_computer_run);
        return;
    }
    g_autoptr(json_t) both = json_pack("{s:s, s:O}", "tool", tool->name, "params", arguments);
    hf_mcp_calls_run(request, tool->name, both, do_tool);
}
