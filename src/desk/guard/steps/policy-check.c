/* SPDX-License-Identifier: Apache-2.0 */
/* Step 6: judged by the owner's agreement. A macro is judged as a call of its own, and then as
 * strictly as the strictest of its steps. */
#include "desk/guard/steps/policy-check.h"

#include "desk/guard/flow/flow.h"
#include "desk/guard/policy/caller-rights.h"
#include "shared/base/error.h"

static char *dup_hash(const HfPassage *passage, const char *caller)
{
    g_autoptr(json_t) call =
        json_pack("{s:s, s:O, s:s, s:o}", "tool", passage->tool->name, "params", passage->params,
                  "desktop", passage->desktop, "caller", hf_json_text(caller));
    if (passage->errand.weighed) /* what is in a file counts as if it were a parameter */
        json_object_set_new(call, "weighed", json_string(passage->errand.weighed));
    char *text = json_dumps(call, JSON_COMPACT | JSON_SORT_KEYS);
    char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    free(text);
    return hash;
}

json_t *hf_judge_new_call(const HfPassage *passage)
{
    g_autofree char *caller = hf_caller_dup_key(passage->request->caller);
    g_autofree char *hash = dup_hash(passage, caller);
    const char *pattern = passage->decision.pattern;
    /* No answer about a macro covers another one that may hold anything. */
    g_autofree char *tool = passage->flow ? g_strdup_printf("%s#%.16s", passage->tool->name, hash)
                                          : g_strdup(passage->tool->name);
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:i, s:i}", "tool", tool, "project",
                     hf_json_string(passage->request->params, "project", ""), "caller",
                     hf_json_text(caller), "hash", hash, "pattern", pattern ? pattern : "", "risk",
                     (int)passage->risk, "tainted", passage->tainted ? 1 : 0);
}

static void decide(HfPassage *passage)
{
    const json_t *given = passage->request->params;
    const char *project = hf_json_string(given, "project", NULL);
    g_autoptr(json_t) policy = hf_config_dup_approval(passage->config, project);
    HfPolicyCase facts = {
        .policy = policy,
        .tool = passage->tool,
        .params = passage->params,
        .risk = passage->flow ? passage->tool->risk : passage->risk,
        .effects = passage->flow ? passage->tool->effects : passage->effects,
        .tainted = passage->tainted,
        .ask_always = passage->ask_always,
        .grant = passage->grant ? hf_grant_find_overrides(passage->grant) : NULL,
        .call = json_object_get(given, "approval"),
    };
    passage->decision = hf_policy_decide(&facts);
    /* A project that a caller merely names can tighten what holds without one, never loosen it. */
    if (project &&
        !hf_caller_rights_has_project(passage->config, passage->request->caller, project)) {
        g_autoptr(json_t) usual = hf_config_dup_approval(passage->config, NULL);
        facts.policy = usual;
        hf_decision_tighten(&passage->decision, hf_policy_decide(&facts));
    }
}

static gboolean refuse(const HfPassage *passage, GError **error)
{
    const char *by = passage->decision.by;
    hf_fail(error, HF_ERROR_DANGEROUS_ACTION_BLOCKED, "%s is refused by the owner's agreement (%s)",
            passage->tool->name, by);
    hf_error_take_details(error, json_pack("{s:s, s:s, s:O}", "decided_by", by, "risk",
                                           hf_risk_name(passage->risk), "rules", passage->rules));
    return FALSE;
}

gboolean hf_judge_is_remembered(HfPassage *passage, const json_t *call)
{
    if (passage->decision.memory == HF_MEMORY_NEVER)
        return FALSE;
    passage->decision.approval_id =
        hf_approvals_find_remembered(passage->guard->approvals, call, NULL);
    return passage->decision.approval_id != NULL;
}

gboolean hf_step_judge(HfPassage *passage, GError **error)
{
    decide(passage);
    if (passage->flow)
        hf_flow_tighten(passage);
    return passage->decision.action != HF_POLICY_ACTION_BLOCK || refuse(passage, error);
}
