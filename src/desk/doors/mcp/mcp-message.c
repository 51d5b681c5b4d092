/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the form of messages only. */
#include "desk/doors/mcp/mcp-message.h"

#include <string.h>

#include "shared/base/json.h"

static const char *const legacy[] = {HF_MCP_NEWEST_LEGACY, "2025-06-18", HF_MCP_BATCHES,
                                     "2024-11-05"};

const char *hf_mcp_find_legacy(const char *version)
{
    for (gsize i = 0; version && i < G_N_ELEMENTS(legacy); i++)
        if (strcmp(legacy[i], version) == 0)
            return legacy[i];
    return NULL;
}

json_t *hf_mcp_list_versions(void)
{
    json_t *list = json_pack("[s]", HF_MCP_MODERN);
    for (gsize i = 0; i < G_N_ELEMENTS(legacy); i++)
        json_array_append_new(list, json_string(legacy[i]));
    return list;
}

gboolean hf_mcp_is_token(const json_t *value)
{
    return json_is_string(value) || json_is_integer(value);
}

static HfMcpKind invalid_message(const char **ret_problem, const char *problem)
{
    *ret_problem = problem;
    return HF_MCP_KIND_INVALID;
}

HfMcpKind hf_mcp_message_kind(const json_t *message, const char **ret_problem)
{
    if (json_is_array(message))
        return HF_MCP_KIND_BATCH;
    if (!json_is_object(message) || strcmp(hf_json_string(message, "jsonrpc", ""), "2.0") != 0)
        return invalid_message(ret_problem, "expected an object with \"jsonrpc\": \"2.0\"");
    const json_t *id = json_object_get(message, "id");
    const json_t *method = json_object_get(message, "method");
    const json_t *params = json_object_get(message, "params");
    if (!method) {
        gboolean answers =
            json_object_get(message, "result") || json_is_object(json_object_get(message, "error"));
        return answers
                   ? HF_MCP_KIND_RESPONSE
                   : invalid_message(ret_problem, "expected \"method\", \"result\" or \"error\"");
    }
    if (!json_is_string(method))
        return invalid_message(ret_problem, "\"method\" must be a string");
    if (params && !json_is_object(params))
        return invalid_message(ret_problem, "\"params\" must be an object");
    if (id && !hf_mcp_is_token(id))
        return invalid_message(ret_problem, "\"id\" must be a string or an integer");
    return id ? HF_MCP_KIND_REQUEST : HF_MCP_KIND_NOTIFICATION;
}

json_t *hf_mcp_message_parse(const char *text, gsize length, char **ret_problem)
{
    json_error_t problem;
    json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
    if (!message)
        *ret_problem = hf_json_dup_parse_error(&problem);
    return message;
}

const json_t *hf_mcp_message_meta(const json_t *message)
{
    const json_t *meta = json_object_get(json_object_get(message, "params"), "_meta");
    return json_is_object(meta) ? meta : NULL;
}

gboolean hf_mcp_message_is_modern(const json_t *message)
{
    return json_object_get(hf_mcp_message_meta(message), HF_MCP_META("protocolVersion")) != NULL;
}

char *hf_mcp_error_text(const json_t *id, int code, const char *message, json_t *take_data)
{
    g_autoptr(json_t) reply =
        json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id ? id : json_null(),
                  "error", "code", code, "message", hf_json_text(message));
    if (take_data)
        json_object_set_new(json_object_get(reply, "error"), "data", take_data);
    return hf_json_dump(reply);
}

char *hf_mcp_notification_text(const char *method, json_t *take_params)
{
    g_autoptr(json_t) notification =
        json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", take_params);
    return hf_json_dump(notification);
}
