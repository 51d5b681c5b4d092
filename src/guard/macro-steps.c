/* Reads steps. What is wrong with one is told by the same check as for the call alone. */
#include "guard/macro-steps.h"

#include <string.h>

#include "base/error.h"
#include "tool/check.h"
#include "tool/registry.h"

#define RETRIES        2
#define RETRY_DELAY_MS 500

HfMacroStep *hf_macro_step_new(const HfTool *tool, json_t *take_params)
{
    HfMacroStep *step = g_new0(HfMacroStep, 1);
    step->tool = tool;
    step->params = take_params;
    return step;
}

void hf_macro_step_free(HfMacroStep *step)
{
    if (!step)
        return;
    json_decref(step->params);
    json_decref(step->checked);
    json_decref(step->rules);
    json_decref(step->call);
    g_free(step->line);
    hf_decision_clear(&step->decision);
    g_free(step);
}

/* An error with this before its message, and these details. */
static void add_place(GError **error, const char *before, json_t *take_details)
{
    g_prefix_error_literal(error, before);
    hf_error_take_details(error, take_details);
}

void hf_macro_blame(guint index, const char *tool, GError **error)
{
    g_autoptr(json_t) json = hf_error_to_json(*error);
    const json_t *former = json_object_get(json, "details");
    json_t *details = former ? json_copy((json_t *)former) : json_object();
    json_object_set_new(details, "step", json_integer(index));
    g_autofree char *before = g_strdup_printf("steps[%u] (%s): ", index, tool);
    add_place(error, before, details);
}

static gboolean wrong(guint index, const char *member, const char *problem, GError **error)
{
    g_autofree char *path = g_strdup_printf("steps[%u].%s", index, member);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: %s", path, problem);
    hf_error_take_details(
        error, json_pack("{s:s, s:s, s:i}", "path", path, "expected", problem, "step", (int)index));
    return FALSE;
}

static const HfTool *find_tool(guint index, const char *name, GError **error)
{
    const HfTool *tool = hf_registry_find(name);
    if (!tool) {
        hf_fail(error, HF_ERROR_UNKNOWN_TOOL, "steps[%u].tool: there is no tool '%s'", index, name);
        hf_error_take_details(error, json_pack("{s:i}", "step", (int)index));
    } else if (tool->service) {
        wrong(index, "tool", "a macro cannot hold another macro or an undo", error);
        return NULL;
    }
    return tool;
}

/* What holds for the macro as a whole is said there. */
static gboolean check_common(guint index, const json_t *params, GError **error)
{
    static const char *const allowed[] = {"timeout_ms", "reason", "approval", "verify", NULL};
    for (const HfParam *param = hf_common_params; param->name; param++) {
        if (!json_object_get(params, param->name) || g_strv_contains(allowed, param->name))
            continue;
        g_autofree char *member = g_strdup_printf("params.%s", param->name);
        return wrong(index, member, "is said for the whole macro, beside steps", error);
    }
    return TRUE;
}

static gboolean check_params(guint index, const HfTool *tool, const json_t *params, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(tool->params, params, error);
    if (checked)
        return check_common(index, params, error);
    g_autoptr(json_t) json = hf_error_to_json(*error);
    g_autoptr(json_t) details = json_deep_copy(json_object_get(json, "details"));
    g_autofree char *before = g_strdup_printf("steps[%u].params.", index);
    g_autofree char *path = g_strconcat(before, hf_json_string(details, "path", ""), NULL);
    json_object_set_new(details, "path", hf_json_text(path));
    json_object_set_new(details, "step", json_integer(index));
    add_place(error, before, g_steal_pointer(&details));
    return FALSE;
}

static gboolean read_delay(HfMacroStep *step, guint index, const json_t *value, GError **error)
{
    gboolean span = json_is_array(value);
    for (int i = 0; i < 2; i++)
        step->delay_ms[i] = (int)json_number_value(span ? json_array_get(value, (size_t)i) : value);
    return step->delay_ms[0] <= step->delay_ms[1] ||
           wrong(index, "delay_ms", "expected [from, to], the smaller first", error);
}

static HfOnFailure read_reaction(const char *name)
{
    if (strcmp(name, "continue") == 0)
        return HF_ON_FAILURE_CONTINUE;
    return strcmp(name, "retry") == 0 ? HF_ON_FAILURE_RETRY : HF_ON_FAILURE_STOP;
}

static void read_rest(HfMacroStep *step, const json_t *given, const char *on_failure)
{
    const char *picture = hf_json_string(given, "screenshot", "none");
    gboolean both = strcmp(picture, "both") == 0;
    step->pictures[0] = both || strcmp(picture, "before") == 0;
    step->pictures[1] = both || strcmp(picture, "after") == 0;
    step->on_failure = read_reaction(hf_json_string(given, "on_failure", on_failure));
    step->retries = (guint)hf_json_int(given, "retries", RETRIES);
    step->retry_delay_ms = (int)hf_json_int(given, "retry_delay_ms", RETRY_DELAY_MS);
}

static HfMacroStep *read_step(guint index, const json_t *given, const char *on_failure,
                              GError **error)
{
    const HfTool *tool = find_tool(index, hf_json_string(given, "tool", ""), error);
    json_t *params = json_object_get(given, "params");
    g_autoptr(json_t) own = params ? json_incref(params) : json_object();
    if (!tool || !check_params(index, tool, own, error))
        return NULL;
    HfMacroStep *step = hf_macro_step_new(tool, g_steal_pointer(&own));
    read_rest(step, given, on_failure);
    if (read_delay(step, index, json_object_get(given, "delay_ms"), error))
        return step;
    hf_macro_step_free(step);
    return NULL;
}

GPtrArray *hf_macro_steps_new(const json_t *params, GError **error)
{
    g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func((GDestroyNotify)hf_macro_step_free);
    const char *on_failure = hf_json_string(params, "on_failure", "stop");
    size_t index;
    json_t *given;
    json_array_foreach (json_object_get(params, "steps"), index, given) {
        HfMacroStep *step = read_step((guint)index, given, on_failure, error);
        if (!step)
            return NULL;
        g_ptr_array_add(steps, step);
    }
    return g_steal_pointer(&steps);
}

gint64 hf_macro_delay_us(const HfMacroStep *step, double chance)
{
    double milliseconds = step->delay_ms[0] + chance * (step->delay_ms[1] - step->delay_ms[0]);
    return (gint64)(milliseconds * 1000);
}

gboolean hf_macro_is_over(const GError *error)
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

gboolean hf_macro_may_retry(const HfMacroStep *step, const GError *error)
{
    gboolean harmless = (step->tool->flags & (HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT)) != 0;
    if (step->on_failure != HF_ON_FAILURE_RETRY || hf_macro_is_over(error))
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
        return FALSE;
    default:
        return TRUE;
    }
}
