/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from the route tables and the tool registry, so nothing is described twice. */
#include "desk/doors/http/routes/openapi.h"

#include <string.h>

#include "desk/doors/http/executor/executor.h"
#include "desk/doors/http/routes/routes.h"
#include "desk/doors/methods/method-results.h"
#include "desk/doors/methods/methods.h"
#include "shared/base/error.h"
#include "shared/tool/effect.h"
#include "shared/tool/registry.h"
#include "shared/tool/schema.h"

static json_t *component_reference(const char *name)
{
    g_autofree char *path = g_strconcat("#/components/", name, NULL);
    return json_pack("{s:s}", "$ref", path);
}

static json_t *json_content(json_t *take_schema)
{
    return json_pack("{s:{s:o}}", "application/json", "schema", take_schema);
}

/* {ok: true, ..., result}: the answer to a tool call. */
static json_t *call_schema(json_t *take_result)
{
    return json_pack("{s:[o, {s:s, s:{s:o}}]}", "allOf", component_reference("schemas/Answer"),
                     "type", "object", "properties", "result", take_result);
}

static json_t *openapi_responses(json_t *take_schema, const char *failed)
{
    return json_pack("{s:{s:s, s:o}, s:o}", "200", "description", "Done", "content",
                     json_content(take_schema), "default", component_reference(failed));
}

/* The schema of the result; NULL: described elsewhere, or not JSON. */
static json_t *result_of(const HfHttpRoute *route)
{
    if (route->flags & HF_HTTP_EXECUTOR)
        return hf_executor_answer_schema(route->path);
    return route->bridge ? hf_method_result_schema(route->bridge) : NULL;
}

static json_t *responses_of(const HfHttpRoute *route)
{
    json_t *result = result_of(route);
    if (route->flags & HF_HTTP_EXECUTOR)
        return openapi_responses(
            json_pack("{s:[o, o]}", "allOf", component_reference("schemas/ExecutorAnswer"), result),
            "responses/ExecutorError");
    return openapi_responses(result ? call_schema(result) : component_reference("schemas/Answer"),
                             "responses/Error");
}

static gboolean in_query(const HfHttpRoute *route)
{
    return strcmp(route->method, "GET") == 0 || strcmp(route->method, "DELETE") == 0;
}

static gboolean is_part(const HfHttpRoute *route, const char *name)
{
    g_autofree char *part = g_strdup_printf("{%s}", name);
    return strstr(route->path, part) != NULL;
}

static json_t *openapi_parameter(const char *name, const char *where, gboolean required,
                                 json_t *take_schema)
{
    return json_pack("{s:s, s:s, s:b, s:o}", "name", name, "in", where, "required", required,
                     "schema", take_schema);
}

static json_t *parameters_of(const HfHttpRoute *route, const char *except)
{
    json_t *list = json_array();
    for (const char *at = strchr(route->path, '{'); at; at = strchr(at + 1, '{')) {
        g_autofree char *name = g_strndup(at + 1, strcspn(at + 1, "}"));
        if (g_strcmp0(name, except) != 0)
            json_array_append_new(
                list, openapi_parameter(name, "path", TRUE, json_pack("{s:s}", "type", "string")));
    }
    for (const HfParam *param = route->params; in_query(route) && param && param->name; param++)
        if (!is_part(route, param->name))
            json_array_append_new(list, openapi_parameter(param->name, "query", param->required,
                                                          hf_schema_of_param(param)));
    return list;
}

/* The schema of the parameters, in the query or the body. */
static json_t *schema_of(const HfHttpRoute *route)
{
    if (route->body)
        return route->body(route);
    if (route->params)
        return hf_schema_of_table(route->params);
    json_t *schema = route->bridge ? hf_method_schema(route->bridge) : NULL;
    return schema ? schema : json_pack("{s:s}", "type", "object");
}

/* Parameters of the path are not repeated. */
static json_t *without_parts(const HfHttpRoute *route, json_t *take_schema)
{
    json_t *required = json_object_get(take_schema, "required");
    json_t *properties = json_object_get(take_schema, "properties"), *value;
    const char *name;
    void *next;
    json_object_foreach_safe (properties, next, name, value) {
        if (!is_part(route, name))
            continue;
        for (size_t i = json_array_size(required); i > 0; i--)
            if (strcmp(json_string_value(json_array_get(required, i - 1)), name) == 0)
                json_array_remove(required, i - 1);
        json_object_del(properties, name);
    }
    if (json_array_size(required) == 0)
        json_object_del(take_schema, "required");
    return take_schema;
}

json_t *hf_http_describe_answers(void)
{
    json_t *described = json_object();
    for (const HfHttpRoute *const *table = hf_http_route_tables; *table; table++)
        for (const HfHttpRoute *route = *table; route->method; route++) {
            g_autofree char *name = g_strdup_printf("%s %s", route->method, route->path);
            json_t *result = result_of(route);
            if (result)
                json_object_set_new(described, name, result);
        }
    return described;
}

json_t *hf_http_describe_routes(void)
{
    json_t *described = json_object();
    for (const HfHttpRoute *const *table = hf_http_route_tables; *table; table++)
        for (const HfHttpRoute *route = *table; route->method; route++) {
            g_autofree char *name = g_strdup_printf("%s %s", route->method, route->path);
            json_object_set_new(described, name, without_parts(route, schema_of(route)));
        }
    return described;
}

