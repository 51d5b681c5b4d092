/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs, and the one that gathers the answers to a batch. */
#include "desk/doors/mcp/mcp-output.h"

#include <string.h>

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
