/* SPDX-License-Identifier: Apache-2.0 */
/* What does the owner's policy say about the call? A flow is judged as a call of its own, and then
 * as strictly as the strictest of its steps. */
#include "desk/guard/flow/flow.h"
#include "desk/guard/policy/caller-rights.h"
#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"

static void decide_by_policy(HfPassage *passage)
{
    const json_t *given = passage->request->params;
    const char *project = hf_json_string(given, "project", NULL);
    g_autoptr(json_t) policy = hf_config_dup_approval(passage->config, project);
    HfPolicyCase facts = {
        .policy = policy,
        .tool = passage->tool,
        .params = passage->params,
        .contained = passage->contained,
        .risk = passage->flow ? hf_tool_risk(passage->tool, passage->contained)
                              : passage->judgement.risk,
        .effects = passage->flow ? passage->tool->effects : passage->judgement.effects,
        .tainted = passage->judgement.tainted,
        .tainted_file = passage->judgement.tainted_file != NULL,
        .ask_always = passage->judgement.ask_always,
        .grant = passage->grant.first ? hf_grant_find_overrides(passage->grant.first) : NULL,
        .call = json_object_get(given, "approval"),
    };
    passage->judgement.decision = hf_policy_decide(&facts);
    /* A project that the owner has not assigned to the caller can only tighten. */
    if (project &&
        !hf_caller_rights_has_project(passage->config, passage->request->caller, project)) {
        g_autoptr(json_t) usual = hf_config_dup_approval(passage->config, NULL);
        facts.policy = usual;
        hf_decision_tighten(&passage->judgement.decision, hf_policy_decide(&facts));
    }
    if (passage->walls_missing) {
        g_autoptr(json_t) strict = hf_config_dup_strict_approval();
        facts.policy = strict;
        hf_decision_tighten(&passage->judgement.decision, hf_policy_decide(&facts));
    }
}

static gboolean refuse_blocked_by_policy(const HfPassage *passage, GError **error)
{
    const char *by = passage->judgement.decision.by;
    hf_fail(error, HF_ERROR_DANGEROUS_ACTION_BLOCKED, "the owner's policy blocks %s (%s)",
            passage->tool->name, by);
    hf_error_take_details(error, json_pack("{s:s, s:s, s:O}", "decided_by", by, "risk",
                                           hf_risk_name(passage->judgement.risk), "rules",
                                           passage->judgement.rules));
    return FALSE;
}

gboolean hf_step_policy_check(HfPassage *passage, GError **error)
{
    decide_by_policy(passage);
    if (passage->flow)
        hf_flow_tighten(passage);
    return passage->judgement.decision.action != HF_POLICY_ACTION_BLOCK ||
           refuse_blocked_by_policy(passage, error);
}
