/* SPDX-License-Identifier: Apache-2.0 */
/* Parses run_workflow. The schema of a step is declared with the tool; steps within steps must fit
 * it too. Checked here is what the schema cannot say: a step is a call or a group, names are
 * unique, and references refer to something. */
#include <string.h>

#include "desk/guard/flow/flow-condition.h"
#include "desk/guard/flow/flow-steps.h"
#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

#define RETRY_DELAY_MS 500

typedef struct Reading {
    const HfParam *form; /* the schema of a list of steps */
    HfOnFailure on_failure;
    GHashTable *names; /* of all steps */
    const json_t *vars;
    gboolean asks;    /* in a condition, which may refer to what does not exist */
    GPtrArray *loops; /* variables of the enclosing loops */
    gboolean tries;   /* in `until`, which may refer to ${result} */
    guint count, index;
} Reading;

static GPtrArray *read_step_list(Reading *reading, const char *path, const json_t *list, int depth,
                                 GError **error);

/* ---- names ---- */

static gboolean note_name(Reading *reading, const HfFlowPlace *place, const char *name,
                          GError **error)
{
    if (!hf_flow_is_name(name))
        return hf_flow_fail_member(
            place, "name",
            "expected letters, digits, '_' and '-', and not steps, vars, result or index", error);
    return g_hash_table_add(reading->names, g_strdup(name)) ||
           hf_flow_fail_member(place, "name", "another step already has this name", error);
}

/* Collects all names before references are checked, because a reference may precede its step. */
static gboolean note_names(Reading *reading, const char *path, const json_t *list, int depth,
                           GError **error)
{
    static const char *const inner[] = {"steps", "else", "otherwise"};
    size_t index;
    json_t *step;
    json_array_foreach (list, index, step) {
        g_autofree char *own = g_strdup_printf("%s[%zu]", path, index);
        HfFlowPlace place = {own, depth == 0 ? (guint)index : reading->index, "workflow", TRUE};
        reading->index = place.index;
        const char *name = hf_json_string(step, "name", NULL);
        if (++reading->count > HF_LIMIT_FLOW_STEPS)
            return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                           "a workflow has at most %d steps, counting those within others",
                           HF_LIMIT_FLOW_STEPS);
        if (depth > HF_LIMIT_FLOW_DEPTH)
            return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%s: steps nest at most %d deep", own,
                           HF_LIMIT_FLOW_DEPTH);
        if (name && !note_name(reading, &place, name, error))
            return FALSE;
        for (gsize i = 0; i < G_N_ELEMENTS(inner); i++) {
            g_autofree char *within = g_strdup_printf("%s.%s", own, inner[i]);
            if (!note_names(reading, within, json_object_get(step, inner[i]), depth + 1, error))
                return FALSE;
        }
    }
    return TRUE;
}

static gboolean is_loop_name(const Reading *reading, const char *name)
{
    for (guint i = 0; i < reading->loops->len; i++)
        if (g_str_equal(reading->loops->pdata[i], name))
            return TRUE;
    return FALSE;
}

static gboolean check_workflow_reference(const char *root, const char *second, gpointer data,
                                         GError **error)
{
    const Reading *reading = data;
    if (strcmp(root, "vars") == 0 && second && !reading->asks &&
        !json_object_get(reading->vars, second)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no value for ${vars.%s}", second);
        hf_error_suggest(error, "pass it: \"vars\": {\"%s\": ...}, or --var %s=VALUE", second,
                         second);
        return FALSE;
    }
    if (strcmp(root, "vars") == 0 || is_loop_name(reading, root) ||
        (strcmp(root, "index") == 0 && reading->loops->len > 0) ||
        (strcmp(root, "result") == 0 && reading->tries))
        return TRUE;
    if (strcmp(root, "steps") != 0)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "${%s} is not defined here: expected steps, vars or a loop variable", root);
    return (second && g_hash_table_contains(reading->names, second)) ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS, "no step is named '%s'", second ? second : "");
}

