/* SPDX-License-Identifier: Apache-2.0 */
/* Where messages go: a connection's one line out, or the stream that answers one HTTP request. The
 * protocol writes to it from any thread and knows nothing else about the transport. */
#pragma once

#include <glib.h>

typedef struct HfMcpMessage {
    const char *text; /* one JSON value without newlines; NULL: no more messages */
    gsize length;
    gboolean last;    /* it answers the request of this output */
    int status;       /* HTTP status, if this is the only message: 200, 400, 404 */
    gboolean hang_up; /* the stream may end for now: the client reconnects for the rest */
} HfMcpMessage;

typedef struct HfMcpOutput HfMcpOutput;
/* On any thread; must not block. */
typedef void (*HfMcpSend)(const HfMcpMessage *message, gpointer data);

HfMcpOutput *hf_mcp_output_new(HfMcpSend send, gpointer data, GDestroyNotify free_data);
HfMcpOutput *hf_mcp_output_ref(HfMcpOutput *output);
void hf_mcp_output_unref(HfMcpOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpOutput, hf_mcp_output_unref)

void hf_mcp_output_send(HfMcpOutput *output, const HfMcpMessage *message);
/* Sends a message that is not the answer. */
void hf_mcp_output_notify(HfMcpOutput *output, const char *text);
/* Collects the answers to `requests` requests and sends them as one array. Other messages pass
 * through. */
HfMcpOutput *hf_mcp_output_new_batch(HfMcpOutput *output, guint requests);
