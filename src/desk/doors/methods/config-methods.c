/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about the configuration: every caller may read it; only the owner changes it. */
#include "desk/doors/methods/methods.h"
#include "desk/policy/config/config-path.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

const HfParam hf_method_config_get_params[] = {
    {.name = "path",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Only this field: security.permission_level"},
    {0},
};

json_t *hf_method_config_get(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    g_autoptr(HfConfig) config =
        hf_live_config_get(hf_guard_get_live_config(hf_desk_get_guard(desk)));
    g_autoptr(json_t) checked = hf_check_params(hf_method_config_get_params, params, error);
    if (!checked)
        return NULL;
    const char *path = hf_json_string(checked, "path", NULL);
    g_auto(GStrv) names = path ? hf_config_path_split(path, error) : NULL;
    if (path && !names)
        return NULL;
    if (path && !hf_config_path_describe((const char *const *)names)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no field '%s'", path);
        hf_error_suggest(error, "list all fields: handfast config get");
        return NULL;
    }
    const json_t *value = path ? hf_config_get(config, path) : hf_config_document(config);
    return json_pack("{s:O, s:O}", "value", value ? value : json_null(), "locked",
                     hf_config_get_locked(config));
}

/* The value may be anything, so it is removed before the other parameters are checked. */
const HfParam hf_method_config_set_params[] = {
    {.name = "path",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "The field: security.permission_level"},
    {0},
};

json_t *hf_method_config_set(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) value = json_incref(json_object_get(params, "value"));
    g_autoptr(json_t) rest = json_copy(params);
    json_object_del(rest, "value");
    g_autoptr(json_t) checked = hf_check_params(hf_method_config_set_params, rest, error);
    if (!checked || !hf_caller_check_owner_in_person(caller, error))
        return NULL;
    if (!value) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS,
                "value: is required; null removes the field from the file");
        return NULL;
    }
    gboolean done = hf_live_config_set(hf_guard_get_live_config(hf_desk_get_guard(desk)),
                                       hf_json_string(checked, "path", ""),
                                       json_is_null(value) ? NULL : json_incref(value), error);
    return done ? json_object() : NULL;
}
