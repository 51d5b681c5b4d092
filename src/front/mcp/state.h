/* The state that a modern client carries from one try of a request to the next. It is the client's
 * to keep and nobody's to change: signed, and good for a while only. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfMcpSeal HfMcpSeal;

/* A key that lives as long as this does: what it sealed is worth nothing to the next desk. */
HfMcpSeal *hf_mcp_seal_new(void);
void hf_mcp_seal_free(HfMcpSeal *seal);

/* `claims` is an object; "expires" (milliseconds of the wall clock) is added. Consumes it. */
char *hf_mcp_seal_close(const HfMcpSeal *seal, json_t *take_claims, gint64 for_ms);
/* NULL when it is not ours, was changed, or is too old. */
json_t *hf_mcp_seal_open(const HfMcpSeal *seal, const char *text);
