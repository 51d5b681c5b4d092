/* SPDX-License-Identifier: Apache-2.0 */
/* What programs show outside of every window that is managed: menus, lists that drop down, tips. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/core/x11.h"

/* HfWindow, of which only id, pid and bounds are set; the topmost first. */
GPtrArray *hf_x11_window_popups(HfDesktop *desktop, GError **error);