/* Adds the member to an error. */
static gboolean place_member_error(const HfFlowPlace *place, const char *member, gboolean fine,
                                   GError **error)
{
    if (fine)
        return TRUE;
    g_autofree char *path = g_strdup_printf("%s.%s", place->path, member);
    g_prefix_error(error, "%s: ", path);
    hf_error_take_details(error, json_pack("{s:s, s:i}", "path", path, "step", (int)place->index));
    return FALSE;
}

/* ---- the members of a step ---- */

static gboolean read_condition(Reading *reading, const HfFlowPlace *place, const json_t *given,
                               const char *member, json_t **ret_condition, GError **error)
{
    json_t *condition = json_object_get(given, member);
    if (!condition)
        return TRUE;
    reading->tries = strcmp(member, "until") == 0;
    reading->asks = TRUE;
    gboolean fine = hf_flow_condition_check(condition, check_workflow_reference, reading, error);
    reading->tries = reading->asks = FALSE;
    if (!place_member_error(place, member, fine, error))
        return FALSE;
    *ret_condition = json_incref(condition);
    return TRUE;
}

/* The list is outside the scope of the loop, everything else inside. */
static gboolean read_loop(Reading *reading, const HfFlowPlace *place, const json_t *given,
                          HfFlowStep *step, GError **error)
{
    json_t *each = json_object_get(given, "for_each");
    const char *as = hf_json_string(given, "as", "item");
    if (!each)
        return !json_object_get(given, "as") ||
               hf_flow_fail_member(place, "as", "only goes with for_each", error);
    if (json_is_string(each) && !hf_flow_is_reference(json_string_value(each)))
        return hf_flow_fail_member(place, "for_each",
                                   "expected a list, or one reference: \"${...}\"", error);
    if (!hf_flow_is_name(as) || is_loop_name(reading, as))
        return hf_flow_fail_member(place, "as", "expected a name that is not used here yet", error);
    if (!place_member_error(
            place, "for_each",
            hf_flow_check_references(each, check_workflow_reference, reading, error), error))
        return FALSE;
    step->each = json_incref(each);
    step->as = g_strdup(as);
    g_ptr_array_add(reading->loops, step->as);
    return TRUE;
}

static gboolean read_inner(Reading *reading, const HfFlowPlace *place, const json_t *given,
                           const char *member, int depth, GPtrArray **ret_steps, GError **error)
{
    const json_t *list = json_object_get(given, member);
    g_autofree char *path = g_strdup_printf("%s.%s", place->path, member);
    if (!list)
        return TRUE;
    *ret_steps = read_step_list(reading, path, list, depth + 1, error);
    return *ret_steps != NULL;
}

static void read_reactions(const Reading *reading, const json_t *given, HfFlowStep *step)
{
    const json_t *retry = json_object_get(given, "retry");
    const char *on_failure = hf_json_string(given, "on_failure", NULL);
    step->on_failure = !on_failure                           ? reading->on_failure
                       : strcmp(on_failure, "continue") == 0 ? HF_ON_FAILURE_CONTINUE
                                                             : HF_ON_FAILURE_STOP;
    step->retries = retry ? (guint)hf_json_int(retry, "times", 0) : 0;
    step->retry_delay_ms = (int)hf_json_int(retry, "delay_ms", RETRY_DELAY_MS);
    step->timeout_ms = hf_json_int(given, "timeout_ms", 0);
    hf_flow_read_pictures(step, given);
}

static gboolean check_group(const HfFlowPlace *place, const json_t *given, GError **error)
{
    static const char *const of_calls[] = {"params", "retry", "until", "screenshot"};
    for (gsize i = 0; i < G_N_ELEMENTS(of_calls); i++)
        if (json_object_get(given, of_calls[i]))
            return hf_flow_fail_member(place, of_calls[i], "only goes with a tool", error);
    return TRUE;
}

static HfFlowStep *read_call_or_group(const HfFlowPlace *place, const json_t *given, GError **error)
{
    gboolean call = json_object_get(given, "tool") != NULL;
    if (call == (json_object_get(given, "steps") != NULL)) {
        hf_flow_fail_member(place, "tool", "expected either a tool or the steps of a group", error);
        return NULL;
    }
    if (call)
        return hf_flow_read_call(place, given, error);
    if (!check_group(place, given, error))
        return NULL;
    HfFlowStep *step = hf_flow_step_new(NULL, json_object());
    step->place = g_strdup(place->path);
    step->index = place->index;
    return step;
}

