/* SPDX-License-Identifier: Apache-2.0 */
/* Why there is no way back from a tool that does not say one itself. */
#pragma once

#include "shared/tool/tool.h"

/* By what the tool declares. NULL only for what changes nothing, or is made of calls that have ways
 * back of their own. */
const char *hf_tool_undo_reason(const HfTool *tool);
