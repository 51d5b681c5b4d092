/* SPDX-License-Identifier: Apache-2.0 */
/* A flow as the guard sees it: its steps, their requests, and what the owner is shown. Whether each
 * step may be done is judged in steps/flow-risk.c. */

#include "desk/guard/flow/flow.h"
#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"
#include "shared/tool/registry.h"

static void list_calls(const GPtrArray *steps, GPtrArray *calls)
{
    for (guint i = 0; steps && i < steps->len; i++) {
        HfFlowStep *step = steps->pdata[i];
        if (step->tool)
            g_ptr_array_add(calls, step);
        list_calls(step->steps, calls);
        list_calls(step->instead, calls);
        list_calls(step->otherwise, calls);
    }
}

static gboolean takes_pictures(const GPtrArray *calls)
{
    for (guint i = 0; i < calls->len; i++) {
        const HfFlowStep *step = calls->pdata[i];
        if (step->pictures[0] || step->pictures[1])
            return TRUE;
    }
    return FALSE;
}

gboolean hf_flow_read(HfPassage *passage, GError **error)
{
    gboolean macro = passage->tool->service == HF_SERVICE_MACRO;
    GPtrArray *steps = macro ? hf_macro_steps_new(passage->params, error)
                             : hf_workflow_steps_new(passage->tool, passage->params, error);
    if (!steps)
        return FALSE;
    HfFlow *flow = passage->flow = g_new0(HfFlow, 1);
    flow->macro = macro;
    flow->exclusive = macro || hf_json_bool(passage->params, "exclusive", FALSE);
    flow->steps = steps;
    flow->calls = g_ptr_array_new();
    list_calls(steps, flow->calls);
    flow->shown_call = flow->calls->len;
    if (takes_pictures(flow->calls))
        flow->picture = hf_flow_step_new(hf_registry_find("screenshot"), json_object());
    return TRUE;
}

void hf_flow_free(HfFlow *flow)
{
    if (!flow)
        return;
    g_ptr_array_unref(flow->calls);
    g_ptr_array_unref(flow->steps);
    hf_flow_step_free(flow->picture);
    g_free(flow);
}

json_t *hf_flow_dup_params(const HfPassage *passage, const json_t *own)
{
    static const char *const handed_on[] = {"desktop", "project", "grant", "reason"};
    json_t *params = json_copy((json_t *)own);
    for (gsize i = 0; i < G_N_ELEMENTS(handed_on); i++) {
        json_t *value = json_object_get(passage->request->params, handed_on[i]);
        if (value && !json_object_get(params, handed_on[i]))
            json_object_set(params, handed_on[i], value);
    }
    json_object_set_new(params, "run_id", hf_json_text(passage->answer->run_id));
    return params;
}

HfRequest hf_flow_request(const HfPassage *passage, const HfFlowStep *step, json_t *params)
{
    HfRequest request = *passage->request;
    request.tool = step->tool->name;
    request.params = params;
    request.cancellable = passage->cancellable;
    request.within = passage;
    request.operation = NULL;
    request.weighed = step->decision.action;
    request.weighed_sha256 = step->sha256;
    request.skip_verification = passage->flow->macro || passage->request->skip_verification;
    return request;
}

static void tighten_by(HfDecision *decision, const HfFlowStep *step, const char *name)
{
    if (step->decision.approval_id) /* the owner approved this step earlier */
        return;
    HfDecision own = {.action = step->decision.action,
                      .memory = step->decision.memory == HF_MEMORY_NEVER ? HF_MEMORY_NEVER
                                                                         : HF_MEMORY_IF_ASKED,
                      .by = g_strdup_printf("%s: %s", name, step->decision.by)};
    hf_decision_tighten(decision, own);
}

void hf_flow_tighten(HfPassage *passage)
{
    const HfFlow *flow = passage->flow;
    for (guint i = 0; i < flow->calls->len; i++) {
        const HfFlowStep *step = flow->calls->pdata[i];
        if (!step->open)
            tighten_by(&passage->judgement.decision, step, step->place);
    }
    if (flow->picture)
        tighten_by(&passage->judgement.decision, flow->picture, "screenshot");
}

/* What the owner approved with the flow is the content that files had then. */
static gboolean runs_what_was_assessed(HfPassage *passage, GError **error)
{
    const HfRequest *request = passage->request;
    if (passage->judgement.decision.action != HF_POLICY_ACTION_ASK || !request->weighed_sha256)
        return TRUE;
    return hf_risk_inspect(passage, error) &&
           g_strcmp0(passage->errand.inspected_sha256, request->weighed_sha256) == 0;
}

