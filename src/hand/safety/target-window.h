/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses a click or a key that would not reach the window that the call's context means
 * (hand/safety/call-context.h), and names the window that it would reach. */
#pragma once

#include "shared/base/geometry.h"
#include "shared/base/types.h"

/* Call before a button goes down or the wheel turns. Fails with DESKTOP_MODAL_BLOCKING if a dialog
 * of the window is in front of it, else with DESKTOP_FOCUS_LOST. Details: {"wanted": {window_id,
 * title}, "window": {window_id, title, process}}. */
gboolean hf_target_window_check_point(const HfCallContext *context, HfPoint point, GError **error);
/* The same before a key. */
gboolean hf_target_window_check_focus(const HfCallContext *context, GError **error);
