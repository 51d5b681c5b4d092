/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that have just appeared. A window shows what lies behind it until its program has painted
 * it, and whether it has cannot be asked; but it can be waited for, where that may still be so. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

HfNewWindows *hf_new_windows_new(void);
void hf_new_windows_free(HfNewWindows *newcomers);

/* These windows (HfWindow) are there now. One that was not there the last time, or did not show, is
 * new for HF_LIMIT_NEW_WINDOW_MS from now on: since when it is there, nobody knows. */
void hf_new_windows_note(HfDesktop *desktop, const GPtrArray *windows);
gboolean hf_new_windows_has(HfDesktop *desktop, guint32 window);
/* Waits, once for each window, until a new one has been drawn and rests, at most for
 * HF_LIMIT_FIRST_PAINT_MS. One that draws nothing meanwhile was painted before. */
void hf_new_windows_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline);
