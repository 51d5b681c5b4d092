/* SPDX-License-Identifier: Apache-2.0 */
/* Macros of the executor API: a list of its actions becomes the steps of run_macro, and the results
 * are translated back. */
#include <string.h>

#include "desk/doors/http/executor/executor.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"

const HfExecutorAction *const hf_executor_actions[] = {
    &hf_executor_mouse,
    &hf_executor_key,
    &hf_executor_focus,
    &hf_executor_list,
    &hf_executor_capture,
    &hf_executor_wait,
    NULL,
};

static const char *const reactions[] = {"stop", "continue", "retry", NULL};
static const char *const moments[] = {"none", "before", "after", "both", NULL};
static const HfParam bound = {
    .type = HF_TYPE_INTEGER, .min = 0, .max = HF_LIMIT_MACRO_DELAY_MS, .about = "Milliseconds"};
static const HfParam span = {
    .type = HF_TYPE_ARRAY, .min = 2, .max = 2, .items = &bound, .about = "From and to"};
static const HfParam any_action = {.type = HF_TYPE_OBJECT, .about = "An action"};

#define ON_FAILURE(about_) HF_STRING("onFailure", about_, .choices = reactions)

const HfParam hf_executor_macro[] = {
    HF_ARRAY("actions", "[{action: mouse|key|focus|list|capture|wait, ...}], in order",
             .required = TRUE, .min = 1, .max = HF_LIMIT_MACRO_STEPS, .items = &any_action),
    ON_FAILURE("For actions without their own: stop (default), continue or retry"),
    {0},
};

const HfParam hf_executor_options[] = {
    HF_INTEGER("delayMs", "Wait before it", .min = 0, .max = HF_LIMIT_MACRO_DELAY_MS,
               .also = &span),
    HF_STRING("screenshot", "Around it", .choices = moments),
    ON_FAILURE("When it fails"),
    HF_INTEGER("retries", "For retry", .min = 1, .max = HF_LIMIT_MACRO_RETRIES),
    HF_INTEGER("retryDelayMs", "For retry", .min = 0, .max = HF_LIMIT_MACRO_DELAY_MS),
    {0},
};
/* The parameter names of run_macro. */
static const char *const option_names[] = {"delay_ms", "screenshot", "on_failure", "retries",
                                           "retry_delay_ms"};

static const HfExecutorAction *find_executor_action(const json_t *given, GError **error)
{
    const char *name = hf_json_string(given, "action", "");
    for (const HfExecutorAction *const *action = hf_executor_actions; *action; action++)
        if (g_str_equal((*action)->name, name))
            return *action;
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "action: expected one of: mouse, key, focus, list, capture, wait");
    return NULL;
}

/* Moves the options from the action to the step. */
static gboolean take_options(json_t *given, json_t *step, GError **error)
{
    g_autoptr(json_t) options = json_object();
    for (gsize i = 0; hf_executor_options[i].name; i++) {
        json_t *value = json_object_get(given, hf_executor_options[i].name);
        if (!value || json_is_null(value))
            continue;
        json_object_set(options, hf_executor_options[i].name, value);
        json_object_set(step, option_names[i], value);
    }
    gboolean fits = hf_check_result(hf_executor_options, options, error);
    for (gsize i = 0; hf_executor_options[i].name; i++)
        json_object_del(given, hf_executor_options[i].name);
    json_object_del(given, "action");
    return fits;
}

static json_t *read_action(const json_t *given, gboolean text_input, GError **error)
{
    const HfExecutorAction *action = find_executor_action(given, error);
    g_autoptr(json_t) rest = json_copy((json_t *)given);
    g_autoptr(json_t) step = json_object();
    g_auto(HfExecutorCall) call = {0};
    if (!action || !take_options(rest, step, error) ||
        !hf_executor_read(action, rest, text_input, &call, error))
        return NULL;
    json_object_set_new(step, "tool", json_string(call.tool));
    json_object_set(step, "params", call.params);
    return g_steal_pointer(&step);
}

static json_t *read_actions(const json_t *actions, gboolean text_input, GError **error)
{
    g_autoptr(json_t) steps = json_array();
    size_t index;
    json_t *given;
    json_array_foreach (actions, index, given) {
        json_t *step = read_action(given, text_input, error);
        if (!step) {
            g_prefix_error(error, "actions[%zu].", index);
            return NULL;
        }
        json_array_append_new(steps, step);
    }
    return g_steal_pointer(&steps);
}

