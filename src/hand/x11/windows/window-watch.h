/* SPDX-License-Identifier: Apache-2.0 */
/* Listens to windows that come, go, move, change or are painted. Each watch has its own connection,
 * since an event goes to whoever reads first. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/core/x11.h"

typedef struct HfX11Watch {
    HfWindowWatch base;
    HfX11Connection *connection;
    HfX11Connection *shared; /* borrowed: has the atoms */
    xcb_window_t window;     /* every change of this one counts, too; 0: none */
    xcb_window_t clock;      /* our own hidden window, created when first needed */
    gboolean changed;        /* by events that were read so far */
} HfX11Watch;

/* No event after its return is missed. */
HfX11Watch *hf_x11_watch_new(HfX11Desktop *x11, xcb_window_t window, GError **error);

/* Waits until the window manager has done everything that it was asked over the shared connection:
 * it answers in order. DESKTOP_TIMEOUT when it does not answer. Only for a window manager that
 * supports _NET_REQUEST_FRAME_EXTENTS. */
gboolean hf_x11_watch_sync_manager(HfX11Watch *watch, const HfDeadline *deadline, GError **error);

HfWindowWatch *hf_x11_window_watch_new(HfDesktop *desktop, GError **error);
gboolean hf_x11_window_watch_read(HfWindowWatch *watch, gboolean *ret_changed, GError **error);
guint32 hf_x11_window_watch_time(HfWindowWatch *watch);
void hf_x11_window_watch_free(HfWindowWatch *watch);

/* Waits until the program has painted its new window, or until the deadline. Changes nothing. */
void hf_x11_window_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline);
