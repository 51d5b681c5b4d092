/* SPDX-License-Identifier: Apache-2.0 */
/* What must still be so for a call to be done: an undo or an approved call is about a world that
 * may have changed since. */
#pragma once

#include <jansson.h>

#include "shared/base/types.h"

/* `expect` may have: "clipboard" ({selection, sha256 in hex, of its text or of `format`}),
 * "focused" (window id), "window" {"window_id", "bounds"?, "maximized"?, "minimized"?}, "process"
 * {"pid", "start_time"}, "files" [{"path", "sha256"?, "directory"?}], which are looked at within
 * the walls of the call. PRECONDITION_FAILED, saying which is not so any more. NULL: always fine.
 */
gboolean hf_precondition_check(HfDesktop *desktop, const json_t *expect, const json_t *walls,
                               const HfDeadline *deadline, GError **error);

/* Whether a window is as `wanted` says; what that does not name may be anyhow. */
gboolean hf_precondition_fits_window(const json_t *wanted, const HfWindow *window);
