/* SPDX-License-Identifier: Apache-2.0 */
/* Steps, and what macros and workflows parse alike. A wrong step gets the same error as the call
 * alone would. */
#include "desk/guard/flow/flow-steps.h"

#include <string.h>

#include "desk/guard/flow/flow-references.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

HfFlowStep *hf_flow_step_new(const HfTool *tool, json_t *take_params)
{
    HfFlowStep *step = g_new0(HfFlowStep, 1);
    step->tool = tool;
    step->params = take_params;
    return step;
}

void hf_flow_step_free(HfFlowStep *step)
{
    if (!step)
        return;
    json_t *values[] = {step->params,  step->when,  step->until, step->each,
                        step->checked, step->rules, step->call,  step->scripts};
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++)
        json_decref(values[i]);
    g_clear_pointer(&step->steps, g_ptr_array_unref);
    g_clear_pointer(&step->instead, g_ptr_array_unref);
    g_clear_pointer(&step->otherwise, g_ptr_array_unref);
    g_free(step->place);
    g_free(step->name);
    g_free(step->as);
    g_free(step->line);
    g_free(step->sha256);
    hf_decision_clear(&step->decision);
    g_free(step);
}

GPtrArray *hf_flow_list_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify)hf_flow_step_free);
}

static void add_error_place(GError **error, const char *before, json_t *take_details)
{
    g_prefix_error_literal(error, before);
    hf_error_take_details(error, take_details);
}

void hf_flow_add_step_to_error(const HfFlowStep *step, GError **error)
{
    g_autoptr(json_t) json = hf_error_to_json(*error);
    const json_t *former = json_object_get(json, "details");
    json_t *details = former ? json_copy((json_t *)former) : json_object();
    json_object_set_new(details, "step", json_integer(step->index));
    if (strchr(step->place, '.'))
        json_object_set_new(details, "place", json_string(step->place));
    g_autofree char *before =
        g_strdup_printf("%s (%s): ", step->place, step->tool ? step->tool->name : "group");
    add_error_place(error, before, details);
}

gboolean hf_flow_fail_member(const HfFlowPlace *place, const char *member, const char *problem,
                             GError **error)
{
    g_autofree char *path = g_strdup_printf("%s.%s", place->path, member);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: %s", path, problem);
    hf_error_take_details(error, json_pack("{s:s, s:s, s:i}", "path", path, "expected", problem,
                                           "step", (int)place->index));
    return FALSE;
}

/* A flow cannot hold another flow, nor an undo, which may undo what others changed. */
static gboolean may_be_step(const HfTool *tool)
{
    return tool->service != HF_SERVICE_MACRO && tool->service != HF_SERVICE_WORKFLOW &&
           tool->service != HF_SERVICE_UNDO_LAST && tool->service != HF_SERVICE_UNDO_TO;
}

static const HfTool *find_step_tool(const HfFlowPlace *place, const char *name, GError **error)
{
    const HfTool *tool = hf_registry_find(name);
    if (!tool) {
        hf_fail(error, HF_ERROR_UNKNOWN_TOOL, "%s.tool: there is no tool '%s'", place->path, name);
        hf_error_take_details(error, json_pack("{s:i}", "step", (int)place->index));
        return NULL;
    }
    if (may_be_step(tool))
        return tool;
    g_autofree char *problem =
        g_strdup_printf("a %s cannot contain another macro or workflow, or an undo", place->whole);
    hf_flow_fail_member(place, "tool", problem, error);
    return NULL;
}

/* Some common parameters belong to the whole flow. */
static gboolean check_step_common_params(const HfFlowPlace *place, const json_t *params,
                                         GError **error)
{
    static const char *const allowed[] = {"timeout_ms", "reason", "approval", "verify", NULL};
    for (const HfParam *param = hf_common_params; param->name; param++) {
        if (!json_object_get(params, param->name) || g_strv_contains(allowed, param->name))
            continue;
        g_autofree char *member = g_strdup_printf("params.%s", param->name);
        g_autofree char *problem =
            g_strdup_printf("belongs to the whole %s, beside steps", place->whole);
        return hf_flow_fail_member(place, member, problem, error);
    }
    return TRUE;
}

static json_t *known_params(const json_t *params)
{
    json_t *known = json_object();
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)params, key, value)
        if (!hf_flow_has_reference(value))
            json_object_set(known, key, value);
    return known;
}

/* Parameters with references are checked later; here only that they exist and none is missing. */
static gboolean check_open_params(const HfTool *tool, const json_t *params, GError **error)
{
    g_autoptr(json_t) known = known_params(params);
    HfParam table[64] = {0};
    gsize count = 0;
    for (const HfParam *param = tool->params; param->name && count < 63; param++) {
        table[count] = *param;
        if (json_object_get(params, param->name) && !json_object_get(known, param->name))
            table[count].required = FALSE;
        count++;
    }
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)params, key, value)
        if (!json_object_get(known, key) && !hf_param_find(tool->params, key) &&
            !hf_param_find(hf_common_params, key))
            json_object_set_new(known, key, json_null()); /* makes the check report it */
    g_autoptr(json_t) checked = hf_check_params(table, known, error);
    return checked != NULL;
}

