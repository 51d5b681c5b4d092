/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes become glyphs, the widest that are known first (a Chinese letter has several shapes);
 * glyphs become words where all of them and all gaps are known. The rest is for an engine. */
#include "hand/pixels/ocr/glyph-read.h"

#include <string.h>

#include "hand/pixels/ocr/glyph-recognise.h"

/* Of so many shapes is a glyph at most, and so wide, in percent of the line's height. */
#define MOST_SHAPES  6
#define WIDE_PERCENT 220

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

/* ---- glyphs ---- */

static guint most_shapes(const HfTextShapes *shapes, guint first)
{
    guint end = first + 1;
    int left = hf_text_shape(shapes, first)->left;
    while (end < shapes->list->len && end - first < MOST_SHAPES &&
           (hf_text_shape(shapes, end)->right - left) * 100 <= shapes->line->height * WIDE_PERCENT)
        end++;
    return end;
}

static HfGlyph glyph_at(const Parse *parse, guint first)
{
    HfGlyph glyph;
    for (guint end = most_shapes(&parse->shapes, first); end > first + 1; end--)
        if (hf_glyph_recognise(&parse->shapes, first, end, parse->seed, &glyph))
            return glyph;
    hf_glyph_recognise(&parse->shapes, first, first + 1, parse->seed, &glyph);
    return glyph;
}

static void find_glyphs(Parse *parse)
{
    parse->glyphs = g_array_new(FALSE, FALSE, sizeof(HfGlyph));
    for (guint i = 0; i < parse->shapes.list->len;) {
        HfGlyph glyph = glyph_at(parse, i);
        g_array_append_val(parse->glyphs, glyph);
        i = glyph.end;
    }
}

static const HfGlyph *get_parsed_glyph(const Parse *parse, guint index)
{
    return &g_array_index(parse->glyphs, HfGlyph, index);
}

/* ---- words ---- */

/* Between this glyph and the one before it. Beside what is not known, nothing is. */
static HfGap gap_before(const Parse *parse, guint index)
{
    if (index == 0 || index == parse->glyphs->len)
        return HF_GAP_SPACE;
    return hf_gap_recognise(&parse->shapes, get_parsed_glyph(parse, index - 1),
                            get_parsed_glyph(parse, index), parse->seed);
}

/* Some fonts have one shape for l and I, and only what a word is tells which: an l before a letter
 * that no word has there, or by itself, may be the other. */
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
    /* With its faint edges, as words that are read have them. */
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

/* From `first` up to what is certainly a space. Appends its text; `ret_known`: all of it is. */
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
