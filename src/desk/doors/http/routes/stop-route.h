/* SPDX-License-Identifier: Apache-2.0 */
/* POST /v1/stop. */
#pragma once

#include "desk/doors/http/server/http-request.h"

/* Runs on the main thread, so that busy workers cannot delay it. When it returns, the guard lets
 * nothing through. The answer follows when the hands have stopped. */
void hf_http_handle_stop(HfHttpRequest *request);
