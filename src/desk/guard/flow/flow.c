/* SPDX-License-Identifier: Apache-2.0 */
/* Doing a flow, step after step, on the caller's thread. What is told of a step is what its own
 * call has answered; a flow that ends early tells which steps were begun, in the error's details as
 * {"done": {"steps": [...]}}, and claims nothing of the others. */
#include "desk/guard/flow/flow.h"

#include <string.h>

#include "desk/guard/background/operations.h"
#include "desk/guard/flow/flow-condition.h"
#include "desk/guard/flow/flow-execution.h"
#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/registry.h"

static gboolean play_list(HfFlowExecution *play, const GPtrArray *steps, GError **error);

/* ---- what is told ---- */

static json_t *new_step_entry(const HfFlowExecution *play, const HfFlowStep *step)
{
    const HfFlow *flow = play->passage->flow;
    json_t *told = json_object();
    json_object_set_new(told, "index", json_integer((json_int_t)json_array_size(play->steps)));
    if (step->tool)
        json_object_set_new(told, "tool", json_string(step->tool->name));
    if (flow->macro)
        return told;
    json_object_set_new(told, "place", json_string(step->place));
    if (step->name)
        json_object_set_new(told, "name", json_string(step->name));
    if (play->items)
        json_object_set(told, "iteration", play->items->index);
    return told;
}

static void add_entry(HfFlowExecution *play, const HfFlowStep *step, json_t *take_told)
{
    if (step->name)
        json_object_set(play->named, step->name, take_told);
    json_array_append_new(play->steps, take_told);
}

static void tell_skipped(HfFlowExecution *play, const HfFlowStep *step)
{
    json_t *told = new_step_entry(play, step);
    json_object_set_new(told, "ok", json_false());
    json_object_set_new(told, "skipped", json_true());
    json_object_set_new(told, "attempts", json_integer(0));
    json_object_set_new(told, "duration_ms", json_real(0));
    add_entry(play, step, told);
    play->skipped++;
}

static void tell_progress(const HfFlowExecution *play, const HfFlowStep *step)
{
    const HfPassage *passage = play->passage;
    if (passage->request->operation)
        hf_operation_set_progress(passage->request->operation,
                                  json_pack("{s:i, s:i, s:s}", "done",
                                            (int)json_array_size(play->steps), "steps",
                                            (int)passage->flow->calls->len, "at", step->place));
}

/* ---- a call ---- */

/* Whether the answer is what the step waits for; else it becomes an error. */
static void hold_to_until(const HfFlowExecution *play, const HfFlowStep *step, HfAnswer *answer)
{
    if (!step->until || answer->error)
        return;
    HfFlowScope scope = hf_flow_execution_scope(play, answer->result->json);
    g_autoptr(GError) problem = NULL;
    if (hf_flow_condition_holds(step->until, &scope, &problem))
        return;
    if (problem)
        g_propagate_error(&answer->error, g_steal_pointer(&problem));
    else
        hf_fail(&answer->error, HF_ERROR_PRECONDITION_FAILED,
                "it was done, but what `until` asks for does not hold");
}

/* Until it is done, or must not be tried again. */
static HfAnswer *attempt_step(HfFlowExecution *play, const HfFlowStep *step, guint *attempts)
{
    for (*attempts = 1;; ++*attempts) {
        HfAnswer *answer = hf_flow_execution_call(play, step);
        hold_to_until(play, step, answer);
        if (!answer->error || *attempts > step->retries || !hf_flow_may_retry(step, answer->error))
            return answer;
        if (!hf_deadline_pause(play->deadline, step->retry_delay_ms * (gint64)1000, NULL))
            return answer;
        hf_answer_free(answer);
    }
}

static gboolean play_call(HfFlowExecution *play, const HfFlowStep *step, GError **error)
{
    g_autofree char *place = g_strdup_printf("steps/%zu", json_array_size(play->steps));
    json_t *told = new_step_entry(play, step);
    gint64 began = g_get_monotonic_time();
    guint attempts = 0;
    if (step->pictures[0])
        hf_flow_execution_take_picture(play, place, told, "before");
    g_autoptr(HfAnswer) answer = attempt_step(play, step, &attempts);
    hf_flow_execution_report_step(play, place, answer, told);
    json_object_set_new(told, "attempts", json_integer(attempts));
    if (step->pictures[1] && !(answer->error && hf_flow_error_is_fatal(answer->error)))
        hf_flow_execution_take_picture(play, place, told, "after");
    json_object_set_new(told, "duration_ms",
                        json_real((double)(g_get_monotonic_time() - began) / 1000));
    add_entry(play, step, told);
    if (!answer->error)
        return TRUE;
    play->failed++;
    play->is_over = play->is_over || hf_flow_error_is_fatal(answer->error);
    g_propagate_error(error, g_steal_pointer(&answer->error));
    hf_flow_add_step_to_error(step, error);
    return FALSE;
}

