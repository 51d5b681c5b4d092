/* SPDX-License-Identifier: Apache-2.0 */
/* One stream of server-sent events to an MCP client: the answer to a request of a legacy session,
 * with what is told on the way, or what belongs to no request. It outlives the connection that
 * carries it: a client that was cut off takes it up after the last event that it got. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "desk/doors/mcp/mcp-output.h"

typedef struct HfMcpEventStream HfMcpEventStream;

/* `number` is its name within the session. */
HfMcpEventStream *hf_mcp_event_stream_new(guint number);
HfMcpEventStream *hf_mcp_event_stream_ref(HfMcpEventStream *stream);
void hf_mcp_event_stream_unref(HfMcpEventStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpEventStream, hf_mcp_event_stream_unref)

guint hf_mcp_event_stream_get_number(const HfMcpEventStream *stream);
/* Whether the last message was sent: nothing comes any more. */
gboolean hf_mcp_event_stream_is_done(HfMcpEventStream *stream);
gsize hf_mcp_event_stream_get_bytes(HfMcpEventStream *stream);

/* How it is carried. */
typedef enum HfMcpCarry {
    HF_MCP_CARRY_LAZY,   /* as JSON, if the first message is all there is */
    HF_MCP_CARRY_EVENTS, /* as events, at once */
    HF_MCP_CARRY_PRIMED, /* the same, with an empty event first that names the place */
} HfMcpCarry;

/* From now on on this request, with what came after event `after` first (0: all). One that had it
 * before is ended. */
void hf_mcp_event_stream_attach(HfMcpEventStream *stream, HfHttpRequest *request, HfMcpCarry carry,
                                guint after);
void hf_mcp_event_stream_send(HfMcpEventStream *stream, const HfMcpMessage *message);
/* Ends the request that carries it, for good. */
void hf_mcp_event_stream_close(HfMcpEventStream *stream);
