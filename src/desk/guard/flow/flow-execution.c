/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of single steps, and their answers as parts of the flow's. */
#include "desk/guard/flow/flow-execution.h"

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"

HfFlowScope hf_flow_execution_scope(const HfFlowExecution *play, const json_t *result)
{
    return (HfFlowScope){.steps = play->named,
                         .vars = json_object_get(play->passage->params, "vars"),
                         .result = result,
                         .items = play->items};
}

/* Its own limit of time, but none beyond the flow's. */
static void limit_time(const HfFlowExecution *play, const HfFlowStep *step, json_t *params)
{
    gint64 own = hf_json_int(params, "timeout_ms", step->tool->timeout_ms);
    gint64 left = hf_deadline_left_ms(play->deadline);
    json_object_set_new(params, "timeout_ms", json_integer(MAX(1, MIN(own, left))));
}

/* What is read as a command is the caller's own; text of others is never made one. */
static gboolean is_command_param(const HfTool *tool, const char *name)
{
    const HfParam *param = hf_param_find(tool->params, name);
    return param && param->means == HF_MEANS_COMMAND;
}

static json_t *fill_params(const HfFlowExecution *play, const HfFlowStep *step, GError **error)
{
    HfFlowScope scope = hf_flow_execution_scope(play, NULL);
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

/* The step whose target the owner was shown must still hit it. */
static gboolean is_aimed(const HfFlow *flow, const HfFlowStep *step)
{
    return flow->aimed < flow->calls->len && flow->calls->pdata[flow->aimed] == step;
}

HfAnswer *hf_flow_execution_call(HfFlowExecution *play, const HfFlowStep *step)
{
    HfPassage *passage = play->passage;
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) own = fill_params(play, step, &problem);
    if (!own) {
        HfAnswer *answer = hf_answer_new(step->tool->name, passage->answer->run_id);
        answer->error = g_steal_pointer(&problem);
        return answer;
    }
    g_autoptr(json_t) params = hf_flow_dup_params(passage, own);
    limit_time(play, step, params);
    if (passage->dry_run)
        json_object_set_new(params, "dry_run", json_true());
    HfRequest request = hf_flow_request(passage, step, params);
    request.expect = is_aimed(passage->flow, step) && !passage->dry_run ? passage->expect : NULL;
    HfAnswer *answer = hf_guard_call(passage->guard, &request);
    passage->carried |= answer->untrusted;
    return answer;
}

/* Binary parts move to the flow's result, to the same place within it; when there are too many, the
 * size is told instead. */
static void take_result_parts(HfFlowExecution *play, const char *place, const HfResult *from,
                              json_t *told)
{
    for (guint i = 0; i < from->attachments->len; i++) {
        const HfAttachment *part = from->attachments->pdata[i];
        gsize size = g_bytes_get_size(part->bytes);
        if (play->bytes + size > HF_LIMIT_MACRO_BYTES) {
            json_object_set_new(told, part->field,
                                json_pack("{s:b, s:I}", "kept", 0, "bytes", (json_int_t)size));
            continue;
        }
        g_autofree char *field = g_strconcat(place, "/", part->field, NULL);
        hf_result_add_attachment(play->result, field, part->media_type, g_bytes_ref(part->bytes));
        play->bytes += size;
    }
}

static void tell_result(HfFlowExecution *play, const char *place, const HfAnswer *answer,
                        json_t *told, const char *name)
{
    g_autofree char *whole = g_strconcat(place, "/", name, NULL);
    gsize size = json_dumpb(answer->result->json, NULL, 0, JSON_COMPACT);
    if (play->kept + size > HF_LIMIT_FLOW_RESULT_BYTES) {
        json_object_set_new(told, name,
                            json_pack("{s:b, s:I}", "kept", 0, "bytes", (json_int_t)size));
        return;
    }
    play->kept += size;
    json_t *own = json_copy(answer->result->json);
    take_result_parts(play, whole, answer->result, own);
    json_object_set_new(told, name, own);
}

void hf_flow_execution_take_picture(HfFlowExecution *play, const char *place, json_t *told,
                                    const char *moment)
{
    g_autoptr(HfAnswer) answer = hf_flow_execution_call(play, play->passage->flow->picture);
    g_autofree char *within = g_strconcat(place, "/screenshots", NULL);
    json_t *pictures = json_object_get(told, "screenshots");
    if (!pictures) {
        pictures = json_object();
        json_object_set_new(told, "screenshots", pictures);
    }
    if (answer->error)
        json_object_set_new(pictures, moment,
                            json_pack("{s:o}", "error", hf_error_to_json(answer->error)));
    else
        tell_result(play, within, answer, pictures, moment);
}

void hf_flow_execution_report_step(HfFlowExecution *play, const char *place, const HfAnswer *answer,
                                   json_t *told)
{
    json_object_set_new(told, "ok", json_boolean(!answer->error));
    json_object_set_new(told, "step_id", json_string(answer->step_id));
    if (answer->effect)
        json_object_set(told, "effect", answer->effect);
    if (answer->error)
        json_object_set_new(told, "error", hf_error_to_json(answer->error));
    if (answer->result)
        tell_result(play, place, answer, told, "result");
}
