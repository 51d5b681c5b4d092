/* SPDX-License-Identifier: Apache-2.0 */
/* run_macro in the words of flows: steps in a row, each a call. */
#include <string.h>

#include "desk/guard/flow/flow-steps.h"
#include "shared/base/json.h"

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
