/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the MCP door. */
#pragma once

/* How long the outcome of a call that waited for the owner is kept for its client. */
#define HF_LIMIT_MCP_KEEP_MS 600000
/* Pictures to which a client's coordinates can refer. */
#define HF_LIMIT_MCP_PICTURES 256u