/* ---- a step ---- */

static void name_group(HfFlowExecution *play, const HfFlowStep *step, gboolean done)
{
    if (step->name)
        json_object_set_new(play->named, step->name, json_pack("{s:b}", "ok", done));
}

/* After a failure: the alternative, the next step, or the end. Consumes the error. */
static gboolean react_to_failure(HfFlowExecution *play, const HfFlowStep *step,
                                 GError *take_problem, GError **error)
{
    g_autoptr(GError) problem = take_problem;
    if (!play->is_over && step->otherwise && hf_deadline_check(play->deadline, NULL)) {
        g_clear_error(&problem);
        if (play_list(play, step->otherwise, &problem))
            return TRUE;
    }
    if (!play->is_over && step->on_failure == HF_ON_FAILURE_CONTINUE)
        return hf_deadline_check(play->deadline, error);
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

/* Each round of a loop counts, and what is passed over. */
static gboolean count_move(HfFlowExecution *play, GError **error)
{
    if (++play->moves <= HF_LIMIT_FLOW_CALLS)
        return TRUE;
    play->is_over = TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "more than %d steps in one run",
                   HF_LIMIT_FLOW_CALLS);
}

static gboolean play_once(HfFlowExecution *play, const HfFlowStep *step, GError **error)
{
    const HfDeadline *outer = play->deadline;
    HfDeadline own = step->timeout_ms ? hf_deadline_within_ms(outer, step->timeout_ms) : *outer;
    GError *problem = NULL;
    if (!count_move(play, error))
        return FALSE;
    play->deadline = &own;
    gboolean done =
        step->tool ? play_call(play, step, &problem) : play_list(play, step->steps, &problem);
    play->deadline = outer;
    if (!step->tool)
        name_group(play, step, done);
    return done || react_to_failure(play, step, problem, error);
}

/* The list that a loop goes through. Owned. */
static json_t *loop_list_of(const HfFlowExecution *play, const HfFlowStep *step, GError **error)
{
    HfFlowScope scope = hf_flow_execution_scope(play, NULL);
    g_autoptr(json_t) list = hf_flow_substitute(step->each, &scope, FALSE, error);
    if (!list)
        return NULL;
    if (!json_is_array(list))
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "for_each leads to no list");
    else if (json_array_size(list) > HF_LIMIT_FLOW_ITEMS)
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "for_each goes through at most %d members, not %zu",
                HF_LIMIT_FLOW_ITEMS, json_array_size(list));
    else
        return g_steal_pointer(&list);
    return NULL;
}

static gboolean is_own(const json_t *each)
{
    return json_is_array(each) ? !hf_flow_has_reference(each)
                               : g_str_has_prefix(json_string_value(each), "${vars.");
}

static gboolean play_each(HfFlowExecution *play, const HfFlowStep *step, GError **error)
{
    GError *problem = NULL;
    g_autoptr(json_t) list = loop_list_of(play, step, &problem);
    const HfFlowItem *outer = play->items;
    gboolean goes_on = TRUE;
    if (!list) {
        play->failed++;
        hf_flow_add_step_to_error(step, &problem);
        return react_to_failure(play, step, problem, error);
    }
    for (size_t i = 0; goes_on && i < json_array_size(list); i++) {
        g_autoptr(json_t) index = json_integer((json_int_t)i);
        HfFlowItem item = {.as = step->as,
                           .value = json_array_get(list, i),
                           .index = index,
                           .own = is_own(step->each),
                           .outer = outer};
        play->items = &item;
        goes_on = play_once(play, step, error);
    }
    play->items = outer;
    return goes_on;
}

static gboolean play_step(HfFlowExecution *play, const HfFlowStep *step, GError **error)
{
    HfFlowScope scope = hf_flow_execution_scope(play, NULL);
    GError *problem = NULL;
    tell_progress(play, step);
    if (!hf_deadline_pause(play->deadline, hf_flow_delay_us(step, g_random_double()), error))
        return FALSE;
    if (step->when && !hf_flow_condition_holds(step->when, &scope, &problem)) {
        if (problem) {
            play->failed++;
            hf_flow_add_step_to_error(step, &problem);
            return react_to_failure(play, step, problem, error);
        }
        tell_skipped(play, step);
        if (!count_move(play, error))
            return FALSE;
        return !step->instead || play_list(play, step->instead, error);
    }
    return step->each ? play_each(play, step, error) : play_once(play, step, error);
}

static gboolean play_list(HfFlowExecution *play, const GPtrArray *steps, GError **error)
{
    for (guint i = 0; i < steps->len; i++)
        if (!play_step(play, steps->pdata[i], error))
            return FALSE;
    return TRUE;
}

/* ---- the whole ---- */

