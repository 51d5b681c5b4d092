/* SPDX-License-Identifier: Apache-2.0 */
/* When a look is known well enough to be taken for granted: letters, and the gaps between them. */
#pragma once

#include "hand/pixels/ocr/glyph-memory.h"
#include "hand/pixels/text/text-shapes.h"

/* A letter, or a few that touch, as shapes of a line. */
typedef struct HfGlyph {
    guint first, end; /* shapes */
    guint64 look;
    char text[HF_GLYPH_TEXT_BYTES]; /* empty: not known */
    double confidence;
} HfGlyph;

typedef enum HfGap {
    HF_GAP_UNKNOWN,
    HF_GAP_NONE,  /* both stand in one word */
    HF_GAP_SPACE, /* they do not */
} HfGap;

/* Recognises shapes [first, end) as one glyph. FALSE: it is not known well enough; `ret_glyph` has
 * its hash all the same. */
gboolean hf_glyph_recognise(const HfTextShapes *shapes, guint first, guint end, guint64 seed,
                            HfGlyph *ret_glyph);

HfGap hf_gap_recognise(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b,
                       guint64 seed);
/* Somebody who could read both says what is between them. */
void hf_gap_learn(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, gboolean space,
                  guint64 seed);

/* Print that is so small that letters differ by a few pixels is left to the engine. */
gboolean hf_text_shapes_are_clear(const HfTextShapes *shapes);
