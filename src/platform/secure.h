/* The parts of the screen that no picture may show: password fields. Whoever can find them (the
 * structure layer) says where they are; every picture is covered there before anybody gets it. */
#pragma once

#include "base/image.h"
#include "platform/desktop.h"

HfSecure *hf_secure_new(void);
void hf_secure_free(HfSecure *secure);

/* In physical pixels of the screen; takes the place of what was said before. */
void hf_secure_set(HfDesktop *desktop, const HfRect *rects, guint count);
/* Covers them in a picture that shows `area` of the screen, one pixel for one. */
void hf_secure_cover(HfDesktop *desktop, HfImage *image, HfRect area);
