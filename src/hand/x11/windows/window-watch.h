/* SPDX-License-Identifier: Apache-2.0 */
/* Hearing of windows that come, go, move or change. Each watch has its own connection, since the
 * events of one go to whoever reads first. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/core/x11.h"

typedef struct HfX11Watch {
    HfWindowWatch base;
    HfX11Connection *connection;
    HfX11Connection *shared; /* borrowed: knows the atoms */
    xcb_window_t window;     /* every change of this one is news, too; 0: none */
    xcb_window_t clock;      /* never shown; made when the time is asked for */
    gboolean news;           /* was met while something else was read */
} HfX11Watch;

/* From its return on nothing is missed. */
HfX11Watch *hf_x11_watch_new(HfX11Desktop *x11, xcb_window_t window, GError **error);

/* Waits until the window manager has done all that it was asked before, over the shared
 * connection: it answers in order. DESKTOP_TIMEOUT when it does not answer. Only for one that
 * supports _NET_REQUEST_FRAME_EXTENTS. */
gboolean hf_x11_watch_sync_manager(HfX11Watch *watch, const HfDeadline *deadline, GError **error);

HfWindowWatch *hf_x11_window_watch_new(HfDesktop *desktop, GError **error);
gboolean hf_x11_window_watch_read(HfWindowWatch *watch, gboolean *ret_news, GError **error);
guint32 hf_x11_window_watch_time(HfWindowWatch *watch);
void hf_x11_window_watch_free(HfWindowWatch *watch);
