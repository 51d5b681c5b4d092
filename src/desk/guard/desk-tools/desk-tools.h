/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that the desk runs itself, without a hand. */
#pragma once

#include "desk/guard/passage.h"

HfResult *hf_desk_tool_run(HfPassage *passage, GError **error);
/* For a dry run: {target}, with pictures. */
HfResult *hf_desk_tool_preview(HfPassage *passage, GError **error);
