/* The parts of the screen that no picture may show: password fields. Whoever can find them (the
 * structure layer) says for each window where they are; they move along with it, and every picture
 * is covered there before anybody gets it. A window that nobody has looked at is looked at before
 * its first picture is given away; and again, when something has been drawn, before the next one if
 * its program answers soon, else beside the pictures. */
#pragma once

#include "platform/screen.h"

HfSecure *hf_secure_new(void);
/* Ends looking: before anything that looks is freed. */
void hf_secure_stop(HfSecure *secure);
void hf_secure_free(HfSecure *secure);

/* Looks at a window, for at most so long, and notes what it finds. FALSE: its program tells nothing
 * of what is in it. */
typedef gboolean (*HfSecureFinder)(HfDesktop *desktop, guint32 window, guint max_ms);
void hf_secure_set_finder(HfDesktop *desktop, HfSecureFinder finder);

/* What was found in a window that has these bounds: physical pixels of the screen. Takes the place
 * of what was known of it; unless it is not `whole`: then nothing that was known is lost. */
void hf_secure_note(HfDesktop *desktop, guint32 window, HfRect bounds, const HfRect *fields,
                    guint count, gboolean whole);
/* TRUE when it was looked at within the last `max_age_ms` and has none. */
gboolean hf_secure_has_none(HfDesktop *desktop, guint32 window, guint max_age_ms);

/* Covers them in a picture of the screen or of one window, one pixel for one. */
void hf_secure_cover(HfDesktop *desktop, HfCapture *capture, guint32 window);
