/* SPDX-License-Identifier: Apache-2.0 */
/* A thing by itself: what it is, which one, how it is, where, and what it is called. Words that
 * could mean any of it may be its name as well, so there are several readings. */
#include <string.h>

#include "hand/locate/description-parts.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/synonyms.h"

/* How likely it is that words are meant as a name which could mean something else. */
#define AS_NAME 0.97
/* That its name cannot be read on it, and only the rest is true. */
#define NAMELESS 0.42
/* The same when it is no name, but the sort of what is in the row. */
#define SORT_ALONE 0.9
/* That it says what sort of entry it is, by a word that is not known. */
#define KINDLESS 0.6
/* The same where it is said which of them: "the file on the far right". */
#define SORT_CHOSEN 0.75
/* Such a word is no longer than this. */
#define SORT_LETTERS 5
#define SORT_WORDS   2
/* The same for one that may as well be what they are called. */
#define UNKNOWN_SORT 0.85
/* That a page is meant by the number of it. */
#define PAGE_NUMBER 0.75
/* And that this word is what a group of them is called. */
#define ONE_OF 1.25
/* That it says what to do, and the last word is what it is done to. */
#define DEED       0.74
#define FIRST_WORD 0.75

static gboolean is_content(const HfTerm *term)
{
    return term->kind == HF_TERM_NAME || term->kind == HF_TERM_QUOTED || term->kind == HF_TERM_KIND;
}

/* The term that says what it is: the last one, as in "Save button", else the first one, as in
 * "button Save". -1: none does. */
int hf_range_find_kind(HfRange range)
{
    int first = -1, last = -1;
    for (int i = 0; i < range.count; i++) {
        if (!is_content(&range.terms[i]))
            continue;
        first = first < 0 ? i : first;
        last = i;
    }
    if (last >= 0 && range.terms[last].kind == HF_TERM_KIND)
        return last;
    return first >= 0 && range.terms[first].kind == HF_TERM_KIND ? first : -1;
}

static gboolean has_meaning(const HfTerm *term)
{
    return term->kind == HF_TERM_NTH || term->kind == HF_TERM_IS || term->kind == HF_TERM_SPOT ||
           term->kind == HF_TERM_COLOUR;
}

static gboolean is_left_out(const HfTerm *term, HfSense sense)
{
    if (sense == HF_SENSE_NONE)
        return FALSE;
    return hf_term_is_idle(term) || (sense == HF_SENSE_ALL && has_meaning(term));
}

static void append_piece(GString *name, const HfTerm *term, const HfTerm *before)
{
    gboolean together = before && before->end == term->begin;
    if (name->len > 0 && !together)
        g_string_append_c(name, ' ');
    g_string_append_len(name, term->begin, term->end - term->begin);
}

/* After what it is, "for", "to" and "with" lead to its name. */
static gboolean leads(const HfTerm *term)
{
    return hf_term_is(term, "for") || hf_term_is(term, "to") || hf_term_is(term, "with") ||
           hf_term_is(term, "reading") || hf_term_is(term, "number");
}

static char *dup_name(HfRange range, HfSense sense, int kind)
{
    g_autoptr(GString) name = g_string_new("");
    const HfTerm *before = NULL;
    for (int i = 0; i < range.count; i++) {
        const HfTerm *term = &range.terms[i];
        if (i == kind || is_left_out(term, sense) || (i == kind + 1 && kind >= 0 && leads(term)))
            continue;
        append_piece(name, term, before);
        before = term;
    }
    return name->len > 0 ? g_string_free(g_steal_pointer(&name), FALSE) : NULL;
}

static const HfTerm *find_quoted(HfRange range)
{
    for (int i = 0; i < range.count; i++)
        if (range.terms[i].kind == HF_TERM_QUOTED)
            return &range.terms[i];
    return NULL;
}

void hf_reading_take(HfReading *reading, HfRange range)
{
    for (int i = 0; i < range.count; i++) {
        const HfTerm *term = &range.terms[i];
        if (term->kind == HF_TERM_NTH)
            reading->nth = term->value;
        else if (term->kind == HF_TERM_IS)
            reading->is |= (guint)term->value;
        else if (term->kind == HF_TERM_SPOT)
            reading->spot |= (HfSpot)term->value;
        else if (term->kind == HF_TERM_COLOUR)
            reading->colour = (HfColour)term->value;
    }
}

/* What people use and what need not have its name on it. */
static gboolean is_usable(HfKind kind)
{
    return kind != HF_KIND_LABEL && kind != HF_KIND_BAR && kind != HF_KIND_HEADING &&
           kind != HF_KIND_ITEM && !hf_kind_is_area(kind);
}

