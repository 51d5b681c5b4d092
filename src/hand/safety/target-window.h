/* SPDX-License-Identifier: Apache-2.0 */
/* The window that a call is meant for, by its context (hand/safety/call-context.h). A click on a
 * point where another window lies, or a key while another one has the focus, would reach that one:
 * it is refused, and the other one named. */
#pragma once

#include "shared/base/geometry.h"
#include "shared/base/types.h"

/* Before a button goes down or the wheel turns at the point. DESKTOP_MODAL_BLOCKING when a dialog
 * of the window is in front of it, else DESKTOP_FOCUS_LOST, both with the window that is there in
 * details: {"wanted": {window_id, title}, "window": {window_id, title, process}}. */
gboolean hf_target_window_check_point(const HfCallContext *context, HfPoint point, GError **error);
/* The same before a key. */
gboolean hf_target_window_check_focus(const HfCallContext *context, GError **error);
