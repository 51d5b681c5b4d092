/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a flow, step after step, on the caller's thread. The report of a step is the answer of its
 * own call. A flow that ends early names the steps that it began, in the error's details as
 * {"done": {"steps": [...]}}, and claims nothing about the others. */
#include "desk/guard/flow/flow.h"

#include "desk/guard/background/operations.h"
#include "desk/guard/flow/flow-condition.h"
#include "desk/guard/flow/flow-references.h"
#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/registry.h"

/* One run of a flow: the report of its steps, and what later steps can refer to. */
typedef struct Execution {
    HfPassage *passage;
    const HfDeadline *deadline; /* of the current step or group */
    HfResult *result;           /* becomes the answer */
    json_t *steps;              /* the entry of each step; borrowed from `result` */
    json_t *named;              /* the same entries by name, the latest of each */
    const HfFlowItem *items;    /* the loops around */
    gsize bytes;                /* of binary parts */
    gsize kept;                 /* of results */
    guint failed, skipped;
    guint steps_counted; /* steps begun or skipped */
    gboolean is_over;    /* stop, whatever the steps say */
} Execution;

/* ---- calling a step's tool ---- */

static HfFlowScope execution_scope(const Execution *execution, const json_t *result)
{
    return (HfFlowScope){.steps = execution->named,
                         .vars = json_object_get(execution->passage->params, "vars"),
                         .result = result,
                         .items = execution->items};
}

/* A command must be the caller's own text: text that others wrote never becomes one. */
static gboolean is_command_param(const HfTool *tool, const char *name)
{
    const HfParam *param = hf_param_find(tool->params, name);
    return param && param->means == HF_MEANS_COMMAND;
}

static json_t *fill_params(const Execution *execution, const HfFlowStep *step, GError **error)
{
    HfFlowScope scope = execution_scope(execution, NULL);
    g_autoptr(json_t) filled = json_object();
    const char *name;
    json_t *value;
    if (!step->open)
        return json_incref(step->params);
    json_object_foreach (step->params, name, value) {
        json_t *own = hf_flow_substitute(value, &scope, is_command_param(step->tool, name), error);
        if (!own)
            return NULL;
        json_object_set_new(filled, name, own);
    }
    return g_steal_pointer(&filled);
}

/* Whether the owner saw this step's target: then it must still hit it. */
static gboolean is_shown_call(const HfFlow *flow, const HfFlowStep *step)
{
    return flow->shown_call < flow->calls->len && flow->calls->pdata[flow->shown_call] == step;
}

/* Calls the tool of a step. Never NULL. */
static HfAnswer *call_step_tool(Execution *execution, const HfFlowStep *step)
{
    HfPassage *passage = execution->passage;
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) own = fill_params(execution, step, &problem);
    if (!own) {
        HfAnswer *answer = hf_answer_new(step->tool->name, passage->answer->run_id);
        answer->error = g_steal_pointer(&problem);
        return answer;
    }
    g_autoptr(json_t) params = hf_flow_dup_params(passage, own);
    gint64 limit = hf_json_int(params, "timeout_ms", step->tool->timeout_ms);
    limit = MIN(limit, hf_deadline_left_ms(execution->deadline)); /* never beyond the flow's */
    json_object_set_new(params, "timeout_ms", json_integer(MAX(1, limit)));
    if (passage->dry_run)
        json_object_set_new(params, "dry_run", json_true());
    HfRequest request = hf_flow_request(passage, step, params);
    request.expect =
        is_shown_call(passage->flow, step) && !passage->dry_run ? passage->expect : NULL;
    HfAnswer *answer = hf_guard_call(passage->guard, &request);
    passage->inner_reads |= answer->untrusted;
    return answer;
}

/* Moves binary parts to the same place in the flow's result. When they exceed the limit, their size
 * is reported instead. */
