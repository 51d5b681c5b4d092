/* A WebSocket that goes on: alive as long as its client answers and its token holds, and told when
 * the client has taken what was sent. Main thread only. */
#pragma once

#include "front/http/routes.h"

typedef struct HfHttpSocket HfHttpSocket;

typedef struct HfHttpSocketFuncs {
    /* A message of the client; NULL: messages are not for this. */
    void (*message)(const char *text, gsize length, gpointer data);
    /* Once after each hf_http_socket_want_room: all that was sent is on its way. */
    void (*room)(gpointer data);
    /* Once, when it is over, whoever ended it; afterwards the socket is not there any more. */
    void (*closed)(gpointer data);
} HfHttpSocketFuncs;

/* Keeps the request, whose caller it is. */
HfHttpSocket *hf_http_socket_new(HfHttpRequest *request, SoupWebsocketConnection *socket,
                                 const HfHttpSocketFuncs *funcs, gpointer data);
void hf_http_socket_send_json(HfHttpSocket *socket, json_t *take_json);
void hf_http_socket_send_bytes(HfHttpSocket *socket, GBytes *bytes);
void hf_http_socket_want_room(HfHttpSocket *socket);
/* Says why ({"type": "error", "error": ...}), then closes. */
void hf_http_socket_refuse(HfHttpSocket *socket, const GError *error);

/* Ends all of them: the door is shut. */
void hf_http_sockets_end(HfHttp *http);
/* Whether the token that a request came with still holds. */
gboolean hf_http_token_holds(const HfHttpRequest *request);
