/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs, and the one that gathers the answers to a batch. */
#include "desk/doors/mcp/mcp-output.h"

#include <string.h>

#include "shared/base/base64.h"

/* Turns answers into MCP content. An error has no structured content, because clients would check
 * it against the tool's output schema. `_meta` holds its wire form. */
HfMcpOutcome *hf_mcp_outcome_new(gboolean is_error)
{
    HfMcpOutcome *outcome = g_new0(HfMcpOutcome, 1);
    outcome->result = json_object();
    outcome->content = g_string_new("[");
    if (is_error)
        json_object_set_new(outcome->result, "isError", json_true());
    return outcome;
}

void hf_mcp_outcome_free(HfMcpOutcome *outcome)
{
    if (!outcome)
        return;
    json_decref(outcome->result);
    g_string_free(outcome->content, TRUE);
    g_free(outcome);
}

const GString *hf_mcp_outcome_close(HfMcpOutcome *outcome)
{
    g_string_append_c(outcome->content, ']');
    return outcome->content;
}

static void begin_block(HfMcpOutcome *outcome)
{
    if (outcome->content->len > 1)
        g_string_append_c(outcome->content, ',');
}

void hf_mcp_outcome_add_text(HfMcpOutcome *outcome, const char *text)
{
    g_autoptr(json_t) block = json_pack("{s:s, s:o}", "type", "text", "text", hf_json_text(text));
    g_autofree char *dump = hf_json_dump(block);
    begin_block(outcome);
    g_string_append(outcome->content, dump);
}

static void append_base64(GString *text, GBytes *bytes)
{
    gsize size;
    const guint8 *data = g_bytes_get_data(bytes, &size);
    gsize start = text->len;
    g_string_set_size(text, start + hf_base64_length(size));
    hf_base64_encode(data, size, text->str + start);
}

void hf_mcp_outcome_add_bytes(HfMcpOutcome *outcome, const char *field, const char *media_type,
                              GBytes *bytes)
{
    gboolean picture = g_str_has_prefix(media_type, "image/");
    begin_block(outcome);
    if (picture)
        g_string_append_printf(outcome->content,
                               "{\"type\":\"image\",\"mimeType\":\"%s\",\"data\":\"", media_type);
    else
        g_string_append_printf(outcome->content,
                               "{\"type\":\"resource\",\"resource\":{\"uri\":\"handfast:///%s\","
                               "\"mimeType\":\"%s\",\"blob\":\"",
                               field, media_type);
    append_base64(outcome->content, bytes);
    g_string_append(outcome->content, picture ? "\"}" : "\"}}");
}

void hf_mcp_outcome_add_meta(HfMcpOutcome *outcome, const json_t *members)
{
    const char *name;
    json_t *value;
    json_t *meta = json_object_get(outcome->result, "_meta");
    if (!meta) {
        meta = json_object();
        json_object_set_new(outcome->result, "_meta", meta);
    }
    json_object_foreach ((json_t *)members, name, value) {
        g_autofree char *key = g_strconcat("handfast/", name, NULL);
        json_object_set(meta, key, value);
    }
}

static void add_error_text(HfMcpOutcome *outcome, const json_t *error)
{
    const json_t *details = json_object_get(error, "details");
    g_autofree char *more = details ? hf_json_dump(details) : NULL;
    g_autofree char *text = g_strdup_printf(
        "%s: %s\n→ %s%s%s", hf_json_string(error, "code", "INTERNAL"),
        hf_json_string(error, "message", ""), hf_json_string(error, "suggestion", ""),
        more ? "\ndetails: " : "", more ? more : "");
    hf_mcp_outcome_add_text(outcome, text);
}

HfMcpOutcome *hf_mcp_outcome_of_error(const GError *error)
{
    HfMcpOutcome *outcome = hf_mcp_outcome_new(TRUE);
    g_autoptr(json_t) members = json_pack("{s:o}", "error", hf_error_to_json(error));
    add_error_text(outcome, json_object_get(members, "error"));
    hf_mcp_outcome_add_meta(outcome, members);
    return outcome;
}

/* A model reads only the content, so the effect and the operation are members of the result
 * there. */
static json_t *with_effect(const HfAnswer *answer)
{
    json_t *whole = json_copy(answer->result->json);
    if (answer->effect)
        json_object_set(whole, "effect", answer->effect);
    if (answer->operation)
        json_object_set(whole, "operation", answer->operation);
    return whole;
}

