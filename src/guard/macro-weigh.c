/* Step 5c: is every step of a macro allowed? Each is led through the same steps of the guard as
 * when it is done, up to the owner's agreement, and nothing is done. A step that comes after one
 * which looks is weighed as one of a run that has read what is there. */
#include <string.h>

#include "base/error.h"
#include "guard/judge.h"
#include "guard/macro.h"
#include "guard/prompts.h"
#include "guard/typed-line.h"
#include "tool/registry.h"

static gboolean takes_pictures(const GPtrArray *steps)
{
    for (guint i = 0; i < steps->len; i++) {
        const HfMacroStep *step = steps->pdata[i];
        if (step->pictures[0] || step->pictures[1])
            return TRUE;
    }
    return FALSE;
}

gboolean hf_macro_read(HfPassage *passage, GError **error)
{
    g_autoptr(GPtrArray) steps = hf_macro_steps_new(passage->params, error);
    if (!steps)
        return FALSE;
    HfMacro *macro = passage->macro = g_new0(HfMacro, 1);
    macro->aimed = steps->len;
    if (takes_pictures(steps))
        macro->picture = hf_macro_step_new(hf_registry_find("screenshot"), json_object());
    macro->steps = g_steal_pointer(&steps);
    return TRUE;
}

void hf_macro_free(HfMacro *macro)
{
    if (!macro)
        return;
    g_ptr_array_unref(macro->steps);
    hf_macro_step_free(macro->picture);
    g_free(macro);
}

json_t *hf_macro_dup_params(const HfPassage *passage, const HfMacroStep *step)
{
    static const char *const handed_on[] = {"desktop", "project", "grant", "reason"};
    json_t *params = json_copy(step->params);
    for (gsize i = 0; i < G_N_ELEMENTS(handed_on); i++) {
        json_t *value = json_object_get(passage->request->params, handed_on[i]);
        if (value && !json_object_get(params, handed_on[i]))
            json_object_set(params, handed_on[i], value);
    }
    json_object_set_new(params, "run_id", hf_json_text(passage->answer->run_id));
    return params;
}

HfRequest hf_macro_request(const HfPassage *passage, const HfMacroStep *step, json_t *params)
{
    HfRequest request = *passage->request;
    request.tool = step->tool->name;
    request.params = params;
    request.cancellable = passage->cancellable;
    request.within = passage;
    request.weighed = step->decision.action;
    request.in_haste = TRUE;
    return request;
}

/* What is found of a step stays with it. */
static void keep(HfMacroStep *step, HfPassage *found)
{
    step->checked = json_incref(found->params);
    step->rules = json_incref(found->rules);
    step->risk = found->risk;
    step->line = g_strdup(found->line);
    step->call = hf_judge_new_call(found);
    if (found->decision.action == HF_ACTION_ASK && hf_judge_is_remembered(found, step->call))
        step->decision.approval_id = g_strdup(found->decision.approval_id);
    step->decision.action = found->decision.action;
    step->decision.memory = found->decision.memory;
    step->decision.by = g_strdup(found->decision.by);
}

static gboolean weigh_step(HfPassage *macro, HfMacroStep *step, gboolean tainted, HfTypedLine *line,
                           GError **error)
{
    g_autoptr(json_t) params = hf_macro_dup_params(macro, step);
    HfRequest request = hf_macro_request(macro, step, params);
    HfPassage passage = {.guard = macro->guard,
                         .request = &request,
                         .config = hf_config_ref(macro->config),
                         .cancellable = macro->cancellable,
                         .tainted = tainted,
                         .ahead = line};
    passage.answer = hf_answer_new(step->tool->name, macro->answer->run_id);
    gboolean passed = hf_step_well_formed(&passage, error) && hf_step_allowed(&passage, error) &&
                      hf_step_weigh(&passage, error) && hf_step_within_grant(&passage, error) &&
                      hf_step_judge(&passage, error);
    if (passed) {
        keep(step, &passage);
        hf_prompts_go_ahead(&passage);
        macro->risk = MAX(macro->risk, passage.risk);
        macro->needs = MAX(macro->needs, passage.needs);
        macro->effects |= passage.effects & ~HF_EFFECT_NONE;
        json_array_extend(macro->rules, passage.rules);
    }
    hf_passage_clear(&passage);
    hf_answer_free(passage.answer);
    return passed;
}

/* Whether what comes after may have read something of others by it. An error can name windows. */
static gboolean taints(const HfMacroStep *step)
{
    return (step->tool->reads & ~HF_READS_NOTHING) || step->on_failure != HF_ON_FAILURE_STOP ||
           step->pictures[0] || step->pictures[1] || hf_json_bool(step->params, "verify", FALSE);
}

