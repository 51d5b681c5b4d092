/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the screen that no picture may show: password fields. Whoever can find them (the
 * structure layer) says for each window where they are; they move along with it, and every picture
 * is covered there before anybody gets it. A window that nobody has looked at is looked at before
 * its first picture is given away; and again, when something has been drawn, before the next one if
 * its program answers soon, else beside the pictures. */
#pragma once

#include "hand/desktop/screen.h"

HfPasswordMask *hf_password_mask_new(void);
/* Ends looking: before anything that looks is freed. */
void hf_password_mask_stop(HfPasswordMask *secure);
void hf_password_mask_free(HfPasswordMask *secure);

/* Looks at a window, for at most so long, and notes what it finds. FALSE: its program tells nothing
 * of what is in it. */
typedef gboolean (*HfPasswordFieldFinder)(HfDesktop *desktop, guint32 window, guint max_ms);
void hf_password_mask_set_finder(HfDesktop *desktop, HfPasswordFieldFinder finder);

/* What was found in a window that has these bounds: physical pixels of the screen. Takes the place
 * of what was known of it; unless it is not `whole`: then nothing that was known is lost. */
void hf_password_mask_note(HfDesktop *desktop, guint32 window, HfRect bounds, const HfRect *fields,
                           guint count, gboolean whole);
/* TRUE when it was looked at within the last `max_age_ms` and has none. */
gboolean hf_password_mask_has_none(HfDesktop *desktop, guint32 window, guint max_age_ms);

/* Covers them in a picture of the screen or of one window, one pixel for one. */
void hf_password_mask_cover(HfDesktop *desktop, HfCapture *capture, guint32 window);
