/* Outlets, and the one that gathers the answers to a batch. */
#include "front/mcp/outlet.h"

#include <string.h>

struct HfMcpOutlet {
    gatomicrefcount refs;
    HfMcpSend send;
    gpointer data;
    GDestroyNotify free_data;
};

HfMcpOutlet *hf_mcp_outlet_new(HfMcpSend send, gpointer data, GDestroyNotify free_data)
{
    HfMcpOutlet *outlet = g_new0(HfMcpOutlet, 1);
    g_atomic_ref_count_init(&outlet->refs);
    outlet->send = send;
    outlet->data = data;
    outlet->free_data = free_data;
    return outlet;
}

HfMcpOutlet *hf_mcp_outlet_ref(HfMcpOutlet *outlet)
{
    g_atomic_ref_count_inc(&outlet->refs);
    return outlet;
}

void hf_mcp_outlet_unref(HfMcpOutlet *outlet)
{
    if (!outlet || !g_atomic_ref_count_dec(&outlet->refs))
        return;
    if (outlet->free_data)
        outlet->free_data(outlet->data);
    g_free(outlet);
}

void hf_mcp_outlet_send(HfMcpOutlet *outlet, const HfMcpMessage *message)
{
    outlet->send(message, outlet->data);
}

void hf_mcp_outlet_tell(HfMcpOutlet *outlet, const char *text)
{
    hf_mcp_outlet_send(outlet,
                       &(HfMcpMessage){.text = text, .length = strlen(text), .status = 200});
}

/* ---- batches ---- */

typedef struct Batch {
    HfMcpOutlet *outlet;
    GMutex lock; /* guards what follows */
    guint open;
    GString *answers;
} Batch;

static void batch_free(gpointer data)
{
    Batch *batch = data;
    hf_mcp_outlet_unref(batch->outlet);
    g_string_free(batch->answers, TRUE);
    g_mutex_clear(&batch->lock);
    g_free(batch);
}

static void send_in_batch(const HfMcpMessage *message, gpointer data)
{
    Batch *batch = data;
    if (!message->last) {
        hf_mcp_outlet_send(batch->outlet, message);
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
    hf_mcp_outlet_send(batch->outlet, &(HfMcpMessage){.text = empty ? NULL : batch->answers->str,
                                                      .length = batch->answers->len,
                                                      .last = TRUE,
                                                      .status = 200});
}

HfMcpOutlet *hf_mcp_outlet_new_batch(HfMcpOutlet *outlet, guint requests)
{
    Batch *batch = g_new0(Batch, 1);
    batch->outlet = hf_mcp_outlet_ref(outlet);
    batch->open = requests;
    batch->answers = g_string_new(NULL);
    g_mutex_init(&batch->lock);
    return hf_mcp_outlet_new(send_in_batch, batch, batch_free);
}
