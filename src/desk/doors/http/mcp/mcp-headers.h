/* SPDX-License-Identifier: Apache-2.0 */
/* A modern MCP request repeats some of its body in headers, so that a proxy can see them without
 * reading the body. Both must agree; the body decides. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* As the client sent them; NULL: missing. */
typedef struct HfMcpHeaders {
    const char *version, *method, *name;
} HfMcpHeaders;

/* Returns what is wrong, or NULL. */
const char *hf_mcp_headers_check(const HfMcpHeaders *headers, const json_t *message);
/* The decoded value: "=?base64?...?=" is decoded, and surrounding blanks are removed. NULL when it
 * is malformed. */
char *hf_mcp_header_decode(const char *value);
/* Whether an Accept header allows this type; NULL allows everything. */
gboolean hf_mcp_header_accepts(const char *accept, const char *type);
