/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of tools over HTTP. */
#pragma once

#include "desk/doors/http/server/http-request.h"

/* POST /v1/tools/{name}: the body is the parameters, the answer is the bridge's. With `raw=1` or
 * where only pictures are accepted, the picture itself, and the rest in the header X-Result. */
void hf_http_handle_tool(HfHttpRequest *request);
