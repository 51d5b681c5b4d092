/* SPDX-License-Identifier: Apache-2.0 */
/* The tool `computer` of the MCP profile with that name: the actions that models were trained on,
 * as one description. It is not in the registry: the MCP door turns it into calls of tools that
 * are. */
#pragma once

#include "shared/tool/tool.h"

extern const HfTool hf_computer_tool;

/* What a picture may cost such a model, by the rules of those that accept the least. */
#define HF_COMPUTER_TOKENS 1568

/* The size at which a screen is shown to such a model, so that nobody scales the picture down
 * later: at most 1568 pixels a side and 1568 tiles of 28 x 28. Never larger than the screen. */
void hf_computer_tool_fit_screen(int width, int height, int *ret_width, int *ret_height);
