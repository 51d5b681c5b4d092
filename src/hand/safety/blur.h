/* SPDX-License-Identifier: Apache-2.0 */
/* Making parts of a picture unreadable for good. */
#pragma once

#include "shared/image/image.h"

/* Covers the rectangles (pixels of the picture, cut to it): what was there before has no influence
 * on what is there afterwards, so that nothing of it can be worked out. Coarse blocks, so that a
 * person sees that something was taken out. */
void hf_blur_rects(HfImage *image, const HfRect *rects, guint count);
