/* The letters of a word shared out among the shapes that it is made of. */
#pragma once

#include "reading/shape-sense.h"
#include "reading/words.h"

#define HF_SHAPED_LETTERS 40

typedef struct HfShapedWord {
    const HfTextShapes *shapes;
    guint64 seed;
    guint first, end; /* its shapes */
    gunichar letters[HF_SHAPED_LETTERS];
    guint count;
    GArray *glyphs;   /* of HfGlyph, from left to right: what it comes to */
    gboolean in_part; /* some letters are nobody's */
} HfShapedWord;

/* A word of the line, of which the shapes before `from` are no part. There are no glyphs when it
 * could be meant in several ways. */
void hf_shaped_word_init(HfShapedWord *word, const HfTextShapes *shapes, guint64 seed,
                         const HfLineWord *read, guint from);
void hf_shaped_word_clear(HfShapedWord *word);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfShapedWord, hf_shaped_word_clear)

gboolean hf_shaped_word_is_chinese(const HfShapedWord *word);
/* As its glyphs are called. */
char *hf_shaped_word_dup_text(const HfShapedWord *word);

static inline HfGlyph *hf_shaped_glyph(const HfShapedWord *word, guint index)
{
    return &g_array_index(word->glyphs, HfGlyph, index);
}
