/* SPDX-License-Identifier: Apache-2.0 */
/* Tool calls. Most are answered when the tool is done. A call that waits for the owner may outlive
 * its request: the client learns that it waits, and gets the outcome by making the same call again.
 * The tool runs only once. */
#pragma once

#include "desk/doors/mcp/mcp-output.h"
#include "desk/doors/mcp/mcp-request.h"
#include "desk/guard/guard.h"

typedef struct HfMcpCall HfMcpCall;

HfMcpCalls *hf_mcp_calls_new(void);
void hf_mcp_calls_free(HfMcpCalls *calls);

/* The work of a call: calls the guard through hf_mcp_call_guard and makes an outcome of the
 * answer. */
typedef HfMcpOutcome *(*HfMcpCallFunc)(HfMcpCall *call, json_t *arguments);

/* Starts the call, or joins the same one that waits already. `arguments` is an object. On a worker;
 * returns when the tool is done or another request will deliver the outcome. */
void hf_mcp_calls_run(HfMcpRequest *request, const char *tool, json_t *arguments,
                      HfMcpCallFunc work);
/* Cancels the calls of this connection that wait for a person. */
void hf_mcp_calls_cancel(HfMcpCalls *calls, HfMcp *mcp);

/* For HfMcpCallFunc. */
HfMcp *hf_mcp_call_get_mcp(const HfMcpCall *call);
HfAnswer *hf_mcp_call_guard(HfMcpCall *call, const char *tool, json_t *params);
/* The desktop of these arguments. Borrowed. */
const char *hf_mcp_call_desktop(const HfMcpCall *call, const json_t *arguments);
