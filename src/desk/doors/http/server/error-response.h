/* SPDX-License-Identifier: Apache-2.0 */
/* How it is told that a request was not done: {ok, error}, or in the words of the executor API,
 * whose every answer carries runId, stepId and ts. */
#pragma once

#include <jansson.h>

#include "desk/doors/http/routes/routes.h"

/* `route`: what was asked for; NULL: nothing that there is. */
json_t *hf_http_error_json(const HfHttpRoute *route, const char *run_id, const GError *error);
/* The three names, in an object of the executor API. */
void hf_http_add_executor_ids(json_t *json, const char *run_id, const char *step_id,
                              gint64 time_ms);
