/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about the configuration: every caller may read it; only the owner changes it. */
#include "desk/doors/methods/methods.h"
#include "desk/policy/config/config.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

const HfParam hf_method_config_get_params[] = {
    HF_STRING("path", "Only this field: security.permission_level", .min = 1,
              .max = HF_LIMIT_TITLE_BYTES),
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

json_t *hf_method_config_held(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GError **error)
{
    return hf_live_config_describe_held(hf_guard_get_live_config(hf_desk_get_guard(desk)));
}

const HfParam hf_method_config_accept_params[] = {
    HF_STRING("hash", "Which configuration: as config.held has shown it", .required = TRUE,
              .min = 64, .max = 64),
    {0},
};

json_t *hf_method_config_accept(HfDesk *desk, const HfCaller *caller, json_t *params,
                                GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_config_accept_params, params, error);
    gboolean done = checked && hf_caller_check_owner_in_person(caller, error) &&
                    hf_live_config_accept(hf_guard_get_live_config(hf_desk_get_guard(desk)),
                                          hf_json_string(checked, "hash", ""), error);
    return done ? json_object() : NULL;
}

/* The value may be anything, so it is removed before the other parameters are checked. */
const HfParam hf_method_config_set_params[] = {
    HF_STRING("path", "The field: security.permission_level", .required = TRUE, .min = 1,
              .max = HF_LIMIT_TITLE_BYTES),
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
