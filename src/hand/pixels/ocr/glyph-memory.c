/* SPDX-License-Identifier: Apache-2.0 */
/* The table has two generations: when the recent one is full it replaces the older one. What is
 * used moves to the recent one. A text with more votes replaces the known one, so an early mistake
 * of the engine does not stay.
 *
 * The engine makes more mistakes where letters look alike, so these need more agreement. A gap is
 * judged by the two letters beside it. If they were never seen side by side, gaps of this width in
 * print of this size decide.
 *
 * To read a line, its shapes become glyphs. The widest known glyph wins, since a Chinese character
 * has several shapes. Glyphs become words where all of them and all gaps are known. */
#include "hand/pixels/ocr/glyph-memory.h"

#include <string.h>

#include "hand/pixels/pixels-limits.h"
#include "shared/base/hash.h"

/* More votes make no difference, and a correction must stay possible. */
#define MOST_VOTES 4096
/* Print whose median letter is lower is not clear. */
#define CLEAR_HEIGHT 6
/* Votes that are needed, and votes per vote against. */
#define ENOUGH      2
#define EACH        8
#define EACH_ALIKE  30
#define ENOUGH_GAPS 8
/* A gap this wide is a space, in percent of the line's height. */
#define WIDE_PERCENT 90
/* The same between Chinese characters, plus the faint edges of both in pixels. */
#define CHINESE_PERCENT 33
#define EDGES           2
/* The most shapes of a glyph, and its greatest width in percent of the line's height. */
#define GLYPH_SHAPES  6
#define GLYPH_PERCENT 220

typedef struct Entry {
    guint64 hash; /* its key */
    HfGlyphMeaning meaning;
} Entry;

static GMutex lock;                 /* guards what follows */
static GHashTable *recents, *older; /* of the hash to Entry */

static void add_entry_locked(Entry *take_entry)
{
    if (recents && g_hash_table_size(recents) >= HF_LIMIT_SHAPES_KNOWN / 2) {
        g_clear_pointer(&older, g_hash_table_unref);
        older = g_steal_pointer(&recents);
    }
    if (!recents)
        recents = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    g_hash_table_replace(recents, &take_entry->hash, take_entry);
}

static Entry *find_entry_locked(guint64 hash)
{
    Entry *entry = recents ? g_hash_table_lookup(recents, &hash) : NULL;
    if (!entry && older &&
        g_hash_table_steal_extended(older, &hash, NULL, (gpointer *)(gpointer)&entry))
        add_entry_locked(entry);
    return entry;
}

static void count_votes(HfGlyphMeaning *meaning, const char *text, guint votes)
{
    gboolean same = strcmp(meaning->text, text) == 0;
    *(same ? &meaning->votes : &meaning->against) += votes;
    if (meaning->against > meaning->votes) {
        guint before = meaning->votes;
        meaning->votes = meaning->against;
        meaning->against = before;
        g_strlcpy(meaning->text, text, sizeof meaning->text);
    }
    if (meaning->votes >= MOST_VOTES) {
        meaning->votes /= 2;
        meaning->against /= 2;
    }
}

void hf_glyph_memory_vote(guint64 hash, const char *text, guint votes)
{
    if (strlen(text) >= HF_GLYPH_TEXT_BYTES)
        return;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    Entry *entry = find_entry_locked(hash);
    if (!entry) {
        entry = g_new0(Entry, 1);
        entry->hash = hash;
        add_entry_locked(entry);
    }
    count_votes(&entry->meaning, text, votes);
}

gboolean hf_glyph_memory_find(guint64 hash, HfGlyphMeaning *ret_meaning)
{
    g_mutex_lock(&lock);
    const Entry *entry = find_entry_locked(hash);
    if (entry)
        *ret_meaning = entry->meaning;
    g_mutex_unlock(&lock);
    return entry != NULL;
}

void hf_glyph_memory_forget(void)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    g_clear_pointer(&recents, g_hash_table_unref);
    g_clear_pointer(&older, g_hash_table_unref);
}

/* ---- glyphs ---- */

static gboolean is_easily_confused(const char *text)
{
    return text[0] && !text[1] && strchr("Il1|!iO0oQSs5Zz2CcVvWwXxUuPpKkB8,.", text[0]);
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
    if (!hf_glyph_memory_find(ret_glyph->hash, &meaning) ||
        !is_trusted_meaning(&meaning, ENOUGH, is_easily_confused(meaning.text) ? EACH_ALIKE : EACH))
        return FALSE;
    g_strlcpy(ret_glyph->text, meaning.text, sizeof ret_glyph->text);
    ret_glyph->confidence = 1 - 0.5 / (1 + meaning.votes - meaning.against);
    return TRUE;
}

