/* SPDX-License-Identifier: Apache-2.0 */
/* The window that a caller names with `route`: found, not blocked by a dialog, and focused where
 * the call needs that, before the call runs. */
#pragma once

#include "shared/tool/call.h"

/* `route` as in shared/tool/param-check.h; NULL: any window. Fails with WINDOW_NOT_FOUND,
 * WINDOW_AMBIGUOUS, DESKTOP_MODAL_BLOCKING with the dialog, or DESKTOP_FOCUS_LOST with the window
 * that has the focus. */
gboolean hf_intended_window_prepare(HfCall *call, const json_t *route, GError **error);
