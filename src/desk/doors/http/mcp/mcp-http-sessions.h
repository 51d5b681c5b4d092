/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of legacy MCP clients over HTTP. A session belongs to the token that started it. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "desk/doors/mcp/mcp-connection.h"
#include "desk/doors/mcp/mcp-output.h"

/* One stream of server-sent events to an MCP client: the answer to a request of a legacy session
 * with its notifications, or the messages that belong to no request. It outlives its connection: a
 * disconnected client resumes after the last event that it received. */
typedef struct HfMcpEventStream HfMcpEventStream;

/* `number` identifies it within the session. */
HfMcpEventStream *hf_mcp_event_stream_new(guint number);
HfMcpEventStream *hf_mcp_event_stream_ref(HfMcpEventStream *stream);
void hf_mcp_event_stream_unref(HfMcpEventStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpEventStream, hf_mcp_event_stream_unref)

guint hf_mcp_event_stream_get_number(const HfMcpEventStream *stream);
/* Whether the last message was sent. */
gboolean hf_mcp_event_stream_is_done(HfMcpEventStream *stream);
gsize hf_mcp_event_stream_get_bytes(HfMcpEventStream *stream);

/* How the messages are sent. */
typedef enum HfMcpCarry {
    HF_MCP_CARRY_LAZY,   /* as JSON, if the first message is the only one */
    HF_MCP_CARRY_EVENTS, /* as events, at once */
    HF_MCP_CARRY_PRIMED, /* the same, after an empty event that carries the id to resume from */
} HfMcpCarry;

/* Continues on this request, first with the events after `after` (0: all). Ends the request that
 * carried it before. */
void hf_mcp_event_stream_attach(HfMcpEventStream *stream, HfHttpRequest *request, HfMcpCarry carry,
                                guint after);
void hf_mcp_event_stream_send(HfMcpEventStream *stream, const HfMcpMessage *message);
/* Ends the request that carries it, for good. */
void hf_mcp_event_stream_close(HfMcpEventStream *stream);

typedef struct HfMcpHttpSessions HfMcpHttpSessions;
typedef struct HfMcpHttpSession HfMcpHttpSession;

HfMcpHttpSessions *hf_mcp_http_sessions_new(HfMcpServer *server);
/* Ends all sessions; main thread. */
void hf_mcp_http_sessions_shut(HfMcpHttpSessions *sessions);
void hf_mcp_http_sessions_free(HfMcpHttpSessions *sessions);

HfMcpHttpSession *hf_mcp_http_session_ref(HfMcpHttpSession *session);
void hf_mcp_http_session_unref(HfMcpHttpSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpHttpSession, hf_mcp_http_session_unref)

/* Starts a session. When there are too many, the least recently used one ends. Main thread. */
HfMcpHttpSession *hf_mcp_http_session_begin(HfMcpHttpSessions *sessions,
                                            const HfMcpOptions *options, GError **error);
/* The caller's session with this id, or NULL. */
HfMcpHttpSession *hf_mcp_http_session_find(HfMcpHttpSessions *sessions, const char *id,
                                           const HfCaller *caller);
/* Main thread. */
void hf_mcp_http_session_end(HfMcpHttpSessions *sessions, HfMcpHttpSession *session);

const char *hf_mcp_http_session_get_id(const HfMcpHttpSession *session);
HfMcp *hf_mcp_http_session_get_mcp(const HfMcpHttpSession *session);
/* Adds a stream for one request. */
HfMcpEventStream *hf_mcp_http_session_add_stream(HfMcpHttpSession *session);
/* The stream of the event with this id ("2-7"), and the event's number; NULL when it is no longer
 * kept. A NULL id means the stream of messages that belong to no request. */
HfMcpEventStream *hf_mcp_http_session_find_stream(HfMcpHttpSession *session, const char *event,
                                                  guint *ret_after);