gboolean hf_text_shapes_are_clear(const HfTextShapes *shapes)
{
    return shapes->median_height >= CLEAR_HEIGHT;
}

/* ---- gaps ---- */

static int glyph_gap(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b)
{
    return hf_text_shape(shapes, b->first)->left - hf_text_shape(shapes, a->end - 1)->right;
}

static guint64 hash_pair_gap(const HfGlyph *a, const HfGlyph *b, int gap)
{
    return hf_hash_mix(hf_hash_mix(a->hash, b->hash), (guint64)gap);
}

static guint64 hash_print_gap(const HfTextShapes *shapes, int gap, guint64 seed)
{
    return hf_hash_mix(hf_hash_mix(seed, (guint64)shapes->median_height << 32), (guint64)gap);
}

static gboolean is_chinese_glyph(const HfGlyph *glyph)
{
    return hf_char_is_chinese(g_utf8_get_char(glyph->text));
}

/* Each Chinese character fills a cell, but a punctuation mark only half of it. */
static HfGap chinese_gap(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, int gap)
{
    gboolean marks = !g_unichar_isalnum(g_utf8_get_char(a->text)) ||
                     !g_unichar_isalnum(g_utf8_get_char(b->text));
    if (!is_chinese_glyph(a) || !is_chinese_glyph(b))
        return HF_GAP_SPACE;
    return !marks && (gap - EDGES) * 100 >= shapes->line->height * CHINESE_PERCENT ? HF_GAP_SPACE
                                                                                   : HF_GAP_NONE;
}

HfGap hf_gap_recognise(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, guint64 seed)
{
    HfGlyphMeaning pair, print = {0};
    int gap = glyph_gap(shapes, a, b);
    if (gap * 100 >= shapes->line->height * WIDE_PERCENT)
        return HF_GAP_SPACE;
    if (is_chinese_glyph(a) || is_chinese_glyph(b))
        return chinese_gap(shapes, a, b, gap);
    hf_glyph_memory_find(hash_print_gap(shapes, gap, seed), &print);
    gboolean paired = hf_glyph_memory_find(hash_pair_gap(a, b, gap), &pair);
    /* One vote on the pair is enough if most gaps like this agree. */
    guint enough = paired && print.votes > 0 && strcmp(pair.text, print.text) == 0 ? 1 : ENOUGH;
    if (paired ? !is_trusted_meaning(&pair, enough, EACH)
               : !is_trusted_meaning(&print, ENOUGH_GAPS, EACH_ALIKE))
        return HF_GAP_UNKNOWN;
    return (paired ? pair : print).text[0] ? HF_GAP_SPACE : HF_GAP_NONE;
}

void hf_gap_learn(const HfTextShapes *shapes, const HfGlyph *a, const HfGlyph *b, gboolean space,
                  guint64 seed)
{
    int gap = glyph_gap(shapes, a, b);
    if (is_chinese_glyph(a) || is_chinese_glyph(b))
        return;
    hf_glyph_memory_vote(hash_pair_gap(a, b, gap), space ? " " : "", 1);
    hf_glyph_memory_vote(hash_print_gap(shapes, gap, seed), space ? " " : "", 1);
}

/* ---- reading a line ---- */

typedef struct Parse {
    HfTextShapes shapes;
    guint64 seed;
    GArray *glyphs; /* of HfGlyph */
    HfGlyphsRead *read;
} Parse;

