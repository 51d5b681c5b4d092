/* SPDX-License-Identifier: Apache-2.0 */
/* The handshake: `initialize` in the legacy era, `server/discover` in the modern one. */
#include "desk/doors/mcp/mcp-methods.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/json.h"

/* How long a modern client may cache the answer. */
#define KEEP_MS 3600000

static json_t *list_capabilities(const HfMcpRequest *request)
{
    json_t *capabilities = json_pack("{s:{}, s:{s:b, s:b}, s:{}}", "tools", "resources",
                                     "subscribe", 1, "listChanged", 1, "logging");
    const HfMcpExtras *extras = hf_mcp_request_get_extras(request);
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
    return json_string(
        hf_profile_get_instructions(hf_mcp_get_profile(hf_mcp_request_get_mcp(request))));
}

void hf_mcp_initialize(HfMcpRequest *request)
{
    const json_t *params = hf_mcp_request_get_params(request);
    const char *asked = hf_json_string(params, "protocolVersion", NULL);
    if (!asked) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.protocolVersion must be a string");
        return;
    }
    const char *version = hf_mcp_find_legacy(asked);
    version = version ? version : HF_MCP_NEWEST_LEGACY;
    json_t *capabilities = json_object_get(params, "capabilities");
    hf_mcp_begin_legacy(hf_mcp_request_get_mcp(request), version,
                        json_is_object(capabilities) ? json_deep_copy(capabilities)
                                                     : json_object());
    hf_mcp_request_reply(request,
                         json_pack("{s:s, s:o, s:o, s:o}", "protocolVersion", version,
                                   "capabilities", list_capabilities(request), "serverInfo",
                                   server_info(), "instructions", profile_instructions(request)));
}

void hf_mcp_ping(HfMcpRequest *request)
{
    hf_mcp_request_reply(request, json_object());
}

void hf_mcp_discover(HfMcpRequest *request)
{
    hf_mcp_reply_cacheable(request,
                           json_pack("{s:o, s:o, s:o}", "supportedVersions", hf_mcp_list_versions(),
                                     "capabilities", list_capabilities(request), "instructions",
                                     profile_instructions(request)),
                           KEEP_MS);
}

void hf_mcp_set_level(HfMcpRequest *request)
{
    int level =
        hf_mcp_log_level_find(hf_json_string(hf_mcp_request_get_params(request), "level", NULL));
    if (level < 0) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.level must be one of debug, info, notice, warning, error, "
                            "critical, alert, emergency");
        return;
    }
    hf_mcp_set_log_level(hf_mcp_request_get_mcp(request), level);
    hf_mcp_request_reply(request, json_object());
}
