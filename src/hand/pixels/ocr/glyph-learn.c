/* SPDX-License-Identifier: Apache-2.0 */
/* First the letters of a word are aligned with its shapes. A Latin shape is a letter, or a few that
 * touch, with a plausible width. Chinese characters stand in cells of equal width. Of several
 * alignments the known glyphs choose one; if they cannot, the word teaches nothing.
 *
 * Then each aligned letter is a vote on what its glyph means (glyph-memory.h). Many votes count for
 * more than what the engine makes of one line. */
#include "hand/pixels/ocr/glyph-learn.h"

#include <stdlib.h>
#include <string.h>

#include "hand/pixels/ocr/glyph-memory.h"

#define MOST_LETTERS  40
#define MOST_SHAPES   80
#define MOST_TOUCHING 3
/* A gap between cells may be this far from where it should be, in percent of a cell. */
#define ASTRAY_PERCENT 24
/* The engine's confidence from which on a word teaches, and from which on Chinese counts twice. */
#define LEAST_CONFIDENCE 0.80
#define SURE             0.93
/* A known letter with this confidence counts for more than the engine. */
#define CERTAIN 0.97

typedef struct AlignedWord {
    const HfTextShapes *shapes;
    guint64 seed;
    guint first, end; /* its shapes */
    gunichar letters[MOST_LETTERS];
    guint count;
    GArray *glyphs;      /* of HfGlyph, from left to right; empty when it is ambiguous */
    gboolean incomplete; /* some letters have no glyph */
} AlignedWord;

