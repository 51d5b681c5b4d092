/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of MCP, by era, and the thread that runs each. */
#pragma once

#include "desk/doors/mcp/mcp-request.h"

/* Runs a message that has the form of a request. */
void hf_mcp_methods_begin(HfMcp *mcp, json_t *message, HfMcpOutput *output);

/* Each answers the request, now or later. */
void hf_mcp_tools_list(HfMcpRequest *request);
void hf_mcp_tools_call(HfMcpRequest *request);
void hf_mcp_resources_list(HfMcpRequest *request);
void hf_mcp_templates_list(HfMcpRequest *request);
void hf_mcp_resources_read(HfMcpRequest *request);
void hf_mcp_resources_subscribe(HfMcpRequest *request);
void hf_mcp_resources_unsubscribe(HfMcpRequest *request);
void hf_mcp_listen(HfMcpRequest *request);

/* Replies with a result that a modern client may cache for a while. Consumes it. */
void hf_mcp_reply_cacheable(HfMcpRequest *request, json_t *take_result, gint64 for_ms);
