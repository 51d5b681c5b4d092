/* SPDX-License-Identifier: Apache-2.0 */
/* Sends a request to the right thread, or to a WebSocket. The handler's thread parses the body, so
 * that a long one backoff nobody else. */
#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/http/server/json-body.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* The longest body that a handler on the main thread may get. */
#define MAIN_BODY 65536

static void run_http_request(gpointer data)
{
    g_autoptr(HfHttpRequest) request = data;
    g_autoptr(GError) error = NULL;
    if (!(request->route->flags & HF_HTTP_ANY_BODY)) {
        request->json = hf_http_body_parse(request->bytes, &error);
        if (!request->json) {
            hf_http_respond_error(request, error);
            return;
        }
    }
    request->route->handler(request);
}

/* After "101 Switching Protocols" was sent. */
static void on_upgraded(SoupServerMessage *message, gpointer data)
{
    g_autoptr(HfHttpRequest) request = hf_http_request_ref(data);
    SoupMessageHeaders *given = soup_server_message_get_request_headers(message);
    SoupMessageHeaders *said = soup_server_message_get_response_headers(message);
    g_autoptr(GIOStream) stream = soup_server_message_steal_connection(message);
    g_autoptr(SoupWebsocketConnection) socket = soup_websocket_connection_new(
        stream, soup_server_message_get_uri(message), SOUP_WEBSOCKET_CONNECTION_SERVER,
        soup_message_headers_get_one(given, "Origin"),
        soup_message_headers_get_one(said, "Sec-WebSocket-Protocol"), NULL);
    soup_websocket_connection_set_max_incoming_payload_size(socket, HF_LIMIT_REQUEST_BYTES);
    hf_http_framing_open(hf_http_connection_get_framing(request->connection));
    hf_http_connection_expect(request->connection, 0);
    request->http->totals.streams++;
    request->route->socket(request, socket);
    /* libsoup emits no more signals for a message whose connection was stolen. */
    hf_http_request_finish(request);
    hf_http_connection_unbind_address(soup_server_message_get_remote_address(message));
}

static void upgrade_to_websocket(HfHttpRequest *request)
{
    static char *protocols[] = {"handfast.v1", NULL};
    g_autoptr(GError) error = NULL;
    const char *asked = hf_http_request_get_header(request, "Sec-WebSocket-Protocol");
    g_atomic_int_set(&request->answered, TRUE);
    if (soup_websocket_server_process_handshake(request->message, NULL, asked ? protocols : NULL,
                                                NULL, NULL)) {
        g_signal_connect(request->message, "wrote-informational", G_CALLBACK(on_upgraded), request);
        return;
    }
    /* libsoup has set its own body. */
    soup_message_body_truncate(soup_server_message_get_response_body(request->message));
    hf_fail(&error, HF_ERROR_PRECONDITION_FAILED, "this route is a WebSocket");
    hf_error_suggest(&error, "connect with a WebSocket client; the protocol is handfast.v1");
    hf_http_refuse(request->http, request->message, error, 426);
}

static gboolean fits_main(const HfHttpRequest *request)
{
    return !request->bytes || g_bytes_get_size(request->bytes) <= MAIN_BODY;
}

/* Where requests without a WebSocket get an answer too. */
static gboolean wants_socket(const HfHttpRequest *request)
{
    const char *upgrade_to = hf_http_request_get_header(request, "Upgrade");
    return upgrade_to && g_ascii_strcasecmp(upgrade_to, "websocket") == 0;
}

void hf_http_dispatch(HfHttpRequest *request)
{
    if (request->route->socket && (!request->route->handler || wants_socket(request))) {
        upgrade_to_websocket(request);
        return;
    }
    hf_http_connection_expect(request->connection, 0);
    soup_server_message_pause(request->message);
    request->dispatched = TRUE;
    hf_http_request_watch(request);
    hf_http_request_ref(request);
    if (request->route->where == HF_HTTP_CALL)
        hf_workers_call(request->http->workers, run_http_request, request);
    else if (request->route->where == HF_HTTP_MAIN && fits_main(request))
        run_http_request(request);
    else
        hf_workers_manage(request->http->workers, run_http_request, request);
}
