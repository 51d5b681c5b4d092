/* SPDX-License-Identifier: Apache-2.0 */
/* Answers and streamed answers. Callers may be on any thread; the main thread does the work. */
#include <string.h>

#include "desk/doors/http/http-limits.h"
#include "desk/doors/http/server/http-internal.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/json.h"

void hf_http_add_executor_ids(json_t *json, const char *run_id, const char *step_id, gint64 time_ms)
{
    json_object_set_new(json, "runId", hf_json_text(run_id));
    json_object_set_new(json, "stepId", hf_json_text(step_id));
    json_object_set_new(json, "ts", json_integer(time_ms));
}

/* One form for each API: a client that reads one member of every answer must find it in refusals
 * too, whoever refused and however early. */
json_t *hf_http_error_json(const HfHttpRoute *route, const char *run_id, const GError *error)
{
    if (!route || !(route->flags & HF_HTTP_EXECUTOR))
        return json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(error));
    g_autofree char *step_id = hf_id_new("s");
    json_t *json = json_pack("{s:o}", "error", hf_error_to_json(error));
    hf_http_add_executor_ids(json, run_id ? run_id : "", step_id, g_get_real_time() / 1000);
    return json;
}

typedef struct Answer {
    HfHttpRequest *request;
    guint status;
    char *media_type; /* NULL: no body */
    GBytes *bytes;
    char *name, *value; /* of a header */
} Answer;

static void answer_free(Answer *answer)
{
    hf_http_request_unref(answer->request);
    g_free(answer->media_type);
    g_clear_pointer(&answer->bytes, g_bytes_unref);
    g_free(answer->name);
    g_free(answer->value);
    g_free(answer);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Answer, answer_free)

static Answer *answer_new(HfHttpRequest *request, guint status, const char *media_type,
                          GBytes *take_bytes)
{
    Answer *answer = g_new0(Answer, 1);
    answer->request = hf_http_request_ref(request);
    answer->status = status;
    answer->media_type = g_strdup(media_type);
    answer->bytes = take_bytes;
    return answer;
}

static gboolean is_response_unwanted(const HfHttpRequest *request)
{
    return request->finished || request->http->shut;
}

static void do_header(gpointer data)
{
    g_autoptr(Answer) answer = data;
    if (!is_response_unwanted(answer->request))
        soup_message_headers_append(
            soup_server_message_get_response_headers(answer->request->message), answer->name,
            answer->value);
}

void hf_http_request_add_header(HfHttpRequest *request, const char *name, const char *value)
{
    Answer *answer = answer_new(request, 0, NULL, NULL);
    answer->name = g_strdup(name);
    answer->value = g_strdelimit(g_strdup(value), "\r\n", ' ');
    hf_main_queue_push(request->http->main_queue, do_header, answer);
}

static void set_common_headers(SoupServerMessage *message, const char *media_type)
{
    SoupMessageHeaders *headers = soup_server_message_get_response_headers(message);
    if (media_type)
        soup_message_headers_replace(headers, "Content-Type", media_type);
    soup_message_headers_replace(headers, "Cache-Control", "no-store");
    soup_message_headers_replace(headers, "X-Content-Type-Options", "nosniff");
}

static void do_answer(gpointer data)
{
    g_autoptr(Answer) answer = data;
    HfHttpRequest *request = answer->request;
    if (is_response_unwanted(request))
        return;
    gsize size = answer->bytes ? g_bytes_get_size(answer->bytes) : 0;
    hf_http_request_unwatch(request);
    soup_server_message_set_status(request->message, answer->status, NULL);
    set_common_headers(request->message, answer->media_type);
    if (answer->bytes)
        soup_message_body_append_bytes(soup_server_message_get_response_body(request->message),
                                       answer->bytes);
    hf_http_connection_expect(request->connection,
                              HF_LIMIT_HTTP_ANSWER_MS +
                                  (gint64)(size >> 20) * HF_LIMIT_HTTP_MEGABYTE_MS);
    soup_server_message_unpause(request->message);
}

void hf_http_respond_bytes(HfHttpRequest *request, guint status, const char *media_type,
                           GBytes *take_bytes)
{
    if (g_atomic_int_exchange(&request->answered, TRUE)) {
        g_bytes_unref(take_bytes);
        return;
    }
    hf_main_queue_push(request->http->main_queue, do_answer,
                       answer_new(request, status, media_type, take_bytes));
}

void hf_http_respond_text(HfHttpRequest *request, guint status, const char *media_type,
                          GString *take_text)
{
    hf_http_respond_bytes(request, status, media_type, g_string_free_to_bytes(take_text));
}

void hf_http_respond_json(HfHttpRequest *request, guint status, json_t *take_json)
{
    g_autoptr(json_t) json = take_json;
    char *text = hf_json_dump(json);
    hf_http_respond_bytes(request, status, "application/json",
                          g_bytes_new_take(text, strlen(text)));
}

