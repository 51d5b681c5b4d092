/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge's methods about stopping: stop, pause and abort are open to everyone who is let in;
 * resume is the owner's. `stop` itself is answered in bridge.c, on the main thread. */
#include "desk/doors/methods/methods.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

#define REASON                                                                                     \
    {                                                                                              \
        .name = "reason", .type = HF_TYPE_STRING, .max = HF_LIMIT_TITLE_BYTES,                     \
        .about = "Why: shown to the person and kept in the audit"                                  \
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
     .about = "The run of which no later step is done"},
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

static void append_holds(HfDesk *desk, GString *answer, const GError *error)
{
    hf_method_append_answer(
        answer, error ? NULL : hf_guard_describe_stop_state(hf_desk_get_guard(desk)), error);
}

void hf_method_pause(HfDesk *desk, const HfCaller *caller, json_t *params,
                     GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    HfStopScope scope;
    g_autoptr(json_t) checked = hf_check_params(hf_method_pause_params, params, &error);
    if (checked && read_scope(checked, &scope, &error))
        hf_guard_pause(hf_desk_get_guard(desk), caller, scope,
                       hf_json_string(checked, "reason", NULL), &error);
    append_holds(desk, answer, error);
}

void hf_method_resume(HfDesk *desk, const HfCaller *caller, json_t *params,
                      GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    HfStopScope scope;
    g_autoptr(json_t) checked = hf_check_params(hf_method_resume_params, params, &error);
    if (checked && read_scope(checked, &scope, &error))
        hf_guard_resume(hf_desk_get_guard(desk), caller, scope, &error);
    append_holds(desk, answer, error);
}

void hf_method_abort(HfDesk *desk, const HfCaller *caller, json_t *params,
                     GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    guint count = 0;
    g_autoptr(json_t) checked = hf_check_params(hf_method_abort_params, params, &error);
    if (checked)
        hf_guard_abort(hf_desk_get_guard(desk), caller, hf_json_string(checked, "run_id", ""),
                       hf_json_string(checked, "reason", NULL), &count, &error);
    hf_method_append_answer(
        answer, error ? NULL : json_pack("{s:i}", "calls_called_off", (int)count), error);
}
