/* SPDX-License-Identifier: Apache-2.0 */
/* Watches events for changed resources: for subscriptions. Main thread only. */
#pragma once

#include "desk/records/events/events.h"

typedef struct HfMcpResourceWatch HfMcpResourceWatch;

/* On the main thread, for each resource that may have changed; at a bounded rate. */
typedef void (*HfMcpUpdated)(const char *uri, gpointer data);
/* The same for the list of resources: `uri` is NULL. */
#define HF_MCP_RESOURCE_LIST NULL

HfMcpResourceWatch *hf_mcp_resource_watch_new(HfEvents *events, const HfCaller *caller,
                                              HfMcpUpdated updated, gpointer take_data,
                                              GDestroyNotify free_data);
/* Watches the list only, which costs nothing while it does not change. */
HfMcpResourceWatch *hf_mcp_resource_watch_new_list(HfEvents *events, const HfCaller *caller,
                                                   HfMcpUpdated updated, gpointer take_data,
                                                   GDestroyNotify free_data);
void hf_mcp_resource_watch_free(HfMcpResourceWatch *watch);

/* LIMIT_EXCEEDED when there are too many. */
gboolean hf_mcp_resource_watch_add(HfMcpResourceWatch *watch, const char *uri, GError **error);
void hf_mcp_resource_watch_remove(HfMcpResourceWatch *watch, const char *uri);
