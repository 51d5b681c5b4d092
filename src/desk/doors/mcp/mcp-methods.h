/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of MCP, by era, and on which thread each is answered. */
#pragma once

#include "desk/doors/mcp/mcp-request.h"

/* A message of the form of a request. */
void hf_mcp_methods_begin(HfMcp *mcp, json_t *message, HfMcpOutput *outlet);

/* Each sees to the request's answer, now or later. */
void hf_mcp_initialize(HfMcpRequest *request);
void hf_mcp_ping(HfMcpRequest *request);
void hf_mcp_discover(HfMcpRequest *request);
void hf_mcp_set_level(HfMcpRequest *request);
void hf_mcp_tools_list(HfMcpRequest *request);
void hf_mcp_tools_call(HfMcpRequest *request);
void hf_mcp_resources_list(HfMcpRequest *request);
void hf_mcp_templates_list(HfMcpRequest *request);
void hf_mcp_resources_read(HfMcpRequest *request);
void hf_mcp_resources_subscribe(HfMcpRequest *request);
void hf_mcp_resources_unsubscribe(HfMcpRequest *request);
void hf_mcp_listen(HfMcpRequest *request);

/* A result that a modern client may keep for a while: says so. Consumes it. */
void hf_mcp_reply_cacheable(HfMcpRequest *request, json_t *take_result, gint64 for_ms);
