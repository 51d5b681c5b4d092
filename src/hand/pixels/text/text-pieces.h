/* SPDX-License-Identifier: Apache-2.0 */
/* Connected pieces of a mask: letters, words in small print, frames, rules, icons. */
#pragma once

#include "hand/pixels/text/text-mask.h"

typedef struct HfTextPiece {
    int left, top, right, bottom; /* the last two are just outside */
    int pixels;                   /* of the mask */
} HfTextPiece;

static inline int hf_text_piece_width(const HfTextPiece *piece)
{
    return piece->right - piece->left;
}

static inline int hf_text_piece_height(const HfTextPiece *piece)
{
    return piece->bottom - piece->top;
}

/* All pieces (HfTextPiece), but no more than `most`. */
GArray *hf_text_pieces_find(const HfTextMask *mask, guint most);
