/* SPDX-License-Identifier: Apache-2.0 */
/* Where messages go: a connection's one line out, or the stream that answers one HTTP request. The
 * protocol writes to it from any thread and knows nothing else about the transport. */
#pragma once

#include "shared/tool/answer.h"

#include <glib.h>

/* A tool's answer as an MCP result. */
typedef struct HfMcpOutcome {
    json_t *result;   /* the result without "content" */
    GString *content; /* the JSON text of its array: pictures are written straight into it */
} HfMcpOutcome;

HfMcpOutcome *hf_mcp_outcome_new(gboolean is_error);
void hf_mcp_outcome_free(HfMcpOutcome *outcome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpOutcome, hf_mcp_outcome_free)

/* The result as text, structured content and pictures; or the error as text: its code, its message
 * and what to do next. */
HfMcpOutcome *hf_mcp_outcome_of_answer(const HfAnswer *answer);
/* An error without a tool's answer. */
HfMcpOutcome *hf_mcp_outcome_of_error(const GError *error);

void hf_mcp_outcome_add_text(HfMcpOutcome *outcome, const char *text);
/* A `media_type` "image/..." becomes an image, anything else an embedded resource. */
void hf_mcp_outcome_add_bytes(HfMcpOutcome *outcome, const char *field, const char *media_type,
                              GBytes *bytes);
/* Adds every member as "handfast/NAME" to the result's `_meta`. */
void hf_mcp_outcome_add_meta(HfMcpOutcome *outcome, const json_t *members);
/* Ends the array. Nothing can be added afterwards. */
const GString *hf_mcp_outcome_close(HfMcpOutcome *outcome);

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
