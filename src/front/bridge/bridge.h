/* The bridge: JSON-RPC 2.0 on a UNIX socket, one message a line. Only processes of the owner get
 * in. It translates bytes to calls and answers to bytes, and decides nothing. */
#pragma once

#include "desk/desk.h"

typedef struct HfBridge HfBridge;

/* Listens on `path` (0600) from the main context of this thread. */
HfBridge *hf_bridge_new(HfDesk *desk, const char *path, GError **error);
/* Closes all clients, cancels their calls, waits for them, removes the socket. */
void hf_bridge_free(HfBridge *bridge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBridge, hf_bridge_free)
