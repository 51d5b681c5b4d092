/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about stopping. Every caller may stop, pause and abort; only the owner may resume. `stop`
 * itself is handled on the main thread (bridge.c). */
#include "desk/doors/methods/methods.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

#define REASON                                                                                     \
    {                                                                                              \
        .name = "reason", .type = HF_TYPE_STRING, .max = HF_LIMIT_TITLE_BYTES,                     \
        .about = "Reason: shown to the person and kept in the audit"                               \
    }
#define SCOPE                                                                                      \
    {.name = "desktop",                                                                            \
     .type = HF_TYPE_STRING,                                                                       \
     .min = 1,                                                                                     \
     .max = HF_LIMIT_NAME_BYTES,                                                                   \
     .about = "Only this desktop"},                                                                \
    {                                                                                              \
        .name = "run_id", .type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES,            \
        .about = "Only this run"                                                                   \
    }

const HfParam hf_method_pause_params[] = {SCOPE, REASON, {0}};
const HfParam hf_method_stop_params[] = {REASON, {0}};
const HfParam hf_method_resume_params[] = {SCOPE, {0}};
const HfParam hf_method_abort_params[] = {
    {.name = "run_id",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "The run whose later steps are refused"},
    REASON,
    {0},
};

/* Borrows from the parameters. */
static gboolean read_scope(const json_t *checked, HfStopScope *ret_scope, GError **error)
{
    *ret_scope = (HfStopScope){hf_json_string(checked, "desktop", NULL),
                               hf_json_string(checked, "run_id", NULL)};
    return !ret_scope->desktop || !ret_scope->run ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS, "give a desktop or a run_id, not both");
}

json_t *hf_method_pause(HfDesk *desk, const HfCaller *caller, json_t *params,
                        GCancellable *cancellable, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    HfStopScope scope;
    g_autoptr(json_t) checked = hf_check_params(hf_method_pause_params, params, error);
    gboolean done =
        checked && read_scope(checked, &scope, error) &&
        hf_guard_pause(guard, caller, scope, hf_json_string(checked, "reason", NULL), error);
    return done ? hf_guard_describe_stop_state(guard) : NULL;
}

json_t *hf_method_resume(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    HfStopScope scope;
    g_autoptr(json_t) checked = hf_check_params(hf_method_resume_params, params, error);
    gboolean done = checked && read_scope(checked, &scope, error) &&
                    hf_guard_resume(guard, caller, scope, error);
    return done ? hf_guard_describe_stop_state(guard) : NULL;
}

json_t *hf_method_abort(HfDesk *desk, const HfCaller *caller, json_t *params,
                        GCancellable *cancellable, GError **error)
{
    guint count = 0;
    g_autoptr(json_t) checked = hf_check_params(hf_method_abort_params, params, error);
    gboolean done =
        checked &&
        hf_guard_abort(hf_desk_get_guard(desk), caller, hf_json_string(checked, "run_id", ""),
                       hf_json_string(checked, "reason", NULL), &count, error);
    return done ? json_pack("{s:i}", "calls_called_off", (int)count) : NULL;
}
