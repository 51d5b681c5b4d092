/* SPDX-License-Identifier: Apache-2.0 */
/* MCP on the wire: revisions, error numbers and kinds of messages. There are two eras: legacy
 * revisions start with `initialize` and keep a session; the modern one carries everything in each
 * request. */
#pragma once

#include <glib.h>
#include <jansson.h>

#define HF_MCP_MODERN        "2026-07-28"
#define HF_MCP_NEWEST_LEGACY "2025-11-25"
/* The only revision with arrays of messages. */
#define HF_MCP_BATCHES "2025-03-26"

#define HF_MCP_META(NAME) "io.modelcontextprotocol/" NAME

/* Error numbers. */
enum {
    HF_MCP_PARSE_ERROR = -32700,
    HF_MCP_INVALID_REQUEST = -32600,
    HF_MCP_METHOD_NOT_FOUND = -32601,
    HF_MCP_INVALID_PARAMS = -32602,
    HF_MCP_INTERNAL_ERROR = -32603,
    HF_MCP_RESOURCE_NOT_FOUND = -32002, /* legacy */
    HF_MCP_HEADER_MISMATCH = -32020,
    HF_MCP_MISSING_CAPABILITY = -32021,
    HF_MCP_UNSUPPORTED_VERSION = -32022,
};

typedef enum HfMcpKind {
    HF_MCP_KIND_INVALID,
    HF_MCP_KIND_REQUEST,
    HF_MCP_KIND_NOTIFICATION,
    HF_MCP_KIND_RESPONSE,
    HF_MCP_KIND_BATCH,
} HfMcpKind;

/* The kind of a message, by its form; for an invalid one, the reason. */
HfMcpKind hf_mcp_message_kind(const json_t *message, const char **ret_problem);
/* Parses untrusted bytes; NULL with the reason. Duplicate keys are refused. */
json_t *hf_mcp_message_parse(const char *text, gsize length, char **ret_problem);
/* Whether it carries its revision, as modern requests do. */
gboolean hf_mcp_message_is_modern(const json_t *message);
/* The `_meta` of a request; NULL: none. */
const json_t *hf_mcp_message_meta(const json_t *message);
/* Whether a value can be an id or a progress token: a string or an integer. */
gboolean hf_mcp_is_token(const json_t *value);

/* The legacy revision of that name as a constant, or NULL. */
const char *hf_mcp_find_legacy(const char *version);
/* All revisions, the newest first. */
json_t *hf_mcp_list_versions(void);

/* Texts of whole messages; a NULL `id` is null. Consumes the rest. */
char *hf_mcp_error_text(const json_t *id, int code, const char *message, json_t *take_data);
char *hf_mcp_notification_text(const char *method, json_t *take_params);
