/* SPDX-License-Identifier: Apache-2.0 */
/* Events are numbered from 1. They are kept, up to a limit, until the session drops the stream. */
#include "desk/doors/http/mcp/mcp-event-stream.h"

#include <string.h>

#include "desk/doors/http/http-limits.h"

#define EVENTS_TYPE "text/event-stream"
/* How soon a disconnected client should reconnect. */
#define COME_BACK_MS 500

struct HfMcpEventStream {
    gatomicrefcount refs;
    guint number;
    GMutex lock;            /* guards what follows */
    HfHttpRequest *request; /* NULL: no client is connected */
    gboolean began;         /* the response has begun, as events */
    GPtrArray *events;      /* of GBytes; the first is number `first` */
    guint first;
    gsize bytes;
    gboolean done;
};

HfMcpEventStream *hf_mcp_event_stream_new(guint number)
{
    HfMcpEventStream *stream = g_new0(HfMcpEventStream, 1);
    g_atomic_ref_count_init(&stream->refs);
    stream->number = number;
    stream->first = 1;
    stream->events = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_mutex_init(&stream->lock);
    return stream;
}

HfMcpEventStream *hf_mcp_event_stream_ref(HfMcpEventStream *stream)
{
    g_atomic_ref_count_inc(&stream->refs);
    return stream;
}

void hf_mcp_event_stream_unref(HfMcpEventStream *stream)
{
    if (!stream || !g_atomic_ref_count_dec(&stream->refs))
        return;
    hf_http_request_unref(stream->request);
    g_ptr_array_unref(stream->events);
    g_mutex_clear(&stream->lock);
    g_free(stream);
}

guint hf_mcp_event_stream_get_number(const HfMcpEventStream *stream)
{
    return stream->number;
}

gboolean hf_mcp_event_stream_is_done(HfMcpEventStream *stream)
{
    g_mutex_lock(&stream->lock);
    gboolean done = stream->done;
    g_mutex_unlock(&stream->lock);
    return done;
}

gsize hf_mcp_event_stream_get_bytes(HfMcpEventStream *stream)
{
    g_mutex_lock(&stream->lock);
    gsize bytes = stream->bytes;
    g_mutex_unlock(&stream->lock);
    return bytes;
}

/* ---- with the lock held ---- */

static void begin_sse_response(HfMcpEventStream *stream)
{
    if (stream->began)
        return;
    stream->began = TRUE;
    hf_http_request_add_header(stream->request, "X-Accel-Buffering", "no");
    hf_http_stream_begin(stream->request, 200, EVENTS_TYPE);
}

/* Ends the response and releases the request. */
static void end_sse_response(HfMcpEventStream *stream)
{
    if (!stream->request)
        return;
    if (stream->began)
        hf_http_stream_end(stream->request);
    g_clear_pointer(&stream->request, hf_http_request_unref);
    stream->began = FALSE;
}

static void write_event(HfMcpEventStream *stream, guint index)
{
    GBytes *event = stream->events->pdata[index];
    gsize size;
    const char *text = g_bytes_get_data(event, &size);
    g_autofree char *head =
        g_strdup_printf("id: %u-%u\nevent: message\ndata: ", stream->number, stream->first + index);
    hf_http_stream_send(stream->request, head, strlen(head));
    hf_http_stream_send(stream->request, text, size);
    hf_http_stream_send(stream->request, "\n\n", 2);
}

static void keep_stream_event(HfMcpEventStream *stream, const HfMcpMessage *message)
{
    g_ptr_array_add(stream->events, g_bytes_new(message->text, message->length));
    stream->bytes += message->length;
    while (stream->bytes > HF_LIMIT_MCP_STREAM_BYTES && stream->events->len > 1) {
        stream->bytes -= g_bytes_get_size(stream->events->pdata[0]);
        g_ptr_array_remove_index(stream->events, 0);
        stream->first++;
    }
}

/* ---- public ---- */

void hf_mcp_event_stream_send(HfMcpEventStream *stream, const HfMcpMessage *message)
{
    g_mutex_lock(&stream->lock);
    gboolean alone = message->last && message->text && stream->request && !stream->began;
    stream->done |= message->last;
    if (message->text)
        keep_stream_event(stream, message);
    if (alone) {
        hf_http_respond_bytes(stream->request, (guint)message->status, "application/json",
                              g_bytes_ref(stream->events->pdata[stream->events->len - 1]));
    } else if (stream->request && message->text) {
        begin_sse_response(stream);
        write_event(stream, stream->events->len - 1);
    } else if (stream->request && (message->last || message->hang_up)) {
        begin_sse_response(stream);
    }
    if (message->last || message->hang_up)
        end_sse_response(stream);
    g_mutex_unlock(&stream->lock);
}

static void send_priming_event(HfMcpEventStream *stream)
{
    g_autofree char *event =
        g_strdup_printf("id: %u-0\nretry: %d\ndata: \n\n", stream->number, COME_BACK_MS);
    hf_http_stream_send(stream->request, event, strlen(event));
}

/* The client has disconnected, or was dropped. */
static void on_stream_client_gone(GCancellable *cancellable, gpointer data)
{
    HfMcpEventStream *stream = data;
    g_mutex_lock(&stream->lock);
    HfHttpRequest *request = stream->request;
    gboolean ours = request && hf_http_request_get_cancellable(request) == cancellable;
    if (ours)
        stream->request = NULL;
    stream->began = ours ? FALSE : stream->began;
    g_mutex_unlock(&stream->lock);
    if (ours)
        hf_http_request_unref(request);
}

void hf_mcp_event_stream_attach(HfMcpEventStream *stream, HfHttpRequest *request, HfMcpCarry carry,
                                guint after)
{
    g_mutex_lock(&stream->lock);
    end_sse_response(stream);
    stream->request = hf_http_request_ref(request);
    if (carry != HF_MCP_CARRY_LAZY)
        begin_sse_response(stream);
    if (carry == HF_MCP_CARRY_PRIMED)
        send_priming_event(stream);
    for (guint i = 0; i < stream->events->len; i++)
        if (stream->first + i > after) {
            begin_sse_response(stream);
            write_event(stream, i);
        }
    if (stream->done)
        end_sse_response(stream);
    gboolean carried = stream->request != NULL;
    g_mutex_unlock(&stream->lock);
    if (carried)
        g_cancellable_connect(hf_http_request_get_cancellable(request),
                              G_CALLBACK(on_stream_client_gone), hf_mcp_event_stream_ref(stream),
                              (GDestroyNotify)hf_mcp_event_stream_unref);
}

void hf_mcp_event_stream_close(HfMcpEventStream *stream)
{
    g_mutex_lock(&stream->lock);
    stream->done = TRUE;
    if (stream->request)
        begin_sse_response(stream);
    end_sse_response(stream);
    g_mutex_unlock(&stream->lock);
}
