/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about stopping. Every caller may stop, pause and abort its own runs; only the owner may
 * resume, and abort the runs of others. `stop` itself is handled on the main thread (bridge.c). */
#include "desk/doors/methods/methods.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

#define REASON                                                                                     \
    HF_STRING("reason", "Reason: shown to the person and kept in the audit",                       \
              .max = HF_LIMIT_TITLE_BYTES)
#define SCOPE                                                                                      \
    HF_STRING("desktop", "Only this desktop", .min = 1, .max = HF_LIMIT_NAME_BYTES),               \
        HF_STRING("run_id", "Only this run", .min = 1, .max = HF_LIMIT_NAME_BYTES)

const HfParam hf_method_pause_params[] = {SCOPE, REASON, {0}};
const HfParam hf_method_stop_params[] = {REASON, {0}};
const HfParam hf_method_resume_params[] = {SCOPE, {0}};
const HfParam hf_method_abort_params[] = {
    HF_STRING("run_id", "The run whose later steps are refused", .required = TRUE, .min = 1,
              .max = HF_LIMIT_NAME_BYTES),
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
    if (!checked || !read_scope(checked, &scope, error))
        return NULL;
    gboolean durable =
        hf_guard_pause(guard, caller, scope, hf_json_string(checked, "reason", NULL));
    json_t *state = hf_guard_describe_stop_state(guard);
    json_object_set_new(state, "durable", json_boolean(durable));
    return state;
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

/* The runs that a client may abort are its own. */
static gboolean check_run_may_be_aborted(const HfCaller *caller, const char *run, GError **error)
{
    if (hf_caller_is_owner(caller, NULL) || !hf_method_is_run_of_others(caller, run))
        return TRUE;
    hf_fail(error, HF_ERROR_RUN_NOT_FOUND, "you have no run '%s'", run);
    hf_error_suggest(error, "only the owner can abort the runs of others: handfast abort %s", run);
    return FALSE;
}

json_t *hf_method_abort(HfDesk *desk, const HfCaller *caller, json_t *params,
                        GCancellable *cancellable, GError **error)
{
    guint count = 0;
    g_autoptr(json_t) checked = hf_check_params(hf_method_abort_params, params, error);
    const char *run = hf_json_string(checked, "run_id", "");
    if (!checked || !check_run_may_be_aborted(caller, run, error))
        return NULL;
    gboolean durable = hf_guard_abort(hf_desk_get_guard(desk), caller, run,
                                      hf_json_string(checked, "reason", NULL), &count);
    return json_pack("{s:i, s:b}", "calls_called_off", (int)count, "durable", durable);
}
