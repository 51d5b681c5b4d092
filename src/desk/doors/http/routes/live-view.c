/* SPDX-License-Identifier: Apache-2.0 */
/* GET /v1/desktops/{name}/stream: a live view of a desktop, with input from its owner. The desk
 * asks the hand for the next picture when the client has taken the last one and the frame time has
 * come. The guard checks each picture. The main thread keeps the view's state and talks to the
 * client. Workers capture and act, one of each at a time, so that input stays in order. */
#include "desk/doors/http/routes/live-view-input.h"

#include <string.h>

#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/routes/method-route.h"
#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/http/server/web-socket.h"
#include "desk/records/audit/audit.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

/* Retry interval while the guard refuses the view. */
#define HELD_RETRY_MS 500

typedef struct Stream {
    gatomicrefcount refs;
    HfHttpRequest *request;
    char *id, *desktop;
    json_t *looks; /* parameters of the screenshot behind each frame */
    int fps;
    gint64 interval_us, began_us;
    GCancellable *cancellable;
    /* Main thread. */
    HfWebSocket *socket; /* NULL: closed */
    guint frame;         /* the last frame that the client has taken */
    guint sent;          /* the last frame that was sent; differs while it is not taken yet */
    gint64 looked_us;
    guint timer;
    gboolean looking, live;
    char *held; /* the error code that was last sent; NULL while frames are allowed */
    guint frames, acts;
    /* For the capturing worker only. */
    char *policy;  /* the config under which the view was opened; NULL: not opened yet */
    GMutex lock;   /* guards what follows */
    GQueue inputs; /* of json_t */
    gboolean acting;
} Stream;

static Stream *stream_ref(Stream *stream)
{
    g_atomic_ref_count_inc(&stream->refs);
    return stream;
}

static void stream_unref(Stream *stream)
{
    if (!g_atomic_ref_count_dec(&stream->refs))
        return;
    hf_http_request_unref(stream->request);
    g_object_unref(stream->cancellable);
    json_decref(stream->looks);
    g_queue_clear_full(&stream->inputs, (GDestroyNotify)json_decref);
    g_mutex_clear(&stream->lock);
    g_free(stream->held);
    g_free(stream->policy);
    g_free(stream->desktop);
    g_free(stream->id);
    g_free(stream);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Stream, stream_unref)

static HfGuard *guard_of_view(const Stream *stream)
{
    return hf_desk_get_guard(stream->request->http->desk);
}

/* ---- from a worker to the client ---- */

typedef struct ViewMessage {
    Stream *stream;
    json_t *json;
    HfAnswer *answer; /* of a captured frame; NULL: only the message is to be sent */
} ViewMessage;

static void send_view_message(gpointer data)
{
    g_autofree ViewMessage *message = data;
    if (message->stream->socket)
        hf_web_socket_send_json(message->stream->socket, g_steal_pointer(&message->json));
    json_decref(message->json);
    stream_unref(message->stream);
}

/* On any thread. */
static void queue_view_message(Stream *stream, json_t *take_message)
{
    ViewMessage *message = g_new0(ViewMessage, 1);
    *message = (ViewMessage){stream_ref(stream), take_message, NULL};
    hf_main_queue_push(stream->request->http->main_queue, send_view_message, message);
}

static json_t *error_message(const json_t *id, const GError *error)
{
    json_t *message = json_pack("{s:s, s:o}", "type", "error", "error", hf_error_to_json(error));
    if (id)
        json_object_set_new(message, "id", json_deep_copy(id));
    return message;
}

/* ---- capturing ---- */

static void schedule_next_frame(Stream *stream, gint64 at_us);

/* Errors that may pass without help. */
static gboolean is_transient_refusal(const GError *error)
{
    static const HfErrorCode passing[] = {HF_ERROR_STOPPED,         HF_ERROR_PAUSED,
                                          HF_ERROR_LOCKED,          HF_ERROR_DESKTOP_UNAVAILABLE,
                                          HF_ERROR_DESKTOP_TIMEOUT, HF_ERROR_DESKTOP_ABORTED};
    HfErrorCode code = hf_error_code(error);
    for (gsize i = 0; i < G_N_ELEMENTS(passing); i++)
        if (code == passing[i])
            return TRUE;
    return FALSE;
}

