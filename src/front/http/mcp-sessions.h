/* Sessions of legacy MCP clients over HTTP. A session belongs to the token that began it. */
#pragma once

#include "front/http/mcp-stream.h"
#include "front/mcp/session.h"

typedef struct HfMcpSessions HfMcpSessions;
typedef struct HfMcpSession HfMcpSession;

HfMcpSessions *hf_mcp_sessions_new(HfMcpServer *server);
/* Ends all; main thread. */
void hf_mcp_sessions_shut(HfMcpSessions *sessions);
void hf_mcp_sessions_free(HfMcpSessions *sessions);

HfMcpSession *hf_mcp_session_ref(HfMcpSession *session);
void hf_mcp_session_unref(HfMcpSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpSession, hf_mcp_session_unref)

/* A new one. The one that was used longest ago ends, when there are too many. Main thread. */
HfMcpSession *hf_mcp_session_begin(HfMcpSessions *sessions, const HfMcpOptions *options,
                                   GError **error);
/* The caller's session of that name, or NULL. */
HfMcpSession *hf_mcp_session_find(HfMcpSessions *sessions, const char *id, const HfCaller *caller);
/* Main thread. */
void hf_mcp_session_end(HfMcpSessions *sessions, HfMcpSession *session);

const char *hf_mcp_session_get_id(const HfMcpSession *session);
HfMcp *hf_mcp_session_get_mcp(const HfMcpSession *session);
/* A stream for one request. */
HfMcpStream *hf_mcp_session_add_stream(HfMcpSession *session);
/* That of the event with this id ("2-7"), and the event's number; NULL: it is kept no longer. An
 * id of NULL is the stream of what belongs to no request. */
HfMcpStream *hf_mcp_session_find_stream(HfMcpSession *session, const char *event, guint *ret_after);
