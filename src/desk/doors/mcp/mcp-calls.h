/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of tools. Most are answered when the tool is done. One that waits for the owner may outlive
 * the request that began it: the client is told that it waits, and gets its outcome by asking for
 * the same again. Nothing is done twice by that. */
#pragma once

#include "desk/doors/mcp/mcp-outcome.h"
#include "desk/doors/mcp/mcp-request.h"
#include "desk/guard/guard.h"

typedef struct HfMcpCall HfMcpCall;

HfMcpCalls *hf_mcp_calls_new(void);
void hf_mcp_calls_free(HfMcpCalls *calls);

/* What does the work: calls the guard through hf_mcp_call_guard and makes an outcome of it. */
typedef HfMcpOutcome *(*HfMcpCallFunc)(HfMcpCall *call, json_t *arguments);

/* Begins it, or takes up the same one that waits already. `arguments` is an object. On a worker;
 * returns when the tool is done or the request found somebody else to answer it. */
void hf_mcp_calls_run(HfMcpRequest *request, const char *tool, json_t *arguments,
                      HfMcpCallFunc work);
/* Calls off what waits for a person and was begun on this connection. */
void hf_mcp_calls_cancel(HfMcpCalls *calls, HfMcp *mcp);

/* For the work of a call. */
HfMcp *hf_mcp_call_get_mcp(const HfMcpCall *call);
HfAnswer *hf_mcp_call_guard(HfMcpCall *call, const char *tool, json_t *params);
/* The desktop that these arguments mean. Borrowed. */
const char *hf_mcp_call_desktop(const HfMcpCall *call, const json_t *arguments);
