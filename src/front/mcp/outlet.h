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

typedef struct HfMcpOutlet HfMcpOutlet;
/* On any thread; must not block. */
typedef void (*HfMcpSend)(const HfMcpMessage *message, gpointer data);

HfMcpOutlet *hf_mcp_outlet_new(HfMcpSend send, gpointer data, GDestroyNotify free_data);
HfMcpOutlet *hf_mcp_outlet_ref(HfMcpOutlet *outlet);
void hf_mcp_outlet_unref(HfMcpOutlet *outlet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpOutlet, hf_mcp_outlet_unref)

void hf_mcp_outlet_send(HfMcpOutlet *outlet, const HfMcpMessage *message);
/* A message that is not the answer. */
void hf_mcp_outlet_tell(HfMcpOutlet *outlet, const char *text);
/* Collects the answers to so many requests and sends them as one array. Other messages pass. */
HfMcpOutlet *hf_mcp_outlet_new_batch(HfMcpOutlet *outlet, guint requests);
