/* SPDX-License-Identifier: Apache-2.0 */
/* Tool calls over HTTP. */
#pragma once

#include "desk/doors/http/server/http-request.h"

/* POST /v1/tools/{name}: the body holds the parameters, the answer equals the bridge's. With
 * `raw=1`, or when the client accepts only pictures, the body is the picture and the header
 * X-Result holds the rest. */
void hf_http_handle_tool(HfHttpRequest *request);
