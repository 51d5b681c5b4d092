/* SPDX-License-Identifier: Apache-2.0 */
/* Maps events to changed resources. Reading a resource must not count as a change: a client that
 * reads after a notification would be notified for ever. */
#include "desk/doors/mcp/mcp-resource-watch.h"

#include <string.h>

#include "desk/doors/event-feed.h"
#include "desk/doors/mcp/mcp-resources.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/tool/registry.h"

/* Changes within this time are reported together. */
#define GATHER_MS 250

struct HfMcpResourceWatch {
    HfEventFeed *feed;
    GHashTable *uris; /* NULL: the list of resources */
    guint timer;
    HfMcpUpdated updated;
    gpointer data;
    GDestroyNotify free_data;
};

static gboolean is_look(const json_t *data)
{
    const HfTool *tool = hf_registry_find(hf_json_string(data, "tool", ""));
    return tool && (tool->flags & HF_TOOL_READ_ONLY);
}

static gboolean event_concerns_resource(const json_t *event, const char *uri)
{
    const json_t *data = json_object_get(event, "data");
    const char *name;
    switch (hf_mcp_resource_kind(uri, &name)) {
    case HF_MCP_RESOURCE_AUDIT:
        return TRUE;
    case HF_MCP_RESOURCE_RUN:
        return strcmp(hf_json_string(data, "run_id", ""), name) == 0;
    case HF_MCP_RESOURCE_SCREEN:
        return strcmp(hf_json_string(data, "desktop", ""), name) == 0 && !is_look(data) &&
               strcmp(hf_json_string(event, "type", ""), "call.finished") == 0;
    case HF_MCP_RESOURCE_NONE:
        break;
    }
    return FALSE;
}

static void collect_changed_resources(HfMcpResourceWatch *watch, const json_t *event,
                                      GHashTable *changed)
{
    GHashTableIter iter;
    gpointer uri;
    g_hash_table_iter_init(&iter, watch->uris);
    while (g_hash_table_iter_next(&iter, &uri, NULL))
        if (event_concerns_resource(event, uri))
            g_hash_table_add(changed, g_strdup(uri));
}

static gboolean on_gathered(gpointer data)
{
    HfMcpResourceWatch *watch = data;
    g_autoptr(GHashTable) changed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    json_t *event;
    gboolean any = FALSE;
    watch->timer = 0;
    while ((event = hf_event_feed_take(watch->feed))) {
        any = TRUE;
        if (watch->uris)
            collect_changed_resources(watch, event, changed);
        json_decref(event);
    }
    if (any && !watch->uris)
        watch->updated(HF_MCP_RESOURCE_LIST, watch->data);
    GHashTableIter iter;
    gpointer uri;
    g_hash_table_iter_init(&iter, changed);
    while (g_hash_table_iter_next(&iter, &uri, NULL))
        watch->updated(uri, watch->data);
    return G_SOURCE_REMOVE;
}

static void on_resource_feed_ready(gpointer data)
{
    HfMcpResourceWatch *watch = data;
    if (!watch->timer)
        watch->timer = g_timeout_add(GATHER_MS, on_gathered, watch);
}

static HfMcpResourceWatch *new_resource_watch(HfMcpUpdated updated, gpointer take_data,
                                              GDestroyNotify free_data)
{
    HfMcpResourceWatch *watch = g_new0(HfMcpResourceWatch, 1);
    watch->updated = updated;
    watch->data = take_data;
    watch->free_data = free_data;
    return watch;
}

HfMcpResourceWatch *hf_mcp_resource_watch_new(HfEvents *events, const HfCaller *caller,
                                              HfMcpUpdated updated, gpointer take_data,
                                              GDestroyNotify free_data)
{
    HfMcpResourceWatch *watch = new_resource_watch(updated, take_data, free_data);
    watch->uris = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    watch->feed = hf_event_feed_new(events, caller, &(HfEventFeedOptions){0},
                                    on_resource_feed_ready, watch, NULL);
    return watch;
}

/* Every desktop is a resource; nothing else changes the list. */
HfMcpResourceWatch *hf_mcp_resource_watch_new_list(HfEvents *events, const HfCaller *caller,
                                                   HfMcpUpdated updated, gpointer take_data,
                                                   GDestroyNotify free_data)
{
    HfMcpResourceWatch *watch = new_resource_watch(updated, take_data, free_data);
    g_autoptr(json_t) types = json_pack("[s]", "desktop");
    watch->feed = hf_event_feed_new(events, caller, &(HfEventFeedOptions){.types = types},
                                    on_resource_feed_ready, watch, NULL);
    return watch;
}

void hf_mcp_resource_watch_free(HfMcpResourceWatch *watch)
{
    if (!watch)
        return;
    hf_event_feed_free(watch->feed);
    if (watch->timer)
        g_source_remove(watch->timer);
    g_clear_pointer(&watch->uris, g_hash_table_unref);
    watch->free_data(watch->data);
    g_free(watch);
}

gboolean hf_mcp_resource_watch_add(HfMcpResourceWatch *watch, const char *uri, GError **error)
{
    if (g_hash_table_size(watch->uris) >= HF_LIMIT_MCP_SUBSCRIPTIONS &&
        !g_hash_table_contains(watch->uris, uri))
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "at most %u resources can be subscribed to",
                       HF_LIMIT_MCP_SUBSCRIPTIONS);
    g_hash_table_add(watch->uris, g_strdup(uri));
    return TRUE;
}

void hf_mcp_resource_watch_remove(HfMcpResourceWatch *watch, const char *uri)
{
    g_hash_table_remove(watch->uris, uri);
}
