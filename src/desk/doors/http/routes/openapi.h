/* SPDX-License-Identifier: Apache-2.0 */
/* GET /v1/openapi.json: the HTTP API as OpenAPI 3.1. */
#pragma once

#include "desk/doors/http/server/http-request.h"

void hf_http_handle_openapi(HfHttpRequest *request);
/* The document; owned. */
json_t *hf_http_openapi(void);
/* {"METHOD /path": schema of the parameters, in the query or the body}. */
json_t *hf_http_describe_routes(void);
/* {"METHOD /path": schema of `result`; for the executor API, of the whole answer}. */
json_t *hf_http_describe_answers(void);
