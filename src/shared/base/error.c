/* SPDX-License-Identifier: Apache-2.0 */
/* The error domain: one GError extended with details and a suggestion, and its wire form. */
#include "shared/base/error.h"

#include <string.h>

typedef struct HfErrorPrivate {
    json_t *details;
    char *suggestion;
} HfErrorPrivate;

static void hf_error_private_init(HfErrorPrivate *extra)
{
    *extra = (HfErrorPrivate){0};
}

static void hf_error_private_copy(const HfErrorPrivate *from, HfErrorPrivate *to)
{
    to->details = from->details ? json_incref(from->details) : NULL;
    to->suggestion = g_strdup(from->suggestion);
}

static void hf_error_private_clear(HfErrorPrivate *extra)
{
    json_decref(extra->details);
    g_free(extra->suggestion);
}

G_DEFINE_EXTENDED_ERROR(HfError, hf_error)

static const struct {
    const char *name;
    gboolean retryable;
    int status;
    const char *suggestion;
} error_table[HF_ERROR_COUNT] = {
#define X(id, retryable, status, suggestion) [HF_ERROR_##id] = {#id, retryable, status, suggestion},
    HF_ERROR_LIST(X)
#undef X
};

const char *hf_error_code_name(HfErrorCode code)
{
    return error_table[code].name;
}

int hf_error_code_status(HfErrorCode code)
{
    return error_table[code].status;
}

HfErrorCode hf_error_code(const GError *error)
{
    if (error->domain != HF_ERROR || error->code < 0 || error->code >= HF_ERROR_COUNT)
        return HF_ERROR_INTERNAL;
    return (HfErrorCode)error->code;
}

gboolean hf_fail(GError **error, HfErrorCode code, const char *format, ...)
{
    if (!error)
        return FALSE;
    va_list args;
    va_start(args, format);
    *error = g_error_new_valist(HF_ERROR, (int)code, format, args);
    va_end(args);
    return FALSE;
}

void hf_error_suggest(GError **error, const char *format, ...)
{
    if (!error || !*error || (*error)->domain != HF_ERROR)
        return;
    HfErrorPrivate *extra = hf_error_get_private(*error);
    va_list args;
    va_start(args, format);
    g_free(extra->suggestion);
    extra->suggestion = g_strdup_vprintf(format, args);
    va_end(args);
}

void hf_error_take_details(GError **error, json_t *take_details)
{
    if (!error || !*error || (*error)->domain != HF_ERROR) {
        json_decref(take_details);
        return;
    }
    HfErrorPrivate *extra = hf_error_get_private(*error);
    json_decref(extra->details);
    extra->details = take_details;
}

gboolean hf_error_has_suggestion(const GError *error)
{
    const HfErrorPrivate *extra = error->domain == HF_ERROR ? hf_error_get_private(error) : NULL;
    return extra && extra->suggestion &&
           strcmp(extra->suggestion, error_table[hf_error_code(error)].suggestion) != 0;
}

json_t *hf_error_to_json(const GError *error)
{
    HfErrorCode code = hf_error_code(error);
    json_t *json =
        json_pack("{s:s, s:o, s:b}", "code", hf_error_code_name(code), "message",
                  hf_json_text(error->message), "retryable", error_table[code].retryable);
    const HfErrorPrivate *extra = error->domain == HF_ERROR ? hf_error_get_private(error) : NULL;
    /* A copy, because the result goes to other threads. */
    if (extra && extra->details)
        json_object_set_new(json, "details", json_deep_copy(extra->details));
    const char *suggestion =
        extra && extra->suggestion ? extra->suggestion : error_table[code].suggestion;
    json_object_set_new(json, "suggestion", hf_json_text(suggestion));
    return json;
}

GError *hf_error_new_from_json(const json_t *json)
{
    const char *name = hf_json_string(json, "code", "INTERNAL");
    int code = HF_ERROR_INTERNAL;
    for (int i = 0; i < HF_ERROR_COUNT; i++)
        if (g_str_equal(error_table[i].name, name))
            code = i;
    GError *error =
        g_error_new_literal(HF_ERROR, code, hf_json_string(json, "message", "unknown error"));
    json_t *details = json_object_get(json, "details");
    if (details)
        hf_error_take_details(&error, json_incref(details));
    const char *suggestion = hf_json_string(json, "suggestion", NULL);
    if (suggestion)
        hf_error_suggest(&error, "%s", suggestion);
    return error;
}
