/* SPDX-License-Identifier: Apache-2.0 */
/* Where messages go: the one line out of a connection, or the stream that answers one HTTP request.
 * The protocol writes to it from any thread and knows nothing else about the transport. */
#pragma once

#include <glib.h>

typedef struct HfMcpMessage {
    const char *text; /* one JSON value without newlines; NULL: nothing more is said */
    gsize length;
    gboolean last;    /* it answers the request that this outlet was given for */
    int status;       /* of HTTP, should this be all that is said: 200, 400, 404 */
    gboolean hang_up; /* a stream may end for now: the client comes back for the rest */
} HfMcpMessage;

typedef struct HfMcpOutput HfMcpOutput;
/* On any thread; must not block. */
typedef void (*HfMcpSend)(const HfMcpMessage *message, gpointer data);

HfMcpOutput *hf_mcp_output_new(HfMcpSend send, gpointer data, GDestroyNotify free_data);
HfMcpOutput *hf_mcp_output_ref(HfMcpOutput *outlet);
void hf_mcp_output_unref(HfMcpOutput *outlet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpOutput, hf_mcp_output_unref)

void hf_mcp_output_send(HfMcpOutput *outlet, const HfMcpMessage *message);
/* A message that is not the answer. */
void hf_mcp_output_notify(HfMcpOutput *outlet, const char *text);
/* Collects the answers to so many requests and sends them as one array. Other messages pass. */
HfMcpOutput *hf_mcp_output_new_batch(HfMcpOutput *outlet, guint requests);
