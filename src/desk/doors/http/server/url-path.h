/* SPDX-License-Identifier: Apache-2.0 */
/* Paths and queries of requests: foreign text. */
#pragma once

#include <glib.h>

/* Whether a path (still percent-encoded) has the form of a pattern such as "/v1/tools/{name}". The
 * values of the {parts} are decoded: valid UTF-8 without NUL, never empty. NULL: it has not. */
GPtrArray *hf_http_path_match(const char *pattern, const char *path);
/* The value of a {part}, borrowed; NULL when the pattern has none of that name. */
const char *hf_http_path_value(const char *pattern, const GPtrArray *values, const char *name);
/* A query as name → value; the first of a name holds. What cannot be decoded is left out. */
GHashTable *hf_http_query_parse(const char *query);
