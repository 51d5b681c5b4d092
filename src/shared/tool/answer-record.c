/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are kept for repeated calls: in memory with their binary parts, on disk without. */
#include "shared/base/json.h"
#include "shared/tool/answer.h"

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
