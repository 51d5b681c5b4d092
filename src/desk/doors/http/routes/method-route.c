/* SPDX-License-Identifier: Apache-2.0 */
/* Converts query values to the types in the route's table. A value that cannot be converted stays
 * text, so that the method's own check reports it. */
#include "desk/doors/http/routes/method-route.h"

#include <string.h>

#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/methods/methods.h"
#include "shared/base/error.h"
#include "shared/tool/param-check.h"

static json_t *read_query_value(const HfParam *param, const char *text)
{
    json_t *value = NULL;
    if (param->type != HF_TYPE_STRING)
        value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value ? value : hf_json_text(text);
}

static void add_query(json_t *params, const HfHttpRequest *request, const HfParam *table)
{
    for (const HfParam *param = table; param && param->name; param++) {
        const char *text = hf_http_request_get_query(request, param->name);
        if (text)
            json_object_set_new(params, param->name, read_query_value(param, text));
    }
}

json_t *hf_http_read_query(const HfHttpRequest *request, const HfParam *table, GError **error)
{
    g_autoptr(json_t) params = json_object();
    add_query(params, request, table);
    return hf_check_params(table, params, error);
}

/* The {parts} of the path, by name. */
static void add_path_parts(json_t *params, const HfHttpRequest *request, const char *pattern)
{
    for (const char *at = strchr(pattern, '{'); at; at = strchr(at + 1, '{')) {
        g_autofree char *name = g_strndup(at + 1, strcspn(at + 1, "}"));
        json_object_set_new(params, name, hf_json_text(hf_http_request_get_part(request, name)));
    }
}

static guint status_of_answer_text(const GString *answer)
{
    if (!g_str_has_prefix(answer->str, "{\"ok\":false"))
        return SOUP_STATUS_OK;
    g_autoptr(json_t) json = json_loadb(answer->str, answer->len, 0, NULL);
    g_autoptr(GError) error = hf_error_new_from_json(json_object_get(json, "error"));
    return (guint)hf_error_code_status(hf_error_code(error));
}

void hf_http_handle_method(HfHttpRequest *request)
{
    const HfHttpRoute *route = request->route;
    g_autoptr(json_t) params = json_copy(request->json);
    GString *answer = g_string_new(NULL);
    add_query(params, request, route->params);
    add_path_parts(params, request, route->path);
    hf_method_run(route->bridge, request->http->desk, &request->caller, params,
                  request->cancellable, answer);
    hf_http_respond_text(request, status_of_answer_text(answer), "application/json", answer);
}
