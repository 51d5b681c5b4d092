/* SPDX-License-Identifier: Apache-2.0 */
/* The tool `computer`: the action set that some models were trained on, done with our own tools. */
#pragma once

#include "desk/doors/mcp/mcp-calls.h"

HfMcpOutcome *hf_mcp_computer_run(HfMcpCall *call, json_t *arguments);
