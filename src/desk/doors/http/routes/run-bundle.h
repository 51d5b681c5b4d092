/* SPDX-License-Identifier: Apache-2.0 */
/* GET /v1/runs/{id}/bundle.zip: a run as one file that plays in a browser. */
#pragma once

#include "desk/doors/http/server/http-request.h"

void hf_http_handle_bundle(HfHttpRequest *request);
