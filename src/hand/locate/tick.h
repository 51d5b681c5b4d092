/* SPDX-License-Identifier: Apache-2.0 */
/* Ticking what is painted: a box or circle whose program tells nothing of it is clicked, and its
 * picture says whether that has helped. */
#pragma once

#include "hand/atspi/act/element-action.h"

/* Whether this is such a deed: to toggle, check or uncheck a painted box or circle. */
gboolean hf_tick_takes(const HfElementAction *deed);
/* As hf_element_action_run. */
gboolean hf_tick_do(HfElementAction *deed, GError **error);
