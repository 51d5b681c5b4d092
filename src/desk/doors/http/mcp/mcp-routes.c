/* SPDX-License-Identifier: Apache-2.0 */
/* MCP over HTTP. A modern request gets an HfMcp connection of its own, which ends with its answer
 * or its client. A legacy request belongs to a session and outlives its connection. This file knows
 * the transport only, not the protocol. */
#include "desk/doors/http/routes/routes.h"

#include <string.h>

#include "desk/doors/http/mcp/mcp-headers.h"
#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/mcp/mcp-message.h"
#include "shared/base/error.h"

#define SESSION_HEADER "Mcp-Session-Id"
#define JSON_TYPE      "application/json"
#define EVENTS_TYPE    "text/event-stream"

/* ---- responses ---- */

static void answer_mcp_error(HfHttpRequest *request, guint status, const json_t *id, int code,
                             const char *message)
{
    char *text = hf_mcp_error_text(hf_mcp_is_token(id) ? id : NULL, code, message, NULL);
    hf_http_respond_bytes(request, status, JSON_TYPE, g_bytes_new_take(text, strlen(text)));
}

static HfMcpOptions options_of(HfHttpRequest *request)
{
    return (HfMcpOptions){.caller = &request->caller,
                          .profile = hf_http_request_get_query(request, "profile"),
                          .desktop = hf_http_request_get_query(request, "desktop")};
}

static HfMcpHttpSessions *sessions_of(const HfHttpRequest *request)
{
    return request->http->sessions;
}

/* ---- modern ---- */

static void send_to_stream(const HfMcpMessage *message, gpointer stream)
{
    hf_mcp_event_stream_send(stream, message);
}

/* A modern client cancels by closing the stream. */
static void on_modern_client_gone(GCancellable *cancellable, gpointer mcp)
{
    hf_mcp_close(mcp);
}

static void take_modern_request(HfHttpRequest *request, json_t *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfMcpEventStream) stream = hf_mcp_event_stream_new(0);
    g_autoptr(HfMcpOutput) output = hf_mcp_output_new(
        send_to_stream, hf_mcp_event_stream_ref(stream), (GDestroyNotify)hf_mcp_event_stream_unref);
    HfMcpOptions options = options_of(request);
    options.stateless = TRUE;
    g_autoptr(HfMcp) mcp = hf_mcp_new(request->http->mcp, &options, output, &error);
    if (!mcp) {
        answer_mcp_error(request, 400, json_object_get(message, "id"), HF_MCP_INVALID_PARAMS,
                         error->message);
        return;
    }
    hf_mcp_event_stream_attach(stream, request, HF_MCP_CARRY_LAZY, 0);
    g_cancellable_connect(request->cancellable, G_CALLBACK(on_modern_client_gone), hf_mcp_ref(mcp),
                          (GDestroyNotify)hf_mcp_unref);
    hf_mcp_dispatch(mcp, message, NULL);
}

static void take_modern(HfHttpRequest *request, json_t *message, HfMcpKind kind)
{
    HfMcpHeaders headers = {hf_http_request_get_header(request, "MCP-Protocol-Version"),
                            hf_http_request_get_header(request, "Mcp-Method"),
                            hf_http_request_get_header(request, "Mcp-Name")};
    const json_t *id = json_object_get(message, "id");
    if (kind == HF_MCP_KIND_NOTIFICATION) {
        hf_http_respond_status(request, 202);
        return;
    }
    if (!hf_mcp_message_is_modern(message)) {
        answer_mcp_error(request, 400, id, HF_MCP_INVALID_PARAMS,
                         "_meta must contain io.modelcontextprotocol/protocolVersion");
        return;
    }
    const char *problem = hf_mcp_headers_check(&headers, message);
    if (problem)
        answer_mcp_error(request, 400, id, HF_MCP_HEADER_MISMATCH, problem);
    else
        take_modern_request(request, message);
}

/* ---- legacy ---- */

