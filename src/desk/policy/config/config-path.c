/* SPDX-License-Identifier: Apache-2.0 */
/* Names that contain dots (programs, clients) are written in double quotes. */
#include "desk/policy/config/config-path.h"

#include <string.h>

#include "desk/policy/config/config-fields.h"
#include "shared/base/error.h"

static gboolean take_name(const char **at, GPtrArray *names)
{
    const char *start = *at;
    gboolean quoted = *start == '"';
    start += quoted;
    const char *end = quoted ? strchr(start, '"') : start + strcspn(start, ".\"");
    if (!end || end == start)
        return FALSE;
    g_ptr_array_add(names, g_strndup(start, (gsize)(end - start)));
    *at = end + quoted;
    return **at == '\0' || **at == '.';
}

char **hf_config_path_split(const char *path, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *at = path;
    gboolean good = take_name(&at, names);
    while (good && *at == '.') {
        at++;
        good = take_name(&at, names);
    }
    if (!good) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is not a path of a field", path);
        hf_error_suggest(error,
                         "write it like security.permission_level, or clients.\"a.b\".level");
        return NULL;
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_steal(names, NULL);
}

char *hf_config_path_join(const char *prefix, const char *name)
{
    const char *quote = strchr(name, '.') ? "\"" : "";
    return g_strconcat(prefix, *prefix ? "." : "", quote, name, quote, NULL);
}

json_t *hf_config_path_get(const json_t *document, const char *const *names)
{
    const json_t *at = document;
    for (; at && *names; names++)
        at = json_object_get(at, *names);
    return (json_t *)at;
}

gboolean hf_config_path_set(json_t *document, const char *const *names, json_t *take_value)
{
    for (; names[1] && json_is_object(document); names++) {
        json_t *next = json_object_get(document, names[0]);
        if (!next && !take_value)
            return TRUE;
        if (!next) {
            next = json_object();
            json_object_set_new(document, names[0], next);
        }
        document = next;
    }
    if (!json_is_object(document)) {
        json_decref(take_value);
        return FALSE;
    }
    if (take_value)
        json_object_set_new(document, names[0], take_value);
    else
        json_object_del(document, names[0]);
    return TRUE;
}

const HfParam *hf_config_path_describe(const char *const *names)
{
    const HfParam *table = hf_config_fields, *param = NULL;
    for (; *names; names++) {
        gboolean is_map = param && param->type == HF_TYPE_OBJECT && !param->fields;
        param = is_map ? param->items : hf_param_find(table, *names);
        if (!param)
            return NULL;
        table = param->fields;
    }
    return param;
}
