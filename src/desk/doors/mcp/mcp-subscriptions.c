/* SPDX-License-Identifier: Apache-2.0 */
/* Notifications of changes: `resources/subscribe` in the legacy era, the long request
 * `subscriptions/listen` in the modern one. */
#include "desk/doors/mcp/mcp-methods.h"
#include "desk/doors/mcp/mcp-resource-watch.h"
#include "desk/doors/mcp/mcp-resources.h"
#include "desk/guard/guard.h"
#include "shared/base/error.h"

static gboolean is_known_resource(const HfMcpRequest *request, const char *uri)
{
    const char *name;
    return hf_mcp_resource_kind(uri, &name) != HF_MCP_RESOURCE_NONE || request->mcp->server->extras;
}

static void change_subscription(HfMcpRequest *request, gboolean begin)
{
    const char *uri = hf_json_string(request->params, "uri", NULL);
    HfMcp *mcp = request->mcp;
    g_autoptr(GError) error = NULL;
    if (!uri)
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.uri must be the URI of a resource");
    else if (begin && !is_known_resource(request, uri))
        hf_mcp_request_fail(request, HF_MCP_RESOURCE_NOT_FOUND, json_pack("{s:s}", "uri", uri),
                            "Resource not found");
    else if (begin && !hf_mcp_subscribe(mcp, uri, &error))
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, hf_error_to_json(error), "%s",
                            error->message);
    if (!uri || error)
        return;
    if (!begin)
        hf_mcp_unsubscribe(mcp, uri);
    hf_mcp_request_reply(request, json_object());
}

void hf_mcp_resources_subscribe(HfMcpRequest *request)
{
    change_subscription(request, TRUE);
}

void hf_mcp_resources_unsubscribe(HfMcpRequest *request)
{
    change_subscription(request, FALSE);
}

/* ---- modern ---- */

typedef struct Listening {
    HfMcpRequest *request;
    HfMcpResourceWatch *watch, *list_watch;
} Listening;

static json_t *subscription_meta(const HfMcpRequest *request)
{
    return json_pack("{s:O}", HF_MCP_META("subscriptionId"), hf_mcp_request_get_id(request));
}

static void notify_subscriber(HfMcpRequest *request, const char *method, json_t *take_params)
{
    json_object_set_new(take_params, "_meta", subscription_meta(request));
    g_autofree char *text = hf_mcp_notification_text(method, take_params);
    hf_mcp_output_notify(request->output, text);
}

static void notify_resource_updated(const char *uri, gpointer request)
{
    if (uri)
        notify_subscriber(request, "notifications/resources/updated",
                          json_pack("{s:s}", "uri", uri));
    else
        notify_subscriber(request, "notifications/resources/list_changed", json_object());
}

static void end_listening(gpointer data)
{
    Listening *listening = data;
    hf_mcp_resource_watch_free(listening->watch);
    hf_mcp_resource_watch_free(listening->list_watch);
    hf_mcp_request_reply(listening->request,
                         json_pack("{s:o}", "_meta", subscription_meta(listening->request)));
    hf_mcp_request_unref(listening->request);
    g_free(listening);
}

/* The part of the requested notifications that we support. */
static json_t *accept_subscriptions(const HfMcpRequest *request, HfMcpResourceWatch *watch,
                                    const json_t *wanted)
{
    json_t *uris = json_array();
    hf_json_each (uri, json_object_get(wanted, "resourceSubscriptions"))
        if (json_is_string(uri) && is_known_resource(request, json_string_value(uri)) &&
            hf_mcp_resource_watch_add(watch, json_string_value(uri), NULL))
            json_array_append(uris, uri);
    json_t *honoured = json_object();
    if (json_array_size(uris) > 0)
        json_object_set(honoured, "resourceSubscriptions", uris);
    json_decref(uris);
    if (json_is_true(json_object_get(wanted, "resourcesListChanged")))
        json_object_set_new(honoured, "resourcesListChanged", json_true());
    return honoured;
}

void hf_mcp_listen(HfMcpRequest *request)
{
    const json_t *wanted = json_object_get(request->params, "notifications");
    if (!json_is_object(wanted)) {
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.notifications must be an object");
        return;
    }
    HfMcp *mcp = request->mcp;
    HfEvents *events = hf_guard_get_events(hf_desk_get_guard(mcp->server->desk));
    Listening *listening = g_new0(Listening, 1);
    listening->request = hf_mcp_request_ref(request);
    listening->watch = hf_mcp_resource_watch_new(events, &mcp->caller, notify_resource_updated,
                                                 hf_mcp_request_ref(request),
                                                 (GDestroyNotify)hf_mcp_request_unref);
    json_t *honoured = accept_subscriptions(request, listening->watch, wanted);
    if (json_object_get(honoured, "resourcesListChanged"))
        listening->list_watch = hf_mcp_resource_watch_new_list(
            events, &mcp->caller, notify_resource_updated, hf_mcp_request_ref(request),
            (GDestroyNotify)hf_mcp_request_unref);
    notify_subscriber(request, "notifications/subscriptions/acknowledged",
                      json_pack("{s:o}", "notifications", honoured));
    hf_mcp_request_set_cancelled(request, end_listening, listening);
}
