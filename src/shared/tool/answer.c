/* SPDX-License-Identifier: Apache-2.0 */
/* Answers, their text, and answers that are kept for repeated calls: in memory with their binary
 * parts, on disk without. */
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

/* ---- kept answers ---- */

static gsize attached_bytes(const HfResult *result)
{
    gsize bytes = 0;
    for (guint i = 0; i < result->attachments->len; i++) {
        const HfAttachment *attachment = result->attachments->pdata[i];
        bytes += g_bytes_get_size(attachment->bytes);
    }
    return bytes;
}

/* Sets the member that a field names; nothing when its parent does not exist. */
static void set_record_field(json_t *json, const char *field, json_t *take_value)
{
    g_auto(GStrv) names = g_strsplit(field, "/", -1);
    json_t *place = json;
    char **name = names;
    for (; place && name[1]; name++)
        place = json_is_array(place)
                    ? json_array_get(place, (size_t)g_ascii_strtoull(*name, NULL, 10))
                    : json_object_get(place, *name);
    json_object_set_new(place, *name, take_value);
}

/* Replaces a binary part that is not kept. */
static void describe_attachments(json_t *json, const HfResult *result)
{
    for (guint i = 0; i < result->attachments->len; i++) {
        const HfAttachment *attachment = result->attachments->pdata[i];
        set_record_field(json, attachment->field,
                         json_pack("{s:b, s:I, s:s}", "kept", 0, "bytes",
                                   (json_int_t)g_bytes_get_size(attachment->bytes), "media_type",
                                   attachment->media_type));
    }
}

static json_t *bounded_json(const HfResult *result, gsize most)
{
    gsize size = json_dumpb(result->json, NULL, 0, JSON_COMPACT);
    return size <= most ? json_deep_copy(result->json)
                        : json_pack("{s:b, s:I}", "kept", 0, "bytes", (json_int_t)size);
}

static HfResult *dup_result(const HfResult *result, gsize most)
{
    HfResult *copy = hf_result_new(bounded_json(result, most));
    if (attached_bytes(result) > most) {
        describe_attachments(copy->json, result);
        return copy;
    }
    for (guint i = 0; i < result->attachments->len; i++) {
        const HfAttachment *attachment = result->attachments->pdata[i];
        hf_result_add_attachment(copy, attachment->field, attachment->media_type,
                                 g_bytes_ref(attachment->bytes));
    }
    return copy;
}

static void set_names(HfAnswer *answer, const char *run_id, const char *step_id)
{
    g_free(answer->run_id);
    g_free(answer->step_id);
    answer->run_id = g_strdup(run_id);
    answer->step_id = g_strdup(step_id);
}

HfAnswer *hf_answer_dup(const HfAnswer *answer, gsize most)
{
    HfAnswer *copy = hf_answer_new(answer->tool, answer->run_id);
    set_names(copy, answer->run_id, answer->step_id);
    copy->time_ms = answer->time_ms;
    copy->channel = answer->channel;
    copy->untrusted = answer->untrusted;
    copy->rules = answer->rules ? json_incref(answer->rules) : NULL;
    copy->effect = json_incref(answer->effect);
    copy->result = answer->result ? dup_result(answer->result, most) : NULL;
    copy->error = answer->error ? g_error_copy(answer->error) : NULL;
    return copy;
}

json_t *hf_answer_to_recorded(const HfAnswer *answer, gsize most)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:I, s:i, s:i}", "tool", answer->tool, "run_id", answer->run_id,
                  "step_id", answer->step_id, "ts", (json_int_t)answer->time_ms, "channel",
                  (int)answer->channel, "untrusted", (int)answer->untrusted);
    if (answer->effect)
        json_object_set(json, "effect", answer->effect);
    if (answer->error) {
        json_object_set_new(json, "error", hf_error_to_json(answer->error));
        return json;
    }
    json_t *result = bounded_json(answer->result, most);
    describe_attachments(result, answer->result);
    json_object_set_new(json, "result", result);
    return json;
}

HfAnswer *hf_answer_new_from_json(const json_t *recorded)
{
    json_t *result = json_object_get(recorded, "result"),
           *error = json_object_get(recorded, "error");
    if (!json_is_object(result) && !json_is_object(error))
        return NULL;
    HfAnswer *answer =
        hf_answer_new(hf_json_string(recorded, "tool", ""), hf_json_string(recorded, "run_id", ""));
    set_names(answer, hf_json_string(recorded, "run_id", ""),
              hf_json_string(recorded, "step_id", ""));
    answer->time_ms = hf_json_int(recorded, "ts", 0);
    answer->channel =
        (HfChannel)CLAMP(hf_json_int(recorded, "channel", 0), 0, HF_CHANNEL_COUNT - 1);
    answer->untrusted = (HfReads)hf_json_int(recorded, "untrusted", 0);
    answer->effect = json_incref(json_object_get(recorded, "effect"));
    if (json_is_object(result))
        answer->result = hf_result_new(json_incref(result));
    else
        answer->error = hf_error_new_from_json(error);
    return answer;
}

void hf_answer_repeat(HfAnswer *answer, const HfAnswer *before)
{
    set_names(answer, before->run_id, before->step_id);
    answer->time_ms = before->time_ms;
    answer->channel = before->channel;
    answer->untrusted = before->untrusted;
    answer->rules = before->rules ? json_incref(before->rules) : NULL;
    answer->effect = json_incref(before->effect);
    answer->result = before->result ? dup_result(before->result, G_MAXSIZE) : NULL;
    answer->error = before->error ? g_error_copy(before->error) : NULL;
    answer->replayed = TRUE;
}
