/* SPDX-License-Identifier: Apache-2.0 */
/* GET /v1/openapi.json: the door described by itself (OpenAPI 3.1). */
#pragma once

#include "desk/doors/http/server/http-request.h"

void hf_http_handle_openapi(HfHttpRequest *request);
/* The document; owned. */
json_t *hf_http_openapi(void);
/* {"METHOD /path": the schema of what goes with it, in the query or the body}. */
json_t *hf_http_describe_routes(void);
/* {"METHOD /path": the schema of `result`; of the executor API, of the answer itself}. */
json_t *hf_http_describe_answers(void);
