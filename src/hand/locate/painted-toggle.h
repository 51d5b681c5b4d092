/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks a painted check box or radio button, which its program does not report: it is clicked, and
 * its picture shows whether that had the effect. */
#pragma once

#include "hand/atspi/act/element-action.h"

/* Whether this action toggles, checks or unchecks such a box. */
gboolean hf_painted_toggle_applies(const HfElementAction *action);
/* As hf_element_action_run. */
gboolean hf_painted_toggle_do(HfElementAction *action, GError **error);
