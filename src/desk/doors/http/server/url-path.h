/* SPDX-License-Identifier: Apache-2.0 */
/* Paths and queries of requests. The text is untrusted. */
#pragma once

#include <glib.h>

/* Matches a percent-encoded path against a pattern such as "/v1/tools/{name}". Returns the decoded
 * values of the {parts}: valid UTF-8 without NUL, never empty. NULL: no match. */
GPtrArray *hf_http_path_match(const char *pattern, const char *path);
/* The value of a {part}, borrowed; NULL when the pattern has none of that name. */
const char *hf_http_path_value(const char *pattern, const GPtrArray *values, const char *name);
/* A query as name → value; the first value of a name counts. Values that cannot be decoded are left
 * out. */
GHashTable *hf_http_query_parse(const char *query);
