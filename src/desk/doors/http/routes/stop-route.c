/* SPDX-License-Identifier: Apache-2.0 */
/* A stop is never refused: an invalid reason is ignored. */
#include "desk/doors/http/routes/stop-route.h"

#include "desk/doors/http/routes/routes.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

static void answer_http_stop(gboolean durable, gpointer data)
{
    g_autoptr(HfHttpRequest) request = data;
    hf_http_respond_json(
        request, SOUP_STATUS_OK,
        json_pack("{s:b, s:{s:b, s:b}}", "ok", 1, "result", "stopped", 1, "durable", durable));
}

void hf_http_handle_stop(HfHttpRequest *request)
{
    const char *given = hf_json_string(hf_http_request_get_json(request), "reason", NULL);
    g_autofree char *reason = given ? hf_text_shorten(given, HF_LIMIT_TITLE_BYTES) : NULL;
    hf_guard_stop(hf_desk_get_guard(hf_http_request_get_desk(request)),
                  hf_http_request_get_caller(request), NULL, reason, answer_http_stop,
                  hf_http_request_ref(request));
}
