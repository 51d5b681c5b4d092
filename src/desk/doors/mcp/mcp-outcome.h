/* SPDX-License-Identifier: Apache-2.0 */
/* A tool's answer as an MCP result. */
#pragma once

#include "shared/tool/answer.h"

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
