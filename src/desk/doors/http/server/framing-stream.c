/* SPDX-License-Identifier: Apache-2.0 */
/* Two thin GObjects: an input stream that passes every byte through the framing check, and an I/O
 * stream that uses it. */
#include <string.h>

#include "desk/doors/http/server/http-internal.h"
#include "shared/base/error.h"

/* ---- the input ---- */

#define HF_TYPE_HTTP_INPUT (hf_http_input_get_type())
G_DECLARE_FINAL_TYPE(HfHttpInput, hf_http_input, HF, HTTP_INPUT, GFilterInputStream)

struct _HfHttpInput {
    GFilterInputStream parent;
    HfHttpFraming *framing;
    GOutputStream *output; /* where a refusal is sent */
    gboolean refusal_sent, end_shown;
};

static void poll_init(GPollableInputStreamInterface *interface);

G_DEFINE_TYPE_WITH_CODE(HfHttpInput, hf_http_input, G_TYPE_FILTER_INPUT_STREAM,
                        G_IMPLEMENT_INTERFACE(G_TYPE_POLLABLE_INPUT_STREAM, poll_init))

static GPollableInputStream *base_of(gpointer stream)
{
    return G_POLLABLE_INPUT_STREAM(
        g_filter_input_stream_get_base_stream(G_FILTER_INPUT_STREAM(stream)));
}

/* Sends as much as the connection takes at once. */
static void send_framing_refusal(HfHttpInput *input)
{
    const GError *refusal = hf_http_framing_get_refusal(input->framing);
    g_autoptr(json_t) json = json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(refusal));
    g_autofree char *body = hf_json_dump(json);
    g_autofree char *text = g_strdup_printf(
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\n\r\n%s",
        strlen(body), body);
    if (!input->refusal_sent)
        g_pollable_output_stream_write_nonblocking(G_POLLABLE_OUTPUT_STREAM(input->output), text,
                                                   strlen(text), NULL, NULL);
    input->refusal_sent = TRUE;
}

static gboolean is_refused(HfHttpInput *input)
{
    return hf_http_framing_get_refusal(input->framing) != NULL;
}

static gssize fail_refused_read(HfHttpInput *input, GError **error)
{
    send_framing_refusal(input);
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED, "refused");
    return -1;
}

/* libsoup before 3.3 neither closes nor frees a connection that ends between two requests. One byte
 * of a request that never comes makes it notice the end. */
static gboolean show_end(HfHttpInput *input, char *buffer, const GError *problem)
{
    if (input->end_shown || g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK) ||
        !hf_http_framing_is_between(input->framing))
        return FALSE;
    buffer[0] = 'x';
    return input->end_shown = TRUE;
}

/* Returns how much of the read bytes may be passed on. Bytes before a refused request still are:
 * they may belong to a valid request. */
static gssize pass_framed_bytes(HfHttpInput *input, char *buffer, gssize got, GError *take_problem,
                                GError **error)
{
    g_autoptr(GError) problem = take_problem;
    if (got <= 0 && show_end(input, buffer, problem))
        return 1;
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    if (got < 0 || (got == 0 && hf_http_framing_end(input->framing)))
        return got;
    gsize passed = hf_http_framing_take(input->framing, buffer, (gsize)got);
    return passed > 0 ? (gssize)passed : fail_refused_read(input, error);
}

static gssize input_read(GInputStream *stream, void *buffer, gsize count, GCancellable *cancellable,
                         GError **error)
{
    HfHttpInput *input = HF_HTTP_INPUT(stream);
    if (is_refused(input))
        return fail_refused_read(input, error);
    GError *problem = NULL;
    gssize got =
        g_input_stream_read(G_INPUT_STREAM(base_of(stream)), buffer, count, cancellable, &problem);
    return pass_framed_bytes(input, buffer, got, problem, error);
}

static gssize input_read_nonblocking(GPollableInputStream *stream, void *buffer, gsize count,
                                     GError **error)
{
    HfHttpInput *input = HF_HTTP_INPUT(stream);
    if (is_refused(input))
        return fail_refused_read(input, error);
    GError *problem = NULL;
    gssize got =
        g_pollable_input_stream_read_nonblocking(base_of(stream), buffer, count, NULL, &problem);
    return pass_framed_bytes(input, buffer, got, problem, error);
}

static gboolean input_can_poll(GPollableInputStream *stream)
{
    return g_pollable_input_stream_can_poll(base_of(stream));
}

static gboolean input_is_readable(GPollableInputStream *stream)
{
    return is_refused(HF_HTTP_INPUT(stream)) ||
           g_pollable_input_stream_is_readable(base_of(stream));
}

