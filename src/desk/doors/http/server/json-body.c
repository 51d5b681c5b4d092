/* SPDX-License-Identifier: Apache-2.0 */
/* jansson checks UTF-8 and duplicate names. The depth is counted first, because jansson
 * recurses. */
#include "desk/doors/http/server/json-body.h"

#include "desk/doors/http/http-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* The depth of brackets outside strings. */
static gboolean is_json_text_too_deep(const char *text, gsize size)
{
    int depth = 0;
    gboolean in_string = FALSE;
    for (gsize i = 0; i < size; i++) {
        if (text[i] == '"')
            in_string = !in_string;
        else if (in_string)
            i += text[i] == '\\';
        else if (text[i] == '{' || text[i] == '[')
            depth++;
        else if (text[i] == '}' || text[i] == ']')
            depth--;
        if (depth > HF_LIMIT_JSON_DEPTH)
            return TRUE;
    }
    return FALSE;
}

json_t *hf_http_body_parse_any(GBytes *bytes, GError **error)
{
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    json_error_t problem;
    json_t *json = NULL;
    if (is_json_text_too_deep(text, size)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "the JSON is nested deeper than %d levels",
                HF_LIMIT_JSON_DEPTH);
    } else {
        json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
        g_autofree char *fault = json ? NULL : hf_json_dup_parse_error(&problem);
        if (!json)
            hf_fail(error, HF_ERROR_INVALID_PARAMS,
                    "the body is not valid JSON: %s (line %d, column %d)", fault, problem.line,
                    problem.column);
    }
    if (!json)
        hf_error_suggest(error, "send one JSON value in UTF-8, with each name once");
    return json;
}

json_t *hf_http_body_parse(GBytes *bytes, GError **error)
{
    if (!bytes || g_bytes_get_size(bytes) == 0)
        return json_object();
    g_autoptr(json_t) json = hf_http_body_parse_any(bytes, error);
    if (!json || json_is_object(json))
        return g_steal_pointer(&json);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "the body must be a JSON object");
    hf_error_suggest(error, "send the parameters as one object: {\"name\": \"value\"}");
    return NULL;
}
