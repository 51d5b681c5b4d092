/* SPDX-License-Identifier: Apache-2.0 */
/* The windows that an event would reach, and the popups outside of every managed window. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/core/x11.h"

/* The windows at `point`, outermost first. Without a point: those with the focus and in front. Only
 * id, title, class, instance and pid are set. */
GPtrArray *hf_x11_window_identify(HfDesktop *desktop, const HfPoint *point, GError **error);
/* Menus, drop-down lists and tooltips: shown children of the root that no window manager may touch.
 * HfWindow with only id, pid and bounds set, topmost first. */
GPtrArray *hf_x11_window_list_popups(HfDesktop *desktop, GError **error);