static void aligned_word_clear(AlignedWord *word)
{
    g_clear_pointer(&word->glyphs, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AlignedWord, aligned_word_clear)

static HfGlyph *aligned_glyph(const AlignedWord *word, guint index)
{
    return &g_array_index(word->glyphs, HfGlyph, index);
}

/* ---- Latin ---- */

/* How wide a letter may be, in percent of the median height. */
typedef struct Widths {
    int least, most;
} Widths;

static Widths letter_widths(gunichar letter)
{
    if (letter < 128 && strchr("iljI|!.,:;'`1()[]{}ftr/\\", (int)letter))
        return (Widths){8, 100};
    if (letter < 128 && strchr("mwMW@%", (int)letter))
        return (Widths){65, 250};
    return (Widths){35, 175};
}

static gboolean is_plausible(const AlignedWord *word, guint letter, guint count, guint shape)
{
    const HfTextShape *place = hf_text_shape(word->shapes, shape);
    int width = (place->right - place->left) * 100, unit = word->shapes->median_height;
    Widths widths = {0, 0};
    for (guint i = letter; i < letter + count; i++) {
        Widths one = letter_widths(word->letters[i]);
        widths.least += one.least;
        widths.most += one.most;
    }
    return width >= widths.least * unit && width <= widths.most * unit;
}

static void write_letters_utf8(const AlignedWord *word, guint letter, guint count,
                               char text[HF_GLYPH_TEXT_BYTES])
{
    int length = 0;
    for (guint i = letter; i < letter + count && length + 6 < HF_GLYPH_TEXT_BYTES; i++)
        length += g_unichar_to_utf8(word->letters[i], text + length);
    text[length] = '\0';
}

/* In how many ways the letters from one index on fit the shapes from another on: 0, 1, or 2 for
 * several. */
typedef struct Ways {
    guint8 counts[MOST_LETTERS + 1][MOST_SHAPES + 1];
    gboolean trust_known; /* known glyphs must keep their text */
} Ways;

static gboolean may_be_letters(const AlignedWord *word, const Ways *ways, guint letter, guint count,
                               guint shape)
{
    HfGlyph glyph;
    char text[HF_GLYPH_TEXT_BYTES];
    if (!is_plausible(word, letter, count, shape))
        return FALSE;
    if (!ways->trust_known ||
        !hf_glyph_recognise(word->shapes, shape, shape + 1, word->seed, &glyph))
        return TRUE;
    write_letters_utf8(word, letter, count, text);
    return strcmp(glyph.text, text) == 0;
}

static void count_ways(const AlignedWord *word, Ways *ways)
{
    guint shapes = word->end - word->first;
    memset(ways->counts, 0, sizeof ways->counts);
    ways->counts[word->count][shapes] = 1;
    for (guint letter = word->count; letter-- > 0;)
        for (guint shape = shapes; shape-- > 0;) {
            guint sum = 0;
            for (guint k = 1; k <= MIN(MOST_TOUCHING, word->count - letter); k++)
                if (ways->counts[letter + k][shape + 1] &&
                    may_be_letters(word, ways, letter, k, word->first + shape))
                    sum += ways->counts[letter + k][shape + 1];
            ways->counts[letter][shape] = (guint8)MIN(2, sum);
        }
}

static void add_glyphs_of_way(AlignedWord *word, const Ways *ways)
{
    guint letter = 0;
    for (guint shape = word->first; shape < word->end; shape++)
        for (guint k = 1; k <= MIN(MOST_TOUCHING, word->count - letter); k++)
            if (ways->counts[letter + k][shape + 1 - word->first] &&
                may_be_letters(word, ways, letter, k, shape)) {
                HfGlyph glyph = {shape, shape + 1};
                write_letters_utf8(word, letter, k, glyph.text);
                g_array_append_val(word->glyphs, glyph);
                letter += k;
                break;
            }
}

static void align_latin(AlignedWord *word)
{
    Ways ways; /* cleared by each count */
    ways.trust_known = TRUE;
    count_ways(word, &ways);
    if (ways.counts[0][0] == 0) {
        /* A known glyph may be wrong. */
        ways.trust_known = FALSE;
        count_ways(word, &ways);
    }
    if (ways.counts[0][0] == 1)
        add_glyphs_of_way(word, &ways);
}

/* ---- Chinese ---- */

/* The shape that each character's cell begins with; the last one is the word's end. */
typedef struct Cells {
    guint begins[MOST_LETTERS + 1];
    gboolean certain[MOST_LETTERS + 1];
    double width, gap;
    int left;
} Cells;

static gboolean shapes_read_as_letter(const AlignedWord *word, guint letter, guint first, guint end)
{
    HfGlyph glyph;
    char text[HF_GLYPH_TEXT_BYTES];
    write_letters_utf8(word, letter, 1, text);
    return end > first && hf_glyph_recognise(word->shapes, first, end, word->seed, &glyph) &&
           strcmp(glyph.text, text) == 0;
}

/* The distance from the gap before a shape to where a cell should begin. */
static double distance_to_gap(const AlignedWord *word, guint shape, double border)
{
    int left = hf_text_shape(word->shapes, shape - 1)->right;
    int right = hf_text_shape(word->shapes, shape)->left;
    return border < left ? left - border : border > right ? border - right : 0;
}

/* Of several gaps where a character could end, takes the one that makes it a known glyph. */
static void find_cell_begin(const AlignedWord *word, Cells *cells, guint letter)
{
    double border = cells->left + letter * cells->width - cells->gap / 2;
    guint before = cells->begins[letter - 1], found = 0, known = 0, count = 0;
    for (guint i = before + 1; i < word->end; i++) {
        if (distance_to_gap(word, i, border) * 100 > cells->width * ASTRAY_PERCENT)
            continue;
        found = i;
        count++;
        if (cells->certain[letter - 1] && shapes_read_as_letter(word, letter - 1, before, i))
            known = i;
    }
    cells->begins[letter] = known ? known : count > 0 ? found : before;
    cells->certain[letter] = known || count == 1;
}

static void find_cells(const AlignedWord *word, Cells *cells)
{
    HfRect box = hf_text_shapes_box(word->shapes, word->first, word->end);
    double count = word->count - (g_unichar_isalnum(word->letters[word->count - 1]) ? 0 : 0.6);
    cells->gap = word->shapes->line->height * 0.08;
    cells->width = (box.width + cells->gap) / count;
    cells->left = box.x;
    cells->begins[0] = word->first;
    cells->begins[word->count] = word->end;
    cells->certain[0] = cells->certain[word->count] = TRUE;
    for (guint i = 1; i < word->count; i++)
        find_cell_begin(word, cells, i);
}

/* Between two certain borders there is a character, or a few that touch. */
static void align_chinese(AlignedWord *word)
{
    Cells cells;
    find_cells(word, &cells);
    for (guint i = 0; i < word->count;) {
        guint next = i + 1;
        while (!cells.certain[next])
            next++;
        guint first = cells.begins[i], end = cells.begins[next];
        HfGlyph glyph = {first, end};
        write_letters_utf8(word, i, next - i, glyph.text);
        if (end > first && (next - i == 1 || (next - i <= MOST_TOUCHING && end - first == 1)))
            g_array_append_val(word->glyphs, glyph);
        else
            word->incomplete = TRUE;
        i = next;
    }
}

/* ---- aligning ---- */

static gboolean store_word_letters(AlignedWord *word, const char *text)
{
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        if (word->count == MOST_LETTERS)
            return FALSE;
        word->letters[word->count++] = g_utf8_get_char(at);
    }
    return word->count > 0;
}

/* Finds the shapes in the box, from `from` on. FALSE: one of them reaches beyond it. */
static gboolean find_word_shapes(AlignedWord *word, HfRect box, guint from)
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

static guint count_chinese_letters(const AlignedWord *word)
{
    guint count = 0;
    for (guint i = 0; i < word->count; i++)
        count += hf_char_is_chinese(word->letters[i]);
    return count;
}

static void assign_letters_to_shapes(AlignedWord *word)
{
    guint chinese = count_chinese_letters(word);
    if (chinese == word->count)
        align_chinese(word);
    else if (chinese == 0)
        align_latin(word);
    for (guint i = 0; i < word->glyphs->len; i++) {
        HfGlyph *glyph = aligned_glyph(word, i);
        glyph->hash = hf_text_shapes_hash(word->shapes, glyph->first, glyph->end, word->seed);
    }
}