void hf_http_respond_error(HfHttpRequest *request, const GError *error)
{
    hf_http_respond_json(request, (guint)hf_error_code_status(hf_error_code(error)),
                         hf_http_error_json(request->route, request->run_id, error));
}

void hf_http_respond_status(HfHttpRequest *request, guint status)
{
    if (!g_atomic_int_exchange(&request->answered, TRUE))
        hf_main_queue_push(request->http->main_queue, do_answer,
                           answer_new(request, status, NULL, NULL));
}

static void do_begin(gpointer data)
{
    g_autoptr(Answer) answer = data;
    HfHttpRequest *request = answer->request;
    if (is_response_unwanted(request))
        return;
    SoupMessageHeaders *headers = soup_server_message_get_response_headers(request->message);
    soup_server_message_set_status(request->message, answer->status, NULL);
    set_common_headers(request->message, answer->media_type);
    soup_message_headers_set_encoding(
        headers, soup_server_message_get_http_version(request->message) == SOUP_HTTP_1_0
                     ? SOUP_ENCODING_EOF
                     : SOUP_ENCODING_CHUNKED);
    soup_message_body_set_accumulate(soup_server_message_get_response_body(request->message),
                                     FALSE);
    request->http->totals.streams++;
    hf_http_connection_expect(request->connection, 0);
    soup_server_message_unpause(request->message);
}

void hf_http_stream_begin(HfHttpRequest *request, guint status, const char *media_type)
{
    if (g_atomic_int_exchange(&request->answered, TRUE))
        return;
    g_atomic_int_set(&request->streaming, TRUE);
    hf_main_queue_push(request->http->main_queue, do_begin,
                       answer_new(request, status, media_type, NULL));
}

static void do_send(gpointer data)
{
    g_autoptr(Answer) answer = data;
    HfHttpRequest *request = answer->request;
    if (is_response_unwanted(request))
        return;
    soup_message_body_append_bytes(soup_server_message_get_response_body(request->message),
                                   answer->bytes);
    soup_server_message_unpause(request->message);
}

static void do_drop(gpointer data)
{
    g_autoptr(Answer) answer = data;
    g_cancellable_cancel(answer->request->cancellable);
    hf_http_connection_drop(answer->request->connection);
}

/* The client must take waiting bytes within a time that starts when they begin to wait. */
static void do_expect(gpointer data)
{
    g_autoptr(Answer) answer = data;
    if (g_atomic_int_get(&answer->request->backlog) > 0)
        hf_http_connection_expect(answer->request->connection, HF_LIMIT_HTTP_STREAM_MS);
}

gboolean hf_http_stream_send(HfHttpRequest *request, const char *text, gsize length)
{
    if (g_cancellable_is_cancelled(request->cancellable) ||
        !g_atomic_int_get(&request->streaming) || length == 0)
        return length == 0;
    int before = g_atomic_int_add(&request->backlog, (gint)length);
    if ((gsize)before + length > HF_LIMIT_HTTP_STREAM_BYTES) {
        hf_main_queue_push(request->http->main_queue, do_drop, answer_new(request, 0, NULL, NULL));
        return FALSE;
    }
    if (before == 0)
        hf_main_queue_push(request->http->main_queue, do_expect,
                           answer_new(request, 0, NULL, NULL));
    hf_main_queue_push(request->http->main_queue, do_send,
                       answer_new(request, 0, NULL, g_bytes_new(text, length)));
    return TRUE;
}

gsize hf_http_stream_get_backlog(HfHttpRequest *request)
{
    return (gsize)MAX(0, g_atomic_int_get(&request->backlog));
}

void hf_http_stream_set_drain_func(HfHttpRequest *request, void (*taken)(gpointer data),
                                   gpointer data)
{
    request->taken = taken;
    request->taken_data = data;
}

void hf_http_request_wrote(HfHttpRequest *request, guint bytes)
{
    if (!g_atomic_int_get(&request->streaming))
        return;
    if (g_atomic_int_add(&request->backlog, -(gint)bytes) <= (gint)bytes)
        hf_http_connection_expect(request->connection, 0);
    if (request->taken)
        request->taken(request->taken_data);
}

static void do_end(gpointer data)
{
    g_autoptr(Answer) answer = data;
    HfHttpRequest *request = answer->request;
    if (is_response_unwanted(request))
        return;
    hf_http_request_unwatch(request);
    hf_http_connection_expect(request->connection, HF_LIMIT_HTTP_ANSWER_MS);
    soup_message_body_complete(soup_server_message_get_response_body(request->message));
    soup_server_message_unpause(request->message);
}

void hf_http_stream_end(HfHttpRequest *request)
{
    if (g_atomic_int_compare_and_exchange(&request->streaming, TRUE, FALSE))
        hf_main_queue_push(request->http->main_queue, do_end, answer_new(request, 0, NULL, NULL));
}
