/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the X11 back end's eyes. */
#include "hand/desktop/screen.h"

#include "hand/x11/capture/monitors.h"
#include "hand/x11/capture/x11-capture.h"
#include "hand/x11/capture/x11-highlight.h"
#include "hand/x11/capture/x11-screen-watch.h"
#include "hand/x11/core/x11.h"

const HfScreenOps hf_x11_screen_ops = {
    .get = hf_x11_screen_get,
    .get_size = hf_x11_screen_get_size,
    .get_scale = hf_x11_screen_get_scale,
    .get_window_area = hf_x11_screen_get_window_area,
    .capture = hf_x11_capture,
    .watch_windows = hf_x11_capture_watch_windows,
    .get_change_serial = hf_x11_capture_get_change_serial,
    .highlight = hf_x11_highlight,
    .watch_new = hf_x11_screen_watch_new,
    .watch_free = hf_x11_screen_watch_free,
    .watch_begin = hf_x11_screen_watch_begin,
    .watch_read = hf_x11_screen_watch_read,
    .watch_end = hf_x11_screen_watch_end,
};
