/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an action on an element and reports its outcome. */
#pragma once

#include "hand/atspi/act/element-action.h"
#include "shared/tool/call.h"
#include "shared/tool/result.h"

extern const HfParam hf_element_action_result[];

/* After VERIFY_FAILED, details have the element and its states. */
HfResult *hf_element_action_run_and_report(HfElementAction *action, GError **error);
