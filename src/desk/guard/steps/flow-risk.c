/* SPDX-License-Identifier: Apache-2.0 */
/* May every step of a macro or workflow be done? Each goes through the steps of a forecast, and
 * nothing is done. A step that follows a reading one is judged as tainted. */
#include "desk/guard/approvals/approval-binding.h"
#include "desk/guard/flow/flow.h"
#include "desk/guard/policy/typed-line.h"
#include "desk/guard/policy/typed-lines.h"
#include "desk/guard/steps/steps.h"

static void keep_forecast(HfFlowStep *step, HfPassage *found)
{
    step->checked = json_incref(found->params);
    step->rules = json_incref(found->judgement.rules);
    step->risk = found->judgement.risk;
    step->line = g_strdup(found->typed.line);
    if (found->judgement.decision.action == HF_POLICY_ACTION_ASK && hf_risk_inspect(found, NULL)) {
        step->sha256 = g_strdup(found->errand.inspected_sha256);
        step->scripts = hf_approval_list_scripts(found->inspected, TRUE);
    }
    step->call = hf_approval_binding_new(found);
    if (found->judgement.decision.action == HF_POLICY_ACTION_ASK &&
        hf_approval_is_remembered(found, step->call))
        step->decision.approval_id = g_strdup(found->judgement.decision.approval_id);
    step->decision.action = found->judgement.decision.action;
    step->decision.memory = found->judgement.decision.memory;
    step->decision.by = g_strdup(found->judgement.decision.by);
}

static gboolean forecast_step(HfPassage *macro, HfFlowStep *step, gboolean tainted,
                              HfTypedLine *line, GError **error)
{
    g_autoptr(json_t) params = hf_flow_dup_params(macro, step->params);
    HfRequest request = hf_flow_request(macro, step, params);
    HfPassage passage = {.guard = macro->guard,
                         .request = &request,
                         .kind = HF_PASSAGE_FORECAST,
                         .config = hf_config_ref(macro->config),
                         .cancellable = macro->cancellable,
                         .judgement.tainted = tainted,
                         .typed.ahead = line};
    passage.answer = hf_answer_new(step->tool->name, macro->answer->run_id);
    gboolean passed = hf_guard_run_steps(&passage, error);
    if (passed) {
        keep_forecast(step, &passage);
        hf_typed_lines_apply_ahead(&passage);
        macro->judgement.risk = MAX(macro->judgement.risk, passage.judgement.risk);
        macro->needs = MAX(macro->needs, passage.needs);
        macro->judgement.effects |= passage.judgement.effects & ~HF_EFFECT_NONE;
        json_array_extend(macro->judgement.rules, passage.judgement.rules);
    }
    hf_passage_clear(&passage);
    hf_answer_free(passage.answer);
    return passed;
}

/* A step whose parameters are not known yet: only its tool is checked now. The rest is judged when
 * it is done. */
static gboolean forecast_open_step(HfPassage *macro, HfFlowStep *step, GError **error)
{
    g_autoptr(json_t) params = hf_flow_dup_params(macro, step->params);
    HfRequest request = hf_flow_request(macro, step, params);
    HfPassage passage = {.guard = macro->guard,
                         .request = &request,
                         .config = hf_config_ref(macro->config),
                         .tool = step->tool};
    gboolean passed = hf_step_permission(&passage, error);
    step->risk = hf_tool_risk(step->tool, macro->contained);
    macro->judgement.risk = MAX(macro->judgement.risk, step->risk);
    macro->needs = MAX(macro->needs, step->tool->needs);
    macro->judgement.effects |= step->tool->effects & ~HF_EFFECT_NONE;
    hf_passage_clear(&passage);
    return passed;
}

/* Whether later steps may have read, through this one, what others wrote. Errors count, because
 * they can name windows. */
static gboolean taints_later_steps(const HfFlowStep *step)
{
    return (step->tool->reads & ~HF_READS_NOTHING) || step->on_failure != HF_ON_FAILURE_STOP ||
           step->retries > 0 || step->otherwise || step->pictures[0] || step->pictures[1] ||
           hf_json_bool(step->params, "verify", FALSE);
}

static gboolean has_loop_step(const GPtrArray *steps)
{
    for (guint i = 0; steps && i < steps->len; i++) {
        const HfFlowStep *step = steps->pdata[i];
        if (step->each || has_loop_step(step->steps) || has_loop_step(step->instead) ||
            has_loop_step(step->otherwise))
            return TRUE;
    }
    return FALSE;
}

/* In a loop, an earlier step may also run after a later one. */
static gboolean is_tainted_throughout(const HfFlow *flow)
{
    gboolean any = FALSE;
    for (guint i = 0; i < flow->calls->len && !any; i++)
        any = taints_later_steps(flow->calls->pdata[i]);
    return any && has_loop_step(flow->steps);
}

static gboolean forecast_all_steps(HfPassage *passage, GError **error)
{
    HfFlow *flow = passage->flow;
    gboolean tainted = passage->judgement.tainted || is_tainted_throughout(flow);
    g_autoptr(HfTypedLine) line =
        hf_typed_lines_dup_line(passage->guard->typed_lines, passage->desktop);
    for (guint i = 0; i < flow->calls->len; i++) {
        HfFlowStep *step = flow->calls->pdata[i];
        gboolean before = step->pictures[0] || step->retries > 0;
        if (!(step->open ? forecast_open_step(passage, step, error)
                         : forecast_step(passage, step, tainted || before, line, error))) {
            hf_flow_add_step_to_error(step, error);
            return FALSE;
        }
        /* A workflow verifies the effects of its actions, which shows names of windows. */
        tainted = tainted || taints_later_steps(step) || !flow->macro;
    }
    return !flow->picture || forecast_step(passage, flow->picture, TRUE, line, error);
}

gboolean hf_step_flow_risk(HfPassage *passage, GError **error)
{
    if (!passage->flow)
        return TRUE;
    passage->needs = HF_NEEDS_NEITHER;
    if (!forecast_all_steps(passage, error))
        return FALSE;
    if (!passage->flow->exclusive) /* each step waits for its own turn */
        passage->needs = HF_NEEDS_NEITHER;
    if (json_array_size(passage->judgement.rules) > 0 && !passage->answer->rules)
        passage->answer->rules = json_incref(passage->judgement.rules);
    return TRUE;
}