static GSource *input_create_source(GPollableInputStream *stream, GCancellable *cancellable)
{
    g_autoptr(GSource) base =
        is_refused(HF_HTTP_INPUT(stream))
            ? g_timeout_source_new(0)
            : g_pollable_input_stream_create_source(base_of(stream), cancellable);
    return g_pollable_source_new_full(stream, base, NULL);
}

static void poll_init(GPollableInputStreamInterface *interface)
{
    interface->can_poll = input_can_poll;
    interface->is_readable = input_is_readable;
    interface->create_source = input_create_source;
    interface->read_nonblocking = input_read_nonblocking;
}

static void input_finalize(GObject *object)
{
    HfHttpInput *input = HF_HTTP_INPUT(object);
    hf_http_framing_unref(input->framing);
    g_object_unref(input->output);
    G_OBJECT_CLASS(hf_http_input_parent_class)->finalize(object);
}

static void hf_http_input_class_init(HfHttpInputClass *class)
{
    G_OBJECT_CLASS(class)->finalize = input_finalize;
    G_INPUT_STREAM_CLASS(class)->read_fn = input_read;
}

static void hf_http_input_init(HfHttpInput *input)
{
}

/* ---- the stream ---- */

#define HF_TYPE_HTTP_FRAMING_STREAM (hf_http_framing_stream_get_type())
G_DECLARE_FINAL_TYPE(HfHttpFramingStream, hf_http_framing_stream, HF, HTTP_FRAMING_STREAM,
                     GIOStream)

struct _HfHttpFramingStream {
    GIOStream parent;
    GIOStream *base;
    GInputStream *input;
};

G_DEFINE_TYPE(HfHttpFramingStream, hf_http_framing_stream, G_TYPE_IO_STREAM)

static GInputStream *framing_stream_get_input(GIOStream *stream)
{
    return HF_HTTP_FRAMING_STREAM(stream)->input;
}

static GOutputStream *framing_stream_get_output(GIOStream *stream)
{
    return g_io_stream_get_output_stream(HF_HTTP_FRAMING_STREAM(stream)->base);
}

static gboolean framing_stream_close(GIOStream *stream, GCancellable *cancellable, GError **error)
{
    return g_io_stream_close(HF_HTTP_FRAMING_STREAM(stream)->base, cancellable, error);
}

static void on_base_stream_closed(GObject *base, GAsyncResult *result, gpointer data)
{
    g_autoptr(GTask) task = data;
    GError *error = NULL;
    if (g_io_stream_close_finish(G_IO_STREAM(base), result, &error))
        g_task_return_boolean(task, TRUE);
    else
        g_task_return_error(task, error);
}

/* Closes at once; the default would use a thread. */
static void framing_stream_close_async(GIOStream *stream, int priority, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = g_task_new(stream, cancellable, callback, data);
    g_io_stream_close_async(HF_HTTP_FRAMING_STREAM(stream)->base, priority, cancellable,
                            on_base_stream_closed, task);
}

static gboolean framing_stream_close_finish(GIOStream *stream, GAsyncResult *result, GError **error)
{
    return g_task_propagate_boolean(G_TASK(result), error);
}

static void framing_stream_dispose(GObject *object)
{
    HfHttpFramingStream *self = HF_HTTP_FRAMING_STREAM(object);
    G_OBJECT_CLASS(hf_http_framing_stream_parent_class)->dispose(object); /* closes */
    g_clear_object(&self->input);
    g_clear_object(&self->base);
}

static void hf_http_framing_stream_class_init(HfHttpFramingStreamClass *class)
{
    G_OBJECT_CLASS(class)->dispose = framing_stream_dispose;
    GIOStreamClass *stream = G_IO_STREAM_CLASS(class);
    stream->get_input_stream = framing_stream_get_input;
    stream->get_output_stream = framing_stream_get_output;
    stream->close_fn = framing_stream_close;
    stream->close_async = framing_stream_close_async;
    stream->close_finish = framing_stream_close_finish;
}

static void hf_http_framing_stream_init(HfHttpFramingStream *self)
{
}

GIOStream *hf_http_framing_stream_new(GIOStream *stream, HfHttpFraming *framing)
{
    HfHttpFramingStream *self = g_object_new(HF_TYPE_HTTP_FRAMING_STREAM, NULL);
    HfHttpInput *input =
        g_object_new(HF_TYPE_HTTP_INPUT, "base-stream", g_io_stream_get_input_stream(stream),
                     "close-base-stream", FALSE, NULL);
    input->framing = hf_http_framing_ref(framing);
    input->output = g_object_ref(g_io_stream_get_output_stream(stream));
    self->base = g_object_ref(stream);
    self->input = G_INPUT_STREAM(input);
    return G_IO_STREAM(self);
}