static gboolean refuse_step_of_macro(const HfPassage *passage, gboolean changed, GError **error)
{
    if (changed)
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "the macro was approved, but what this step runs has changed since");
    else
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "the macro was allowed when it began, but this step now needs the owner's approval "
                "(%s)",
                passage->judgement.decision.by);
    hf_error_suggest(error, "run the rest as a new macro");
    return FALSE;
}

gboolean hf_flow_check_assessed(HfPassage *passage, GError **error)
{
    HfDecision *decision = &passage->judgement.decision;
    const HfPassage *macro = passage->request->within;
    gboolean same = runs_what_was_assessed(passage, error);
    if (*error)
        return FALSE;
    if (same && decision->action <= passage->request->weighed) {
        if (decision->action == HF_POLICY_ACTION_ASK)
            decision->approval_id = g_strdup(macro->judgement.decision.approval_id);
        return TRUE;
    }
    return macro->flow->macro && refuse_step_of_macro(passage, !same, error);
}

json_t *hf_flow_describe(const HfFlow *flow)
{
    json_t *list = json_array();
    g_autoptr(json_t) none = json_array();
    for (guint i = 0; i < flow->calls->len; i++) {
        const HfFlowStep *step = flow->calls->pdata[i];
        json_t *entry = json_pack(
            "{s:i, s:s, s:s, s:s, s:O, s:s, s:s}", "index", (int)i, "tool", step->tool->name,
            "title", step->tool->title, "risk", hf_risk_name(step->risk), "rules",
            step->rules ? step->rules : none, "decision",
            step->open ? "later" : hf_policy_action_name(step->decision.action), "decided_by",
            step->decision.by ? step->decision.by : "");
        if (step->open)
            json_object_set_new(entry, "depends", json_true());
        if (!flow->macro)
            json_object_set_new(entry, "place", json_string(step->place));
        if (step->tool->target == HF_TARGET_FOCUS)
            json_object_set_new(entry, "types", json_true());
        json_array_append_new(list, entry);
    }
    return list;
}

void hf_flow_show_lines(const HfFlow *flow, json_t *described)
{
    for (guint i = 0; i < flow->calls->len; i++) {
        const HfFlowStep *step = flow->calls->pdata[i];
        if (step->line)
            json_object_set_new(json_array_get(described, i), "line", hf_json_text(step->line));
        if (step->scripts)
            json_object_set(json_array_get(described, i), "scripts", step->scripts);
        if (!flow->macro)
            json_object_set(json_array_get(described, i), "params", step->params);
    }
}

/* The first call with a target. In a workflow that counts only for the first step, if it runs
 * unconditionally and its parameters are known. */
static guint find_shown_call(const HfFlow *flow)
{
    const HfFlowStep *first = flow->steps->pdata[0];
    guint shown = 0;
    if (!flow->macro)
        return first->tool && first->tool->target != HF_TARGET_NOTHING && !first->open &&
                       !first->when && !first->each
                   ? 0
                   : flow->calls->len;
    while (shown < flow->calls->len &&
           ((HfFlowStep *)flow->calls->pdata[shown])->tool->target == HF_TARGET_NOTHING)
        shown++;
    return shown;
}

HfResult *hf_flow_preview_first_target(HfPassage *passage, const HfDeadline *deadline)
{
    HfFlow *flow = passage->flow;
    HfGuard *guard = passage->guard;
    flow->shown_call = find_shown_call(flow);
    if (flow->shown_call < flow->calls->len) {
        const HfFlowStep *step = flow->calls->pdata[flow->shown_call];
        HfErrand errand = {.tool = step->tool,
                           .params = step->checked,
                           .deadline = deadline,
                           .preview = TRUE,
                           .fence = passage->errand.fence};
        HfResult *seen = guard->perform(guard->data, passage->desktop, &errand, NULL);
        hf_result_free(errand.ret_witness);
        if (seen)
            return seen;
    }
    flow->shown_call = flow->calls->len; /* an earlier step may have to create the target */
    return hf_result_new(json_pack("{s:{s:s}}", "target", "kind", "nothing"));
}

gboolean hf_flow_remember(const HfPassage *passage, GError **error)
{
    const HfFlow *flow = passage->flow;
    for (guint i = 0; i < flow->calls->len; i++) {
        const HfFlowStep *step = flow->calls->pdata[i];
        if (!step->open && step->decision.action == HF_POLICY_ACTION_ASK &&
            !step->decision.approval_id && step->decision.memory == HF_MEMORY_FIRST_TIME &&
            !hf_approvals_remember(passage->guard->approvals, step->call, "pattern", 0,
                                   "first_time", error))
            return FALSE;
    }
    return TRUE;
}
