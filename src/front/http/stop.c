/* A stop is never refused: a reason that cannot be taken is left out. */
#include "front/http/stop.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "front/http/routes.h"
#include "guard/holds.h"

static void on_done(gboolean durable, gpointer data)
{
    g_autoptr(HfHttpRequest) request = data;
    hf_http_answer_json(
        request, SOUP_STATUS_OK,
        json_pack("{s:b, s:{s:b, s:b}}", "ok", 1, "result", "stopped", 1, "durable", durable));
}

void hf_http_handle_stop(HfHttpRequest *request)
{
    const char *given = hf_json_string(hf_http_request_get_json(request), "reason", NULL);
    g_autofree char *reason = given ? hf_text_shorten(given, HF_LIMIT_TITLE_BYTES) : NULL;
    hf_guard_stop(hf_desk_get_guard(hf_http_request_get_desk(request)),
                  hf_http_request_get_caller(request), NULL, reason, on_done,
                  hf_http_request_ref(request));
}
