/* SPDX-License-Identifier: Apache-2.0 */
/* Numbered boxes on a picture, so that a model can say "12" for what it sees. */
#pragma once

#include "shared/image/image.h"

typedef struct HfNumberMark {
    HfRect box; /* pixels of the image; may reach beyond it */
    int number; /* what stands on it */
} HfNumberMark;

/* A frame around each box and its number at a corner that no other number has taken. `shrink` is
 * how much smaller the picture will be shown (1: as it is): numbers grow by it, to stay readable.
 */
void hf_image_mark_numbers(HfImage *image, const HfNumberMark *marks, gsize count, double shrink);
