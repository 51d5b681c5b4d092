/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the answer with the same function as the bridge, so that both are equal to the byte. */
#include "desk/doors/http/routes/tool-route.h"

#include <string.h>

#include "desk/doors/http/routes/routes.h"
#include "shared/tool/answer.h"

static void on_http_call_waiting(const json_t *approval, gpointer data)
{
    hf_workers_set_waiting(hf_http_request_get_workers(data), approval != NULL);
}

static gboolean wants_picture(const HfHttpRequest *request)
{
    const char *raw = hf_http_request_get_query(request, "raw");
    const char *accept = hf_http_request_get_header(request, "Accept");
    return (raw && g_str_equal(raw, "1")) || (accept && g_str_has_prefix(accept, "image/"));
}

/* Sends the first binary part as the body. */
static gboolean answer_raw(HfHttpRequest *request, const HfAnswer *answer)
{
    if (answer->error || answer->result->attachments->len == 0)
        return FALSE;
    const HfAttachment *part = answer->result->attachments->pdata[0];
    g_autoptr(json_t) json = hf_answer_to_json(answer);
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
    hf_http_request_add_header(request, "X-Result", text);
    free(text);
    hf_http_request_add_header(request, "X-Run-Id", answer->run_id);
    hf_http_request_add_header(request, "X-Step-Id", answer->step_id);
    hf_http_respond_bytes(request, SOUP_STATUS_OK, part->media_type, g_bytes_ref(part->bytes));
    return TRUE;
}

void hf_http_handle_tool(HfHttpRequest *request)
{
    HfRequest call = {
        .caller = hf_http_request_get_caller(request),
        .tool = hf_http_request_get_part(request, "name"),
        .params = hf_http_request_get_json(request),
        .cancellable = hf_http_request_get_cancellable(request),
        .waiting = on_http_call_waiting,
        .waiting_data = request,
    };
    HfGuard *guard = hf_desk_get_guard(hf_http_request_get_desk(request));
    g_autoptr(HfAnswer) answer = hf_guard_call(guard, &call);
    if (wants_picture(request) && answer_raw(request, answer))
        return;
    GString *text = g_string_new(NULL);
    hf_answer_append(answer, text);
    guint status =
        answer->error ? (guint)hf_error_code_status(hf_error_code(answer->error)) : SOUP_STATUS_OK;
    hf_http_respond_text(request, status, "application/json", text);
}