gboolean hf_executor_read_macro(const json_t *body, gboolean text_input, HfExecutorCall *ret_call,
                                GError **error)
{
    static HfExecutorNames names[] = {{"onFailure", "on_failure"},
                                      {"runId", "run_id"},
                                      {"desktop", "desktop"},
                                      {"timeoutMs", "timeout_ms"},
                                      {"reason", "reason"},
                                      {"idempotencyKey", "idempotency_key"},
                                      {NULL}};
    g_autoptr(json_t) given = hf_executor_check(hf_executor_macro, body, error);
    json_t *steps =
        given ? read_actions(json_object_get(given, "actions"), text_input, error) : NULL;
    if (!steps)
        return FALSE;
    *ret_call = (HfExecutorCall){"run_macro", json_pack("{s:o}", "steps", steps)};
    hf_executor_copy(ret_call->params, given, names);
    return TRUE;
}

/* ---- results ---- */

static json_t *render_error(const json_t *error)
{
    return json_pack("{s:s, s:s, s:s}", "code", hf_json_string(error, "code", ""), "message",
                     hf_json_string(error, "message", ""), "suggestion",
                     hf_json_string(error, "suggestion", ""));
}

static json_t *render_pictures(const json_t *pictures)
{
    json_t *rendered = json_object();
    const char *moment;
    json_t *picture;
    json_object_foreach ((json_t *)pictures, moment, picture) {
        const json_t *error = json_object_get(picture, "error");
        json_object_set_new(rendered, moment,
                            error ? json_pack("{s:o}", "error", render_error(error))
                                  : hf_executor_render_picture(picture));
    }
    return rendered;
}

static json_t *render_step(const json_t *step, const json_t *actions)
{
    json_int_t index = hf_json_int(step, "index", 0);
    const json_t *given = json_array_get(actions, (size_t)index);
    const HfExecutorAction *action = find_executor_action(given, NULL);
    const json_t *result = json_object_get(step, "result"), *error = json_object_get(step, "error");
    const json_t *pictures = json_object_get(step, "screenshots");
    json_t *rendered =
        json_pack("{s:I, s:s, s:b, s:s, s:I, s:f}", "index", index, "action",
                  action ? action->name : "", "ok", hf_json_bool(step, "ok", FALSE), "stepId",
                  hf_json_string(step, "step_id", ""), "attempts", hf_json_int(step, "attempts", 0),
                  "durationMs", hf_json_number(step, "duration_ms", 0));
    if (result && action)
        json_object_set_new(rendered, "result", action->render(result));
    if (error)
        json_object_set_new(rendered, "error", render_error(error));
    if (pictures)
        json_object_set_new(rendered, "screenshots", render_pictures(pictures));
    return rendered;
}

/* Renames "steps/2/result/image" to "results/2/result/imageB64". */
static char *rename_field(const char *field)
{
    const char *last = strrchr(field, '/');
    if (!last || !g_str_has_prefix(field, "steps/"))
        return g_strdup(field);
    g_autofree char *way =
        g_strndup(field + strlen("steps"), (gsize)(last - field) - strlen("steps"));
    return g_strconcat("results", way, "/" HF_EXECUTOR_IMAGE, NULL);
}

static const json_t *find_steps(const HfAnswer *answer, json_t **take_error)
{
    if (!answer->error)
        return json_object_get(answer->result->json, "steps");
    *take_error = hf_error_to_json(answer->error);
    const json_t *details = json_object_get(*take_error, "details");
    return json_object_get(json_object_get(details, "done"), "steps");
}

HfResult *hf_executor_render_macro(const HfAnswer *answer, const json_t *actions)
{
    g_autoptr(json_t) error = NULL;
    json_t *results = json_array();
    HfResult *rendered = hf_result_new(json_pack("{s:o}", "results", results));
    const json_t *steps = find_steps(answer, &error);
    hf_json_each (step, steps)
        json_array_append_new(results, render_step(step, actions));
    if (answer->error)
        return rendered;
    json_object_set_new(rendered->json, "failed",
                        json_integer(hf_json_int(answer->result->json, "failed", 0)));
    for (guint i = 0; i < answer->result->attachments->len; i++) {
        const HfAttachment *part = answer->result->attachments->pdata[i];
        g_autofree char *field = rename_field(part->field);
        hf_result_add_attachment(rendered, field, part->media_type, g_bytes_ref(part->bytes));
    }
    return rendered;
}
