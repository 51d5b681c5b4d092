/* SPDX-License-Identifier: Apache-2.0 */
/* One stream of server-sent events to an MCP client. It carries the answer to a request of a legacy
 * session, with its notifications, or the messages that belong to no request. It outlives its
 * connection: a disconnected client resumes after the last event that it received. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "desk/doors/mcp/mcp-output.h"

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
