/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge: JSON-RPC 2.0 on a UNIX socket, one message per line. Only the owner's processes may
 * connect. It translates bytes to calls and answers to bytes, and decides nothing. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/mcp/mcp-server.h"
#include "desk/doors/workers.h"

typedef struct HfBridge HfBridge;

/* Listens on `path` (0600) with the main context of this thread. */
HfBridge *hf_bridge_new(HfDesk *desk, HfWorkers *workers, HfMcpServer *mcp, const char *path,
                        GError **error);
/* Closes all clients, cancels their calls, removes the socket. */
void hf_bridge_shut(HfBridge *bridge);
/* After it was shut and the workers are gone. */
void hf_bridge_free(HfBridge *bridge);
