/* SPDX-License-Identifier: Apache-2.0 */
/* Covers password fields in every picture before it leaves the hand. A finder of the accessibility
 * layer reports where they are in each window; they move along with the window. A window is scanned
 * before its first picture. After something was drawn, or when the last scan ran out of time, it is
 * scanned again: before the next picture if its program answers fast, else in the background. */
#pragma once

#include "hand/desktop/screen.h"

HfPasswordMask *hf_password_mask_new(void);
/* Ends all scans. Must come before anything that the finder uses is freed. */
void hf_password_mask_stop(HfPasswordMask *mask);
void hf_password_mask_free(HfPasswordMask *mask);

typedef enum HfPasswordScan {
    HF_PASSWORD_SCAN_DONE = 1,
    HF_PASSWORD_SCAN_UNFINISHED,   /* the time was over: another scan may find more */
    HF_PASSWORD_SCAN_INACCESSIBLE, /* the program has no accessibility tree */
} HfPasswordScan;

/* Scans a window for at most `max_ms` and calls hf_password_mask_note. */
typedef HfPasswordScan (*HfPasswordFieldFinder)(HfDesktop *desktop, guint32 window, guint max_ms);
void hf_password_mask_set_finder(HfDesktop *desktop, HfPasswordFieldFinder finder);

/* Stores the fields of a window with these bounds, in physical pixels of the screen. A scan that is
 * not `whole` and found nothing keeps the fields of the last one. */
void hf_password_mask_note(HfDesktop *desktop, guint32 window, HfRect bounds, const HfRect *fields,
                           guint count, gboolean whole);
/* TRUE if a scan within the last `max_age_ms` found no field. */
gboolean hf_password_mask_has_none(HfDesktop *desktop, guint32 window, guint max_age_ms);

/* Covers the fields in an unscaled picture of the screen, or of one window. */
void hf_password_mask_cover(HfDesktop *desktop, HfCapture *capture, guint32 window);
