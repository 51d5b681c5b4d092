/* SPDX-License-Identifier: Apache-2.0 */
/* Latin letters: each shape is a letter, or a few that touch, as wide as such letters can be.
 * Chinese ones: each stands in its cell, and the cells are as wide as each other. When there are
 * several ways, what is known already decides; and when it does not, nothing does. */
#include "hand/pixels/ocr/glyph-align.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SHAPES   80
#define MOST_TOUCHING 3
/* A gap between cells is no farther from where it should be than this, in percent of a cell. */
#define ASTRAY_PERCENT 24

/* ---- Latin ---- */

/* How wide a letter may be, in percent of the middling height. */
typedef struct Widths {
    int least, most;
} Widths;

static Widths widths_of(gunichar letter)
{
    if (letter < 128 && strchr("iljI|!.,:;'`1()[]{}ftr/\\", (int)letter))
        return (Widths){8, 100};
    if (letter < 128 && strchr("mwMW@%", (int)letter))
        return (Widths){65, 250};
    return (Widths){35, 175};
}

static gboolean is_plausible(const HfAlignedWord *word, guint letter, guint count, guint shape)
{
    const HfTextShape *place = hf_text_shape(word->shapes, shape);
    int width = (place->right - place->left) * 100, unit = word->shapes->middling;
    Widths widths = {0, 0};
    for (guint i = letter; i < letter + count; i++) {
        Widths one = widths_of(word->letters[i]);
        widths.least += one.least;
        widths.most += one.most;
    }
    return width >= widths.least * unit && width <= widths.most * unit;
}

static void write_letters_utf8(const HfAlignedWord *word, guint letter, guint count,
                               char text[HF_GLYPH_TEXT_BYTES])
{
    int length = 0;
    for (guint i = letter; i < letter + count && length + 6 < HF_GLYPH_TEXT_BYTES; i++)
        length += g_unichar_to_utf8(word->letters[i], text + length);
    text[length] = '\0';
}

/* In how many ways the letters from here on are the shapes from here on: none, one, or two for
 * several. */
typedef struct Ways {
    guint8 counts[HF_ALIGNED_LETTERS + 1][MOST_SHAPES + 1];
    gboolean trusting; /* what is known is right */
} Ways;

static gboolean may_be(const HfAlignedWord *word, const Ways *ways, guint letter, guint count,
                       guint shape)
{
    HfGlyph glyph;
    char text[HF_GLYPH_TEXT_BYTES];
    if (!is_plausible(word, letter, count, shape))
        return FALSE;
    if (!ways->trusting || !hf_glyph_recognise(word->shapes, shape, shape + 1, word->seed, &glyph))
        return TRUE;
    write_letters_utf8(word, letter, count, text);
    return strcmp(glyph.text, text) == 0;
}

static void count_ways(const HfAlignedWord *word, Ways *ways)
{
    guint shapes = word->end - word->first;
    memset(ways->counts, 0, sizeof ways->counts);
    ways->counts[word->count][shapes] = 1;
    for (guint letter = word->count; letter-- > 0;)
        for (guint shape = shapes; shape-- > 0;) {
            guint sum = 0;
            for (guint k = 1; k <= MIN(MOST_TOUCHING, word->count - letter); k++)
                if (ways->counts[letter + k][shape + 1] &&
                    may_be(word, ways, letter, k, word->first + shape))
                    sum += ways->counts[letter + k][shape + 1];
            ways->counts[letter][shape] = (guint8)MIN(2, sum);
        }
}

static void take_way(HfAlignedWord *word, const Ways *ways)
{
    guint letter = 0;
    for (guint shape = word->first; shape < word->end; shape++)
        for (guint k = 1; k <= MIN(MOST_TOUCHING, word->count - letter); k++)
            if (ways->counts[letter + k][shape + 1 - word->first] &&
                may_be(word, ways, letter, k, shape)) {
                HfGlyph glyph = {shape, shape + 1};
                write_letters_utf8(word, letter, k, glyph.text);
                g_array_append_val(word->glyphs, glyph);
                letter += k;
                break;
            }
}

static void share_latin(HfAlignedWord *word)
{
    Ways ways; /* 3 kB, cleared by each count */
    ways.trusting = TRUE;
    count_ways(word, &ways);
    if (ways.counts[0][0] == 0) {
        /* What is known may be wrong. */
        ways.trusting = FALSE;
        count_ways(word, &ways);
    }
    if (ways.counts[0][0] == 1)
        take_way(word, &ways);
}

/* ---- Chinese ---- */

static gboolean is_mark(gunichar letter)
{
    return !g_unichar_isalnum(letter);
}

/* Where each letter's cell begins: shapes; the last is the word's end. */
typedef struct Cells {
    guint begins[HF_ALIGNED_LETTERS + 1];
    gboolean clear[HF_ALIGNED_LETTERS + 1]; /* it is certain */
    double width, between;
    int left;
} Cells;

static gboolean shapes_read_as_letter(const HfAlignedWord *word, guint letter, guint first,
                                      guint end)
{
    HfGlyph glyph;
    char text[HF_GLYPH_TEXT_BYTES];
    write_letters_utf8(word, letter, 1, text);
    return end > first && hf_glyph_recognise(word->shapes, first, end, word->seed, &glyph) &&
           strcmp(glyph.text, text) == 0;
}

