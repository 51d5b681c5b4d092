/* SPDX-License-Identifier: Apache-2.0 */
/* Parses request bodies as JSON. The bytes are untrusted. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* An object; empty without a body. INVALID_PARAMS for anything but a JSON object, a duplicate name,
 * invalid UTF-8, or too deep nesting. */
json_t *hf_http_body_parse(GBytes *bytes, GError **error);
/* Any JSON value, with the same checks. */
json_t *hf_http_body_parse_any(GBytes *bytes, GError **error);
