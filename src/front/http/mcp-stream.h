/* One stream of server-sent events to an MCP client: the answer to a request of a legacy session,
 * with what is told on the way, or what belongs to no request. It outlives the connection that
 * carries it: a client that was cut off takes it up after the last event that it got. */
#pragma once

#include "front/http/request.h"
#include "front/mcp/outlet.h"

typedef struct HfMcpStream HfMcpStream;

/* `number` is its name within the session. */
HfMcpStream *hf_mcp_stream_new(guint number);
HfMcpStream *hf_mcp_stream_ref(HfMcpStream *stream);
void hf_mcp_stream_unref(HfMcpStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpStream, hf_mcp_stream_unref)

guint hf_mcp_stream_get_number(const HfMcpStream *stream);
/* Whether the last message was sent: nothing comes any more. */
gboolean hf_mcp_stream_is_done(HfMcpStream *stream);
gsize hf_mcp_stream_get_bytes(HfMcpStream *stream);

/* How it is carried. */
typedef enum HfMcpCarry {
    HF_MCP_CARRY_LAZY,   /* as JSON, if the first message is all there is */
    HF_MCP_CARRY_EVENTS, /* as events, at once */
    HF_MCP_CARRY_PRIMED, /* the same, with an empty event first that names the place */
} HfMcpCarry;

/* From now on on this request, with what came after event `after` first (0: all). One that had it
 * before is ended. */
void hf_mcp_stream_carry(HfMcpStream *stream, HfHttpRequest *request, HfMcpCarry carry,
                         guint after);
void hf_mcp_stream_send(HfMcpStream *stream, const HfMcpMessage *message);
/* Ends the request that carries it, for good. */
void hf_mcp_stream_close(HfMcpStream *stream);