static void take_result_parts(Execution *execution, const char *place, const HfResult *from,
                              json_t *entry)
{
    for (guint i = 0; i < from->attachments->len; i++) {
        const HfAttachment *part = from->attachments->pdata[i];
        gsize size = g_bytes_get_size(part->bytes);
        if (execution->bytes + size > HF_LIMIT_MACRO_BYTES) {
            json_object_set_new(entry, part->field,
                                json_pack("{s:b, s:I}", "kept", 0, "bytes", (json_int_t)size));
            continue;
        }
        g_autofree char *field = g_strconcat(place, "/", part->field, NULL);
        hf_result_add_attachment(execution->result, field, part->media_type,
                                 g_bytes_ref(part->bytes));
        execution->bytes += size;
    }
}

static void report_result(Execution *execution, const char *place, const HfAnswer *answer,
                          json_t *entry, const char *name)
{
    g_autofree char *whole = g_strconcat(place, "/", name, NULL);
    gsize size = json_dumpb(answer->result->json, NULL, 0, JSON_COMPACT);
    if (execution->kept + size > HF_LIMIT_FLOW_RESULT_BYTES) {
        json_object_set_new(entry, name,
                            json_pack("{s:b, s:I}", "kept", 0, "bytes", (json_int_t)size));
        return;
    }
    execution->kept += size;
    json_t *own = json_copy(answer->result->json);
    take_result_parts(execution, whole, answer->result, own);
    json_object_set_new(entry, name, own);
}

static void take_step_picture(Execution *execution, const char *place, json_t *entry,
                              const char *moment)
{
    g_autoptr(HfAnswer) answer = call_step_tool(execution, execution->passage->flow->picture);
    g_autofree char *within = g_strconcat(place, "/screenshots", NULL);
    json_t *pictures = json_object_get(entry, "screenshots");
    if (!pictures) {
        pictures = json_object();
        json_object_set_new(entry, "screenshots", pictures);
    }
    if (answer->error)
        json_object_set_new(pictures, moment,
                            json_pack("{s:o}", "error", hf_error_to_json(answer->error)));
    else
        report_result(execution, within, answer, pictures, moment);
}

/* Fills the entry of a step; `place` is the path of that entry in the result. */
static void report_step(Execution *execution, const char *place, const HfAnswer *answer,
                        json_t *entry)
{
    json_object_set_new(entry, "ok", json_boolean(!answer->error));
    json_object_set_new(entry, "step_id", json_string(answer->step_id));
    if (answer->effect)
        json_object_set(entry, "effect", answer->effect);
    if (answer->error)
        json_object_set_new(entry, "error", hf_error_to_json(answer->error));
    if (answer->result)
        report_result(execution, place, answer, entry, "result");
}

static gboolean run_list(Execution *execution, const GPtrArray *steps, GError **error);

/* ---- the report ---- */

static json_t *new_step_entry(const Execution *execution, const HfFlowStep *step)
{
    const HfFlow *flow = execution->passage->flow;
    json_t *entry = json_object();
    json_object_set_new(entry, "index",
                        json_integer((json_int_t)json_array_size(execution->steps)));
    if (step->tool)
        json_object_set_new(entry, "tool", json_string(step->tool->name));
    if (flow->macro)
        return entry;
    json_object_set_new(entry, "place", json_string(step->place));
    if (step->name)
        json_object_set_new(entry, "name", json_string(step->name));
    if (execution->items)
        json_object_set(entry, "iteration", execution->items->index);
    return entry;
}

static void add_entry(Execution *execution, const HfFlowStep *step, json_t *take_entry)
{
    if (step->name)
        json_object_set(execution->named, step->name, take_entry);
    json_array_append_new(execution->steps, take_entry);
}

static void report_skipped(Execution *execution, const HfFlowStep *step)
{
    json_t *entry = new_step_entry(execution, step);
    json_object_set_new(entry, "ok", json_false());
    json_object_set_new(entry, "skipped", json_true());
    json_object_set_new(entry, "attempts", json_integer(0));
    json_object_set_new(entry, "duration_ms", json_real(0));
    add_entry(execution, step, entry);
    execution->skipped++;
}

