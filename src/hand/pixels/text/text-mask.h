/* SPDX-License-Identifier: Apache-2.0 */
/* Where a picture is not flat: the first step of finding text, which is drawn on even ground. */
#pragma once

#include "shared/image/image.h"

/* One bit for each pixel, in words of 64: set where a pixel differs from the one to its left or the
 * one above it, except along straight edges that are longer than letters. */
typedef struct HfTextMask {
    int width, height;
    gsize words; /* in a row */
    guint64 *bits;
} HfTextMask;

void hf_text_mask_init(HfTextMask *mask, const HfImage *image);
void hf_text_mask_clear(HfTextMask *mask);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTextMask, hf_text_mask_clear)

static inline const guint64 *hf_text_mask_row(const HfTextMask *mask, int y)
{
    return mask->bits + (gsize)y * mask->words;
}
