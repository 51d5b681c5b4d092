/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of an X11 desktop: the slots that the back end fills in, and one look at all. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/windows/ewmh.h"

extern const HfWindowOps hf_x11_window_ops;

/* All windows, topmost first, and what the window manager said at that moment. */
GPtrArray *hf_x11_windows_read_all(HfX11Connection *connection, HfX11Ewmh *ret_ewmh,
                                   GError **error);
