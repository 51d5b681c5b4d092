/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that the desk does itself: no hand is asked. */
#pragma once

#include "desk/guard/passage.h"

HfResult *hf_desk_tool_run(HfPassage *passage, GError **error);
/* What it would do, for a dry run: {target}, with pictures. */
HfResult *hf_desk_tool_preview(HfPassage *passage, GError **error);
