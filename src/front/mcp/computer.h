/* The tool `computer`: the action set that some models were trained on, done by our own tools. */
#pragma once

#include "front/mcp/calls.h"

HfMcpOutcome *hf_mcp_computer_do(HfMcpCall *call, json_t *arguments);
