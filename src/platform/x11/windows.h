/* The windows of an X11 desktop: the slots that the back end fills in, and one look at all. */
#pragma once

#include "platform/windows.h"
#include "platform/x11/ewmh.h"
#include "platform/x11/x11.h"

extern const HfWindowOps hf_x11_window_ops;

/* All windows, topmost first, and what the window manager said at that moment. */
GPtrArray *hf_x11_windows_look(HfX11Connection *connection, HfX11Ewmh *ret_ewmh, GError **error);
