/* SPDX-License-Identifier: Apache-2.0 */
/* What came of an act, as tools tell it. */
#pragma once

#include "hand/atspi/act/element-action.h"
#include "shared/tool/call.h"
#include "shared/tool/result.h"

extern const HfParam hf_element_action_result[];

/* Does it, and tells. NULL when it failed; details then say how the element is. */
HfResult *hf_element_action_run_and_report(HfElementAction *deed, GError **error);
