/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of text in a picture, on native pixels: light or dark, in any colour, from about 9 px print
 * on. What stands in different columns, cells or buttons are different rows. It is found where
 * something like text is, not what it says. */
#pragma once

#include "shared/image/image.h"

typedef struct HfTextRows {
    GArray *boxes;      /* of HfRect, around the ink; from top to bottom, then from left to right */
    gboolean truncated; /* there may be more */
} HfTextRows;

void hf_text_rows_find(HfTextRows *rows, const HfImage *image);
void hf_text_rows_clear(HfTextRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTextRows, hf_text_rows_clear)
