/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of legacy MCP clients over HTTP. A session belongs to the token that started it. */
#pragma once

#include "desk/doors/http/mcp/mcp-event-stream.h"
#include "desk/doors/mcp/mcp-connection.h"

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