static gboolean check_step_params(const HfFlowPlace *place, const HfTool *tool,
                                  const json_t *params, gboolean open, GError **error)
{
    g_autoptr(json_t) checked = open ? NULL : hf_check_params(tool->params, params, error);
    if (open ? check_open_params(tool, params, error) : checked != NULL)
        return check_step_common_params(place, params, error);
    g_autoptr(json_t) json = hf_error_to_json(*error);
    g_autoptr(json_t) details = json_deep_copy(json_object_get(json, "details"));
    g_autofree char *before = g_strdup_printf("%s.params.", place->path);
    g_autofree char *path = g_strconcat(before, hf_json_string(details, "path", ""), NULL);
    json_object_set_new(details, "path", hf_json_text(path));
    json_object_set_new(details, "step", json_integer(place->index));
    add_error_place(error, before, g_steal_pointer(&details));
    return FALSE;
}

HfFlowStep *hf_flow_read_call(const HfFlowPlace *place, const json_t *given, GError **error)
{
    const HfTool *tool = find_step_tool(place, hf_json_string(given, "tool", ""), error);
    json_t *params = json_object_get(given, "params");
    g_autoptr(json_t) own = params ? json_incref(params) : json_object();
    gboolean open = place->open && hf_flow_has_reference(own);
    if (!tool || !check_step_params(place, tool, own, open, error))
        return NULL;
    HfFlowStep *step = hf_flow_step_new(tool, g_steal_pointer(&own));
    step->place = g_strdup(place->path);
    step->index = place->index;
    step->open = open;
    return step;
}

void hf_flow_read_pictures(HfFlowStep *step, const json_t *given)
{
    const char *picture = hf_json_string(given, "screenshot", "none");
    gboolean both = strcmp(picture, "both") == 0;
    step->pictures[0] = both || strcmp(picture, "before") == 0;
    step->pictures[1] = both || strcmp(picture, "after") == 0;
}

gboolean hf_flow_read_delay(HfFlowStep *step, const HfFlowPlace *place, const json_t *value,
                            GError **error)
{
    gboolean span = json_is_array(value);
    for (int i = 0; i < 2; i++)
        step->delay_ms[i] = (int)json_number_value(span ? json_array_get(value, (size_t)i) : value);
    return step->delay_ms[0] <= step->delay_ms[1] ||
           hf_flow_fail_member(place, "delay_ms", "expected [from, to], the smaller first", error);
}

/* ---- run_macro: a list of calls ---- */

#define RETRIES        2
#define RETRY_DELAY_MS 500

static HfOnFailure read_reaction(const char *name)
{
    if (strcmp(name, "continue") == 0)
        return HF_ON_FAILURE_CONTINUE;
    return strcmp(name, "retry") == 0 ? HF_ON_FAILURE_RETRY : HF_ON_FAILURE_STOP;
}

static HfFlowStep *read_macro_step(guint index, const json_t *given, const char *on_failure,
                                   GError **error)
{
    g_autofree char *path = g_strdup_printf("steps[%u]", index);
    HfFlowPlace place = {path, index, "macro", FALSE};
    g_autoptr(HfFlowStep) step = hf_flow_read_call(&place, given, error);
    if (!step || !hf_flow_read_delay(step, &place, json_object_get(given, "delay_ms"), error))
        return NULL;
    hf_flow_read_pictures(step, given);
    step->on_failure = read_reaction(hf_json_string(given, "on_failure", on_failure));
    if (step->on_failure == HF_ON_FAILURE_RETRY) {
        step->retries = (guint)hf_json_int(given, "retries", RETRIES);
        step->retry_delay_ms = (int)hf_json_int(given, "retry_delay_ms", RETRY_DELAY_MS);
    }
    return g_steal_pointer(&step);
}

GPtrArray *hf_macro_steps_new(const json_t *params, GError **error)
{
    g_autoptr(GPtrArray) steps = hf_flow_list_new();
    const char *on_failure = hf_json_string(params, "on_failure", "stop");
    size_t index;
    json_t *given;
    json_array_foreach (json_object_get(params, "steps"), index, given) {
        HfFlowStep *step = read_macro_step((guint)index, given, on_failure, error);
        if (!step)
            return NULL;
        g_ptr_array_add(steps, step);
    }
    return g_steal_pointer(&steps);
}

gint64 hf_flow_delay_us(const HfFlowStep *step, double chance)
{
    double milliseconds = step->delay_ms[0] + chance * (step->delay_ms[1] - step->delay_ms[0]);
    return (gint64)(milliseconds * 1000);
}

gboolean hf_flow_error_is_fatal(const GError *error)
{
    switch (hf_error_code(error)) {
    case HF_ERROR_STOPPED:
    case HF_ERROR_PAUSED:
    case HF_ERROR_DESKTOP_ABORTED:
    case HF_ERROR_LOCKED:
    case HF_ERROR_UAC_REQUIRED:
        return TRUE;
    default:
        return FALSE;
    }
}

gboolean hf_flow_may_retry(const HfFlowStep *step, const GError *error)
{
    gboolean harmless = (step->tool->flags & (HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT)) != 0;
    if ((step->on_failure != HF_ON_FAILURE_RETRY && step->retries == 0) ||
        hf_flow_error_is_fatal(error))
        return FALSE;
    switch (hf_error_code(error)) {
    case HF_ERROR_OUTCOME_UNKNOWN:
    case HF_ERROR_DESKTOP_TIMEOUT:
    case HF_ERROR_VERIFY_FAILED:
        return harmless;
    case HF_ERROR_FORBIDDEN:
    case HF_ERROR_APP_NOT_ALLOWED:
    case HF_ERROR_DANGEROUS_ACTION_BLOCKED:
    case HF_ERROR_INVALID_PARAMS:
    case HF_ERROR_UNSUPPORTED:
    case HF_ERROR_APPROVAL_DENIED:
        return FALSE;
    default:
        return TRUE;
    }
}
