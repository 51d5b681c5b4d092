/* SPDX-License-Identifier: Apache-2.0 */
/* A line of text cut into shapes: what stands between columns of ground. Mostly a letter; sometimes
 * letters that touch, or a part of one, as of Chinese letters. Screen text is drawn, not scanned:
 * the same letter in the same print has the same few shapes. */
#pragma once

#include "hand/pixels/text/text-line.h"

typedef struct HfTextShape {
    int left, top, right, bottom; /* the last two are just outside */
} HfTextShape;

typedef struct HfTextShapes {
    const HfTextLine *line;
    GArray *list; /* of HfTextShape, from left to right */
    int base;     /* the row below what stands on the line */
    int middling; /* how high most of them are */
} HfTextShapes;

/* `line` must outlive it. */
void hf_text_shapes_find(HfTextShapes *shapes, const HfTextLine *line);
void hf_text_shapes_clear(HfTextShapes *shapes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTextShapes, hf_text_shapes_clear)

static inline const HfTextShape *hf_text_shape(const HfTextShapes *shapes, guint index)
{
    return &g_array_index(shapes->list, HfTextShape, index);
}

/* The box of those from `first` to before `end`. */
HfRect hf_text_shapes_box(const HfTextShapes *shapes, guint first, guint end);
/* What they look like together: the same for the same letter in the same print, wherever it stands.
 * A comma is no apostrophe: of low shapes it says how high they stand as well. */
guint64 hf_text_shapes_hash(const HfTextShapes *shapes, guint first, guint end, guint64 seed);
