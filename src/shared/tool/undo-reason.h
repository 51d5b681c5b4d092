/* SPDX-License-Identifier: Apache-2.0 */
/* Why a tool that does not say it itself cannot be undone. */
#pragma once

#include "shared/tool/tool.h"

/* By the tool's declarations. NULL only for a tool that changes nothing, or consists of calls with
 * their own undo. */
const char *hf_tool_undo_reason(const HfTool *tool);
