/* SPDX-License-Identifier: Apache-2.0 */
/* GET /v1/events: events as WebSocket messages or as server-sent events. Both read the feed only
 * when the client has taken what was sent. A slow client misses events, and learns that it did, but
 * never makes them pile up. */
#include <string.h>

#include "desk/doors/doors-limits.h"
#include "desk/doors/event-feed.h"
#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/routes/method-route.h"
#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/http/server/web-socket.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

/* How many bytes are sent at a time. */
#define PORTION_BYTES (64u * 1024)

/* `since` and `types` of the query. A browser that reconnects names its position in a header. */
static HfEventFeed *open_feed(const HfHttpRequest *request, HfEventFeedReady ready, gpointer data,
                              GError **error)
{
    g_autoptr(json_t) query = hf_http_read_query(request, request->route->params, error);
    if (!query)
        return NULL;
    const char *names = hf_json_string(query, "types", NULL);
    const char *last = hf_http_request_get_header(request, "Last-Event-ID");
    g_auto(GStrv) list = names ? g_strsplit(names, ",", HF_LIMIT_EVENT_TYPES + 1) : NULL;
    g_autoptr(json_t) types = json_array();
    for (char **name = list; name && *name; name++)
        json_array_append_new(types, hf_json_text(g_strstrip(*name)));
    HfEventFeedOptions options = {.since = hf_json_int(query, "since", 0), .types = types};
    if (last && options.since == 0)
        options.since = MAX(0, g_ascii_strtoll(last, NULL, 10));
    HfGuard *guard = hf_desk_get_guard(request->http->desk);
    return hf_event_feed_new(hf_guard_get_events(guard), &request->caller, &options, ready, data,
                             error);
}

/* ---- WebSocket ---- */

typedef struct Listener {
    HfWebSocket *socket;
    HfEventFeed *feed;
} Listener;

static void on_socket_feed_ready(gpointer data)
{
    hf_web_socket_want_room(((Listener *)data)->socket);
}

static void send_events_to_socket(gpointer data)
{
    Listener *listener = data;
    gsize sent = 0;
    json_t *event = NULL;
    while (sent < PORTION_BYTES && (event = hf_event_feed_take(listener->feed))) {
        sent += 256; /* about the size of one event */
        hf_web_socket_send_json(listener->socket, event);
    }
    if (event)
        hf_web_socket_want_room(listener->socket);
}

static void free_socket_listener(gpointer data)
{
    Listener *listener = data;
    hf_event_feed_free(listener->feed);
    g_free(listener);
}

static const HfWebSocketFuncs listener_funcs = {.room = send_events_to_socket,
                                                .closed = free_socket_listener};

static void accept_listener(HfHttpRequest *request, SoupWebsocketConnection *socket)
{
    g_autoptr(GError) error = NULL;
    Listener *listener = g_new0(Listener, 1);
    listener->socket = hf_web_socket_new(request, socket, &listener_funcs, listener);
    listener->feed = open_feed(request, on_socket_feed_ready, listener, &error);
    if (!listener->feed)
        hf_web_socket_refuse(listener->socket, error);
}

/* ---- server-sent events ---- */

typedef struct Sender {
    HfHttpRequest *request;
    HfEventFeed *feed;
    guint ping;
} Sender;

static void send_sse_event(Sender *sender, json_t *take_event)
{
    g_autoptr(json_t) event = take_event;
    g_autofree char *json = hf_json_dump(event);
    g_autofree char *text =
        g_strdup_printf("id: %lld\nevent: %s\ndata: %s\n\n", (long long)hf_json_int(event, "id", 0),
                        hf_json_string(event, "type", ""), json);
    hf_http_stream_send(sender->request, text, strlen(text));
}

static void pump_sse_events(gpointer data)
{
    Sender *sender = data;
    json_t *event;
    while (hf_http_stream_get_backlog(sender->request) < PORTION_BYTES &&
           (event = hf_event_feed_take(sender->feed)))
        send_sse_event(sender, event);
}

static gboolean on_ping(gpointer data)
{
    Sender *sender = data;
    static const char ping[] = ": ping\n\n";
    if (hf_http_token_is_valid(sender->request))
        hf_http_stream_send(sender->request, ping, strlen(ping));
    else
        hf_http_stream_end(sender->request);
    return G_SOURCE_CONTINUE;
}

/* On the main thread: the client has disconnected, or the door is closing. */
static void on_sse_client_gone(GCancellable *cancellable, gpointer data)
{
    Sender *sender = data;
    hf_http_stream_set_drain_func(sender->request, NULL, NULL);
    g_source_remove(sender->ping);
    hf_event_feed_free(sender->feed);
    hf_http_request_unref(sender->request);
    g_free(sender);
}

static void handle_events(HfHttpRequest *request)
{
    static const char greeting[] = "retry: 1000\n\n";
    g_autoptr(GError) error = NULL;
    Sender *sender = g_new0(Sender, 1);
    sender->feed = open_feed(request, pump_sse_events, sender, &error);
    if (!sender->feed) {
        g_free(sender);
        hf_http_respond_error(request, error);
        return;
    }
    sender->request = hf_http_request_ref(request);
    sender->ping = g_timeout_add_seconds(HF_LIMIT_SOCKET_PING_S, on_ping, sender);
    hf_http_stream_begin(request, SOUP_STATUS_OK, "text/event-stream");
    hf_http_stream_send(request, greeting, strlen(greeting));
    hf_http_stream_set_drain_func(request, pump_sse_events, sender);
    g_cancellable_connect(request->cancellable, G_CALLBACK(on_sse_client_gone), sender, NULL);
}

static const HfParam events_params[] = {
    HF_INTEGER("since", "Send events after this id; 0: only new ones", .min = 0,
               .max = 9007199254740991.0, .fallback = "0"),
    HF_STRING("types", "Only these types, separated by commas; a family such as call means call.*",
              .max = HF_LIMIT_TITLE_BYTES),
    {0},
};

const HfHttpRoute hf_http_events_routes[] = {
    {.method = "GET",
     .path = "/v1/events",
     .handler = handle_events,
     .where = HF_HTTP_MAIN,
     .socket = accept_listener,
     .params = events_params,
     .about = "Events as they happen, as a WebSocket or as server-sent events"},
    {0},
};
