/* SPDX-License-Identifier: Apache-2.0 */
/* What engines say are votes on what shapes mean (glyph-memory.h). What has many of them counts for
 * more than one engine on one line. */
#include "hand/pixels/ocr/glyph-learn.h"

#include <string.h>

#include "hand/pixels/ocr/glyph-align.h"

/* Words of which an engine is less sure teach nothing; of which it is more, Chinese twice as much.
 */
#define LEAST_CONFIDENCE 0.80
#define SURE             0.93
/* From here on a letter that is known counts for more than what an engine makes of it. */
#define CERTAIN 0.97

/* Some fonts draw them alike, and then only an engine knows what the word is. */
static gboolean are_twins(const char *a, const char *b)
{
    static const char *const sets[] = {"Il1|", "O0oQ"};
    for (gsize i = 0; i < G_N_ELEMENTS(sets); i++)
        if (*a && *b && !a[1] && !b[1] && strchr(sets[i], *a) && strchr(sets[i], *b))
            return TRUE;
    return FALSE;
}

/* How what is known agrees with how the letters were shared out. */
typedef struct Agreement {
    guint same, certain_others; /* glyphs */
    HfGlyph *wrong;             /* the last that is certain to be another */
    char right[HF_GLYPH_TEXT_BYTES];
} Agreement;

static Agreement compare_with_known_shapes(const HfAlignedWord *word)
{
    Agreement found = {0};
    for (guint i = 0; i < word->glyphs->len; i++) {
        HfGlyph *glyph = hf_aligned_glyph(word, i), known;
        if (!hf_glyph_recognise(word->shapes, glyph->first, glyph->end, word->seed, &known))
            continue;
        if (strcmp(known.text, glyph->text) == 0) {
            found.same++;
        } else if (known.confidence >= CERTAIN) {
            found.certain_others++;
            found.wrong = glyph;
            g_strlcpy(found.right, known.text, sizeof found.right);
        }
    }
    return found;
}

/* One letter among others that are all known may have been misread. */
static void correct_misread_glyph(const HfAlignedWord *word, const Agreement *found)
{
    if (found->certain_others == 1 && found->same + 1 == word->glyphs->len &&
        word->glyphs->len == word->count && !are_twins(found->right, found->wrong->text))
        g_strlcpy(found->wrong->text, found->right, sizeof found->wrong->text);
}

static void vote_word_glyphs(const HfAlignedWord *word, guint votes)
{
    for (guint i = 0; i < word->glyphs->len; i++) {
        const HfGlyph *glyph = hf_aligned_glyph(word, i);
        hf_glyph_memory_vote(glyph->look, glyph->text, votes);
        if (i > 0)
            hf_gap_learn(word->shapes, glyph - 1, glyph, FALSE, word->seed);
    }
}

/* Before which of its glyphs there is a space that the engine has not seen; 0: nowhere. */
static guint find_space(const HfAlignedWord *word)
{
    for (guint i = 1; i < word->glyphs->len; i++) {
        const HfGlyph *glyph = hf_aligned_glyph(word, i);
        if (hf_gap_recognise(word->shapes, glyph - 1, glyph, word->seed) == HF_GAP_SPACE)
            return i;
    }
    return 0;
}

/* The word at `index` becomes two; what is left of `word` are the glyphs of the second. */
static void split_word_at_space(HfAlignedWord *word, GArray *words, guint index, guint glyphs)
{
    HfLineWord *read = &g_array_index(words, HfLineWord, index);
    const HfGlyph *second = hf_aligned_glyph(word, glyphs);
    gsize length = 0;
    for (guint i = 0; i < glyphs; i++)
        length += strlen(hf_aligned_glyph(word, i)->text);
    HfLineWord rest = {g_strdup(read->text + length),
                       hf_text_shapes_box(word->shapes, second->first, word->end),
                       read->confidence};
    read->text[length] = '\0';
    read->box = hf_text_shapes_box(word->shapes, word->first, second->first);
    word->first = second->first;
    g_array_remove_range(word->glyphs, 0, glyphs);
    g_array_insert_val(words, index + 1, rest);
}

/* What stands between two words that follow each other. `before` is the last glyph of the first. */
static void learn_space(const HfAlignedWord *word, const HfGlyph *before)
{
    if (before->end == word->first && before->end > 0)
        hf_gap_learn(word->shapes, before, hf_aligned_glyph(word, 0), TRUE, word->seed);
}

/* Chinese letters are many and seldom come twice, and engines do not take one for another as easily
 * as an l for an I. */
static guint votes_of(const HfAlignedWord *word, double confidence)
{
    if (confidence >= SURE && hf_aligned_word_is_chinese(word))
        return 2;
    return confidence >= LEAST_CONFIDENCE ? 1 : 0;
}

/* If several letters are certain to be others, they were not shared out as they should be. FALSE:
 * nothing was learned. */
static gboolean learn_word(HfAlignedWord *word, HfLineWord *read, const HfGlyph *before)
{
    Agreement found = compare_with_known_shapes(word);
    guint votes = votes_of(word, read->confidence);
    if (word->glyphs->len == 0 || found.certain_others > 1)
        return FALSE;
    if (votes > 0) {
        learn_space(word, before);
        vote_word_glyphs(word, votes);
    }
    if (word->in_part)
        return FALSE;
    correct_misread_glyph(word, &found);
    g_free(read->text);
    read->text = hf_aligned_word_dup_text(word);
    return TRUE;
}

void hf_glyphs_learn(const HfTextLine *line, GArray *words, guint64 seed)
{
    g_auto(HfTextShapes) shapes = {0};
    HfGlyph before = {0};
    hf_text_shapes_find(&shapes, line);
    if (!hf_text_shapes_are_clear(&shapes))
        return;
    for (guint i = 0, from = 0, space; i < words->len; i++) {
        g_auto(HfAlignedWord) word = {0};
        HfLineWord *read = &g_array_index(words, HfLineWord, i);
        hf_aligned_word_init(&word, &shapes, seed, read, from);
        from = word.end;
        if (!learn_word(&word, read, &before)) {
            before = (HfGlyph){0};
            continue;
        }
        while ((space = find_space(&word)) > 0)
            split_word_at_space(&word, words, i++, space);
        before = *hf_aligned_glyph(&word, word.glyphs->len - 1);
    }
}
