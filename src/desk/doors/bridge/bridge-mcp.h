/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge method `mcp.open`, used by `handfast mcp`: after its answer the connection speaks MCP,
 * one message per line. */
#pragma once

#include "desk/doors/bridge/bridge-client.h"
#include "desk/doors/mcp/mcp-server.h"

/* TRUE when the request was `mcp.open`. Main thread. */
gboolean hf_bridge_mcp_open(HfMcpServer *server, HfBridgeClient *client, const json_t *request);

/* The parameters of mcp.open. */
extern const HfParam hf_bridge_mcp_params[];
