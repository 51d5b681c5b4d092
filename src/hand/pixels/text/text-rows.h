/* SPDX-License-Identifier: Apache-2.0 */
/* Finds rows of text in a picture without reading them: light or dark, in any colour, from about
 * 9 px print on. Texts in different columns, cells or buttons are different rows. */
#pragma once

#include "shared/image/image.h"

typedef struct HfTextRows {
    GArray *boxes;      /* of HfRect, around the ink, from top to bottom, then left to right */
    gboolean truncated; /* a limit was reached */
} HfTextRows;

void hf_text_rows_find(HfTextRows *rows, const HfImage *image);
void hf_text_rows_clear(HfTextRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTextRows, hf_text_rows_clear)