static void on_view_frame_refused(Stream *stream, const GError *error)
{
    const char *code = hf_error_code_name(hf_error_code(error));
    if (!is_transient_refusal(error)) {
        hf_web_socket_refuse(stream->socket, error);
        return;
    }
    stream->live = FALSE;
    stream->frame = stream->sent = 0; /* the client's picture may be outdated by then */
    if (g_strcmp0(stream->held, code) != 0) {
        json_t *message = error_message(NULL, error);
        json_object_set_new(message, "type", json_string("held"));
        hf_web_socket_send_json(stream->socket, message);
    }
    g_free(stream->held);
    stream->held = g_strdup(code);
    schedule_next_frame(stream, g_get_monotonic_time() + HELD_RETRY_MS * 1000);
}

static void announce_live_view(Stream *stream, const json_t *seen)
{
    const HfCaller *caller = &stream->request->caller;
    stream->live = TRUE;
    g_clear_pointer(&stream->held, g_free);
    hf_web_socket_send_json(stream->socket,
                            json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:b}", "type", "live",
                                      "stream", stream->id, "desktop", stream->desktop, "width",
                                      (int)hf_json_int(seen, "width", 0), "height",
                                      (int)hf_json_int(seen, "height", 0), "fps", stream->fps,
                                      "input", caller->role == HF_ROLE_OWNER));
}

static void send_view_frame(Stream *stream, const HfResult *result)
{
    if (!stream->live)
        announce_live_view(stream, result->json);
    guint frame = (guint)hf_json_int(result->json, "frame", 0);
    if (result->attachments->len == 0) {
        schedule_next_frame(stream, stream->looked_us + stream->interval_us);
        return;
    }
    const HfAttachment *tiles = result->attachments->pdata[0];
    stream->sent = frame;
    stream->frames++;
    hf_web_socket_send_bytes(stream->socket, tiles->bytes);
}

static void on_view_frame_taken(gpointer data)
{
    g_autofree ViewMessage *message = data;
    g_autoptr(Stream) stream = message->stream;
    g_autoptr(HfAnswer) answer = message->answer;
    stream->looking = FALSE;
    if (!stream->socket)
        return;
    if (answer->error)
        on_view_frame_refused(stream, answer->error);
    else
        send_view_frame(stream, answer->result);
}

static void on_view_call_waiting(const json_t *approval, gpointer data)
{
    Stream *stream = data;
    hf_workers_set_waiting(stream->request->http->workers, approval != NULL);
    if (approval)
        queue_view_message(stream, json_pack("{s:s, s:s}", "type", "waiting", "approval",
                                             hf_json_string(approval, "id", "")));
}

static HfRequest make_view_request(Stream *stream, const char *tool, json_t *params)
{
    return (HfRequest){.caller = &stream->request->caller,
                       .tool = tool,
                       .params = params,
                       .cancellable = stream->cancellable,
                       .waiting = on_view_call_waiting,
                       .waiting_data = stream};
}

/* Opens the view with an ordinary screenshot whose picture nobody needs, and again after a change
 * of the config. NULL: the view may be captured. */
static HfAnswer *open_view(Stream *stream)
{
    g_autoptr(HfConfig) config =
        hf_live_config_get(hf_guard_get_live_config(guard_of_view(stream)));
    const char *policy = hf_config_get_hash(config);
    if (g_strcmp0(stream->policy, policy) == 0)
        return NULL;
    g_autoptr(json_t) params = json_copy(stream->looks);
    json_object_set_new(params, "image", json_false());
    HfRequest request = make_view_request(stream, "screenshot", params);
    g_autoptr(HfAnswer) answer = hf_guard_call(guard_of_view(stream), &request);
    if (answer->error)
        return g_steal_pointer(&answer);
    if (!stream->policy)
        hf_audit_event(hf_guard_get_audit(guard_of_view(stream)), "stream-opened", request.caller,
                       json_pack("{s:s, s:s}", "stream", stream->id, "desktop", stream->desktop));
    g_free(stream->policy);
    stream->policy = g_strdup(policy);
    return NULL;
}

