/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the window that receives keys. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfX11Focus {
    xcb_window_t window;   /* receives the key events */
    xcb_window_t toplevel; /* the window that people see */
} HfX11Focus;

/* DESKTOP_FOCUS_LOST when no window would receive a key. */
gboolean hf_x11_focus_get(HfX11Connection *connection, HfX11Focus *ret_focus, GError **error);
/* Whether the same window still has the focus, in one round trip. */
gboolean hf_x11_focus_is(HfX11Connection *connection, const HfX11Focus *focus);
/* The class in WM_CLASS ("Mousepad"); "" when the window has none. */
char *hf_x11_focus_dup_class(HfX11Connection *connection, xcb_window_t window);
