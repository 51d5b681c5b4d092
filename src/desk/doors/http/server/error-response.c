/* SPDX-License-Identifier: Apache-2.0 */
/* One form for each API: a client that reads one member of every answer must find it in refusals
 * too, whoever refused and however early. */
#include "desk/doors/http/server/error-response.h"

#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/json.h"

void hf_http_add_executor_ids(json_t *json, const char *run_id, const char *step_id, gint64 time_ms)
{
    json_object_set_new(json, "runId", hf_json_text(run_id));
    json_object_set_new(json, "stepId", hf_json_text(step_id));
    json_object_set_new(json, "ts", json_integer(time_ms));
}

json_t *hf_http_error_json(const HfHttpRoute *route, const char *run_id, const GError *error)
{
    if (!route || !(route->flags & HF_HTTP_EXECUTOR))
        return json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(error));
    g_autofree char *step_id = hf_id_new("s");
    json_t *json = json_pack("{s:o}", "error", hf_error_to_json(error));
    hf_http_add_executor_ids(json, run_id ? run_id : "", step_id, g_get_real_time() / 1000);
    return json;
}