static void parse_clear(Parse *parse)
{
    hf_text_shapes_clear(&parse->shapes);
    g_clear_pointer(&parse->glyphs, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Parse, parse_clear)

static guint end_of_widest_glyph(const HfTextShapes *shapes, guint first)
{
    guint end = first + 1;
    int left = hf_text_shape(shapes, first)->left;
    while (end < shapes->list->len && end - first < GLYPH_SHAPES &&
           (hf_text_shape(shapes, end)->right - left) * 100 <= shapes->line->height * GLYPH_PERCENT)
        end++;
    return end;
}

static void find_glyphs(Parse *parse)
{
    parse->glyphs = g_array_new(FALSE, FALSE, sizeof(HfGlyph));
    for (guint i = 0; i < parse->shapes.list->len;) {
        HfGlyph glyph;
        guint end = end_of_widest_glyph(&parse->shapes, i);
        while (!hf_glyph_recognise(&parse->shapes, i, end, parse->seed, &glyph) && end > i + 1)
            end--;
        g_array_append_val(parse->glyphs, glyph);
        i = glyph.end;
    }
}

static const HfGlyph *get_parsed_glyph(const Parse *parse, guint index)
{
    return &g_array_index(parse->glyphs, HfGlyph, index);
}

/* The gap between a glyph and the one before it. */
static HfGap gap_before(const Parse *parse, guint index)
{
    if (index == 0 || index == parse->glyphs->len)
        return HF_GAP_SPACE;
    return hf_gap_recognise(&parse->shapes, get_parsed_glyph(parse, index - 1),
                            get_parsed_glyph(parse, index), parse->seed);
}

/* Some fonts draw l and I alike. An l by itself, or before a letter that follows no l, may be an
 * I. */
static gboolean is_doubtful(const char *text)
{
    if (text[0] != 'l')
        return strpbrk(text, "|") != NULL;
    return !strchr("aeiouyAEIOUYl", text[1]) || !text[1];
}

static void add_recognised_word(Parse *parse, guint first, guint end, const char *text)
{
    HfLineWord word = {.text = g_strdup(text), .confidence = 1};
    HfRect box = hf_text_shapes_box(&parse->shapes, get_parsed_glyph(parse, first)->first,
                                    get_parsed_glyph(parse, end - 1)->end);
    /* With its faint edges, as in words from the engine. */
    hf_text_line_find_ink(parse->shapes.line, box.x - 1, box.x + box.width + 1, &word.box);
    for (guint i = first; i < end; i++)
        word.confidence = MIN(word.confidence, get_parsed_glyph(parse, i)->confidence);
    parse->read->known_width += word.box.width;
    g_array_append_val(parse->read->words, word);
}

static void add_unknown_span(Parse *parse, guint first, guint end)
{
    GArray *unknowns = parse->read->unknowns;
    HfRect box = hf_text_shapes_box(&parse->shapes, get_parsed_glyph(parse, first)->first,
                                    get_parsed_glyph(parse, end - 1)->end);
    HfUnknownSpan *last =
        unknowns->len > 0 ? &g_array_index(unknowns, HfUnknownSpan, unknowns->len - 1) : NULL;
    if (last && last->before == parse->read->words->len) {
        last->right = box.x + box.width;
        return;
    }
    HfUnknownSpan unknown = {box.x, box.x + box.width, parse->read->words->len};
    g_array_append_val(unknowns, unknown);
}

/* From `first` up to a certain space. Appends the text; `ret_known`: all of it is known. */
static guint find_word_end(const Parse *parse, guint first, GString *text, gboolean *ret_known)
{
    guint end = first;
    gboolean known = TRUE;
    HfGap gap;
    do {
        known &= get_parsed_glyph(parse, end)->text[0] != '\0';
        g_string_append(text, get_parsed_glyph(parse, end)->text);
        gap = gap_before(parse, ++end);
        known &= gap != HF_GAP_UNKNOWN;
    } while (gap != HF_GAP_SPACE);
    *ret_known = known;
    return end;
}

static void find_words(Parse *parse)
{
    for (guint i = 0; i < parse->glyphs->len;) {
        g_autoptr(GString) text = g_string_new(NULL);
        gboolean known;
        guint end = find_word_end(parse, i, text, &known);
        if (known && !is_doubtful(text->str))
            add_recognised_word(parse, i, end, text->str);
        else
            add_unknown_span(parse, i, end);
        i = end;
    }
}

void hf_glyphs_read(HfGlyphsRead *read, const HfTextLine *line, guint64 seed)
{
    g_auto(Parse) parse = {.seed = seed, .read = read};
    *read = (HfGlyphsRead){hf_line_words_new(), g_array_new(FALSE, FALSE, sizeof(HfUnknownSpan))};
    hf_text_shapes_find(&parse.shapes, line);
    read->width = line->width;
    if (!hf_text_shapes_are_clear(&parse.shapes))
        return;
    find_glyphs(&parse);
    find_words(&parse);
}

void hf_glyphs_read_clear(HfGlyphsRead *read)
{
    g_clear_pointer(&read->words, g_array_unref);
    g_clear_pointer(&read->unknowns, g_array_unref);
}