static void report_progress(const Execution *execution, const HfFlowStep *step)
{
    const HfPassage *passage = execution->passage;
    if (passage->request->operation)
        hf_operation_set_progress(passage->request->operation,
                                  json_pack("{s:i, s:i, s:s}", "done",
                                            (int)json_array_size(execution->steps), "steps",
                                            (int)passage->flow->calls->len, "at", step->place));
}

/* ---- a call ---- */

/* Turns an answer into an error if the step's `until` does not hold. */
static void check_until(const Execution *execution, const HfFlowStep *step, HfAnswer *answer)
{
    if (!step->until || answer->error)
        return;
    HfFlowScope scope = execution_scope(execution, answer->result->json);
    g_autoptr(GError) problem = NULL;
    if (hf_flow_condition_holds(step->until, &scope, &problem))
        return;
    if (problem)
        g_propagate_error(&answer->error, g_steal_pointer(&problem));
    else
        hf_fail(&answer->error, HF_ERROR_PRECONDITION_FAILED,
                "the step was done, but its `until` condition does not hold");
}

/* Tries until the step succeeds or must not be retried. */
static HfAnswer *attempt_step(Execution *execution, const HfFlowStep *step, guint *attempts)
{
    for (*attempts = 1;; ++*attempts) {
        HfAnswer *answer = call_step_tool(execution, step);
        check_until(execution, step, answer);
        if (!answer->error || *attempts > step->retries || !hf_flow_may_retry(step, answer->error))
            return answer;
        if (!hf_deadline_pause(execution->deadline, step->retry_delay_ms * (gint64)1000, NULL))
            return answer;
        hf_answer_free(answer);
    }
}

static gboolean run_call(Execution *execution, const HfFlowStep *step, GError **error)
{
    g_autofree char *place = g_strdup_printf("steps/%zu", json_array_size(execution->steps));
    json_t *entry = new_step_entry(execution, step);
    gint64 began = g_get_monotonic_time();
    guint attempts = 0;
    if (step->pictures[0])
        take_step_picture(execution, place, entry, "before");
    g_autoptr(HfAnswer) answer = attempt_step(execution, step, &attempts);
    report_step(execution, place, answer, entry);
    json_object_set_new(entry, "attempts", json_integer(attempts));
    if (step->pictures[1] && !(answer->error && hf_flow_error_is_fatal(answer->error)))
        take_step_picture(execution, place, entry, "after");
    json_object_set_new(entry, "duration_ms",
                        json_real((double)(g_get_monotonic_time() - began) / 1000));
    add_entry(execution, step, entry);
    if (!answer->error)
        return TRUE;
    execution->failed++;
    execution->is_over = execution->is_over || hf_flow_error_is_fatal(answer->error);
    g_propagate_error(error, g_steal_pointer(&answer->error));
    hf_flow_add_step_to_error(step, error);
    return FALSE;
}

/* ---- a step ---- */

/* After a failure: the alternative, the next step, or the end. Takes the error. */
static gboolean react_to_failure(Execution *execution, const HfFlowStep *step, GError *take_problem,
                                 GError **error)
{
    g_autoptr(GError) problem = take_problem;
    if (!execution->is_over && step->otherwise && hf_deadline_check(execution->deadline, NULL)) {
        g_clear_error(&problem);
        if (run_list(execution, step->otherwise, &problem))
            return TRUE;
    }
    if (!execution->is_over && step->on_failure == HF_ON_FAILURE_CONTINUE)
        return hf_deadline_check(execution->deadline, error);
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

/* Counts each iteration and each skipped step. */
static gboolean count_step(Execution *execution, GError **error)
{
    if (++execution->steps_counted <= HF_LIMIT_FLOW_CALLS)
        return TRUE;
    execution->is_over = TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                   "a flow runs at most %d steps, counting each iteration", HF_LIMIT_FLOW_CALLS);
}

