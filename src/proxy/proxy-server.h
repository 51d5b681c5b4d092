/* SPDX-License-Identifier: Apache-2.0 */
/* The only way to the network from a desktop whose container.network is "policy": SOCKS 5, HTTP
 * CONNECT and plain HTTP on one listener inside the container. Every connection is judged by the
 * owner's lists of domains and by where it leads. */
#pragma once

#include "shared/base/json.h"

typedef struct HfProxyServer HfProxyServer;

/* What was refused, and why; from any thread. */
typedef void (*HfProxyRefused)(const char *host, guint16 port, const char *reason, gpointer data);

/* `lists`: {"allowed": [glob], "blocked": [glob]}. */
HfProxyServer *hf_proxy_server_new(int take_listener, const json_t *lists, HfProxyRefused refused,
                                   gpointer data);
/* Closes all connections. */
void hf_proxy_server_free(HfProxyServer *server);
/* Closes connections to hosts that are no longer allowed. */
void hf_proxy_server_set_lists(HfProxyServer *server, const json_t *lists);
