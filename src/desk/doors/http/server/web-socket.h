/* SPDX-License-Identifier: Apache-2.0 */
/* A WebSocket that goes on: alive as long as its client answers and its token holds, and told when
 * the client has taken what was sent. Main thread only. */
#pragma once

#include "desk/doors/http/routes/routes.h"

typedef struct HfWebSocket HfWebSocket;

typedef struct HfWebSocketFuncs {
    /* A message of the client; NULL: messages are not for this. */
    void (*message)(const char *text, gsize length, gpointer data);
    /* Once after each hf_web_socket_want_room: all that was sent is on its way. */
    void (*room)(gpointer data);
    /* Once, when it is over, whoever ended it; afterwards the socket is not there any more. */
    void (*closed)(gpointer data);
} HfWebSocketFuncs;

/* Keeps the request, whose caller it is. */
HfWebSocket *hf_web_socket_new(HfHttpRequest *request, SoupWebsocketConnection *socket,
                               const HfWebSocketFuncs *funcs, gpointer data);
void hf_web_socket_send_json(HfWebSocket *socket, json_t *take_json);
void hf_web_socket_send_bytes(HfWebSocket *socket, GBytes *bytes);
void hf_web_socket_want_room(HfWebSocket *socket);
/* Says why ({"type": "error", "error": ...}), then closes. */
void hf_web_socket_refuse(HfWebSocket *socket, const GError *error);

/* Ends all of them: the door is shut. */
void hf_web_sockets_end_all(HfHttp *http);
/* Whether the token that a request came with still holds. */
gboolean hf_http_token_is_valid(const HfHttpRequest *request);