static gboolean run_once(Execution *execution, const HfFlowStep *step, GError **error)
{
    const HfDeadline *outer = execution->deadline;
    HfDeadline own = step->timeout_ms ? hf_deadline_within_ms(outer, step->timeout_ms) : *outer;
    GError *problem = NULL;
    if (!count_step(execution, error))
        return FALSE;
    execution->deadline = &own;
    gboolean done = step->tool ? run_call(execution, step, &problem)
                               : run_list(execution, step->steps, &problem);
    execution->deadline = outer;
    if (!step->tool && step->name)
        json_object_set_new(execution->named, step->name, json_pack("{s:b}", "ok", done));
    return done || react_to_failure(execution, step, problem, error);
}

/* The list of a loop. Owned. */
static json_t *loop_list_of(const Execution *execution, const HfFlowStep *step, GError **error)
{
    HfFlowScope scope = execution_scope(execution, NULL);
    g_autoptr(json_t) list = hf_flow_substitute(step->each, &scope, FALSE, error);
    if (!list)
        return NULL;
    if (!json_is_array(list))
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "for_each does not refer to a list");
    else if (json_array_size(list) > HF_LIMIT_FLOW_ITEMS)
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "for_each takes at most %d members, not %zu",
                HF_LIMIT_FLOW_ITEMS, json_array_size(list));
    else
        return g_steal_pointer(&list);
    return NULL;
}

static gboolean is_own_list(const json_t *each)
{
    return json_is_array(each) ? !hf_flow_has_reference(each)
                               : g_str_has_prefix(json_string_value(each), "${vars.");
}

static gboolean run_each(Execution *execution, const HfFlowStep *step, GError **error)
{
    GError *problem = NULL;
    g_autoptr(json_t) list = loop_list_of(execution, step, &problem);
    const HfFlowItem *outer = execution->items;
    gboolean goes_on = TRUE;
    if (!list) {
        execution->failed++;
        hf_flow_add_step_to_error(step, &problem);
        return react_to_failure(execution, step, problem, error);
    }
    for (size_t i = 0; goes_on && i < json_array_size(list); i++) {
        g_autoptr(json_t) index = json_integer((json_int_t)i);
        HfFlowItem item = {.as = step->as,
                           .value = json_array_get(list, i),
                           .index = index,
                           .own = is_own_list(step->each),
                           .outer = outer};
        execution->items = &item;
        goes_on = run_once(execution, step, error);
    }
    execution->items = outer;
    return goes_on;
}

static gboolean run_step(Execution *execution, const HfFlowStep *step, GError **error)
{
    HfFlowScope scope = execution_scope(execution, NULL);
    GError *problem = NULL;
    report_progress(execution, step);
    if (!hf_deadline_pause(execution->deadline, hf_flow_delay_us(step, g_random_double()), error))
        return FALSE;
    if (step->when && !hf_flow_condition_holds(step->when, &scope, &problem)) {
        if (problem) {
            execution->failed++;
            hf_flow_add_step_to_error(step, &problem);
            return react_to_failure(execution, step, problem, error);
        }
        report_skipped(execution, step);
        if (!count_step(execution, error))
            return FALSE;
        return !step->instead || run_list(execution, step->instead, error);
    }
    return step->each ? run_each(execution, step, error) : run_once(execution, step, error);
}

static gboolean run_list(Execution *execution, const GPtrArray *steps, GError **error)
{
    for (guint i = 0; i < steps->len; i++)
        if (!run_step(execution, steps->pdata[i], error))
            return FALSE;
    return TRUE;
}

/* ---- the whole flow ---- */

/* The caller must learn what was done, above all when the rest was not. */
static void report_done(const Execution *execution, GError **error)
{
    g_autoptr(json_t) json = hf_error_to_json(*error);
    const json_t *former = json_object_get(json, "details");
    json_t *details = former ? json_copy((json_t *)former) : json_object();
    json_object_set_new(details, "done", json_pack("{s:O}", "steps", execution->steps));
    hf_error_take_details(error, details);
}

