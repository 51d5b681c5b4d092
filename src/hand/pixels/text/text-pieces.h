/* SPDX-License-Identifier: Apache-2.0 */
/* The first step of finding text and icons: where a picture is not flat, and which of these pixels
 * are connected. A piece is a letter, a word in small print, a frame, a rule or an icon. */
#pragma once

#include "shared/image/image.h"

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

/* The box of its ink: the mask lies one pixel beyond it, on the right and below. */
static inline HfRect hf_text_piece_box(const HfTextPiece *piece)
{
    return (HfRect){piece->left, piece->top, MAX(1, hf_text_piece_width(piece) - 1),
                    MAX(1, hf_text_piece_height(piece) - 1)};
}

static inline void hf_text_piece_unite(HfTextPiece *into, const HfTextPiece *from)
{
    into->left = MIN(into->left, from->left);
    into->top = MIN(into->top, from->top);
    into->right = MAX(into->right, from->right);
    into->bottom = MAX(into->bottom, from->bottom);
    into->pixels += from->pixels;
}

/* The pieces (HfTextPiece) of a picture, at most HF_LIMIT_TEXT_PIECES. */
GArray *hf_text_pieces_find(const HfImage *image);

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
