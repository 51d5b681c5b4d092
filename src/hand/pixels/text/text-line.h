/* SPDX-License-Identifier: Apache-2.0 */
/* One row of text, black on white whatever its colours were, for the engine and the cache. */
#pragma once

#include "shared/image/image.h"

typedef struct HfTextLine {
    int width, height;
    guint8 *grey; /* 0 is ink, 255 background; `width` bytes a row */
} HfTextLine;

typedef struct HfTextHash {
    guint64 parts[2];
} HfTextHash;

/* The part of the box that lies in the image; NULL: there is none. */
HfTextLine *hf_text_line_new(const HfImage *image, HfRect box);
void hf_text_line_free(HfTextLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTextLine, hf_text_line_free)

/* Equal for the same text in the same print, wherever it stands. */
HfTextHash hf_text_line_hash(const HfTextLine *line);

/* Scaled smoothly, with a border of background around it. */
HfTextLine *hf_text_line_scale(const HfTextLine *line, double scale, int border);
/* Columns [first, end). */
HfTextLine *hf_text_line_cut(const HfTextLine *line, int first, int end);
/* The box of the ink in columns [first, end); FALSE: there is none. */
gboolean hf_text_line_find_ink(const HfTextLine *line, int first, int end, HfRect *ret_box);

/* ---- shapes ---- */

/* A line is cut into shapes at columns without ink. A shape is mostly a letter, sometimes letters
 * that touch, or a part of a Chinese character. Screen text is drawn, not scanned, so the same
 * letter in the same print has the same few shapes. */
typedef struct HfTextShape {
    int left, top, right, bottom; /* the last two are just outside */
} HfTextShape;

typedef struct HfTextShapes {
    const HfTextLine *line;
    GArray *list; /* of HfTextShape, from left to right */
    int baseline; /* the row below the letters */
    int median_height;
} HfTextShapes;

/* `line` must outlive it. */
void hf_text_shapes_find(HfTextShapes *shapes, const HfTextLine *line);
void hf_text_shapes_clear(HfTextShapes *shapes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTextShapes, hf_text_shapes_clear)

static inline const HfTextShape *hf_text_shape(const HfTextShapes *shapes, guint index)
{
    return &g_array_index(shapes->list, HfTextShape, index);
}

/* The box of shapes [first, end). */
HfRect hf_text_shapes_box(const HfTextShapes *shapes, guint first, guint end);
/* Equal for the same letter in the same print, wherever it stands. For low shapes it depends on the
 * height above the baseline, which tells a comma from an apostrophe. */
guint64 hf_text_shapes_hash(const HfTextShapes *shapes, guint first, guint end, guint64 seed);