HfResult *hf_flow_run(HfPassage *passage, GError **error)
{
    json_t *steps = json_array();
    g_autoptr(json_t) named = json_object();
    g_autoptr(HfResult) result = hf_result_new(json_pack("{s:o}", "steps", steps));
    Execution execution = {.passage = passage,
                           .deadline = &passage->deadline,
                           .result = result,
                           .steps = steps,
                           .named = named};
    if (!run_list(&execution, passage->flow->steps, error)) {
        report_done(&execution, error);
        return NULL;
    }
    json_object_set_new(result->json, "failed", json_integer(execution.failed));
    if (!passage->flow->macro)
        json_object_set_new(result->json, "skipped", json_integer(execution.skipped));
    return g_steal_pointer(&result);
}

/* ---- a dry run ---- */

static json_t *preview_list(Execution *execution, const GPtrArray *steps, const char *place);

static void preview_inner(Execution *execution, const GPtrArray *steps, const char *place,
                          const char *member, json_t *entry)
{
    g_autofree char *within = g_strconcat(place, "/", member, NULL);
    if (steps)
        json_object_set_new(entry, member, preview_list(execution, steps, within));
}

static void preview_rest(Execution *execution, const HfFlowStep *step, const char *place,
                         json_t *entry)
{
    json_t *values[] = {step->when, step->each, step->until};
    static const char *const names[] = {"if", "for_each", "until"};
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++)
        if (values[i])
            json_object_set(entry, names[i], values[i]);
    if (step->retries)
        json_object_set_new(entry, "retries", json_integer(step->retries));
    preview_inner(execution, step->steps, place, "steps", entry);
    preview_inner(execution, step->instead, place, "else", entry);
    preview_inner(execution, step->otherwise, place, "otherwise", entry);
}

/* As the desktop is now: nobody knows what earlier steps would change. */
static json_t *preview_step(Execution *execution, const HfFlowStep *step, guint index,
                            const char *place)
{
    json_t *entry = json_pack("{s:i}", "index", (int)index);
    if (step->tool)
        json_object_set_new(entry, "tool", json_string(step->tool->name));
    if (step->name)
        json_object_set_new(entry, "name", json_string(step->name));
    if (step->open) {
        json_object_set_new(entry, "depends", json_true());
    } else if (step->tool && hf_deadline_check(execution->deadline, NULL)) {
        g_autoptr(HfAnswer) answer = call_step_tool(execution, step);
        report_step(execution, place, answer, entry);
    }
    preview_rest(execution, step, place, entry);
    return entry;
}

static json_t *preview_list(Execution *execution, const GPtrArray *steps, const char *place)
{
    json_t *list = json_array();
    for (guint i = 0; i < steps->len; i++) {
        g_autofree char *own = g_strdup_printf("%s/%u", place, i);
        json_array_append_new(list, preview_step(execution, steps->pdata[i], i, own));
    }
    return list;
}

HfResult *hf_flow_preview(HfPassage *passage, GError **error)
{
    const HfFlow *flow = passage->flow;
    json_t *target = json_pack("{s:s}", "kind", flow->macro ? "macro" : "workflow");
    g_autoptr(HfResult) result = hf_result_new(json_pack("{s:o}", "target", target));
    Execution execution = {.passage = passage, .deadline = &passage->deadline, .result = result};
    json_object_set_new(target, "steps", preview_list(&execution, flow->steps, "target/steps"));
    return hf_deadline_check(&passage->deadline, error) ? g_steal_pointer(&result) : NULL;
}

static void drop_look_results_in(json_t *steps)
{
    hf_json_each (step, steps) {
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
    drop_look_results_in(json_object_get(json_object_get(recorded, "result"), "steps"));
    drop_look_results_in(json_object_get(done, "steps"));
}