static HfMcpHttpSession *begin_session(HfHttpRequest *request, const json_t *message)
{
    g_autoptr(GError) error = NULL;
    HfMcpOptions options = options_of(request);
    HfMcpHttpSession *session = hf_mcp_http_session_begin(sessions_of(request), &options, &error);
    if (session)
        hf_http_request_add_header(request, SESSION_HEADER, hf_mcp_http_session_get_id(session));
    else
        answer_mcp_error(request, 400, json_object_get(message, "id"), HF_MCP_INVALID_PARAMS,
                         error->message);
    return session;
}

/* The session that the request names; NULL after it was refused. */
static HfMcpHttpSession *find_session(HfHttpRequest *request, const json_t *id)
{
    const char *name = hf_http_request_get_header(request, SESSION_HEADER);
    const char *version = hf_http_request_get_header(request, "MCP-Protocol-Version");
    if (!name) {
        answer_mcp_error(request, 400, id, HF_MCP_INVALID_REQUEST,
                         "send initialize first, and then its " SESSION_HEADER
                         " with each request");
        return NULL;
    }
    if (version && !hf_mcp_find_legacy(version)) {
        answer_mcp_error(request, 400, id, HF_MCP_INVALID_REQUEST,
                         "the header MCP-Protocol-Version does not name a revision with sessions");
        return NULL;
    }
    HfMcpHttpSession *session =
        hf_mcp_http_session_find(sessions_of(request), name, &request->caller);
    if (!session)
        answer_mcp_error(request, 404, id, HF_MCP_INVALID_REQUEST,
                         "the session has ended; send initialize to start a new one");
    return session;
}

static gboolean has_request(const json_t *message)
{
    const char *problem;
    hf_json_each (each, message) {
        HfMcpKind kind = hf_mcp_message_kind(each, &problem);
        if (kind == HF_MCP_KIND_REQUEST || kind == HF_MCP_KIND_INVALID)
            return TRUE;
    }
    return json_array_size(message) == 0;
}

/* A call may take long and be cut off, so it gets a stream that can be resumed. */
static HfMcpCarry carry_of(const HfHttpRequest *request, HfMcpHttpSession *session,
                           const json_t *message)
{
    gboolean call = strcmp(hf_json_string(message, "method", ""), "tools/call") == 0;
    const char *version = hf_mcp_get_version(hf_mcp_http_session_get_mcp(session));
    if (!call || !hf_mcp_header_accepts(hf_http_request_get_header(request, "Accept"), EVENTS_TYPE))
        return HF_MCP_CARRY_LAZY;
    return g_strcmp0(version, HF_MCP_NEWEST_LEGACY) == 0 ? HF_MCP_CARRY_PRIMED
                                                         : HF_MCP_CARRY_EVENTS;
}

static void take_legacy(HfHttpRequest *request, json_t *message, HfMcpKind kind)
{
    gboolean begins = strcmp(hf_json_string(message, "method", ""), "initialize") == 0;
    /* Sessions begin and end on the main thread, which long messages never reach. */
    if (begins && !g_main_context_is_owner(g_main_context_default())) {
        answer_mcp_error(request, 413, json_object_get(message, "id"), HF_MCP_INVALID_REQUEST,
                         "the message is too long for this method");
        return;
    }
    g_autoptr(HfMcpHttpSession) session =
        begins ? begin_session(request, message)
               : find_session(request, json_object_get(message, "id"));
    if (!session)
        return;
    HfMcp *mcp = hf_mcp_http_session_get_mcp(session);
    if (kind == HF_MCP_KIND_NOTIFICATION || kind == HF_MCP_KIND_RESPONSE ||
        (kind == HF_MCP_KIND_BATCH && !has_request(message))) {
        hf_mcp_dispatch(mcp, message, NULL);
        hf_http_respond_status(request, 202);
        return;
    }
    g_autoptr(HfMcpEventStream) stream = hf_mcp_http_session_add_stream(session);
    g_autoptr(HfMcpOutput) output = hf_mcp_output_new(
        send_to_stream, hf_mcp_event_stream_ref(stream), (GDestroyNotify)hf_mcp_event_stream_unref);
    hf_mcp_event_stream_attach(stream, request, carry_of(request, session, message), 0);
    hf_mcp_dispatch(mcp, message, output);
}

/* ---- routes ---- */

