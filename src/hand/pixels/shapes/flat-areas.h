/* SPDX-License-Identifier: Apache-2.0 */
/* Flat areas of a picture: connected pixels of nearly the same colour. The backgrounds of buttons,
 * fields and boxes are such areas, whatever is drawn around or on them. */
#pragma once

#include "shared/image/image.h"

typedef struct HfFlatArea {
    HfRect box;
    int area;       /* its pixels */
    int outline;    /* the same with the holes: from the first to the last pixel of each row */
    HfPoint inside; /* one of its pixels */
} HfFlatArea;

/* The areas (HfFlatArea) whose box is between the two sizes, at most `limit`, by their first row.
 */
GArray *hf_flat_areas_find(const HfImage *image, HfSize least, HfSize most, guint limit);

/* The greatest difference of a colour channel, 0 to 255. */
static inline int hf_colour_distance(guint32 a, guint32 b)
{
    int red = ABS((int)(a >> 16 & 255) - (int)(b >> 16 & 255));
    int green = ABS((int)(a >> 8 & 255) - (int)(b >> 8 & 255));
    int blue = ABS((int)(a & 255) - (int)(b & 255));
    return MAX(red, MAX(green, blue));
}

/* Whether two pixels have nearly the same colour. */
gboolean hf_colours_alike(guint32 a, guint32 b);
/* White, grey or black. */
gboolean hf_colour_is_grey(guint32 colour);
