/* From terms to readings. Chinese says where a thing is before it says what (用户名右边的输入框),
 * English after it (the field right of User name): a description is taken apart at such a word, the
 * rest on one side is the thing, that on the other side what it is tied to, which may be taken
 * apart again. What is left is a kind, a number, a state, a place and a name. */
#include "fusion/description.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/text.h"
#include "fusion/description-words.h"

/* Places at which one description is taken apart, each its own reading. */
#define SPLITS 3
/* How likely it is that words are meant as a name which could mean something else, and that what
 * looks like a relation is none. */
#define AS_NAME  0.97
#define UNSPLIT  0.93
#define NEXT_TRY 0.97
/* That its name cannot be read on it, and only the rest is true. */
#define NAMELESS 0.42
/* That it says what to do, and the last word is what it is done to. */
#define DEED       0.74
#define FIRST_WORD 0.75

typedef struct Parser {
    guint readings;
} Parser;

/* A part of the terms. */
typedef struct Range {
    const HfTerm *terms;
    int count;
} Range;

static void reading_free(gpointer data)
{
    HfReading *reading = data;
    hf_name_free(reading->name);
    for (int i = 0; i < reading->tie_count; i++) {
        hf_description_free(reading->ties[i].anchor);
        hf_description_free(reading->ties[i].other);
    }
    g_free(reading);
}

static HfDescription *description_new(void)
{
    HfDescription *description = g_new0(HfDescription, 1);
    description->readings = g_ptr_array_new_with_free_func(reading_free);
    description->references = 1;
    return description;
}

static HfDescription *description_ref(HfDescription *description)
{
    if (description)
        description->references++;
    return description;
}

void hf_description_free(HfDescription *description)
{
    if (!description || --description->references > 0)
        return;
    g_ptr_array_unref(description->readings);
    g_free(description->text);
    g_free(description);
}

/* ---- terms ---- */

static gboolean is_idle(const HfTerm *term)
{
    return term->kind == HF_TERM_FILLER || term->kind == HF_TERM_OF || term->kind == HF_TERM_STOP ||
           term->kind == HF_TERM_AND;
}

static Range trim(Range range)
{
    while (range.count > 0 && is_idle(range.terms)) {
        range.terms++;
        range.count--;
    }
    while (range.count > 0 && is_idle(&range.terms[range.count - 1]))
        range.count--;
    return range;
}

static gboolean is_word(const HfTerm *term, const char *word)
{
    return strlen(word) == (gsize)(term->end - term->begin) &&
           strncmp(term->begin, word, strlen(word)) == 0;
}

static gboolean is_preposition(const HfTerm *term)
{
    return is_word(term, "at") || is_word(term, "on") || is_word(term, "in") ||
           is_word(term, "to") || is_word(term, "near");
}

static gboolean is_wide(const HfTerm *term)
{
    return g_unichar_iswide(g_utf8_get_char(term->begin));
}

/* "in the far top-right corner" is one spot. */
static int join_spot(GArray *terms, int at)
{
    HfTerm *all = (HfTerm *)(gpointer)terms->data;
    int begin = at, end = at + 1;
    while (begin > 0 && all[begin - 1].kind == HF_TERM_FILLER && !is_wide(&all[begin - 1]))
        begin--;
    if (begin > 0 && is_preposition(&all[begin - 1]))
        begin--;
    else
        begin = at;
    for (; end < (int)terms->len; end++) {
        if (all[end].kind == HF_TERM_SPOT)
            all[at].value |= all[end].value;
        else if (all[end].kind != HF_TERM_PART &&
                 !(is_word(&all[end], "-") && end + 1 < (int)terms->len &&
                   all[end + 1].kind == HF_TERM_SPOT))
            break;
    }
    HfTerm spot = all[at];
    spot.begin = all[begin].begin;
    spot.end = all[end - 1].end;
    spot.after = is_wide(&all[at]);
    all[begin] = spot;
    if (end - begin > 1)
        g_array_remove_range(terms, (guint)begin + 1, (guint)(end - begin - 1));
    return begin;
}