static gboolean is_modern_header(const HfHttpRequest *request)
{
    const char *version = hf_http_request_get_header(request, "MCP-Protocol-Version");
    g_autofree char *plain = version ? g_strstrip(g_strdup(version)) : NULL;
    return plain && strcmp(plain, HF_MCP_MODERN) == 0;
}

static gboolean check_accept(HfHttpRequest *request)
{
    const char *accept = hf_http_request_get_header(request, "Accept");
    if (hf_mcp_header_accepts(accept, JSON_TYPE) || hf_mcp_header_accepts(accept, EVENTS_TYPE))
        return TRUE;
    answer_mcp_error(request, 406, NULL, HF_MCP_INVALID_REQUEST,
                     "answers come as " JSON_TYPE " or " EVENTS_TYPE);
    return FALSE;
}

static void handle_post(HfHttpRequest *request)
{
    GBytes *bytes = request->bytes;
    gsize size = 0;
    const char *text = bytes ? g_bytes_get_data(bytes, &size) : "", *problem = NULL;
    g_autofree char *reason = NULL;
    g_autoptr(json_t) message = hf_mcp_message_parse(text, size, &reason);
    if (!check_accept(request))
        return;
    if (!message) {
        answer_mcp_error(request, 400, NULL, HF_MCP_PARSE_ERROR, reason);
        return;
    }
    HfMcpKind kind = hf_mcp_message_kind(message, &problem);
    if (kind == HF_MCP_KIND_INVALID)
        answer_mcp_error(request, 400, json_object_get(message, "id"), HF_MCP_INVALID_REQUEST,
                         problem);
    else if (hf_mcp_message_is_modern(message) || is_modern_header(request))
        take_modern(request, message, kind);
    else
        take_legacy(request, message, kind);
}

static void handle_get(HfHttpRequest *request)
{
    guint after;
    if (is_modern_header(request)) {
        hf_http_request_add_header(request, "Allow", "POST");
        answer_mcp_error(request, 405, NULL, HF_MCP_INVALID_REQUEST,
                         "this revision accepts only POST");
        return;
    }
    g_autoptr(HfMcpHttpSession) session = find_session(request, NULL);
    if (!session)
        return;
    if (!hf_mcp_header_accepts(hf_http_request_get_header(request, "Accept"), EVENTS_TYPE)) {
        answer_mcp_error(request, 406, NULL, HF_MCP_INVALID_REQUEST, "events come as " EVENTS_TYPE);
        return;
    }
    g_autoptr(HfMcpEventStream) stream = hf_mcp_http_session_find_stream(
        session, hf_http_request_get_header(request, "Last-Event-ID"), &after);
    if (stream)
        hf_mcp_event_stream_attach(stream, request, HF_MCP_CARRY_EVENTS, after);
    else
        answer_mcp_error(request, 404, NULL, HF_MCP_INVALID_REQUEST, "the event is no longer kept");
}

static void handle_delete(HfHttpRequest *request)
{
    if (is_modern_header(request)) {
        hf_http_request_add_header(request, "Allow", "POST");
        answer_mcp_error(request, 405, NULL, HF_MCP_INVALID_REQUEST,
                         "this revision accepts only POST");
        return;
    }
    g_autoptr(HfMcpHttpSession) session = find_session(request, NULL);
    if (!session)
        return;
    hf_mcp_http_session_end(sessions_of(request), session);
    hf_http_respond_status(request, 200);
}

const HfHttpRoute hf_http_mcp_routes[] = {
    {.method = "POST",
     .path = "/mcp",
     .handler = handle_post,
     .where = HF_HTTP_MAIN,
     .flags = HF_HTTP_ANY_BODY | HF_HTTP_UNLISTED,
     .about = "A message of the Model Context Protocol"},
    {.method = "GET",
     .path = "/mcp",
     .handler = handle_get,
     .where = HF_HTTP_MAIN,
     .flags = HF_HTTP_ANY_BODY | HF_HTTP_UNLISTED,
     .about = "Messages to an MCP session, as server-sent events"},
    {.method = "DELETE",
     .path = "/mcp",
     .handler = handle_delete,
     .where = HF_HTTP_MAIN,
     .flags = HF_HTTP_ANY_BODY | HF_HTTP_UNLISTED,
     .about = "Ends an MCP session"},
    {0},
};
