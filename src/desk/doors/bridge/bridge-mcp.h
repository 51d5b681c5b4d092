/* SPDX-License-Identifier: Apache-2.0 */
/* The method `mcp.open` of the bridge: from its answer on, the connection speaks MCP, one message a
 * line. What `handfast mcp` stands on. */
#pragma once

#include "desk/doors/bridge/bridge-client.h"
#include "desk/doors/mcp/mcp-server.h"

/* TRUE when it was this method. Main thread. */
gboolean hf_bridge_mcp_open(HfMcpServer *server, HfBridgeClient *client, const json_t *request);

/* What it takes. */
extern const HfParam hf_bridge_mcp_params[];