/* What was done is told also, and above all, when the rest was not. */
static void tell_done(const HfFlowExecution *play, GError **error)
{
    g_autoptr(json_t) json = hf_error_to_json(*error);
    const json_t *former = json_object_get(json, "details");
    json_t *details = former ? json_copy((json_t *)former) : json_object();
    json_object_set_new(details, "done", json_pack("{s:O}", "steps", play->steps));
    hf_error_take_details(error, details);
}

HfResult *hf_flow_run(HfPassage *passage, GError **error)
{
    json_t *steps = json_array();
    g_autoptr(json_t) named = json_object();
    g_autoptr(HfResult) result = hf_result_new(json_pack("{s:o}", "steps", steps));
    HfFlowExecution play = {.passage = passage,
                            .deadline = &passage->deadline,
                            .result = result,
                            .steps = steps,
                            .named = named};
    if (!play_list(&play, passage->flow->steps, error)) {
        tell_done(&play, error);
        return NULL;
    }
    json_object_set_new(result->json, "failed", json_integer(play.failed));
    if (!passage->flow->macro)
        json_object_set_new(result->json, "skipped", json_integer(play.skipped));
    return g_steal_pointer(&result);
}

/* ---- a dry run ---- */

static json_t *preview_list(HfFlowExecution *play, const GPtrArray *steps, const char *place);

static void preview_inner(HfFlowExecution *play, const GPtrArray *steps, const char *place,
                          const char *member, json_t *told)
{
    g_autofree char *within = g_strconcat(place, "/", member, NULL);
    if (steps)
        json_object_set_new(told, member, preview_list(play, steps, within));
}

/* What a workflow would go by. */
static void preview_rest(HfFlowExecution *play, const HfFlowStep *step, const char *place,
                         json_t *told)
{
    json_t *values[] = {step->when, step->each, step->until};
    static const char *const names[] = {"if", "for_each", "until"};
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++)
        if (values[i])
            json_object_set(told, names[i], values[i]);
    if (step->retries)
        json_object_set_new(told, "retries", json_integer(step->retries));
    preview_inner(play, step->steps, place, "steps", told);
    preview_inner(play, step->instead, place, "else", told);
    preview_inner(play, step->otherwise, place, "otherwise", told);
}

/* As the desktop is now: what earlier steps would change is not known. */
static json_t *preview_step(HfFlowExecution *play, const HfFlowStep *step, guint index,
                            const char *place)
{
    json_t *told = json_pack("{s:i}", "index", (int)index);
    if (step->tool)
        json_object_set_new(told, "tool", json_string(step->tool->name));
    if (step->name)
        json_object_set_new(told, "name", json_string(step->name));
    if (step->open) {
        json_object_set_new(told, "depends", json_true());
    } else if (step->tool && hf_deadline_check(play->deadline, NULL)) {
        g_autoptr(HfAnswer) answer = hf_flow_execution_call(play, step);
        hf_flow_execution_report_step(play, place, answer, told);
    }
    preview_rest(play, step, place, told);
    return told;
}

static json_t *preview_list(HfFlowExecution *play, const GPtrArray *steps, const char *place)
{
    json_t *list = json_array();
    for (guint i = 0; i < steps->len; i++) {
        g_autofree char *own = g_strdup_printf("%s/%u", place, i);
        json_array_append_new(list, preview_step(play, steps->pdata[i], i, own));
    }
    return list;
}

HfResult *hf_flow_preview(HfPassage *passage, GError **error)
{
    const HfFlow *flow = passage->flow;
    json_t *target = json_pack("{s:s}", "kind", flow->macro ? "macro" : "workflow");
    g_autoptr(HfResult) result = hf_result_new(json_pack("{s:o}", "target", target));
    HfFlowExecution play = {.passage = passage, .deadline = &passage->deadline, .result = result};
    json_object_set_new(target, "steps", preview_list(&play, flow->steps, "target/steps"));
    return hf_deadline_check(&passage->deadline, error) ? g_steal_pointer(&result) : NULL;
}

/* ---- what is kept ---- */

static void forget_in(json_t *steps)
{
    size_t index;
    json_t *step;
    json_array_foreach (steps, index, step) {
        const HfTool *tool = hf_registry_find(hf_json_string(step, "tool", ""));
        if ((!tool || (tool->flags & HF_TOOL_READ_ONLY)) && json_object_get(step, "result"))
            json_object_set_new(step, "result", json_pack("{s:b}", "kept", 0));
        json_object_del(step, "screenshots");
    }
}

void hf_flow_drop_look_results(json_t *recorded)
{
    json_t *error = json_object_get(recorded, "error");
    json_t *done = json_object_get(json_object_get(error, "details"), "done");
    forget_in(json_object_get(json_object_get(recorded, "result"), "steps"));
    forget_in(json_object_get(done, "steps"));
}
