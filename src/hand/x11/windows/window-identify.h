/* SPDX-License-Identifier: Apache-2.0 */
/* What the windows are called that an event would reach. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/core/x11.h"

/* The windows at `point`, outermost first; without one those with the focus and in front. Only id,
 * title, class, instance and pid are set. */
GPtrArray *hf_x11_window_identify(HfDesktop *desktop, const HfPoint *point, GError **error);
