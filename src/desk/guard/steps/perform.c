/* SPDX-License-Identifier: Apache-2.0 */
/* Step 10: do it, in the hand. In test mode the result must fit the tool's description, so that a
 * description which lies cannot pass the tests. */
#include "desk/guard/desk-tools/desk-tools.h"
#include "desk/guard/flow/flow.h"
#include "shared/base/error.h"
#include "shared/tool/effect.h"
#include "shared/tool/param-check.h"

/* A rule that the hand kept is written down with those that the call was weighed by. */
static void name_rule(HfPassage *passage, const GError *error)
{
    if (hf_error_code(error) != HF_ERROR_APP_NOT_ALLOWED)
        return;
    g_autoptr(json_t) json = hf_error_to_json(error);
    const char *rule = hf_json_string(json_object_get(json, "details"), "rule", NULL);
    if (rule)
        json_array_append_new(passage->rules, json_pack("{s:s, s:s, s:s}", "id", rule, "message",
                                                        error->message, "risk", "block"));
}

/* What an undo expects, besides what an approval does. */
static void add_expectation(HfPassage *passage)
{
    if (!passage->request->expect)
        return;
    json_t *all = json_copy(passage->request->expect);
    if (passage->expect)
        json_object_update_missing(all, passage->expect);
    json_decref(passage->expect);
    passage->expect = passage->errand.expect = all;
}

/* A person who does it by hand sees it; steps of a macro and the executor's calls must be quick. */
static gboolean wants_effect(const HfPassage *passage)
{
    const HfRequest *request = passage->request;
    return hf_tool_verifies(passage->tool) && !request->human &&
           hf_json_bool(request->params, "verify", !request->in_haste);
}

/* In test mode a description must fit what it describes. */
static gboolean check_shapes(HfPassage *passage, const HfResult *result, GError **error)
{
    if (!passage->guard->check_results || passage->errand.view)
        return TRUE;
    if (!hf_check_result(passage->tool->result, result->json, error)) {
        g_prefix_error(error,
                       "the result of %s does not fit its description: ", passage->tool->name);
        return FALSE;
    }
    if (passage->answer->effect &&
        !hf_check_result(hf_effect_fields, passage->answer->effect, error)) {
        g_prefix_error(error,
                       "the effect of %s does not fit its description: ", passage->tool->name);
        return FALSE;
    }
    return TRUE;
}

static HfResult *perform(HfPassage *passage, GError **error)
{
    HfGuard *guard = passage->guard;
    if (passage->tool->service)
        return hf_desk_tool_run(passage, error);
    add_expectation(passage);
    if (!(passage->tool->flags & HF_TOOL_READ_ONLY))
        passage->errand.witness |= HF_WITNESS_UNDO;
    return guard->perform(guard->data, passage->desktop, &passage->errand, error);
}

/* The macro that it is a step of; NULL: none. */
static HfFlow *macro_of(const HfPassage *passage)
{
    return passage->request->within ? passage->request->within->flow : NULL;
}

static gboolean wants_owner(const GError *error)
{
    if (hf_error_code(error) != HF_ERROR_DESKTOP_CONFIRM_REQUIRED)
        return FALSE;
    g_autoptr(json_t) json = hf_error_to_json(error);
    return hf_json_bool(json_object_get(json, "details"), "ask_owner", FALSE);
}

/* What is written into a password field: the hand has found out in front of it, and has done
 * nothing. While the owner is asked, others may act; but not in the middle of a macro, of which the
 * owner is asked once. */
static HfResult *perform_if_agreed(HfPassage *passage, GError **error)
{
    g_clear_error(error);
    g_clear_pointer(&passage->errand.ret_witness, hf_result_free);
    g_clear_pointer(&passage->errand.ret_effect, json_decref);
    passage->performed = FALSE;
    hf_step_leave_turn(passage);
    if (!hf_approve_secure(passage, error) || !hf_step_limit_time(passage, error) ||
        !hf_step_take_turn(passage, error) || !hf_step_still_not_stopped(passage, error))
        return NULL;
    passage->performed = TRUE;
    passage->errand.agreed = TRUE;
    if (macro_of(passage))
        macro_of(passage)->agreed = TRUE;
    return perform(passage, error);
}

gboolean hf_step_perform(HfPassage *passage, GError **error)
{
    passage->errand.tool = passage->tool;
    passage->errand.params = passage->params;
    passage->errand.deadline = &passage->deadline;
    passage->errand.human = passage->request->human;
    passage->errand.route = json_object_get(passage->request->params, "route");
    passage->errand.verify = wants_effect(passage);
    passage->errand.agreed = macro_of(passage) && macro_of(passage)->agreed;
    passage->performed = TRUE;
    gint64 began = g_get_monotonic_time();
    g_autoptr(HfResult) result = perform(passage, error);
    if (!result && wants_owner(*error))
        result = perform_if_agreed(passage, error);
    passage->perform_us = g_get_monotonic_time() - began - passage->meanwhile_us;
    passage->answer->effect = g_steal_pointer(&passage->errand.ret_effect);
    if (!result) {
        name_rule(passage, *error);
        return FALSE;
    }
    if (!check_shapes(passage, result, error))
        return FALSE;
    passage->answer->channel = passage->tool->channel;
    passage->answer->result = g_steal_pointer(&result);
    return TRUE;
}
