/* SPDX-License-Identifier: Apache-2.0 */
/* POST /v1/stop. */
#pragma once

#include "desk/doors/http/server/http-request.h"

/* On the main thread, so that no number of busy workers can keep it waiting: when it returns,
 * nothing is let through any more. Answered when hands have braked. */
void hf_http_handle_stop(HfHttpRequest *request);
