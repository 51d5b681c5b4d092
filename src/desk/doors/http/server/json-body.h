/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of requests as JSON: foreign bytes. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* An object; an empty one from no bytes at all. INVALID_PARAMS for what is no JSON object, has a
 * name twice, invalid UTF-8, or nests too deep. */
json_t *hf_http_body_parse(GBytes *bytes, GError **error);
/* Any JSON value, with the same care. */
json_t *hf_http_body_parse_any(GBytes *bytes, GError **error);