static void add_result(HfMcpOutcome *outcome, const HfAnswer *answer)
{
    const HfResult *result = answer->result;
    json_t *whole = with_effect(answer);
    char *text = json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(6));
    hf_mcp_outcome_add_text(outcome, text);
    free(text);
    json_object_set_new(outcome->result, "structuredContent", whole);
    for (guint i = 0; i < result->attachments->len; i++) {
        const HfAttachment *part = result->attachments->pdata[i];
        hf_mcp_outcome_add_bytes(outcome, part->field, part->media_type, part->bytes);
    }
}

HfMcpOutcome *hf_mcp_outcome_of_answer(const HfAnswer *answer)
{
    HfMcpOutcome *outcome = hf_mcp_outcome_new(answer->error != NULL);
    g_autoptr(json_t) envelope = hf_answer_to_json(answer);
    if (answer->error)
        add_error_text(outcome, json_object_get(envelope, "error"));
    else
        add_result(outcome, answer);
    const json_t *warning = json_object_get(envelope, "warning");
    if (warning)
        add_error_text(outcome, warning);
    json_object_del(envelope, "result");
    json_object_del(envelope, "ok");
    json_object_del(envelope, "effect");
    json_object_del(envelope, "suggested_next");
    hf_mcp_outcome_add_meta(outcome, envelope);
    return outcome;
}

struct HfMcpOutput {
    gatomicrefcount refs;
    HfMcpSend send;
    gpointer data;
    GDestroyNotify free_data;
};

HfMcpOutput *hf_mcp_output_new(HfMcpSend send, gpointer data, GDestroyNotify free_data)
{
    HfMcpOutput *output = g_new0(HfMcpOutput, 1);
    g_atomic_ref_count_init(&output->refs);
    output->send = send;
    output->data = data;
    output->free_data = free_data;
    return output;
}

HfMcpOutput *hf_mcp_output_ref(HfMcpOutput *output)
{
    g_atomic_ref_count_inc(&output->refs);
    return output;
}

void hf_mcp_output_unref(HfMcpOutput *output)
{
    if (!output || !g_atomic_ref_count_dec(&output->refs))
        return;
    if (output->free_data)
        output->free_data(output->data);
    g_free(output);
}

void hf_mcp_output_send(HfMcpOutput *output, const HfMcpMessage *message)
{
    output->send(message, output->data);
}

void hf_mcp_output_notify(HfMcpOutput *output, const char *text)
{
    hf_mcp_output_send(output,
                       &(HfMcpMessage){.text = text, .length = strlen(text), .status = 200});
}

/* ---- batches ---- */

typedef struct Batch {
    HfMcpOutput *output;
    GMutex lock; /* guards what follows */
    guint open;
    GString *answers;
} Batch;

static void batch_free(gpointer data)
{
    Batch *batch = data;
    hf_mcp_output_unref(batch->output);
    g_string_free(batch->answers, TRUE);
    g_mutex_clear(&batch->lock);
    g_free(batch);
}

static void send_in_batch(const HfMcpMessage *message, gpointer data)
{
    Batch *batch = data;
    if (!message->last) {
        hf_mcp_output_send(batch->output, message);
        return;
    }
    g_mutex_lock(&batch->lock);
    if (message->text) {
        g_string_append_c(batch->answers, batch->answers->len ? ',' : '[');
        g_string_append_len(batch->answers, message->text, (gssize)message->length);
    }
    gboolean complete = --batch->open == 0;
    gboolean empty = batch->answers->len == 0;
    g_mutex_unlock(&batch->lock);
    if (!complete)
        return;
    g_string_append_c(batch->answers, ']');
    hf_mcp_output_send(batch->output, &(HfMcpMessage){.text = empty ? NULL : batch->answers->str,
                                                      .length = batch->answers->len,
                                                      .last = TRUE,
                                                      .status = 200});
}

HfMcpOutput *hf_mcp_output_new_batch(HfMcpOutput *output, guint requests)
{
    Batch *batch = g_new0(Batch, 1);
    batch->output = hf_mcp_output_ref(output);
    batch->open = requests;
    batch->answers = g_string_new(NULL);
    g_mutex_init(&batch->lock);
    return hf_mcp_output_new(send_in_batch, batch, batch_free);
}
