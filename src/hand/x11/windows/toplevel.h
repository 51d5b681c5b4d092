/* SPDX-License-Identifier: Apache-2.0 */
/* A window's outermost ancestor below the root: the frame that the window manager gave it, or the
 * window itself. This is what the server stacks, covers and composites. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfX11Toplevel {
    xcb_window_t window; /* the one that was given */
    xcb_window_t frame;  /* the child of the root */
    HfRect outer;        /* of `frame` with its border, on the screen */
    HfRect area;         /* `outer` without the shadow that the program draws itself */
    HfRect inner;        /* of `window` alone */
} HfX11Toplevel;

/* The child of the root that contains `window`; 0 when the window is gone or is the root. */
xcb_window_t hf_x11_find_frame(HfX11Connection *connection, xcb_window_t window);
/* WINDOW_NOT_FOUND, or PRECONDITION_FAILED when it is not mapped (minimised, other workspace). */
gboolean hf_x11_toplevel_find(HfX11Connection *connection, xcb_window_t window,
                              HfX11Toplevel *ret_toplevel, GError **error);

/* The parts of `area` that other windows hide (HfRect, may overlap). Menus and tips of the same
 * program do not count: to a person they are part of the window. */
GArray *hf_x11_toplevel_find_covers(HfX11Connection *connection, const HfX11Toplevel *toplevel,
                                    HfRect area, GError **error);