/* How far the gap before a shape is from where a cell should begin. */
static double distance_to_gap(const HfAlignedWord *word, guint shape, double border)
{
    int left = hf_text_shape(word->shapes, shape - 1)->right;
    int right = hf_text_shape(word->shapes, shape)->left;
    return border < left ? left - border : border > right ? border - right : 0;
}

/* Of several gaps where the letter could end, the one that makes it a letter that is known. */
static void find_begin(const HfAlignedWord *word, Cells *cells, guint letter)
{
    double border = cells->left + letter * cells->width - cells->between / 2;
    guint before = cells->begins[letter - 1], found = 0, known = 0, count = 0;
    for (guint i = before + 1; i < word->end; i++) {
        if (distance_to_gap(word, i, border) * 100 > cells->width * ASTRAY_PERCENT)
            continue;
        found = i;
        count++;
        if (cells->clear[letter - 1] && shapes_read_as_letter(word, letter - 1, before, i))
            known = i;
    }
    cells->begins[letter] = known ? known : count > 0 ? found : before;
    cells->clear[letter] = known || count == 1;
}

static void find_cells(const HfAlignedWord *word, Cells *cells)
{
    HfRect box = hf_text_shapes_box(word->shapes, word->first, word->end);
    double count = word->count - (is_mark(word->letters[word->count - 1]) ? 0.6 : 0);
    cells->between = word->shapes->line->height * 0.08;
    cells->width = (box.width + cells->between) / count;
    cells->left = box.x;
    cells->begins[0] = word->first;
    cells->begins[word->count] = word->end;
    cells->clear[0] = cells->clear[word->count] = TRUE;
    for (guint i = 1; i < word->count; i++)
        find_begin(word, cells, i);
}

/* What lies between two certain borders: a letter, or a few that touch. */
static void share_chinese(HfAlignedWord *word)
{
    Cells cells;
    find_cells(word, &cells);
    for (guint i = 0; i < word->count;) {
        guint next = i + 1;
        while (!cells.clear[next])
            next++;
        guint first = cells.begins[i], end = cells.begins[next];
        HfGlyph glyph = {first, end};
        write_letters_utf8(word, i, next - i, glyph.text);
        if (end > first && (next - i == 1 || (next - i <= MOST_TOUCHING && end - first == 1)))
            g_array_append_val(word->glyphs, glyph);
        else
            word->in_part = TRUE;
        i = next;
    }
}

/* ---- words ---- */

static gboolean store_word_letters(HfAlignedWord *word, const char *text)
{
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        if (word->count == HF_ALIGNED_LETTERS)
            return FALSE;
        word->letters[word->count++] = g_utf8_get_char(at);
    }
    return word->count > 0;
}

/* Shapes from here on that stand in the box; FALSE when one does so in part. */
static gboolean find_shapes(HfAlignedWord *word, HfRect box, guint from)
{
    const GArray *list = word->shapes->list;
    while (from < list->len && hf_text_shape(word->shapes, from)->left < box.x)
        from++;
    word->first = word->end = from;
    while (word->end < list->len &&
           hf_text_shape(word->shapes, word->end)->left < box.x + box.width)
        word->end++;
    return word->end > word->first && word->end - word->first <= MOST_SHAPES &&
           hf_text_shape(word->shapes, word->end - 1)->right <= box.x + box.width;
}

gboolean hf_aligned_word_is_chinese(const HfAlignedWord *word)
{
    for (guint i = 0; i < word->count; i++)
        if (!hf_char_is_chinese(word->letters[i]))
            return FALSE;
    return TRUE;
}

static gboolean has_chinese(const HfAlignedWord *word)
{
    for (guint i = 0; i < word->count; i++)
        if (hf_char_is_chinese(word->letters[i]))
            return TRUE;
    return FALSE;
}

static void assign_letters_to_shapes(HfAlignedWord *word)
{
    if (hf_aligned_word_is_chinese(word))
        share_chinese(word);
    else if (!has_chinese(word))
        share_latin(word);
    for (guint i = 0; i < word->glyphs->len; i++) {
        HfGlyph *glyph = &g_array_index(word->glyphs, HfGlyph, i);
        glyph->look = hf_text_shapes_hash(word->shapes, glyph->first, glyph->end, word->seed);
    }
}

void hf_aligned_word_init(HfAlignedWord *word, const HfTextShapes *shapes, guint64 seed,
                          const HfLineWord *read, guint from)
{
    *word = (HfAlignedWord){.shapes = shapes, .seed = seed};
    word->glyphs = g_array_new(FALSE, FALSE, sizeof(HfGlyph));
    if (find_shapes(word, read->box, from) && store_word_letters(word, read->text))
        assign_letters_to_shapes(word);
}

void hf_aligned_word_clear(HfAlignedWord *word)
{
    g_clear_pointer(&word->glyphs, g_array_unref);
}

char *hf_aligned_word_dup_text(const HfAlignedWord *word)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < word->glyphs->len; i++)
        g_string_append(text, hf_aligned_glyph(word, i)->text);
    return g_string_free(text, FALSE);
}
