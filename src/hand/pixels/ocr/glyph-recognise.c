/* SPDX-License-Identifier: Apache-2.0 */
/* Engines err, and they err more where letters are alike: there, more of them must agree. Gaps are
 * judged by the two letters beside them, and if these were never seen side by side, by what gaps of
 * this width mean in print of this size. */
#include "hand/pixels/ocr/glyph-recognise.h"

#include <string.h>

#include "hand/pixels/ocr/ocr-words.h"
#include "shared/base/hash.h"

/* Print whose middling letters are lower than this is not clear. */
#define CLEAR_HEIGHT 6
/* How many must have read it, and how many at least for each who read it otherwise. */
#define ENOUGH      2
#define EACH        8
#define EACH_ALIKE  30
#define ENOUGH_GAPS 8
/* A gap as wide as this share of the line's height is a space, in percent. */
#define WIDE_PERCENT 90
/* Between Chinese letters: so much, and the faint edges of both. */
#define CHINESE_PERCENT 33
#define EDGES           2

static const char alike[] = "Il1|!iO0oQSs5Zz2CcVvWwXxUuPpKkB8,.";

static gboolean is_easily_confused(const char *text)
{
    return text[0] && !text[1] && strchr(alike, text[0]);
}

static gboolean is_trusted_meaning(const HfGlyphMeaning *meaning, guint enough, guint each)
{
    return meaning->votes >= enough && meaning->against * each <= meaning->votes;
}

gboolean hf_glyph_recognise(const HfTextShapes *shapes, guint first, guint end, guint64 seed,
                            HfGlyph *ret_glyph)
{
    HfGlyphMeaning meaning;
    *ret_glyph = (HfGlyph){first, end, hf_text_shapes_hash(shapes, first, end, seed)};
    if (!hf_glyph_memory_find(ret_glyph->look, &meaning) ||
        !is_trusted_meaning(&meaning, ENOUGH, is_easily_confused(meaning.text) ? EACH_ALIKE : EACH))
        return FALSE;
    g_strlcpy(ret_glyph->text, meaning.text, sizeof ret_glyph->text);
    ret_glyph->confidence = 1 - 0.5 / (1 + meaning.votes - meaning.against);
    return TRUE;
}

static int glyph_gap(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b)
{
    return hf_text_shape(shapes, b->first)->left - hf_text_shape(shapes, a->end - 1)->right;
}

static guint64 look_of_pair(const HfGlyph *a, const HfGlyph *b, int gap)
{
    return hf_hash_mix(hf_hash_mix(a->look, b->look), (guint64)gap);
}

static guint64 look_of_print(const HfTextShapes *shapes, int gap, guint64 seed)
{
    return hf_hash_mix(hf_hash_mix(seed, (guint64)shapes->middling << 32), (guint64)gap);
}

static gboolean is_chinese(const HfGlyph *glyph)
{
    return hf_char_is_chinese(g_utf8_get_char(glyph->text));
}

/* Chinese is set in cells; its marks fill theirs by a half. */
static HfGap chinese_gap(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, int gap)
{
    gboolean marks = !g_unichar_isalnum(g_utf8_get_char(a->text)) ||
                     !g_unichar_isalnum(g_utf8_get_char(b->text));
    if (!is_chinese(a) || !is_chinese(b))
        return HF_GAP_SPACE;
    return !marks && (gap - EDGES) * 100 >= shapes->line->height * CHINESE_PERCENT ? HF_GAP_SPACE
                                                                                   : HF_GAP_NONE;
}

static HfGap gap_of(const HfGlyphMeaning *meaning)
{
    return meaning->text[0] ? HF_GAP_SPACE : HF_GAP_NONE;
}

/* By the two letters; when they were seen so only once, gaps like this must mostly be so. */
static HfGap gap_of_pair(const HfGlyphMeaning *pair, const HfGlyphMeaning *print)
{
    gboolean agree = print->votes > 0 && strcmp(pair->text, print->text) == 0;
    return is_trusted_meaning(pair, agree ? 1 : ENOUGH, EACH) ? gap_of(pair) : HF_GAP_UNKNOWN;
}

HfGap hf_gap_recognise(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, guint64 seed)
{
    HfGlyphMeaning pair, print = {0};
    int gap = glyph_gap(shapes, a, b);
    if (gap * 100 >= shapes->line->height * WIDE_PERCENT)
        return HF_GAP_SPACE;
    if (is_chinese(a) || is_chinese(b))
        return chinese_gap(shapes, a, b, gap);
    hf_glyph_memory_find(look_of_print(shapes, gap, seed), &print);
    if (hf_glyph_memory_find(look_of_pair(a, b, gap), &pair))
        return gap_of_pair(&pair, &print);
    return is_trusted_meaning(&print, ENOUGH_GAPS, EACH_ALIKE) ? gap_of(&print) : HF_GAP_UNKNOWN;
}

void hf_gap_learn(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, gboolean space,
                  guint64 seed)
{
    int gap = glyph_gap(shapes, a, b);
    if (is_chinese(a) || is_chinese(b))
        return;
    hf_glyph_memory_vote(look_of_pair(a, b, gap), space ? " " : "", 1);
    hf_glyph_memory_vote(look_of_print(shapes, gap, seed), space ? " " : "", 1);
}

gboolean hf_text_shapes_are_clear(const HfTextShapes *shapes)
{
    return shapes->middling >= CLEAR_HEIGHT;
}
