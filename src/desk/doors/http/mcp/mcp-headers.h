/* SPDX-License-Identifier: Apache-2.0 */
/* What a modern MCP request says twice: in its headers, so that whoever stands in between can see
 * it without reading the body, and in the body, which is what counts. They have to agree. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* As the client sent them; NULL: it did not. */
typedef struct HfMcpHeaders {
    const char *version, *method, *name;
} HfMcpHeaders;

/* NULL when all is well, else what is wrong. */
const char *hf_mcp_headers_check(const HfMcpHeaders *headers, const json_t *message);
/* A value as it was meant: "=?base64?...?=" is decoded, blanks around it do not count. NULL when it
 * cannot be. */
char *hf_mcp_header_decode(const char *value);
/* Whether a header Accept takes this type of answer; NULL takes everything. */
gboolean hf_mcp_header_accepts(const char *accept, const char *type);
