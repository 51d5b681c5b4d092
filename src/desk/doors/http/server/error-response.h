/* SPDX-License-Identifier: Apache-2.0 */
/* Error bodies: {ok, error}, or the executor API's form, whose every answer carries runId, stepId
 * and ts. */
#pragma once

#include <jansson.h>

#include "desk/doors/http/routes/routes.h"

/* `route`: the requested route; NULL: none exists. */
json_t *hf_http_error_json(const HfHttpRoute *route, const char *run_id, const GError *error);
/* Adds the three members to an answer of the executor API. */
void hf_http_add_executor_ids(json_t *json, const char *run_id, const char *step_id,
                              gint64 time_ms);
