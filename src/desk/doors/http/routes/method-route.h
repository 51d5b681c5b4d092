/* SPDX-License-Identifier: Apache-2.0 */
/* Routes that only name a method of the bridge: what it takes is put together from the path, the
 * query and the body; its answer goes out as it is. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "shared/tool/param.h"

/* What the query says, checked by a table. */
json_t *hf_http_read_query(const HfHttpRequest *request, const HfParam *table, GError **error);

void hf_http_handle_method(HfHttpRequest *request);
