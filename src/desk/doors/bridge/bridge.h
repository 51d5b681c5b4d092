/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge: JSON-RPC 2.0 on a UNIX socket, one message a line. Only processes of the owner get
 * in. It translates bytes to calls and answers to bytes, and decides nothing. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/mcp/mcp-server.h"
#include "desk/doors/workers.h"

typedef struct HfBridge HfBridge;

/* Listens on `path` (0600) from the main context of this thread. */
HfBridge *hf_bridge_new(HfDesk *desk, HfWorkers *workers, HfMcpServer *mcp, const char *path,
                        GError **error);
/* Closes all clients, cancels their calls, removes the socket. */
void hf_bridge_shut(HfBridge *bridge);
/* When it is shut and the workers are gone. */
void hf_bridge_free(HfBridge *bridge);
