/* SPDX-License-Identifier: Apache-2.0 */
/* Does the hand do it? When the target is a password field, the hand does nothing; then this step
 * gives the turn back, asks the owner, and repeats the steps listed in its row before it tries
 * again. In test mode the result must fit the tool's schema, so that no wrong schema passes the
 * tests. */
#include "desk/guard/desk-tools/desk-tools.h"
#include "desk/guard/flow/flow.h"
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/stop-gate.h"
#include "shared/base/error.h"
#include "shared/tool/effect.h"
#include "shared/tool/param-check.h"

/* Records a rule that the hand enforced with those of the risk step. */
static void record_hand_rule(HfPassage *passage, const GError *error)
{
    if (hf_error_code(error) != HF_ERROR_APP_NOT_ALLOWED)
        return;
    g_autoptr(json_t) json = hf_error_to_json(error);
    const char *rule = hf_json_string(json_object_get(json, "details"), "rule", NULL);
    if (rule)
        json_array_append_new(
            passage->judgement.rules,
            json_pack("{s:s, s:s, s:s}", "id", rule, "message", error->message, "risk", "block"));
}

/* An undo adds expectations to those of an approval. */
static void add_undo_expectation(HfPassage *passage)
{
    if (!passage->request->expect)
        return;
    json_t *all = json_copy(passage->request->expect);
    if (passage->expect)
        json_object_update_missing(all, passage->expect);
    json_decref(passage->expect);
    passage->expect = passage->errand.expect = all;
}

/* A person sees the effect themselves; steps of a macro and executor calls must be quick. */
static gboolean wants_effect_verified(const HfPassage *passage)
{
    const HfRequest *request = passage->request;
    return hf_tool_verifies(passage->tool) && !request->human &&
           hf_json_bool(request->params, "verify", !request->skip_verification);
}

static gboolean check_result_shapes(HfPassage *passage, const HfResult *result, GError **error)
{
    if (!passage->guard->check_results || passage->errand.view)
        return TRUE;
    if (!hf_check_result(passage->tool->result, result->json, error)) {
        g_prefix_error(error, "the result of %s does not fit its schema: ", passage->tool->name);
        return FALSE;
    }
    if (passage->answer->effect &&
        !hf_check_result(hf_effect_fields, passage->answer->effect, error)) {
        g_prefix_error(error, "the effect of %s does not fit its schema: ", passage->tool->name);
        return FALSE;
    }
    return TRUE;
}

static HfResult *perform_in_hand(HfPassage *passage, GError **error)
{
    HfGuard *guard = passage->guard;
    if (passage->tool->service)
        return hf_desk_tool_run(passage, error);
    add_undo_expectation(passage);
    if (!(passage->tool->flags & HF_TOOL_READ_ONLY))
        passage->errand.witness |= HF_WITNESS_UNDO;
    return guard->perform(guard->data, passage->desktop, &passage->errand, error);
}

static HfFlow *flow_of_step(const HfPassage *passage)
{
    return passage->request->within ? passage->request->within->flow : NULL;
}

static gboolean needs_owner_for_secure(const GError *error)
{
    if (hf_error_code(error) != HF_ERROR_DESKTOP_CONFIRM_REQUIRED)
        return FALSE;
    g_autoptr(json_t) json = hf_error_to_json(error);
    return hf_json_bool(json_object_get(json, "details"), "ask_owner", FALSE);
}

/* Others may act while the owner is asked; but not in the middle of a macro, which keeps its turn
 * and asks once. */
static HfResult *perform_when_approved(HfPassage *passage, GError **error)
{
    g_clear_error(error);
    g_clear_pointer(&passage->errand.ret_witness, hf_result_free);
    g_clear_pointer(&passage->errand.ret_effect, json_decref);
    passage->performed = FALSE;
    passage->secure_field = TRUE;
    hf_step_turn_release(passage);
    if (!hf_guard_repeat_steps(passage, error))
        return NULL;
    passage->performed = TRUE;
    passage->errand.approved = TRUE;
    if (flow_of_step(passage))
        flow_of_step(passage)->approved = TRUE;
    return perform_in_hand(passage, error);
}

/* The end of a shell that a stop has killed may be reported before the hand learns of the stop. */
static gboolean check_shell_not_stopped(const HfPassage *passage, const HfResult *result,
                                        GError **error)
{
    return !passage->pass || !hf_json_bool(result->json, "session_ended", FALSE) ||
           hf_stop_gate_pass_check(passage->pass, error);
}

gboolean hf_step_perform(HfPassage *passage, GError **error)
{
    passage->errand.tool = passage->tool;
    passage->errand.params = passage->params;
    passage->errand.deadline = &passage->deadline;
    passage->errand.human = passage->request->human;
    passage->errand.route = json_object_get(passage->request->params, "route");
    passage->errand.verify = wants_effect_verified(passage);
    passage->errand.approved = flow_of_step(passage) && flow_of_step(passage)->approved;
    passage->performed = TRUE;
    gint64 began = g_get_monotonic_time();
    g_autoptr(HfResult) result = perform_in_hand(passage, error);
    if (!result && needs_owner_for_secure(*error))
        result = perform_when_approved(passage, error);
    passage->timing.perform_us = g_get_monotonic_time() - began - passage->timing.meanwhile_us;
    passage->answer->effect = g_steal_pointer(&passage->errand.ret_effect);
    if (!result) {
        record_hand_rule(passage, *error);
        return FALSE;
    }
    if (!check_result_shapes(passage, result, error) ||
        !check_shell_not_stopped(passage, result, error))
        return FALSE;
    passage->answer->channel = passage->tool->channel;
    passage->answer->result = g_steal_pointer(&result);
    return TRUE;
}
