/* SPDX-License-Identifier: Apache-2.0 */
/* The state that a modern client carries from one try of a request to the next. It is the client's
 * to keep and nobody's to change: signed, and good for a while only. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfMcpStateSigner HfMcpStateSigner;

/* A key that lives as long as this does: what it sealed is worth nothing to the next desk. */
HfMcpStateSigner *hf_mcp_state_signer_new(void);
void hf_mcp_state_signer_free(HfMcpStateSigner *seal);

/* `claims` is an object; "expires" (milliseconds of the wall clock) is added. Consumes it. */
char *hf_mcp_state_sign(const HfMcpStateSigner *seal, json_t *take_claims, gint64 for_ms);
/* NULL when it is not ours, was changed, or is too old. */
json_t *hf_mcp_state_verify(const HfMcpStateSigner *seal, const char *text);