static char *dup_id(const char *method, const char *path)
{
    GString *id = g_string_new(NULL);
    for (const char *p = method; *p; p++)
        g_string_append_c(id, g_ascii_tolower(*p));
    for (const char *p = path; *p; p++)
        g_string_append_c(id, g_ascii_isalnum(*p) ? *p : '_');
    return g_string_free(id, FALSE);
}

static void add_operation(json_t *paths, const char *path, const char *method, json_t *take_it)
{
    g_autofree char *id = dup_id(method, path);
    g_autofree char *verb = g_ascii_strdown(method, -1);
    json_t *item = json_object_get(paths, path);
    if (!item) {
        item = json_object();
        json_object_set_new(paths, path, item);
    }
    json_object_set_new(take_it, "operationId", json_string(id));
    json_object_set_new(item, verb, take_it);
}

static void add_route(json_t *paths, const HfHttpRoute *route)
{
    json_t *operation =
        json_pack("{s:s, s:o, s:o}", "summary", route->about ? route->about : "", "parameters",
                  parameters_of(route, NULL), "responses", responses_of(route));
    if (!in_query(route))
        json_object_set_new(
            operation, "requestBody",
            json_pack("{s:o}", "content", json_content(without_parts(route, schema_of(route)))));
    if (route->flags & HF_HTTP_PUBLIC)
        json_object_set_new(operation, "security", json_array());
    add_operation(paths, route->path, route->method, operation);
}

static void add_tool(json_t *paths, const HfTool *tool)
{
    g_autofree char *path = g_strdup_printf("/v1/tools/%s", tool->name);
    json_t *raw = openapi_parameter("raw", "query", FALSE,
                                    json_pack("{s:s, s:[s], s:s}", "type", "string", "enum", "1",
                                              "description", "Answer with the picture itself"));
    json_t *operation =
        json_pack("{s:s, s:s, s:[s], s:[o], s:{s:o}, s:o}", "summary", tool->title, "description",
                  tool->summary, "tags", hf_category_name(tool->category), "parameters", raw,
                  "requestBody", "content", json_content(hf_schema_of_params(tool)), "responses",
                  openapi_responses(call_schema(hf_schema_of_result(tool)), "responses/Error"));
    add_operation(paths, path, "POST", operation);
}

/* {runId, stepId, ts, ...}: the answer of an executor route. */
static json_t *executor_schema(void)
{
    return json_pack("{s:s, s:[s, s, s], s:{s:{s:s}, s:{s:s}, s:{s:s}, s:o}}", "type", "object",
                     "required", "runId", "stepId", "ts", "properties", "runId", "type", "string",
                     "stepId", "type", "string", "ts", "type", "integer", "error",
                     component_reference("schemas/Error"));
}

static json_t *openapi_error_response(const char *schema)
{
    return json_pack("{s:s, s:o}", "description", "Refused or failed", "content",
                     json_content(component_reference(schema)));
}

static json_t *openapi_components(void)
{
    json_t *codes = json_array();
    for (int i = 0; i < HF_ERROR_COUNT; i++)
        json_array_append_new(codes, json_string(hf_error_code_name((HfErrorCode)i)));
    json_t *error = json_pack(
        "{s:s, s:[s, s, s, s], s:{s:{s:s, s:o}, s:{s:s}, s:{s:s}, s:{s:s}, s:{}}}", "type",
        "object", "required", "code", "message", "retryable", "suggestion", "properties", "code",
        "type", "string", "enum", codes, "message", "type", "string", "retryable", "type",
        "boolean", "suggestion", "type", "string", "details");
    json_t *answer = json_pack(
        "{s:s, s:[s], s:{s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{}, s:o, s:{s:s}, s:o}}",
        "type", "object", "required", "ok", "properties", "ok", "type", "boolean", "tool", "type",
        "string", "run_id", "type", "string", "step_id", "type", "string", "ts", "type", "integer",
        "result", "effect", hf_schema_of_table(hf_effect_fields), "suggested_next", "type",
        "string", "error", component_reference("schemas/Error"));
    json_t *schemes = json_pack("{s:{s:s, s:s, s:s}}", "token", "type", "http", "scheme", "bearer",
                                "description", "handfast token new NAME");
    return json_pack("{s:{s:o, s:o, s:o}, s:{s:o, s:o}, s:o}", "schemas", "Error", error, "Answer",
                     answer, "ExecutorAnswer", executor_schema(), "responses", "Error",
                     openapi_error_response("schemas/Answer"), "ExecutorError",
                     openapi_error_response("schemas/ExecutorAnswer"), "securitySchemes", schemes);
}

json_t *hf_http_openapi(void)
{
    json_t *paths = json_object();
    for (const HfHttpRoute *const *table = hf_http_route_tables; *table; table++)
        for (const HfHttpRoute *route = *table; route->method; route++)
            if (!(route->flags & HF_HTTP_UNLISTED))
                add_route(paths, route);
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        add_tool(paths, *tool);
    return json_pack("{s:s, s:{s:s, s:s, s:s}, s:[{s:[]}], s:o, s:o}", "openapi", "3.1.0", "info",
                     "title", "Handfast", "version", HF_VERSION, "description",
                     "Fast hands and eyes on a real desktop, for any agent", "security", "token",
                     "paths", paths, "components", openapi_components());
}

void hf_http_handle_openapi(HfHttpRequest *request)
{
    hf_http_respond_json(request, SOUP_STATUS_OK, hf_http_openapi());
}