static void take_view_frame(gpointer data)
{
    Stream *stream = data;
    HfRequest request = make_view_request(stream, "screenshot", stream->looks);
    HfAnswer *answer = open_view(stream);
    if (!answer)
        answer = hf_guard_look(guard_of_view(stream), &request, stream->id, stream->frame);
    ViewMessage *message = g_new0(ViewMessage, 1);
    *message = (ViewMessage){stream, NULL, answer};
    hf_main_queue_push(stream->request->http->main_queue, on_view_frame_taken, message);
}

static gboolean on_frame_timer(gpointer data)
{
    Stream *stream = data;
    stream->timer = 0;
    if (stream->looking)
        return G_SOURCE_REMOVE;
    stream->looking = TRUE;
    stream->looked_us = g_get_monotonic_time();
    hf_workers_call(stream->request->http->workers, take_view_frame, stream_ref(stream));
    return G_SOURCE_REMOVE;
}

static void schedule_next_frame(Stream *stream, gint64 at_us)
{
    gint64 left_ms = MAX(0, (at_us - g_get_monotonic_time() + 999) / 1000);
    if (!stream->timer)
        stream->timer = g_timeout_add((guint)left_ms, on_frame_timer, stream);
}

/* ---- messages from the client ---- */

static void on_taken(Stream *stream, const json_t *message)
{
    guint frame = (guint)hf_json_int(message, "frame", 0);
    if (stream->looking || stream->timer || frame == 0 || frame != stream->sent)
        return;
    stream->frame = frame;
    schedule_next_frame(stream, stream->looked_us + stream->interval_us);
}

static void perform_view_input(Stream *stream, const json_t *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) params = NULL;
    const json_t *id = json_object_get(message, "id");
    const char *tool = hf_live_view_input_read(message, stream->desktop, &params, &error);
    if (!tool) {
        queue_view_message(stream, error_message(id, error));
        return;
    }
    HfRequest request = make_view_request(stream, tool, params);
    request.human = TRUE;
    g_autoptr(HfAnswer) answer = hf_guard_call(guard_of_view(stream), &request);
    if (answer->error)
        queue_view_message(stream, error_message(id, answer->error));
    else if (id)
        queue_view_message(stream,
                           json_pack("{s:s, s:o}", "type", "done", "id", json_deep_copy(id)));
}

static json_t *next_input(Stream *stream)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stream->lock);
    json_t *message = g_queue_pop_head(&stream->inputs);
    stream->acting = message != NULL;
    return message;
}

static void perform_view_inputs(gpointer data)
{
    g_autoptr(Stream) stream = data;
    json_t *message;
    while ((message = next_input(stream))) {
        if (!g_cancellable_is_cancelled(stream->cancellable))
            perform_view_input(stream, message);
        json_decref(message);
    }
}

/* FALSE when too many inputs wait already. A later pointer position replaces an earlier one. */
static gboolean queue_input(Stream *stream, json_t *message, gboolean *ret_begin)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&stream->lock);
    json_t *last = g_queue_peek_tail(&stream->inputs);
    if (last && hf_live_view_input_is_motion(last) && hf_live_view_input_is_motion(message) &&
        !json_object_get(last, "id"))
        json_decref(g_queue_pop_tail(&stream->inputs));
    gboolean fits = stream->inputs.length < HF_LIMIT_STREAM_INPUTS;
    if (fits)
        g_queue_push_tail(&stream->inputs, json_deep_copy(message)); /* belongs to another thread */
    *ret_begin = fits && !stream->acting;
    stream->acting |= fits;
    return fits;
}

static gboolean take_input(Stream *stream, json_t *message, GError **error)
{
    const HfCaller *caller = &stream->request->caller;
    gboolean begin;
    if (caller->role != HF_ROLE_OWNER) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "token '%s' may watch but not act", caller->name);
        hf_error_suggest(error, "use a token with the role owner, or call tools");
        return FALSE;
    }
    if (!queue_input(stream, message, &begin))
        return hf_fail(error, HF_ERROR_QUEUE_OVERFLOW, "%u inputs are waiting already",
                       HF_LIMIT_STREAM_INPUTS);
    stream->acts++;
    if (begin)
        hf_workers_call(stream->request->http->workers, perform_view_inputs, stream_ref(stream));
    return TRUE;
}

