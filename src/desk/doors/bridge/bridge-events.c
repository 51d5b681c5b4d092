/* SPDX-License-Identifier: Apache-2.0 */
/* One subscription per connection; a new one replaces it. Events that the socket does not take stay
 * in the ring of events until it does, or until the ring overwrites them. */
#include "desk/doors/bridge/bridge-events.h"

#include <string.h>

#include "desk/doors/bridge/bridge-limits.h"
#include "desk/doors/event-feed.h"
#include "shared/base/error.h"
#include "shared/tool/param-check.h"

typedef struct Subscription {
    HfBridgeClient *client; /* owns this */
    HfEventFeed *feed;
} Subscription;

const HfParam hf_bridge_subscribe_params[] = {
    HF_INTEGER("since", "Send events after this id; 0: only new ones", .min = 0,
               .max = 9007199254740991.0, .fallback = "0"),
    HF_ARRAY("types", "Only these types; a family such as \"call\" means \"call.*\""),
    {0},
};

static void send_event_line(HfBridgeClient *client, json_t *take_json)
{
    g_autoptr(json_t) json = take_json;
    g_autofree char *dump = hf_json_dump(json);
    g_autofree char *text = g_strconcat(dump, "\n", NULL);
    hf_bridge_client_send(client, text, strlen(text));
}

static void pump_bridge_events(gpointer data)
{
    Subscription *subscription = data;
    HfBridgeClient *client = subscription->client;
    json_t *event;
    while (hf_bridge_client_get_backlog(client) < HF_LIMIT_EVENT_BACKLOG_BYTES &&
           (event = hf_event_feed_take(subscription->feed)))
        send_event_line(client, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", "event",
                                          "params", event));
}

static void subscription_free(gpointer data)
{
    Subscription *subscription = data;
    hf_event_feed_free(subscription->feed);
    g_free(subscription);
}

static json_t *subscribe_client(HfDesk *desk, HfBridgeClient *client, const json_t *params,
                                GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_bridge_subscribe_params, params, error);
    if (!checked)
        return NULL;
    HfEvents *events = hf_guard_get_events(hf_desk_get_guard(desk));
    HfEventFeedOptions options = {.since = hf_json_int(checked, "since", 0),
                                  .types = json_object_get(checked, "types")};
    Subscription *subscription = g_new0(Subscription, 1);
    subscription->client = client;
    subscription->feed = hf_event_feed_new(events, hf_bridge_client_get_caller(client), &options,
                                           pump_bridge_events, subscription, error);
    if (!subscription->feed) {
        g_free(subscription);
        return NULL;
    }
    hf_bridge_client_set_feed(client, subscription, subscription_free, pump_bridge_events);
    return json_pack("{s:I}", "since", (json_int_t)hf_event_feed_get_position(subscription->feed));
}

gboolean hf_bridge_handle_events(HfDesk *desk, HfBridgeClient *client, const json_t *request)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) none = json_object();
    const char *method = hf_json_string(request, "method", "");
    gboolean begin = g_str_equal(method, "events.subscribe");
    if (!begin && !g_str_equal(method, "events.unsubscribe"))
        return FALSE;
    const json_t *id = json_object_get(request, "id");
    const json_t *params = json_object_get(request, "params");
    json_t *result =
        begin ? subscribe_client(desk, client, params ? params : none, &error) : json_object();
    if (!begin)
        hf_bridge_client_set_feed(client, NULL, NULL, NULL);
    json_t *answer = error ? json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(error))
                           : json_pack("{s:b, s:o}", "ok", 1, "result", result);
    g_autoptr(json_t) reply = json_pack("{s:s, s:o}", "jsonrpc", "2.0", "result", answer);
    json_object_set_new(reply, "id", id ? json_deep_copy(id) : json_null());
    if (id)
        send_event_line(client, json_incref(reply));
    return TRUE;
}
