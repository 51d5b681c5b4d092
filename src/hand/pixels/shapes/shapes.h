/* SPDX-License-Identifier: Apache-2.0 */
/* Things in a picture that look as if they could be used: frames of buttons and fields, boxes to
 * tick, round buttons, icons. They are found by their shape; what is written on them is not read
 * here. */
#pragma once

#include "shared/image/image.h"

typedef enum HfShapeKind {
    HF_SHAPE_FRAME,  /* wide: a button, a field, an entry of a list */
    HF_SHAPE_AREA,   /* higher: room for lines of text, or a panel */
    HF_SHAPE_BUTTON, /* about as wide as high, or round, with room for a symbol */
    HF_SHAPE_BOX,    /* small and square: to be ticked */
    HF_SHAPE_CIRCLE, /* small and round: one of several to choose from */
    HF_SHAPE_ICON,   /* drawn on even ground, without a frame */
    HF_SHAPE_SWITCH, /* a knob at one end of a bar; marked: at the right one, which means on */
    HF_SHAPE_SLIDER, /* a knob on a line */
    HF_SHAPE_PANEL,  /* an area or frame that holds other shapes: a card, a dialog */
    HF_SHAPE_KINDS,
} HfShapeKind;

typedef struct HfShape {
    HfRect box; /* with its border */
    HfShapeKind kind;
    gboolean marked;   /* something is drawn inside */
    gboolean coloured; /* its ground is neither white nor grey nor black */
    int value;         /* of a slider, in hundredth */
    double confidence; /* that it is something to use, from 0 to 1 */
    guint64 looks;     /* the same for the same picture, wherever it is */
} HfShape;

/* All of them (HfShape), from top to bottom, but no more than HF_LIMIT_SHAPES. Short words are
 * among the icons: who reads the picture knows better. */
GArray *hf_shapes_find(const HfImage *image);