static void on_view_message(const char *text, gsize length, gpointer data)
{
    Stream *stream = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) message = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(message)) {
        hf_fail(&error, HF_ERROR_INVALID_PARAMS, "expected a JSON object");
        hf_error_suggest(&error, "see docs/stream.md");
    } else if (strcmp(hf_json_string(message, "type", ""), "taken") == 0) {
        on_taken(stream, message);
    } else {
        take_input(stream, message, &error);
    }
    if (error)
        hf_web_socket_send_json(stream->socket,
                                error_message(json_object_get(message, "id"), error));
}

/* ---- beginning and end ---- */

static guint open_streams; /* main thread */

static void audit_view_end(gpointer data)
{
    g_autoptr(Stream) stream = data;
    gint64 took_ms = (g_get_monotonic_time() - stream->began_us) / 1000;
    hf_audit_event(hf_guard_get_audit(guard_of_view(stream)), "stream-closed",
                   &stream->request->caller,
                   json_pack("{s:s, s:s, s:i, s:i, s:I}", "stream", stream->id, "desktop",
                             stream->desktop, "frames", (int)stream->frames, "inputs",
                             (int)stream->acts, "duration_ms", (json_int_t)took_ms));
}

static void on_view_closed(gpointer data)
{
    g_autoptr(Stream) stream = data;
    stream->socket = NULL;
    open_streams--;
    if (stream->timer)
        g_source_remove(stream->timer);
    stream->timer = 0;
    g_cancellable_cancel(stream->cancellable);
    if (stream->frames > 0)
        hf_workers_manage(stream->request->http->workers, audit_view_end, stream_ref(stream));
}

static const HfWebSocketFuncs stream_funcs = {.message = on_view_message, .closed = on_view_closed};

static gboolean prepare_view(Stream *stream, GError **error)
{
    const HfHttpRoute *route = stream->request->route;
    g_autoptr(json_t) query = hf_http_read_query(stream->request, route->params, error);
    if (!query)
        return FALSE;
    stream->fps = (int)hf_json_int(query, "fps", HF_STREAM_FPS);
    stream->interval_us = G_USEC_PER_SEC / stream->fps;
    stream->looks =
        json_pack("{s:s, s:I, s:b}", "desktop", stream->desktop, "quality",
                  hf_json_int(query, "quality", 0), "cursor", hf_json_bool(query, "cursor", TRUE));
    return open_streams <= HF_LIMIT_STREAMS ||
           hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "there are %u live views already",
                   HF_LIMIT_STREAMS);
}

static void accept_stream(HfHttpRequest *request, SoupWebsocketConnection *socket)
{
    g_autoptr(GError) error = NULL;
    Stream *stream = g_new0(Stream, 1);
    g_atomic_ref_count_init(&stream->refs);
    stream->request = hf_http_request_ref(request);
    stream->id = hf_id_new("v");
    stream->desktop = g_strdup(hf_http_request_get_part(request, "name"));
    stream->began_us = g_get_monotonic_time();
    stream->cancellable = g_cancellable_new();
    g_mutex_init(&stream->lock);
    g_queue_init(&stream->inputs);
    open_streams++;
    stream->socket = hf_web_socket_new(request, socket, &stream_funcs, stream);
    if (prepare_view(stream, &error))
        schedule_next_frame(stream, 0);
    else
        hf_web_socket_refuse(stream->socket, error);
}

static const HfParam stream_params[] = {
    HF_INTEGER("fps", "Frames per second, at most", .min = 1, .max = HF_LIMIT_STREAM_FPS,
               .fallback = "10"),
    HF_INTEGER("quality", "Quality of the JPEG tiles", .min = 0, .max = 100, .fallback = "70"),
    HF_BOOLEAN("cursor", "Draw the mouse pointer", .fallback = "true"),
    {0},
};

const HfHttpRoute hf_http_live_view_routes[] = {
    {.method = "GET",
     .path = "/v1/desktops/{name}/stream",
     .socket = accept_stream,
     .params = stream_params,
     .about = "A live view of a desktop: a WebSocket of changed JPEG tiles, with input from the "
              "owner; see docs/stream.md"},
    {0},
};
