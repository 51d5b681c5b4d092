/* SPDX-License-Identifier: Apache-2.0 */
/* Draws numbered boxes on a picture, so that a model can refer to an element as "12". */
#pragma once

#include "shared/image/image.h"

typedef struct HfNumberMark {
    HfRect box; /* pixels of the image; may reach beyond it */
    int number; /* written on it */
} HfNumberMark;

/* Draws a frame around each box, and its number at a corner that is still free. `shrink` is how
 * much smaller the picture will be shown (1: not at all). Numbers grow by it, to stay readable. */
void hf_image_mark_numbers(HfImage *image, const HfNumberMark *marks, gsize count, double shrink);
