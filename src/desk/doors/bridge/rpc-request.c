/* SPDX-License-Identifier: Apache-2.0 */
/* Unknown members are refused, never ignored: a misspelt "nonce" must not count as a request
 * without one. */
#include "desk/doors/bridge/rpc-request.h"

#include <string.h>

#include "desk/doors/bridge/bridge-limits.h"
#include "shared/base/json.h"

static const char *const members[] = {"jsonrpc", "id",      "method", "params",
                                      "nonce",   "expires", NULL};

static gboolean is_id(const json_t *id)
{
    return json_is_integer(id) ||
           (json_is_string(id) && json_string_length(id) <= HF_LIMIT_RPC_ID_BYTES);
}

static char *find_unknown(const json_t *request)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)request, name, value)
        if (!g_strv_contains(members, name))
            return g_strdup_printf("a request has no member '%.64s'", name);
    return NULL;
}

/* What is wrong with it, or NULL. */
static char *find_request_fault(const json_t *request)
{
    const json_t *id = json_object_get(request, "id");
    const json_t *params = json_object_get(request, "params");
    const json_t *nonce = json_object_get(request, "nonce");
    const json_t *expires = json_object_get(request, "expires");
    if (json_is_array(request))
        return g_strdup(
            "batches are not supported: send one request per line; they run in parallel");
    if (!json_is_object(request))
        return g_strdup("expected an object");
    if (strcmp(hf_json_string(request, "jsonrpc", ""), "2.0") != 0)
        return g_strdup("expected \"jsonrpc\": \"2.0\"");
    if (id && !is_id(id))
        return g_strdup_printf("\"id\" must be an integer or a text of at most %u bytes",
                               HF_LIMIT_RPC_ID_BYTES);
    if (!json_is_string(json_object_get(request, "method")))
        return g_strdup("\"method\" must be a text");
    if (params && !json_is_object(params))
        return g_strdup("\"params\" must be an object: parameters have names");
    if (nonce && !json_is_string(nonce))
        return g_strdup("\"nonce\" must be a text");
    if (expires && !json_is_integer(expires))
        return g_strdup("\"expires\" must be a time in milliseconds since 1970");
    return find_unknown(request);
}

json_t *hf_rpc_parse(const char *text, gsize length, int *ret_code, char **ret_message,
                     json_t **ret_id)
{
    json_error_t problem;
    g_autoptr(json_t) request = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (!request) {
        *ret_code = HF_RPC_PARSE_ERROR;
        *ret_message = hf_json_dup_parse_error(&problem);
        g_autoptr(json_t) lost = hf_json_dup_request_id(text, length);
        *ret_id = is_id(lost) ? g_steal_pointer(&lost) : NULL;
        return NULL;
    }
    char *fault = find_request_fault(request);
    if (!fault)
        return g_steal_pointer(&request);
    json_t *id = json_object_get(request, "id");
    *ret_code = HF_RPC_INVALID_REQUEST;
    *ret_message = fault;
    *ret_id = is_id(id) ? json_incref(id) : NULL;
    return NULL;
}
