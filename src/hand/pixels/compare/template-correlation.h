/* SPDX-License-Identifier: Apache-2.0 */
/* Grey pictures, and how well a small one correlates with a place of a large one. For
 * template-match.c alone. */
#pragma once

#include "shared/image/image.h"

/* Rows of `width` pixels; and, where they were added up, sums of all above and to the left of each,
 * for the brightness and contrast of any part in four steps. */
typedef struct HfGrey {
    int width, height;
    gint16 *pixels;
    guint32 *sums;    /* (width + 1) x (height + 1) */
    guint64 *squares; /* the same of their squares */
} HfGrey;

HfGrey *hf_grey_new(const HfImage *image);
/* At half the size. */
HfGrey *hf_grey_new_half(const HfGrey *grey);
/* Before rows are scored on it. */
void hf_grey_add_up(HfGrey *grey);
void hf_grey_free(HfGrey *grey);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfGrey, hf_grey_free)

/* The small picture at a size: its pixels less their mean, 0 where it is transparent. */
typedef struct HfStencil {
    int width, height;
    gint16 *pixels;
    guint8 *mask;     /* 1 where it counts */
    gboolean whole;   /* all of it does */
    int count;        /* pixels that count */
    double deviation; /* how much they differ */
    double rest;      /* what is left of their mean, which is rounded: their sum */
    double norm;      /* square root of the sum of their squares */
} HfStencil;

HfStencil *hf_stencil_new(const HfImage *small, HfSize size);
void hf_stencil_free(HfStencil *stencil);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfStencil, hf_stencil_free)

/* The correlation at a place, from -1 to 1; all of it must lie within. */
double hf_stencil_score(const HfStencil *stencil, const HfGrey *large, int x, int y);
/* The same for the first `count` places of a row. */
void hf_stencil_score_row(const HfStencil *stencil, const HfGrey *large, int y, int count,
                          double *ret_scores);
