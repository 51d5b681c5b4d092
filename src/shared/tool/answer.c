/* SPDX-License-Identifier: Apache-2.0 */
/* Answers and their text. */
#include "shared/tool/answer.h"

#include "shared/base/id.h"
#include "shared/base/json.h"

HfAnswer *hf_answer_new(const char *tool, const char *run_id)
{
    HfAnswer *answer = g_new0(HfAnswer, 1);
    answer->tool = g_strdup(tool);
    answer->run_id = run_id ? g_strdup(run_id) : hf_id_new("r");
    answer->step_id = hf_id_new("s");
    answer->time_ms = g_get_real_time() / 1000;
    answer->started = g_get_monotonic_time();
    return answer;
}

void hf_answer_free(HfAnswer *answer)
{
    if (!answer)
        return;
    g_free(answer->tool);
    g_free(answer->run_id);
    g_free(answer->step_id);
    hf_result_free(answer->result);
    g_clear_error(&answer->error);
    g_clear_error(&answer->warning);
    json_decref(answer->rules);
    json_decref(answer->effect);
    json_decref(answer->operation);
    g_free(answer);
}

/* The suggestion stands beside the verdict, because it concerns the whole call. */
static void add_effect(json_t *json, const json_t *effect)
{
    json_t *seen = json_copy((json_t *)effect);
    json_t *next = json_object_get(seen, "suggested_next");
    if (next)
        json_object_set(json, "suggested_next", next);
    json_object_del(seen, "suggested_next");
    json_object_set_new(json, "effect", seen);
}

static json_t *new_answer_envelope(const HfAnswer *answer)
{
    double duration = (double)(g_get_monotonic_time() - answer->started) / 1000;
    json_t *json =
        json_pack("{s:b, s:o, s:o, s:s, s:I, s:f}", "ok", answer->error == NULL, "tool",
                  hf_json_text(answer->tool), "run_id", hf_json_text(answer->run_id), "step_id",
                  answer->step_id, "ts", (json_int_t)answer->time_ms, "duration_ms", duration);
    if (answer->channel)
        json_object_set_new(json, "channel", json_string(hf_channel_name(answer->channel)));
    if (answer->untrusted)
        json_object_set_new(json, "untrusted", hf_reads_to_json(answer->untrusted));
    if (answer->dry_run)
        json_object_set_new(json, "dry_run", json_true());
    if (answer->perform_us)
        json_object_set_new(json, "timing",
                            json_pack("{s:I, s:I}", "guard_us", (json_int_t)answer->guard_us,
                                      "perform_us", (json_int_t)answer->perform_us));
    if (answer->replayed)
        json_object_set_new(json, "replayed", json_true());
    if (answer->operation)
        json_object_set(json, "operation", answer->operation);
    if (answer->effect)
        add_effect(json, answer->effect);
    if (answer->rules)
        json_object_set(json, "rules", answer->rules);
    if (answer->warning)
        json_object_set_new(json, "warning", hf_error_to_json(answer->warning));
    return json;
}

json_t *hf_answer_to_json(const HfAnswer *answer)
{
    json_t *json = new_answer_envelope(answer);
    if (answer->error)
        json_object_set_new(json, "error", hf_error_to_json(answer->error));
    else
        json_object_set(json, "result", answer->result->json);
    return json;
}

void hf_answer_append(const HfAnswer *answer, GString *text)
{
    hf_answer_append_with(answer, text, hf_attachment_append_base64, NULL);
}

void hf_answer_append_with(const HfAnswer *answer, GString *text, HfAttachmentWriter writer,
                           gpointer data)
{
    if (answer->error || answer->result->attachments->len == 0) {
        g_autoptr(json_t) json = hf_answer_to_json(answer);
        hf_json_append(text, json);
        return;
    }
    g_autoptr(json_t) json = new_answer_envelope(answer);
    hf_json_append(text, json);
    g_string_truncate(text, text->len - 1); /* its closing brace */
    g_string_append(text, ",\"result\":");
    hf_result_append_with(answer->result, text, writer, data);
    g_string_append_c(text, '}');
}
