/* SPDX-License-Identifier: Apache-2.0 */
/* The letters of a word shared out among the shapes that it is made of. */
#pragma once

#include "hand/pixels/ocr/glyph-recognise.h"
#include "hand/pixels/ocr/ocr-words.h"

#define HF_ALIGNED_LETTERS 40

typedef struct HfAlignedWord {
    const HfTextShapes *shapes;
    guint64 seed;
    guint first, end; /* its shapes */
    gunichar letters[HF_ALIGNED_LETTERS];
    guint count;
    GArray *glyphs;   /* of HfGlyph, from left to right: what it comes to */
    gboolean in_part; /* some letters are nobody's */
} HfAlignedWord;

/* A word of the line, of which the shapes before `from` are no part. There are no glyphs when it
 * could be meant in several ways. */
void hf_aligned_word_init(HfAlignedWord *word, const HfTextShapes *shapes, guint64 seed,
                          const HfLineWord *read, guint from);
void hf_aligned_word_clear(HfAlignedWord *word);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfAlignedWord, hf_aligned_word_clear)

gboolean hf_aligned_word_is_chinese(const HfAlignedWord *word);
/* As its glyphs are called. */
char *hf_aligned_word_dup_text(const HfAlignedWord *word);

static inline HfGlyph *hf_aligned_glyph(const HfAlignedWord *word, guint index)
{
    return &g_array_index(word->glyphs, HfGlyph, index);
}
