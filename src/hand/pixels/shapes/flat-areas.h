/* SPDX-License-Identifier: Apache-2.0 */
/* Even parts of a picture: connected pixels of nearly the same colour. Grounds of buttons, fields
 * and boxes are such parts, whatever is drawn around them or on them. */
#pragma once

#include "shared/image/image.h"

typedef struct HfFlatArea {
    HfRect box;
    int area;       /* its pixels */
    int outline;    /* the same with all that lies between the first and the last of each row */
    HfPoint inside; /* a pixel of it */
} HfFlatArea;

/* Those (HfFlatArea) whose box is neither smaller nor larger than that, but no more than `limit`;
 * from top to bottom as they begin. */
GArray *hf_flat_areas_find(const HfImage *image, HfSize least, HfSize most, guint limit);

/* Whether two pixels are nearly of the same colour. */
gboolean hf_colours_alike(guint32 a, guint32 b);
