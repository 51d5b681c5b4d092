/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the owner that come along an agent's own connection. The client that shows them may
 * be the agent itself: its word is a no, or a wish. Only a client that the owner has named for it
 * (`clients.NAME.may_approve`) answers for the owner. */
#pragma once

#include "desk/doors/mcp/mcp-connection.h"

/* The name of our question among those of a modern request. */
#define HF_MCP_ELICIT_KEY "approval"

/* Whether a yes given in this client counts. */
gboolean hf_mcp_elicit_is_trusted(const HfMcp *mcp);
/* How long a call that waits keeps its client without an answer. */
gint64 hf_mcp_elicit_wait_s(const HfMcp *mcp);
/* The parameters of elicitation/create for this question. */
json_t *hf_mcp_elicit_params(const HfMcp *mcp, const json_t *approval);
/* What a client is told whose call waits. */
char *hf_mcp_elicit_waiting_text(const json_t *approval);
/* Whether it is an answer at all, of whatever kind. */
gboolean hf_mcp_elicit_is_answer(const json_t *answer);
/* What a client has answered: {action, content}. TRUE when that settles the question. On a worker.
 */
gboolean hf_mcp_elicit_take_answer(HfMcp *mcp, const json_t *approval, const json_t *answer);