static gboolean weigh_all(HfPassage *passage, GError **error)
{
    HfMacro *macro = passage->macro;
    gboolean tainted = passage->tainted;
    g_autoptr(HfTypedLine) line = hf_prompts_dup_line(passage->guard->prompts, passage->desktop);
    for (guint i = 0; i < macro->steps->len; i++) {
        HfMacroStep *step = macro->steps->pdata[i];
        gboolean before = step->pictures[0] || step->on_failure == HF_ON_FAILURE_RETRY;
        if (!weigh_step(passage, step, tainted || before, line, error)) {
            hf_macro_blame(i, step->tool->name, error);
            return FALSE;
        }
        tainted = tainted || taints(step);
    }
    return !macro->picture || weigh_step(passage, macro->picture, TRUE, line, error);
}

gboolean hf_step_weigh_steps(HfPassage *passage, GError **error)
{
    if (!passage->macro)
        return TRUE;
    passage->needs = HF_NEEDS_NEITHER;
    if (!weigh_all(passage, error))
        return FALSE;
    if (json_array_size(passage->rules) > 0 && !passage->answer->rules)
        passage->answer->rules = json_incref(passage->rules);
    return TRUE;
}

static void tighten_by(HfDecision *decision, const HfMacroStep *step, const char *name)
{
    if (step->decision.approval_id) /* the owner has said yes to this step before */
        return;
    HfDecision own = {.action = step->decision.action,
                      .memory = step->decision.memory == HF_MEMORY_NEVER ? HF_MEMORY_NEVER
                                                                         : HF_MEMORY_IF_TOLD,
                      .by = g_strdup_printf("%s: %s", name, step->decision.by)};
    hf_decision_tighten(decision, own);
}

void hf_macro_tighten(HfPassage *passage)
{
    const HfMacro *macro = passage->macro;
    for (guint i = 0; i < macro->steps->len; i++) {
        g_autofree char *name = g_strdup_printf("steps[%u]", i);
        tighten_by(&passage->decision, macro->steps->pdata[i], name);
    }
    if (macro->picture)
        tighten_by(&passage->decision, macro->picture, "screenshot");
}

gboolean hf_macro_check_weighed(HfPassage *passage, GError **error)
{
    HfDecision *decision = &passage->decision;
    const HfPassage *macro = passage->request->within;
    if (decision->action <= passage->request->weighed) {
        if (decision->action == HF_ACTION_ASK)
            decision->approval_id = g_strdup(macro->decision.approval_id);
        return TRUE;
    }
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "the macro was allowed before it began, but by now the owner would be asked about this "
            "step (%s)",
            decision->by);
    hf_error_suggest(error, "run the rest as a new macro");
    return FALSE;
}

json_t *hf_macro_describe(const HfMacro *macro)
{
    json_t *list = json_array();
    for (guint i = 0; i < macro->steps->len; i++) {
        const HfMacroStep *step = macro->steps->pdata[i];
        json_t *told = json_pack("{s:i, s:s, s:s, s:s, s:O, s:s, s:s}", "index", (int)i, "tool",
                                 step->tool->name, "title", step->tool->title, "risk",
                                 hf_risk_name(step->risk), "rules", step->rules, "decision",
                                 hf_action_name(step->decision.action), "decided_by",
                                 step->decision.by ? step->decision.by : "");
        if (step->tool->target == HF_TARGET_FOCUS)
            json_object_set_new(told, "types", json_true());
        json_array_append_new(list, told);
    }
    return list;
}

void hf_macro_show_lines(const HfMacro *macro, json_t *described)
{
    for (guint i = 0; i < macro->steps->len; i++) {
        const HfMacroStep *step = macro->steps->pdata[i];
        if (step->line)
            json_object_set_new(json_array_get(described, i), "line", hf_json_text(step->line));
    }
}

HfResult *hf_macro_look(HfPassage *passage, const HfDeadline *deadline)
{
    HfMacro *macro = passage->macro;
    HfGuard *guard = passage->guard;
    macro->aimed = 0;
    while (macro->aimed < macro->steps->len &&
           ((HfMacroStep *)macro->steps->pdata[macro->aimed])->tool->target == HF_TARGET_NOTHING)
        macro->aimed++;
    if (macro->aimed < macro->steps->len) {
        const HfMacroStep *step = macro->steps->pdata[macro->aimed];
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
    macro->aimed = macro->steps->len; /* an earlier step may have to bring it about */
    return hf_result_new(json_pack("{s:{s:s}}", "target", "kind", "nothing"));
}

gboolean hf_macro_remember(const HfPassage *passage, GError **error)
{
    const HfMacro *macro = passage->macro;
    for (guint i = 0; i < macro->steps->len; i++) {
        const HfMacroStep *step = macro->steps->pdata[i];
        if (step->decision.action == HF_ACTION_ASK && !step->decision.approval_id &&
            step->decision.memory == HF_MEMORY_FIRST_TIME &&
            !hf_approvals_remember(passage->guard->approvals, step->call, "pattern", 0,
                                   "first_time", error))
            return FALSE;
    }
    return TRUE;
}