static void join_spots(GArray *terms)
{
    for (int i = 0; i < (int)terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (term->kind == HF_TERM_SPOT)
            i = join_spot(terms, i);
        else if (term->kind == HF_TERM_PART)
            term->kind = HF_TERM_NAME;
    }
}

/* ---- a thing by itself ---- */

/* Which words are taken for what they mean, and not for a part of the name. */
typedef enum Sense {
    SENSE_ALL,
    SENSE_KIND, /* only what it is */
    SENSE_NONE,
} Sense;

static gboolean is_content(const HfTerm *term)
{
    return term->kind == HF_TERM_NAME || term->kind == HF_TERM_QUOTED || term->kind == HF_TERM_KIND;
}

/* The term that says what it is: the last one, as in "Save button", else the first one, as in
 * "button Save". -1: none does. */
static int find_kind(Range range)
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
    return term->kind == HF_TERM_NTH || term->kind == HF_TERM_IS || term->kind == HF_TERM_SPOT;
}

static gboolean is_left_out(const HfTerm *term, Sense sense)
{
    if (sense == SENSE_NONE)
        return FALSE;
    return is_idle(term) || (sense == SENSE_ALL && has_meaning(term));
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
    return is_word(term, "for") || is_word(term, "to") || is_word(term, "with") ||
           is_word(term, "reading") || is_word(term, "number");
}

static char *dup_name(Range range, Sense sense, int kind)
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

static const HfTerm *find_quoted(Range range)
{
    for (int i = 0; i < range.count; i++)
        if (range.terms[i].kind == HF_TERM_QUOTED)
            return &range.terms[i];
    return NULL;
}

static void take_meanings(HfReading *reading, Range range)
{
    for (int i = 0; i < range.count; i++) {
        const HfTerm *term = &range.terms[i];
        if (term->kind == HF_TERM_NTH)
            reading->nth = term->value;
        else if (term->kind == HF_TERM_IS)
            reading->is |= (guint)term->value;
        else if (term->kind == HF_TERM_SPOT)
            reading->spot |= (HfSpot)term->value;
    }
}

/* What people use and what need not have its name on it. */
static gboolean is_usable(HfKind kind)
{
    return kind != HF_KIND_LABEL && kind != HF_KIND_BAR && kind != HF_KIND_HEADING &&
           kind != HF_KIND_ITEM && !hf_kind_is_area(kind);
}