/* Aligns a word of the line; the shapes before `from` belong to other words. */
static void aligned_word_init(AlignedWord *word, const HfTextShapes *shapes, guint64 seed,
                              const HfLineWord *read, guint from)
{
    *word = (AlignedWord){.shapes = shapes, .seed = seed};
    word->glyphs = g_array_new(FALSE, FALSE, sizeof(HfGlyph));
    if (find_word_shapes(word, read->box, from) && store_word_letters(word, read->text))
        assign_letters_to_shapes(word);
}

static char *dup_aligned_text(const AlignedWord *word)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < word->glyphs->len; i++)
        g_string_append(text, aligned_glyph(word, i)->text);
    return g_string_free(text, FALSE);
}

/* ---- learning ---- */

/* Some fonts draw these alike, so only the engine, which knows words, can tell them apart. */
static gboolean are_twins(const char *a, const char *b)
{
    static const char *const sets[] = {"Il1|", "O0oQ"};
    for (gsize i = 0; i < G_N_ELEMENTS(sets); i++)
        if (*a && *b && !a[1] && !b[1] && strchr(sets[i], *a) && strchr(sets[i], *b))
            return TRUE;
    return FALSE;
}

/* How known glyphs agree with the engine. */
typedef struct Agreement {
    guint same, certain_others; /* glyphs */
    HfGlyph *wrong;             /* the last one that certainly differs */
    char right[HF_GLYPH_TEXT_BYTES];
} Agreement;

static Agreement compare_with_known_shapes(const AlignedWord *word)
{
    Agreement found = {0};
    for (guint i = 0; i < word->glyphs->len; i++) {
        HfGlyph *glyph = aligned_glyph(word, i), known;
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

static void vote_word_glyphs(const AlignedWord *word, guint votes)
{
    for (guint i = 0; i < word->glyphs->len; i++) {
        const HfGlyph *glyph = aligned_glyph(word, i);
        hf_glyph_memory_vote(glyph->hash, glyph->text, votes);
        if (i > 0)
            hf_gap_learn(word->shapes, glyph - 1, glyph, FALSE, word->seed);
    }
}

/* The glyph that has a space before it which the engine has missed; 0: none. */
static guint find_missed_space(const AlignedWord *word)
{
    for (guint i = 1; i < word->glyphs->len; i++) {
        const HfGlyph *glyph = aligned_glyph(word, i);
        if (hf_gap_recognise(word->shapes, glyph - 1, glyph, word->seed) == HF_GAP_SPACE)
            return i;
    }
    return 0;
}

/* Splits the word at `index` in two. `word` keeps the glyphs of the second. */
static void split_word_at_space(AlignedWord *word, GArray *words, guint index, guint glyphs)
{
    HfLineWord *read = &g_array_index(words, HfLineWord, index);
    const HfGlyph *second = aligned_glyph(word, glyphs);
    gsize length = 0;
    for (guint i = 0; i < glyphs; i++)
        length += strlen(aligned_glyph(word, i)->text);
    HfLineWord after = {g_strdup(read->text + length),
                        hf_text_shapes_box(word->shapes, second->first, word->end),
                        read->confidence};
    read->text[length] = '\0';
    read->box = hf_text_shapes_box(word->shapes, word->first, second->first);
    word->first = second->first;
    g_array_remove_range(word->glyphs, 0, glyphs);
    g_array_insert_val(words, index + 1, after);
}

/* `before` is the last glyph of the word before. FALSE: nothing was learned. */
static gboolean learn_word(AlignedWord *word, HfLineWord *read, const HfGlyph *before)
{
    Agreement found = compare_with_known_shapes(word);
    /* If several letters certainly differ, the alignment is wrong. */
    if (word->glyphs->len == 0 || found.certain_others > 1)
        return FALSE;
    if (read->confidence >= LEAST_CONFIDENCE) {
        /* A Chinese character is seldom seen again, and seldom confused with another. */
        gboolean twice = read->confidence >= SURE && count_chinese_letters(word) == word->count;
        if (before->end == word->first && before->end > 0)
            hf_gap_learn(word->shapes, before, aligned_glyph(word, 0), TRUE, word->seed);
        vote_word_glyphs(word, twice ? 2 : 1);
    }
    if (word->incomplete)
        return FALSE;
    /* A single differing letter among known ones was misread. */
    if (found.certain_others == 1 && found.same + 1 == word->glyphs->len &&
        word->glyphs->len == word->count && !are_twins(found.right, found.wrong->text))
        g_strlcpy(found.wrong->text, found.right, sizeof found.wrong->text);
    g_free(read->text);
    read->text = dup_aligned_text(word);
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
        g_auto(AlignedWord) word = {0};
        HfLineWord *read = &g_array_index(words, HfLineWord, i);
        aligned_word_init(&word, &shapes, seed, read, from);
        from = word.end;
        if (!learn_word(&word, read, &before)) {
            before = (HfGlyph){0};
            continue;
        }
        while ((space = find_missed_space(&word)) > 0)
            split_word_at_space(&word, words, i++, space);
        before = *aligned_glyph(&word, word.glyphs->len - 1);
    }
}
