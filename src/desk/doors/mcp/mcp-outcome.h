/* SPDX-License-Identifier: Apache-2.0 */
/* What a tool gave back, in the words of MCP. */
#pragma once

#include "shared/tool/answer.h"

typedef struct HfMcpOutcome {
    json_t *result;   /* all of the result but "content" */
    GString *content; /* the text of its array: pictures are written straight into it */
} HfMcpOutcome;

HfMcpOutcome *hf_mcp_outcome_new(gboolean is_error);
void hf_mcp_outcome_free(HfMcpOutcome *outcome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpOutcome, hf_mcp_outcome_free)

/* The result as text and as structured content, and its pictures; or the error in words, with its
 * code first and what to do next. */
HfMcpOutcome *hf_mcp_outcome_of_answer(const HfAnswer *answer);
/* An error that no tool has met. */
HfMcpOutcome *hf_mcp_outcome_of_error(const GError *error);

void hf_mcp_outcome_add_text(HfMcpOutcome *outcome, const char *text);
/* `media_type` "image/..." becomes an image, anything else an embedded resource. */
void hf_mcp_outcome_add_bytes(HfMcpOutcome *outcome, const char *field, const char *media_type,
                              GBytes *bytes);
/* Every member of `members` as "handfast/NAME" of the result's `_meta`. */
void hf_mcp_outcome_add_meta(HfMcpOutcome *outcome, const json_t *members);
/* Ends the array. Nothing can be added any more. */
const GString *hf_mcp_outcome_close(HfMcpOutcome *outcome);
