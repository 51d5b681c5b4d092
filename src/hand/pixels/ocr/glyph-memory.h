/* SPDX-License-Identifier: Apache-2.0 */
/* Which text a glyph stands for, learned from lines that the OCR engine has read. Each reading is a
 * vote. A glyph or a gap is recognised once enough votes agree. Known glyphs are read without the
 * engine. Any thread. */
#pragma once

#include "hand/pixels/ocr/ocr-words.h"

#define HF_GLYPH_TEXT_BYTES 16

typedef struct HfGlyphMeaning {
    char text[HF_GLYPH_TEXT_BYTES];
    guint votes, against;
} HfGlyphMeaning;

/* A text that does not fit is ignored. */
void hf_glyph_memory_vote(guint64 hash, const char *text, guint votes);
/* FALSE: there are no votes on it. */
gboolean hf_glyph_memory_find(guint64 hash, HfGlyphMeaning *ret_meaning);
/* For tests and benchmarks. */
void hf_glyph_memory_forget(void);

/* A letter, or a few that touch, as shapes of a line. */
typedef struct HfGlyph {
    guint first, end; /* shapes */
    guint64 hash;
    char text[HF_GLYPH_TEXT_BYTES]; /* empty: unknown */
    double confidence;
} HfGlyph;

typedef enum HfGap {
    HF_GAP_UNKNOWN,
    HF_GAP_NONE, /* inside a word */
    HF_GAP_SPACE,
} HfGap;

/* Recognises shapes [first, end) as one glyph. FALSE: too few votes; `ret_glyph` still gets the
 * hash. */
gboolean hf_glyph_recognise(const HfTextShapes *shapes, guint first, guint end, guint64 seed,
                            HfGlyph *ret_glyph);
HfGap hf_gap_recognise(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b,
                       guint64 seed);
/* Votes on the gap between two glyphs. */
void hf_gap_learn(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, gboolean space,
                  guint64 seed);

/* FALSE: the print is so small that letters differ by a few pixels only. The engine reads it. */
gboolean hf_text_shapes_are_clear(const HfTextShapes *shapes);

/* ---- reading a line ---- */

/* A part of a line that has unknown glyphs or gaps. */
typedef struct HfUnknownSpan {
    int left, right; /* columns; the second is just outside */
    guint before;    /* the word that follows it */
} HfUnknownSpan;

typedef struct HfGlyphsRead {
    GArray *words;    /* of HfLineWord, from left to right */
    GArray *unknowns; /* of HfUnknownSpan, from left to right */
    int known_width, width;
} HfGlyphsRead;

/* `seed` keeps the glyphs of languages apart. */
void hf_glyphs_read(HfGlyphsRead *read, const HfTextLine *line, guint64 seed);
void hf_glyphs_read_clear(HfGlyphsRead *read);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfGlyphsRead, hf_glyphs_read_clear)
