/* Windows that have just appeared. A window shows what lies behind it until its program has painted
 * it, and whether it has cannot be asked; but it can be waited for, where that may still be so. */
#pragma once

#include "base/deadline.h"
#include "platform/desktop.h"

HfNewcomers *hf_newcomers_new(void);
void hf_newcomers_free(HfNewcomers *newcomers);

/* These windows (HfWindow) are there now. One that was not there the last time, or did not show, is
 * new for HF_LIMIT_NEWCOMER_MS from now on: since when it is there, nobody knows. */
void hf_newcomers_note(HfDesktop *desktop, const GPtrArray *windows);
gboolean hf_newcomers_has(HfDesktop *desktop, guint32 window);
/* Waits, once for each window, until a new one has been drawn and rests, at most for
 * HF_LIMIT_FIRST_PAINT_MS. One that draws nothing meanwhile was painted before. */
void hf_newcomers_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline);
