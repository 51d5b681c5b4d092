/* SPDX-License-Identifier: Apache-2.0 */
/* Routes that map to a bridge method: path, query and body become its parameters, and its answer is
 * sent as it is. */
#pragma once

#include "desk/doors/http/server/http-request.h"
#include "shared/tool/param.h"

/* The query, checked against a table. */
json_t *hf_http_read_query(const HfHttpRequest *request, const HfParam *table, GError **error);

void hf_http_handle_method(HfHttpRequest *request);