static void add_thing(Parser *parser, HfDescription *to, Range range, Sense sense, double prior)
{
    int kind = sense == SENSE_NONE ? -1 : find_kind(range);
    const HfTerm *quoted = find_quoted(range);
    g_autofree char *name = quoted ? g_strndup(quoted->begin, (gsize)(quoted->end - quoted->begin))
                                   : dup_name(range, sense, kind);
    if ((!name && kind < 0 && sense != SENSE_ALL) ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    reading->prior = prior;
    reading->literal = sense == SENSE_NONE;
    reading->kind = kind >= 0 ? (HfKind)range.terms[kind].value : HF_KIND_ANY;
    if (name)
        reading->name = reading->literal ? hf_name_new_literal(name) : hf_name_new(name);
    if (sense == SENSE_ALL)
        take_meanings(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

/* The same without its name: the search field may be called nothing. */
static void add_nameless(Parser *parser, HfDescription *to, Range range, double prior)
{
    int kind = find_kind(range);
    if (kind < 0 || !is_usable((HfKind)range.terms[kind].value) ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    reading->prior = prior;
    reading->kind = (HfKind)range.terms[kind].value;
    if (reading->kind == HF_KIND_BOX) /* 搜索框 is a field, and nothing to tick */
        reading->kind = HF_KIND_FIELD;
    take_meanings(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

/* "close the window", 关闭搜索栏: what is done, and to what. The button is called by the first. */
static void add_deed(Parser *parser, HfDescription *to, Range range, double prior)
{
    int kind = find_kind(range);
    if (kind != range.count - 1 || kind < 1 || is_usable((HfKind)range.terms[kind].value) ||
        parser->readings >= HF_LIMIT_DESCRIPTION_READINGS)
        return;
    g_autofree char *all = dup_name((Range){range.terms, kind}, SENSE_ALL, -1);
    g_autoptr(HfName) name = all ? hf_name_new(all) : NULL;
    if (!name || name->words->len == 0)
        return;
    HfReading *reading = g_new0(HfReading, 1);
    gboolean one = name->words->len == 1;
    reading->prior = one ? prior : prior * FIRST_WORD;
    reading->name = hf_name_new(g_array_index(name->words, HfWord, 0).text);
    take_meanings(reading, range);
    g_ptr_array_add(to->readings, reading);
    parser->readings++;
}

static gboolean any(Range range, gboolean (*is)(const HfTerm *term))
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

/* Words for a number, a state or a place that stand alone are more likely a name: Left, Second. */
static void add_things(Parser *parser, HfDescription *to, Range range, double prior)
{
    range = trim(range);
    gboolean meanings = any(range, has_meaning), content = any(range, is_content);
    if (range.count == 0 || content || any(range, is_wide))
        add_thing(parser, to, range, SENSE_ALL, prior);
    if (meanings)
        add_thing(parser, to, range, SENSE_KIND, prior * AS_NAME);
    if ((meanings && any(range, is_kind)) || (find_kind(range) >= 0 && range.count > 1) ||
        range.count > 1)
        add_thing(parser, to, range, SENSE_NONE, prior * AS_NAME * AS_NAME);
    if (content && range.count > 1)
        add_nameless(parser, to, range, prior * NAMELESS);
    add_deed(parser, to, range, prior * DEED);
}

/* ---- things that are tied to others ---- */

/* A place to take the terms apart. */
typedef struct Split {
    int at, length;
    HfTieKind kind;
    HfSpot spot;
    gboolean after;
} Split;

static gboolean is_area_term(const HfTerm *term)
{
    return term->kind == HF_TERM_KIND && hf_kind_is_area((HfKind)term->value);
}

static HfSpot spot_of(HfTieKind kind)
{
    switch (kind) {
    case HF_TIE_LEFT:
        return HF_SPOT_LEFT;
    case HF_TIE_RIGHT:
        return HF_SPOT_RIGHT;
    case HF_TIE_ABOVE:
        return HF_SPOT_TOP;
    case HF_TIE_BELOW:
        return HF_SPOT_BOTTOM;
    default:
        return 0;
    }
}

/* Before it: what the thing is tied to. */
static gboolean splits_after(Range range, int i, Split *split)
{
    const HfTerm *term = &range.terms[i];
    Range before = trim((Range){range.terms, i});
    if (!term->after || before.count == 0)
        return FALSE;
    *split = (Split){i, 1, HF_TIE_NONE, 0, TRUE};
    if (term->kind == HF_TERM_TIE)
        split->kind = (HfTieKind)term->value;
    else if (term->kind == HF_TERM_SPOT) {
        split->kind = HF_TIE_SPOT;
        split->spot = (HfSpot)term->value;
    } else if (term->kind == HF_TERM_OF && is_area_term(&before.terms[before.count - 1]))
        split->kind = HF_TIE_IN;
    else if (term->kind == HF_TERM_OF && !is_wide(term))
        split->kind = HF_TIE_ROW;
    return split->kind != HF_TIE_NONE;
}

/* After it. */
static gboolean splits_before(Range range, int i, Split *split)
{
    const HfTerm *term = &range.terms[i];
    if (term->after || i + 1 >= range.count)
        return FALSE;
    *split = (Split){i, 1, HF_TIE_NONE, 0, FALSE};
    if (term->kind == HF_TERM_TIE)
        split->kind = (HfTieKind)term->value;
    else if (term->kind == HF_TERM_OF && i > 0)
        split->kind = HF_TIE_IN;
    if (term->kind == HF_TERM_OF && i > 0 && range.terms[i - 1].kind == HF_TERM_SPOT) {
        split->kind = HF_TIE_SPOT;
        split->spot = (HfSpot)range.terms[i - 1].value;
        split->at--;
        split->length++;
    }
    gboolean headless = trim((Range){range.terms, split->at}).count == 0;
    return split->kind != HF_TIE_NONE && !(headless && split->kind == HF_TIE_IN);
}

/* What is said before the last word of the Chinese sort counts, else after the first of the other;
 * further ones are tried as well. */
static int find_splits(Range range, Split *splits)
{
    int count = 0;
    for (int i = range.count - 1; i >= 0 && count < SPLITS; i--)
        count += splits_after(range, i, &splits[count]);
    for (int i = 0; i < range.count && count < SPLITS; i++)
        count += splits_before(range, i, &splits[count]);
    return count;
}

static HfDescription *parse(Parser *parser, Range range, int depth);

/* "A and B", for what lies between them. */
static int find_and(Range range)
{
    for (int i = range.count - 1; i > 0; i--)
        if (range.terms[i].kind == HF_TERM_AND)
            return i;
    return -1;
}

static HfTie make_tie(Parser *parser, Range range, const Split *split, int depth)
{
    HfTie tie = {.kind = split->kind, .spot = split->spot};
    int and = find_and(range);
    if (tie.kind == HF_TIE_BETWEEN && and > 0) {
        tie.anchor = parse(parser, (Range){range.terms, and}, depth + 1);
        tie.other = parse(parser, (Range){range.terms + and+1, range.count - and-1}, depth + 1);
    } else {
        tie.anchor = parse(parser, range, depth + 1);
        if (tie.kind == HF_TIE_BETWEEN)
            tie.kind = HF_TIE_BESIDE;
    }
    return tie;
}

static void tie_to(HfDescription *things, const HfTie *tie)
{
    for (guint i = 0; i < things->readings->len; i++) {
        HfReading *reading = things->readings->pdata[i];
        if (reading->tie_count == HF_TIES)
            continue;
        HfTie *own = &reading->ties[reading->tie_count++];
        *own = *tie;
        description_ref(own->anchor);
        description_ref(own->other);
    }
}

static void move_readings(HfDescription *from, HfDescription *to, double prior)
{
    for (guint i = 0; i < from->readings->len; i++) {
        HfReading *reading = from->readings->pdata[i];
        reading->prior *= prior;
        g_ptr_array_add(to->readings, reading);
    }
    g_ptr_array_set_free_func(from->readings, NULL);
}

static void add_split(Parser *parser, HfDescription *to, Range range, const Split *split,
                      double prior, int depth)
{
    Range left = {range.terms, split->at};
    Range right = {range.terms + split->at + split->length,
                   range.count - split->at - split->length};
    g_autoptr(HfDescription) things = NULL;
    if (split->after && trim(right).count > 0)
        things = parse(parser, right, depth + 1);
    else {
        things = description_new();
        add_things(parser, things, split->after ? right : left, 1);
    }
    HfTie tie = make_tie(parser, split->after ? left : right, split, depth);
    if (tie.anchor->readings->len > 0)
        tie_to(things, &tie);
    move_readings(things, to, prior);
    hf_description_free(tie.anchor);
    hf_description_free(tie.other);
}

/* 右边的按钮 without anything before it is a button on the right. */
static void turn_to_spots(GArray *terms)
{
    for (guint i = 0; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (is_idle(term))
            continue;
        if (term->kind == HF_TERM_TIE && term->after && spot_of((HfTieKind)term->value)) {
            term->kind = HF_TERM_SPOT;
            term->value = (int)spot_of((HfTieKind)term->value);
        }
        return;
    }
}

static HfDescription *parse(Parser *parser, Range range, int depth)
{
    HfDescription *description = description_new();
    Split splits[SPLITS];
    range = trim(range);
    int count = depth < HF_LIMIT_DESCRIPTION_DEPTH ? find_splits(range, splits) : 0;
    double prior = 1;
    for (int i = 0; i < count; i++, prior *= NEXT_TRY)
        add_split(parser, description, range, &splits[i], prior, depth);
    if (count == 0)
        add_things(parser, description, range, 1);
    else {
        add_thing(parser, description, range, SENSE_KIND, UNSPLIT);
        add_thing(parser, description, range, SENSE_NONE, UNSPLIT * AS_NAME);
    }
    return description;
}

/* ---- from the text ---- */

static gboolean check_text(const char *text, GError **error)
{
    gboolean refused = TRUE;
    if (!g_utf8_validate(text, -1, NULL))
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "description: this is not UTF-8");
    else if (strlen(text) > HF_LIMIT_DESCRIPTION_BYTES)
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "description: more than %u bytes",
                HF_LIMIT_DESCRIPTION_BYTES);
    else
        refused = FALSE;
    if (refused)
        hf_error_suggest(error, "say in a few words which element is meant: the Save button");
    return !refused;
}

static gboolean says_nothing(const GArray *terms)
{
    for (guint i = 0; i < terms->len; i++)
        if (!is_idle(&g_array_index(terms, HfTerm, i)))
            return FALSE;
    return TRUE;
}

HfDescription *hf_description_new(const char *text, GError **error)
{
    if (!check_text(text, error))
        return NULL;
    g_autofree char *folded = hf_text_fold(text);
    g_autoptr(GArray) terms = hf_terms_new(folded);
    if (says_nothing(terms)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "description: says nothing of an element");
        hf_error_suggest(error, "name it, or say what it is and where: the field right of Name");
        return NULL;
    }
    join_spots(terms);
    turn_to_spots(terms);
    Parser parser = {0};
    HfDescription *description =
        parse(&parser, (Range){(const HfTerm *)(gpointer)terms->data, (int)terms->len}, 0);
    description->text = g_strdup(text);
    return description;
}

static void append_description(GString *text, const HfDescription *description)
{
    if (!description || description->readings->len == 0)
        return;
    g_autofree char *first = hf_reading_to_text(description->readings->pdata[0]);
    g_string_append_printf(text, "(%s)", first);
}

char *hf_reading_to_text(const HfReading *reading)
{
    static const char *const ties[HF_TIE_COUNT] = {[HF_TIE_LEFT] = "left of",
                                                   [HF_TIE_RIGHT] = "right of",
                                                   [HF_TIE_ABOVE] = "above",
                                                   [HF_TIE_BELOW] = "below",
                                                   [HF_TIE_BESIDE] = "beside",
                                                   [HF_TIE_BETWEEN] = "between",
                                                   [HF_TIE_IN] = "in",
                                                   [HF_TIE_ROW] = "in the row of",
                                                   [HF_TIE_COLUMN] = "in the column of",
                                                   [HF_TIE_SPOT] = "at"};
    GString *text = g_string_new(hf_kind_name(reading->kind));
    if (reading->name)
        g_string_append_printf(text, " '%s'", reading->name->normal);
    if (reading->nth)
        g_string_append_printf(text, " nth=%d", reading->nth);
    if (reading->is)
        g_string_append_printf(text, " is=%u", reading->is);
    if (reading->spot)
        g_string_append_printf(text, " spot=%u", reading->spot);
    for (int i = 0; i < reading->tie_count; i++) {
        const HfTie *tie = &reading->ties[i];
        g_string_append_printf(text, " %s", ties[tie->kind]);
        if (tie->kind == HF_TIE_SPOT)
            g_string_append_printf(text, " spot=%u of", tie->spot);
        append_description(text, tie->anchor);
        append_description(text, tie->other);
    }
    return g_string_free(text, FALSE);
}
