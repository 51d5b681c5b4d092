/* SPDX-License-Identifier: Apache-2.0 */
/* The window that a call is meant for, when its caller says so: found, free to be used, and in
 * front where that matters, before anything is done. */
#pragma once

#include "shared/tool/call.h"

/* By the call's route (shared/tool/param-check.h); NULL: none. WINDOW_NOT_FOUND, WINDOW_AMBIGUOUS,
 * DESKTOP_MODAL_BLOCKING with the dialog, DESKTOP_FOCUS_LOST with the window that has the focus. */
gboolean hf_route_apply(HfCall *call, const json_t *route, GError **error);