/* The condition is outermost: it decides whether the loop runs at all. */
static gboolean read_step_members(Reading *reading, const HfFlowPlace *place, const json_t *given,
                                  int depth, HfFlowStep *step, GError **error)
{
    gboolean fine = hf_flow_read_delay(step, place, json_object_get(given, "delay_ms"), error) &&
                    read_condition(reading, place, given, "if", &step->when, error) &&
                    read_inner(reading, place, given, "else", depth, &step->instead, error) &&
                    read_loop(reading, place, given, step, error) &&
                    place_member_error(place, "params",
                                       hf_flow_check_references(
                                           step->params, check_workflow_reference, reading, error),
                                       error) &&
                    read_condition(reading, place, given, "until", &step->until, error) &&
                    read_inner(reading, place, given, "steps", depth, &step->steps, error) &&
                    read_inner(reading, place, given, "otherwise", depth, &step->otherwise, error);
    if (step->each)
        g_ptr_array_set_size(reading->loops, (gint)reading->loops->len - 1);
    if (fine && step->instead && !step->when)
        return hf_flow_fail_member(place, "else", "only goes with if", error);
    return fine;
}

static HfFlowStep *read_workflow_step(Reading *reading, const char *path, const json_t *given,
                                      int depth, GError **error)
{
    HfFlowPlace place = {path, reading->index, "workflow", TRUE};
    g_autoptr(HfFlowStep) step = read_call_or_group(&place, given, error);
    if (!step || !read_step_members(reading, &place, given, depth, step, error))
        return NULL;
    read_reactions(reading, given, step);
    step->name = g_strdup(hf_json_string(given, "name", NULL));
    return g_steal_pointer(&step);
}

static gboolean check_inner_step_list(const Reading *reading, const char *path, const json_t *list,
                                      GError **error)
{
    HfParam form[] = {*reading->form, {0}};
    g_autoptr(json_t) given = json_pack("{s:O}", "steps", list);
    if (hf_check_result(form, given, error))
        return TRUE;
    g_autoptr(json_t) json = hf_error_to_json(*error);
    g_autofree char *rest = g_strdup((*error)->message);
    const char *inner = g_str_has_prefix(rest, "steps") ? rest + strlen("steps") : rest;
    g_clear_error(error);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s%s", path, inner);
    hf_error_take_details(error,
                          json_pack("{s:s, s:i}", "path", path, "step", (int)reading->index));
    return FALSE;
}

static GPtrArray *read_step_list(Reading *reading, const char *path, const json_t *list, int depth,
                                 GError **error)
{
    g_autoptr(GPtrArray) steps = hf_flow_list_new();
    size_t index;
    json_t *given;
    if (depth > 0 && !check_inner_step_list(reading, path, list, error))
        return NULL;
    json_array_foreach (list, index, given) {
        g_autofree char *own = g_strdup_printf("%s[%zu]", path, index);
        if (depth == 0)
            reading->index = (guint)index;
        HfFlowStep *step = read_workflow_step(reading, own, given, depth, error);
        if (!step)
            return NULL;
        g_ptr_array_add(steps, step);
    }
    return g_steal_pointer(&steps);
}

GPtrArray *hf_workflow_steps_new(const HfTool *workflow, const json_t *params, GError **error)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) loops = g_ptr_array_new();
    Reading reading = {.form = hf_param_find(workflow->params, "steps"),
                       .names = names,
                       .vars = json_object_get(params, "vars"),
                       .loops = loops,
                       .on_failure =
                           strcmp(hf_json_string(params, "on_failure", "stop"), "continue") == 0
                               ? HF_ON_FAILURE_CONTINUE
                               : HF_ON_FAILURE_STOP};
    const json_t *list = json_object_get(params, "steps");
    if (!note_names(&reading, "steps", list, 0, error))
        return NULL;
    return read_step_list(&reading, "steps", list, 0, error);
}
