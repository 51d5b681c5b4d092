/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of an X11 desktop: the back end's table of functions, and the list of all windows. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/windows/ewmh.h"

extern const HfWindowOps hf_x11_window_ops;

/* All windows, topmost first, and the state of the window manager at that moment. */
GPtrArray *hf_x11_windows_read_all(HfX11Connection *connection, HfX11Ewmh *ret_ewmh,
                                   GError **error);
/* A window's title from its _NET_WM_NAME or WM_NAME, either of which may be NULL; "" without one.
 */
char *hf_x11_window_dup_title(HfX11Connection *connection, const xcb_get_property_reply_t *name,
                              const xcb_get_property_reply_t *old_name);
