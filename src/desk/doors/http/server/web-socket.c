/* SPDX-License-Identifier: Apache-2.0 */
/* libsoup queues outgoing messages without a limit, and does not say when they are sent. But it
 * writes at a higher priority than we poll: when we find the connection writable, its queue is
 * empty. */
#include "desk/doors/http/server/web-socket.h"

#include <glib-unix.h>

#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/server/http-internal.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

#define LOOK_PRIORITY (G_PRIORITY_DEFAULT + 50)
#define TICK_S        2u

struct HfWebSocket {
    HfHttpRequest *request;
    SoupWebsocketConnection *socket;
    const HfWebSocketFuncs *funcs;
    gpointer data;
    GSource *room; /* while somebody waits for room */
    guint tick;
    gint64 heard_us; /* when the client last responded */
};

static void end_web_socket(HfWebSocket *self)
{
    g_ptr_array_remove_fast(self->request->http->sockets, self);
    g_signal_handlers_disconnect_by_data(self->socket, self);
    g_source_remove(self->tick);
    if (self->room) {
        g_source_destroy(self->room);
        g_source_unref(self->room);
    }
    self->funcs->closed(self->data);
    g_object_unref(self->socket);
    hf_http_request_unref(self->request);
    g_free(self);
}

static void on_web_socket_closed(SoupWebsocketConnection *socket, gpointer data)
{
    end_web_socket(data);
}

static void on_web_socket_pong(SoupWebsocketConnection *socket, GBytes *message, gpointer data)
{
    HfWebSocket *self = data;
    self->heard_us = g_get_monotonic_time();
}

static void on_web_socket_message(SoupWebsocketConnection *socket, SoupWebsocketDataType type,
                                  GBytes *message, gpointer data)
{
    HfWebSocket *self = data;
    gsize length;
    const char *text = g_bytes_get_data(message, &length);
    self->heard_us = g_get_monotonic_time();
    if (self->funcs->message && type == SOUP_WEBSOCKET_DATA_TEXT)
        self->funcs->message(text ? text : "", length, self->data);
}

gboolean hf_http_token_is_valid(const HfHttpRequest *request)
{
    HfTokenStore *book = hf_guard_get_tokens(hf_desk_get_guard(request->http->desk));
    return !request->token || hf_token_store_is_valid(book, request->token);
}

static gboolean on_tick(gpointer data)
{
    HfWebSocket *self = data;
    gint64 quiet_us = g_get_monotonic_time() - self->heard_us;
    gboolean open = soup_websocket_connection_get_state(self->socket) == SOUP_WEBSOCKET_STATE_OPEN;
    if (open && !hf_http_token_is_valid(self->request))
        soup_websocket_connection_close(self->socket, SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION,
                                        "the token is no longer valid");
    else if (quiet_us > HF_LIMIT_SOCKET_QUIET_MS * (gint64)1000)
        hf_http_connection_drop(self->request->connection);
    return G_SOURCE_CONTINUE;
}

HfWebSocket *hf_web_socket_new(HfHttpRequest *request, SoupWebsocketConnection *socket,
                               const HfWebSocketFuncs *funcs, gpointer data)
{
    HfWebSocket *self = g_new0(HfWebSocket, 1);
    self->request = hf_http_request_ref(request);
    self->socket = g_object_ref(socket);
    self->funcs = funcs;
    self->data = data;
    self->heard_us = g_get_monotonic_time();
    soup_websocket_connection_set_max_incoming_payload_size(socket, HF_LIMIT_SOCKET_MESSAGE_BYTES);
    soup_websocket_connection_set_keepalive_interval(socket, HF_LIMIT_SOCKET_PING_S);
    g_signal_connect(socket, "message", G_CALLBACK(on_web_socket_message), self);
    g_signal_connect(socket, "pong", G_CALLBACK(on_web_socket_pong), self);
    g_signal_connect(socket, "closed", G_CALLBACK(on_web_socket_closed), self);
    self->tick = g_timeout_add_seconds(TICK_S, on_tick, self);
    g_ptr_array_add(request->http->sockets, self);
    return self;
}

static gboolean is_web_socket_open(const HfWebSocket *self)
{
    return soup_websocket_connection_get_state(self->socket) == SOUP_WEBSOCKET_STATE_OPEN;
}

void hf_web_socket_send_json(HfWebSocket *socket, json_t *take_json)
{
    g_autoptr(json_t) json = take_json;
    g_autofree char *text = hf_json_dump(json);
    if (is_web_socket_open(socket))
        soup_websocket_connection_send_text(socket->socket, text);
}

void hf_web_socket_send_bytes(HfWebSocket *socket, GBytes *bytes)
{
    if (is_web_socket_open(socket))
        soup_websocket_connection_send_message(socket->socket, SOUP_WEBSOCKET_DATA_BINARY, bytes);
}

static gboolean on_web_socket_room(gint fd, GIOCondition condition, gpointer data)
{
    HfWebSocket *self = data;
    g_clear_pointer(&self->room, g_source_unref);
    self->funcs->room(self->data);
    return G_SOURCE_REMOVE;
}

void hf_web_socket_want_room(HfWebSocket *socket)
{
    if (socket->room || !is_web_socket_open(socket))
        return;
    socket->room =
        g_unix_fd_source_new(hf_http_connection_get_fd(socket->request->connection), G_IO_OUT);
    g_source_set_priority(socket->room, LOOK_PRIORITY);
    g_source_set_callback(socket->room, (GSourceFunc)(void (*)(void))on_web_socket_room, socket,
                          NULL);
    g_source_attach(socket->room, NULL);
}

void hf_web_socket_refuse(HfWebSocket *socket, const GError *error)
{
    hf_web_socket_send_json(
        socket, json_pack("{s:s, s:o}", "type", "error", "error", hf_error_to_json(error)));
    if (is_web_socket_open(socket))
        soup_websocket_connection_close(socket->socket, SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION,
                                        hf_error_code_name(hf_error_code(error)));
}

void hf_web_sockets_end_all(HfHttp *http)
{
    while (http->sockets->len > 0)
        end_web_socket(http->sockets->pdata[http->sockets->len - 1]);
}
