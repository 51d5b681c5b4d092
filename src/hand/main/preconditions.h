/* SPDX-License-Identifier: Apache-2.0 */
/* What must still hold when a call runs: the desktop may have changed since an undo was recorded or
 * a call was approved. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

/* `expect` may have: "clipboard" ({selection, sha256 in hex, of its text or of `format`}),
 * "focused" (window id), "window" {"window_id", "bounds"?, "maximized"?, "minimized"?}, "process"
 * {"pid", "start_time"}, "files" [{"path", "sha256"?, "directory"?}], which are read within the
 * walls of the call. PRECONDITION_FAILED says which one no longer holds. NULL: no condition. */
gboolean hf_precondition_check(HfDesktop *desktop, const json_t *expect, const json_t *walls,
                               const HfDeadline *deadline, GError **error);

/* Whether a window has all that `wanted` names. */
gboolean hf_precondition_fits_window(const json_t *wanted, const HfWindow *window);
