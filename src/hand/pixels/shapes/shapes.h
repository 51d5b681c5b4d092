/* SPDX-License-Identifier: Apache-2.0 */
/* Finds shapes in a picture that look like controls: frames of buttons and fields, check boxes,
 * radio buttons, switches, icons. It does not read text. */
#pragma once

#include "shared/image/image.h"

typedef enum HfShapeKind {
    HF_SHAPE_FRAME,  /* wide: a button, a field, an entry of a list */
    HF_SHAPE_AREA,   /* higher: room for lines of text, or a panel */
    HF_SHAPE_BUTTON, /* about square, or round, with room for a symbol */
    HF_SHAPE_BOX,    /* a check box */
    HF_SHAPE_CIRCLE, /* a radio button */
    HF_SHAPE_ICON,   /* drawn on a flat background, without a frame */
    HF_SHAPE_SWITCH, /* a knob at one end of a bar; marked: at the right end, which means on */
    HF_SHAPE_SLIDER, /* a knob on a line */
    HF_SHAPE_PANEL,  /* an area or frame that holds other shapes: a card, a dialog */
    HF_SHAPE_KINDS,
} HfShapeKind;

typedef struct HfShape {
    HfRect box; /* with its border */
    HfShapeKind kind;
    gboolean marked;   /* something is drawn inside */
    gboolean coloured; /* its background is neither white nor grey nor black */
    int value;         /* of a slider, in percent */
    double confidence; /* that it is a control, from 0 to 1 */
    guint64 looks;     /* equal for the same picture, wherever it is */
} HfShape;

/* More than half of it. */
static inline gboolean hf_box_is_mostly_in(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return (gint64)common.width * common.height * 2 > (gint64)inner.width * inner.height;
}

/* All of them (HfShape), from top to bottom, at most HF_LIMIT_SHAPES. Short words are among the
 * icons: only OCR can tell. */
GArray *hf_shapes_find(const HfImage *image);