void hf_parser_add_thing(HfParser *parser, HfDescription *to, HfRange range, HfSense sense,
                         double prior)
{
    int kind = sense == HF_SENSE_NONE ? -1 : hf_range_find_kind(range);
    const HfTerm *quoted = find_quoted(range);
    g_autofree char *name = quoted ? g_strndup(quoted->begin, (gsize)(quoted->end - quoted->begin))
                                   : dup_name(range, sense, kind);
    if ((!name && kind < 0 && sense != HF_SENSE_ALL) ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    reading->prior = prior;
    reading->literal = sense == HF_SENSE_NONE;
    reading->kind = kind >= 0 ? (HfKind)range.terms[kind].value : HF_KIND_ANY;
    if (name)
        reading->name = reading->literal ? hf_name_new_literal(name) : hf_name_new(name);
    if (sense == HF_SENSE_ALL)
        hf_reading_take(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

/* "the message row": only what sort of row. */
static gboolean says_sort(HfRange range)
{
    int kind = hf_range_find_kind(range);
    g_autofree char *text = kind >= 0 ? dup_name(range, HF_SENSE_ALL, kind) : NULL;
    return text && range.terms[kind].value == HF_KIND_ROW && hf_synonyms_is_sort(text);
}

/* The same without its name: the search field may be called nothing. */
static void add_nameless(HfParser *parser, HfDescription *to, HfRange range, double prior)
{
    int kind = hf_range_find_kind(range);
    gboolean row = kind >= 0 && range.terms[kind].value == HF_KIND_ROW && says_sort(range);
    if (kind < 0 || !(row || is_usable((HfKind)range.terms[kind].value)) ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    reading->prior = prior;
    reading->nameless = TRUE;
    reading->kind = (HfKind)range.terms[kind].value;
    if (reading->kind == HF_KIND_BOX) /* 搜索框 is a field, and nothing to tick */
        reading->kind = HF_KIND_FIELD;
    hf_reading_take(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

/* A word that is said of many things, as "file": it names none of them. */
static gboolean is_weak(HfRange range)
{
    g_autofree char *text = dup_name(range, HF_SENSE_ALL, -1);
    g_autoptr(HfName) name = text ? hf_name_new(text) : NULL;
    return name && hf_name_is_weak(name);
}

static gboolean is_sort(HfRange range)
{
    g_autofree char *text = dup_name(range, HF_SENSE_ALL, -1);
    return text && hf_synonyms_is_sort(text);
}

/* More than a word for a sort of things. */
static gboolean says_more(HfRange range)
{
    glong letters = 0, words = 0;
    for (int i = 0; i < range.count; i++) {
        const HfTerm *term = &range.terms[i];
        if (term->kind == HF_TERM_OF || term->kind == HF_TERM_TIE)
            return TRUE;
        if (term->kind == HF_TERM_NAME && hf_term_is_wide(term))
            letters += g_utf8_strlen(term->begin, term->end - term->begin);
        else if (term->kind == HF_TERM_NAME)
            words++;
    }
    return letters > SORT_LETTERS || words > SORT_WORDS;
}

/* "second playlist in the side bar": one of those that are in, or below, what is called so. */
static void add_one_of(HfParser *parser, HfDescription *to, HfRange range, double prior)
{
    g_autofree char *name = dup_name(range, HF_SENSE_ALL, hf_range_find_kind(range));
    if (parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    HfReading *called = g_new0(HfReading, 1);
    HfDescription *group = hf_description_new_empty();
    called->prior = 1;
    called->name = hf_name_new(name ? name : "");
    g_ptr_array_add(group->readings, called);
    reading->prior = prior * ONE_OF;
    reading->nameless = TRUE;
    reading->kind = HF_KIND_ITEM;
    reading->ties[reading->tie_count++] = (HfTie){.kind = HF_TIE_IN, .anchor = group};
    hf_reading_take(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

/* 翻到第三页: what leads there is called by the number. */
static void add_page(HfParser *parser, HfDescription *to, HfRange range, double prior)
{
    int kind = hf_range_find_kind(range), nth = 0;
    for (int i = 0; i < range.count; i++)
        if (range.terms[i].kind == HF_TERM_NTH)
            nth = range.terms[i].value;
    if (kind < 0 || range.terms[kind].value != HF_KIND_PAGE || nth <= 0 ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    g_autofree char *number = g_strdup_printf("%d", nth);
    HfReading *reading = g_new0(HfReading, 1);
    reading->prior = prior;
    reading->name = hf_name_new(number);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

/* "the third price option": of those that are below Price. */
static gboolean names_counted_items(HfRange range)
{
    int kind = hf_range_find_kind(range);
    g_autofree char *name = kind >= 0 ? dup_name(range, HF_SENSE_ALL, kind) : NULL;
    gboolean counted = FALSE;
    for (int i = 0; i < range.count; i++)
        counted |= range.terms[i].kind == HF_TERM_NTH || range.terms[i].kind == HF_TERM_IS;
    return name && counted && range.terms[kind].value == HF_KIND_ITEM;
}

/* "the last category", 选中的位置: a word for things that nobody knows to be one. What is counted
 * and what can be chosen are mostly entries of something. */
static void add_kindless(HfParser *parser, HfDescription *to, HfRange range, double prior)
{
    if (hf_range_find_kind(range) >= 0 || find_quoted(range) || says_more(range) ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    gboolean weak = is_weak(range) || is_sort(range);
    if (!is_weak(range))
        add_one_of(parser, to, range, prior);
    static const HfKind kinds[] = {HF_KIND_ITEM, HF_KIND_ROW};
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        HfReading *reading = g_new0(HfReading, 1);
        reading->prior = weak ? prior : prior * UNKNOWN_SORT;
        reading->nameless = TRUE;
        reading->kindless = !weak;
        reading->kind = kinds[i];
        hf_reading_take(reading, range);
        g_ptr_array_add(to->readings, reading);
        parser->readings++;
    }
}

void hf_parser_add_anything(HfParser *parser, HfDescription *to, HfRange range, double prior)
{
    range = hf_range_trim(range);
    if (range.count == 0 || hf_range_find_kind(range) >= 0 || find_quoted(range) ||
        says_more(range) || parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    reading->prior = prior;
    reading->nameless = TRUE;
    reading->kind = HF_KIND_ITEM;
    hf_reading_take(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

/* "close the window", 关闭搜索栏: what is done, and to what. The button is called by the first. */
static void add_deed(HfParser *parser, HfDescription *to, HfRange range, double prior)
{
    int kind = hf_range_find_kind(range);
    if (kind != range.count - 1 || kind < 1 || is_usable((HfKind)range.terms[kind].value) ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    g_autofree char *all = dup_name((HfRange){range.terms, kind}, HF_SENSE_ALL, -1);
    g_autoptr(HfName) name = all ? hf_name_new(all) : NULL;
    if (!name || name->words->len == 0)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    gboolean one = name->words->len == 1;
    reading->prior = one ? prior : prior * FIRST_WORD;
    reading->name = hf_name_new(g_array_index(name->words, HfWord, 0).text);
    hf_reading_take(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

static gboolean any(HfRange range, gboolean (*is)(const HfTerm *term))
{
    for (int i = 0; i < range.count; i++)
        if (is(&range.terms[i]))
            return TRUE;
    return FALSE;
}

static gboolean is_kind(const HfTerm *term)
{
    return term->kind == HF_TERM_KIND;
}

static gboolean tells_which(const HfTerm *term)
{
    return term->kind == HF_TERM_NTH || term->kind == HF_TERM_IS;
}

/* "the middle button" is the one between the others, wherever they are. */
static void add_middle(HfDescription *to, guint from)
{
    guint count = to->readings->len;
    for (guint i = from; i < count; i++) {
        HfReading *reading = to->readings->pdata[i];
        if (reading->spot & HF_SPOT_MIDDLE && !reading->nth && reading->kind != HF_KIND_ANY) {
            reading->spot &= ~(guint)HF_SPOT_MIDDLE;
            reading->nth = HF_NTH_MIDDLE;
        }
    }
}

static gboolean is_spot(const HfTerm *term)
{
    return term->kind == HF_TERM_SPOT;
}

/* "the selected one": it is not called so. */
static gboolean is_one(const HfTerm *term)
{
    return hf_term_is(term, "one") || hf_term_is(term, "ones");
}

/* Words for a number, a state or a place that stand alone are more likely a name: Left, Second. */
void hf_parser_add_things(HfParser *parser, HfDescription *to, HfRange range, double prior)
{
    guint from = to->readings->len;
    gboolean one = any(range, is_one);
    range = hf_range_trim(range);
    gboolean meanings = any(range, has_meaning), content = any(range, is_content);
    if (range.count == 0 || content || one || any(range, hf_term_is_wide))
        hf_parser_add_thing(parser, to, range, HF_SENSE_ALL, prior);
    if (meanings)
        hf_parser_add_thing(parser, to, range, HF_SENSE_KIND, prior * AS_NAME);
    if ((meanings && any(range, is_kind)) || (hf_range_find_kind(range) >= 0 && range.count > 1) ||
        range.count > 1 || any(range, is_kind))
        hf_parser_add_thing(parser, to, range, HF_SENSE_NONE, prior * AS_NAME * AS_NAME);
    if (content && range.count > 1)
        add_nameless(parser, to, range, prior * (says_sort(range) ? SORT_ALONE : NAMELESS));
    add_page(parser, to, range, prior * PAGE_NUMBER);
    if (names_counted_items(range))
        add_one_of(parser, to, range, prior * KINDLESS);
    gboolean which = any(range, tells_which) || any(range, is_spot);
    gboolean sort = is_weak(range) || is_sort(range);
    if (content && (any(range, tells_which) || is_weak(range)))
        add_kindless(parser, to, range, prior * (which && sort ? SORT_CHOSEN : KINDLESS));
    add_deed(parser, to, range, prior * DEED);
    add_middle(to, from);
}
