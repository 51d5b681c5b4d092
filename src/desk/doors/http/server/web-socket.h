/* SPDX-License-Identifier: Apache-2.0 */
/* A long-lived WebSocket: open while its client responds and its token is valid. It reports when
 * the client has taken what was sent. Main thread only. */
#pragma once

#include "desk/doors/http/routes/routes.h"

typedef struct HfWebSocket HfWebSocket;

typedef struct HfWebSocketFuncs {
    /* A message from the client; NULL: messages are not accepted. */
    void (*message)(const char *text, gsize length, gpointer data);
    /* Once after each hf_web_socket_want_room: everything was sent. */
    void (*room)(gpointer data);
    /* Once, when it has ended for any reason; the socket is freed afterwards. */
    void (*closed)(gpointer data);
} HfWebSocketFuncs;

/* Keeps a reference to the request, whose caller it serves. */
HfWebSocket *hf_web_socket_new(HfHttpRequest *request, SoupWebsocketConnection *socket,
                               const HfWebSocketFuncs *funcs, gpointer data);
void hf_web_socket_send_json(HfWebSocket *socket, json_t *take_json);
void hf_web_socket_send_bytes(HfWebSocket *socket, GBytes *bytes);
void hf_web_socket_want_room(HfWebSocket *socket);
/* Sends the reason ({"type": "error", "error": ...}), then closes. */
void hf_web_socket_refuse(HfWebSocket *socket, const GError *error);

/* Ends all of them when the door closes. */
void hf_web_sockets_end_all(HfHttp *http);
/* Whether the token of the request is still valid. */
gboolean hf_http_token_is_valid(const HfHttpRequest *request);
