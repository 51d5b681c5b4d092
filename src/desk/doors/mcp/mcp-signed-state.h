/* SPDX-License-Identifier: Apache-2.0 */
/* The state that a modern client carries from one attempt of a request to the next. The client
 * stores it but cannot change it: it is signed and expires. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfMcpStateSigner HfMcpStateSigner;

/* The key lives as long as the signer: another desk accepts none of its states. */
HfMcpStateSigner *hf_mcp_state_signer_new(void);
void hf_mcp_state_signer_free(HfMcpStateSigner *signer);

/* `claims` is an object; "expires" (wall clock, in milliseconds) is added. Consumes it. */
char *hf_mcp_state_sign(const HfMcpStateSigner *signer, json_t *take_claims, gint64 for_ms);
/* NULL when it is not ours, was changed, or has expired. */
json_t *hf_mcp_state_verify(const HfMcpStateSigner *signer, const char *text);
