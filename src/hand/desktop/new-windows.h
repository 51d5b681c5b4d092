/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that have just appeared. A window shows what lies behind it until its program has painted
 * it. The display cannot say whether that has happened, so captures of a new window wait for it. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

HfNewWindows *hf_new_windows_new(void);
void hf_new_windows_free(HfNewWindows *new_windows);

/* Takes the windows (HfWindow) that exist now. One that did not exist or was not visible last time
 * is new for HF_LIMIT_NEW_WINDOW_MS from now on, since nobody knows when it appeared. */
void hf_new_windows_note(HfDesktop *desktop, const GPtrArray *windows);
gboolean hf_new_windows_has(HfDesktop *desktop, guint32 window);
/* Waits, once for each new window, until it was painted and is still, at most for
 * HF_LIMIT_FIRST_PAINT_MS. One that draws nothing meanwhile was painted before. */
void hf_new_windows_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline);
