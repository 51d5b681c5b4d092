/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to the desk that speaks MCP; starts a desk when none runs. */
#pragma once

#include <jansson.h>

#include "shared/base/json.h"

/* The descriptor, or -1 with an error. Consumes the parameters of `mcp.open`. Any number of
 * processes may do this at once: they end up with one desk. */
int hf_mcp_desk_open(json_t *take_params, GError **error);
