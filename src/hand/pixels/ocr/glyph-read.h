/* SPDX-License-Identifier: Apache-2.0 */
/* Words by the looks of their letters, without an engine. */
#pragma once

#include "hand/pixels/ocr/ocr-words.h"

/* A part of a line that is not known well enough. */
typedef struct HfUnknownSpan {
    int left, right; /* columns; the last is just outside */
    guint before;    /* which of the words it stands before */
} HfUnknownSpan;

typedef struct HfGlyphsRead {
    GArray *words;    /* of HfLineWord, from left to right */
    GArray *unknowns; /* of HfUnknownSpan, from left to right */
    int known_width, width;
} HfGlyphsRead;

/* `seed` keeps languages apart. */
void hf_glyphs_read(HfGlyphsRead *read, const HfTextLine *line, guint64 seed);
void hf_glyphs_read_clear(HfGlyphsRead *read);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfGlyphsRead, hf_glyphs_read_clear)
