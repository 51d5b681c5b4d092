/* SPDX-License-Identifier: Apache-2.0 */
/* What would the call do? A dry run has passed the same checks as a call and ends here; the answer
 * says what would have happened. This step must never run a tool's own function. */
#include "desk/guard/desk-tools/desk-tools.h"
#include "desk/guard/steps/steps.h"
#include "desk/records/audit/redact.h"

HfResult *hf_preview_target(HfPassage *passage, GError **error)
{
    if (passage->tool->service)
        return hf_desk_tool_preview(passage, error);
    HfErrand errand = {.tool = passage->tool,
                       .params = passage->params,
                       .deadline = &passage->deadline,
                       .preview = TRUE,
                       .fence = passage->errand.fence,
                       .walls = passage->errand.walls,
                       .route = json_object_get(passage->request->params, "route")};
    return passage->guard->perform(passage->guard->data, passage->desktop, &errand, error);
}

/* Only the hand sees that the target is a password field. Writing into one asks the owner, whatever
 * was decided before. */
static void ask_owner_if_secure(HfPassage *passage, const json_t *seen)
{
    HfDecision asked = {.action = HF_POLICY_ACTION_ASK, .memory = HF_MEMORY_NEVER};
    if (!hf_json_bool(json_object_get(seen, "target"), "asks_owner", FALSE))
        return;
    asked.by = g_strdup("secure_field");
    hf_decision_tighten(&passage->judgement.decision, asked);
}

gboolean hf_step_preview(HfPassage *passage, GError **error)
{
    passage->errand.preview = TRUE;
    passage->performed = TRUE;
    g_autoptr(HfResult) result = hf_preview_target(passage, error);
    if (!result)
        return FALSE;
    json_t *json = result->json;
    ask_owner_if_secure(passage, json);
    const HfDecision *decision = &passage->judgement.decision;
    HfPolicyAction action = MAX(decision->action, HF_POLICY_ACTION_AUTO);
    json_object_set_new(json, "decision", json_string(hf_policy_action_name(action)));
    if (decision->by)
        json_object_set_new(json, "decided_by", json_string(decision->by));
    json_object_set_new(json, "risk", json_string(hf_risk_name(passage->judgement.risk)));
    json_object_set(json, "rules",
                    passage->judgement.rules ? passage->judgement.rules : json_null());
    json_object_set_new(json, "effects", hf_effects_to_json(passage->judgement.effects));
    json_object_set_new(json, "tainted", json_boolean(passage->judgement.tainted));
    json_t *taint = hf_passage_describe_taint(passage);
    if (taint)
        json_object_set_new(json, "taint", taint);
    json_object_set_new(json, "desktop", hf_json_text(passage->desktop));
    json_object_set_new(json, "params", hf_redact_params(passage->tool->params, passage->params));
    passage->answer->channel = passage->tool->channel;
    passage->answer->result = g_steal_pointer(&result);
    return TRUE;
}
