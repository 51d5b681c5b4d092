/* SPDX-License-Identifier: Apache-2.0 */
/* The window that the call which this thread runs is meant for. A click on a point where another
 * window lies, or a key while another one has the focus, would reach that one: it is refused, and
 * the other one named. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/geometry.h"

/* From now on, for what is done by the pointer and by keys. Apart, since keys that are held during
 * a click go to whatever has the focus. 0: any window. */
void hf_target_window_set_point(guint32 window);
void hf_target_window_set_focus(guint32 window);
/* The window at the first point of a call: a drag may end in another one. */
void hf_target_window_set_if_unset(guint32 window);

/* Told of the point right before a button goes down there or the wheel turns; NULL: nobody. */
typedef void (*HfPressWatcher)(HfPoint point, gpointer data);
void hf_target_window_set_press_watcher(HfPressWatcher watcher, gpointer data);

/* Before a button goes down or the wheel turns at the point. DESKTOP_MODAL_BLOCKING when a dialog
 * of the window is in front of it, else DESKTOP_FOCUS_LOST, both with the window that is there in
 * details: {"wanted": {window_id, title}, "window": {window_id, title, process}}. */
gboolean hf_target_window_check_point(HfDesktop *desktop, HfPoint point, GError **error);
/* The same before a key. */
gboolean hf_target_window_check_focus(HfDesktop *desktop, GError **error);
