/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the owner through an agent's own connection. The client that shows them may be the
 * agent itself, so its answer counts as a no or as a wish. Only a client that the owner trusts
 * (`clients.NAME.may_approve`) answers for the owner. */
#pragma once

#include "desk/doors/mcp/mcp-connection.h"

/* The key of our question in a modern request. */
#define HF_MCP_ELICIT_KEY "approval"

/* Whether an approval given in this client counts. */
gboolean hf_mcp_elicit_is_trusted(const HfMcp *mcp);
/* How long a waiting call keeps its client without an answer. */
gint64 hf_mcp_elicit_wait_s(const HfMcp *mcp);
/* The parameters of elicitation/create for this question. */
json_t *hf_mcp_elicit_params(const HfMcp *mcp, const json_t *approval);
/* The text for a client whose call waits. */
char *hf_mcp_elicit_waiting_text(const json_t *approval);
/* Whether it is an answer of any kind. */
gboolean hf_mcp_elicit_is_answer(const json_t *answer);
/* Takes a client's answer: {action, content}. TRUE when it settles the question. On a worker. */
gboolean hf_mcp_elicit_take_answer(HfMcp *mcp, const json_t *approval, const json_t *answer);
