/* SPDX-License-Identifier: Apache-2.0 */
/* From terms to readings. Chinese says where a thing is before it says what (用户名右边的输入框),
 * English after it (the field right of User name): a description is taken apart at such a word, the
 * rest on one side is the thing, that on the other side what it is tied to, which may be taken
 * apart again. What is left is a kind, a number, a state, a place and a name. */
#include "hand/locate/description.h"

#include <string.h>

#include "hand/locate/description-parts.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/synonyms.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

/* Places at which one description is taken apart, each its own reading. */
#define SPLITS 3
/* How likely it is that what looks like a relation is none, and that it is the next that does. */
#define UNSPLIT  0.93
#define NEXT_TRY 0.97
/* That 的 and "for" say what it belongs to, and are no part of its name. */
#define BELONGS 0.86
#define CALLED  0.5
/* That of two kinds the first says where the other is. */
#define IN_FIRST 0.95
/* That a word which nobody knows is said of whatever is there. */
#define ANYTHING 0.45
/* That the first word says what is done, and the others to which. */
#define DONE_TO 0.82

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

HfDescription *hf_description_new_empty(void)
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

/* ---- things that are tied to others ---- */

/* A place to take the terms apart. */
typedef struct Split {
    int at, length;
    HfTieKind kind;
    HfSpot spot;
    gboolean after;
    double prior;
} Split;

static gboolean is_named(const HfTerm *term)
{
    return term->kind == HF_TERM_NAME || term->kind == HF_TERM_QUOTED;
}

static gboolean is_area_term(const HfTerm *term)
{
    return term->kind == HF_TERM_KIND && hf_kind_is_area((HfKind)term->value);
}

static gboolean holds_things(const HfTerm *term)
{
    return is_area_term(term) || (term->kind == HF_TERM_KIND && term->value == HF_KIND_MENU);
}

/* "A and B", for what lies between them. */
static int find_and(HfRange range)
{
    for (int i = range.count - 1; i > 0; i--)
        if (range.terms[i].kind == HF_TERM_AND)
            return i;
    return -1;
}

/* Before it: what the thing is tied to. */
static gboolean splits_after(HfRange range, int i, Split *split)
{
    const HfTerm *term = &range.terms[i];
    HfRange before = hf_range_trim((HfRange){range.terms, i});
    gboolean counted = i > 0 && range.terms[i - 1].kind == HF_TERM_NTH && !hf_term_is_wide(term);
    if (is_area_term(term) && i + 1 < range.count && range.terms[i + 1].kind == HF_TERM_KIND &&
        range.terms[i + 1].value != HF_KIND_ITEM && !counted) {
        *split = (Split){i + 1, 0, HF_TIE_IN, 0, TRUE, IN_FIRST}; /* 网页工具栏, "dialog button" */
        return TRUE;
    }
    if (is_area_term(term) && i + 1 < range.count && hf_term_is_wide(term) &&
        (range.terms[i + 1].kind == HF_TERM_NTH || range.terms[i + 1].kind == HF_TERM_IS)) {
        *split = (Split){i + 1, 0, HF_TIE_IN, 0, TRUE, 1}; /* 侧边栏第三项, 侧边栏选中的项目 */
        return TRUE;
    }
    if (!term->after || before.count == 0)
        return FALSE;
    *split = (Split){i, 1, HF_TIE_NONE, 0, TRUE, 1};
    if (term->kind == HF_TERM_TIE)
        split->kind = (HfTieKind)term->value;
    else if (term->kind == HF_TERM_SPOT) {
        gboolean between = term->value == HF_SPOT_MIDDLE && find_and(before) > 0;
        split->kind = between ? HF_TIE_BETWEEN : HF_TIE_SPOT; /* 取消和提交中间的按钮 */
        split->spot = (HfSpot)term->value;
    } else if (term->kind == HF_TERM_OF && holds_things(&before.terms[before.count - 1]))
        split->kind = HF_TIE_IN;
    else if (term->kind == HF_TERM_OF && before.terms[before.count - 1].kind == HF_TERM_KIND &&
             i + 1 < range.count && is_named(&range.terms[i + 1])) {
        split->kind = HF_TIE_OF; /* 数值框的减号 */
        split->prior = BELONGS;
    } else if (term->kind == HF_TERM_OF && is_named(&before.terms[before.count - 1])) {
        split->kind = HF_TIE_OF; /* Tom 的编辑链接, Tom's Edit link */
        /* 写着 Otto 的下拉框: that is on it, and not beside it */
        gboolean called = before.terms[before.count - 1].value == HF_NAME_CALLED;
        split->prior = called ? CALLED : hf_term_is_wide(term) ? BELONGS : 1;
    }
    return split->kind != HF_TIE_NONE;
}

static gboolean has_area(HfRange range, int from)
{
    for (int i = from; i < range.count; i++)
        if (is_area_term(&range.terms[i]) || range.terms[i].kind == HF_TERM_KIND)
            return TRUE;
    return FALSE;
}

/* After it. */
static gboolean splits_before(HfRange range, int i, Split *split)
{
    const HfTerm *term = &range.terms[i];
    if (term->after || i + 1 >= range.count)
        return FALSE;
    *split = (Split){i, 1, HF_TIE_NONE, 0, FALSE, 1};
    if (term->kind == HF_TERM_TIE)
        split->kind = (HfTieKind)term->value;
    if (hf_term_is(term, "for")) {
        split->kind = HF_TIE_OF;
        split->prior = BELONGS;
    } else if (term->kind == HF_TERM_OF && i > 0)
        split->kind = has_area(range, i + 1) ? HF_TIE_IN : HF_TIE_OF;
    if (term->kind == HF_TERM_OF && i > 0 && range.terms[i - 1].kind == HF_TERM_SPOT) {
        split->kind = HF_TIE_SPOT;
        split->spot = (HfSpot)range.terms[i - 1].value;
        split->at--;
        split->length++;
    }
    gboolean headless = hf_range_trim((HfRange){range.terms, split->at}).count == 0;
    return split->kind != HF_TIE_NONE && !(headless && split->kind == HF_TIE_IN);
}

/* What is said before the last word of the Chinese sort counts, else after the first of the other;
 * further ones are tried as well. */
static int find_splits(HfRange range, Split *splits)
{
    int count = 0;
    for (int i = range.count - 1; i >= 0 && count < SPLITS; i--)
        count += splits_after(range, i, &splits[count]);
    for (int i = 0; i < range.count && count < SPLITS; i++)
        count += splits_before(range, i, &splits[count]);
    return count;
}

/* 删除买菜, "delete report.pdf": what is done, and to which. Each is a name as well. */
static gboolean find_deed(HfRange range, gboolean tied, Split *split)
{
    if (range.count == 0 || range.terms[0].kind != HF_TERM_NAME)
        return FALSE;
    for (int i = 0; i < range.count; i++)
        if (range.terms[i].kind == HF_TERM_KIND || range.terms[i].kind == HF_TERM_SPOT ||
            range.terms[i].kind == HF_TERM_NTH)
            return FALSE;
    g_autofree char *first =
        range.count > 1
            ? g_strndup(range.terms[0].begin, (gsize)(range.terms[0].end - range.terms[0].begin))
            : NULL;
    *split = (Split){1, 0, HF_TIE_OF, 0, FALSE, tied ? DONE_TO * DONE_TO : DONE_TO};
    return first && g_utf8_strlen(first, -1) > 1 && hf_synonyms_find(first) &&
           !hf_synonyms_is_weak(first);
}

/* 给麻婆豆腐点赞, 把年度总结删除: to which, and what is done. */
static gboolean find_gift(HfRange range, Split *split)
{
    if (range.count < 3 || (!hf_term_is(range.terms, "给") && !hf_term_is(range.terms, "把")))
        return FALSE;
    int at = range.count - 1, added = hf_term_is(&range.terms[at - 1], "加") && at > 2;
    const HfTerm *last = &range.terms[at];
    g_autofree char *deed = g_strndup(last->begin, (gsize)(last->end - last->begin));
    *split = (Split){at - added, added, HF_TIE_OF, 0, TRUE, 1};
    return last->kind == HF_TERM_NAME && g_utf8_strlen(deed, -1) > 1 && hf_synonyms_find(deed);
}

static HfDescription *parse(HfParser *parser, HfRange range, int depth);

static HfTie make_tie(HfParser *parser, HfRange range, const Split *split, int depth)
{
    HfTie tie = {.kind = split->kind, .spot = split->spot};
    int and = find_and(range);
    if (tie.kind == HF_TIE_BETWEEN && and > 0) {
        tie.anchor = parse(parser, (HfRange){range.terms, and}, depth + 1);
        tie.other = parse(parser, (HfRange){range.terms + and+1, range.count - and-1}, depth + 1);
    } else {
        tie.anchor = parse(parser, range, depth + 1);
        if (tie.kind == HF_TIE_BETWEEN) /* 两个箭头之间 */
            tie.other = description_ref(tie.anchor);
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
        if ((tie->kind == HF_TIE_IN || tie->kind == HF_TIE_OF) &&
            reading->spot) { /* the top right icon of the page */
            own->kind = HF_TIE_SPOT;
            own->spot = reading->spot;
            reading->spot = 0;
        }
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

static gboolean says_where(HfTieKind kind)
{
    return kind == HF_TIE_LEFT || kind == HF_TIE_RIGHT || kind == HF_TIE_ABOVE ||
           kind == HF_TIE_BELOW;
}

/* Nothing but which one of them. */
static gboolean says_which(HfRange range)
{
    gboolean any = FALSE;
    for (int i = 0; i < range.count; i++) {
        HfTermKind kind = range.terms[i].kind;
        gboolean which = kind == HF_TERM_NTH || kind == HF_TERM_IS || kind == HF_TERM_SPOT ||
                         kind == HF_TERM_COLOUR;
        if (!which && !hf_term_is_idle(&range.terms[i]))
            return FALSE;
        any |= which;
    }
    return any;
}

static gboolean are_several(HfRange range)
{
    int kind = hf_range_find_kind(range);
    return kind >= 0 && !is_area_term(&range.terms[kind]);
}

/* "the upper of the two switches", 三个标签里打开的那个: one of those, and not in one of them. */
static gboolean is_one_of_several(const Split *split, HfRange thing, HfRange group)
{
    gboolean inside = split->kind == HF_TIE_IN || split->kind == HF_TIE_OF;
    gboolean spot = split->kind == HF_TIE_SPOT && hf_range_trim(thing).count == 0;
    return are_several(group) && (spot || (inside && says_which(thing)));
}

static void add_one_of(HfParser *parser, HfDescription *to, HfRange thing, HfRange group,
                       const Split *split, double prior, int depth)
{
    g_autoptr(HfDescription) things = parse(parser, group, depth + 1);
    for (guint i = 0; i < things->readings->len; i++) {
        HfReading *reading = things->readings->pdata[i];
        hf_reading_take(reading, thing);
        if (split->kind == HF_TIE_SPOT)
            reading->spot |= split->spot;
        if (reading->spot == HF_SPOT_MIDDLE && !reading->nth) {
            reading->spot = 0;
            reading->nth = HF_NTH_MIDDLE;
        }
    }
    move_readings(things, to, prior);
}

static void add_split(HfParser *parser, HfDescription *to, HfRange range, const Split *split,
                      double prior, int depth)
{
    HfRange left = {range.terms, split->at};
    HfRange right = {range.terms + split->at + split->length,
                     range.count - split->at - split->length};
    g_autoptr(HfDescription) things = NULL;
    HfRange thing = split->after ? right : left, other = split->after ? left : right;
    if (is_one_of_several(split, thing, other)) {
        add_one_of(parser, to, thing, other, split, prior, depth);
        return;
    }
    if (split->kind == HF_TIE_ROW && split->after && hf_range_trim(right).count == 0) {
        things = parse(parser, left, depth + 1); /* the row is where that stands */
        move_readings(things, to, prior);
        return;
    }
    if (split->after && hf_range_trim(right).count > 0)
        things = parse(parser, right, depth + 1);
    else {
        things = hf_description_new_empty();
        hf_parser_add_things(parser, things, thing, 1);
    }
    if (says_where(split->kind))
        hf_parser_add_anything(parser, things, thing, ANYTHING);
    HfTie tie = make_tie(parser, other, split, depth);
    if (tie.anchor->readings->len > 0)
        tie_to(things, &tie);
    move_readings(things, to, prior);
    hf_description_free(tie.anchor);
    hf_description_free(tie.other);
}

static HfDescription *parse(HfParser *parser, HfRange range, int depth)
{
    HfDescription *description = hf_description_new_empty();
    Split splits[SPLITS];
    gboolean gift = depth == 0 && find_gift(range, splits);
    if (!gift)
        range = hf_range_trim(range);
    int count = gift ? 1 : depth < HF_LIMIT_DESCRIPTION_DEPTH ? find_splits(range, splits) : 0;
    double prior = 1, surest = 0;
    for (int i = 0; i < count; i++)
        surest = MAX(surest, splits[i].prior);
    if (surest < 1)
        hf_parser_add_things(parser, description, range, 1);
    Split deed;
    if (depth == 0 && !gift && find_deed(range, count > 0, &deed))
        add_split(parser, description, range, &deed, deed.prior, depth);
    for (int i = 0; i < count; i++, prior *= NEXT_TRY)
        add_split(parser, description, range, &splits[i], prior * splits[i].prior, depth);
    if (surest >= 1) {
        hf_parser_add_thing(parser, description, range, HF_SENSE_KIND, UNSPLIT);
        hf_parser_add_thing(parser, description, range, HF_SENSE_NONE, UNSPLIT * NEXT_TRY);
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
        if (!hf_term_is_idle(&g_array_index(terms, HfTerm, i)))
            return FALSE;
    return TRUE;
}

/* Not within a word: "the Stop right of Play" has no top. */
static void replace_words(GString *text, const char *from, const char *to)
{
    for (char *at = strstr(text->str, from); at; at = strstr(at, from)) {
        gsize offset = (gsize)(at - text->str);
        gboolean within = offset > 0 && g_ascii_isalnum(at[-1]) && g_ascii_isalnum(*from);
        if (within) {
            at += strlen(from);
            continue;
        }
        g_string_erase(text, (gssize)offset, (gssize)strlen(from));
        g_string_insert(text, (gssize)offset, to);
        at = text->str + offset + strlen(to);
    }
}

/* Words for a place and a thing in one are said in two. */
static char *spell_out(const char *folded)
{
    static const char *const short_forms[][2] = {{"顶栏", "顶部工具栏"},
                                                 {"底栏", "底部工具栏"},
                                                 {"左栏", "左侧栏"},
                                                 {"右栏", "右侧栏"},
                                                 {"top bar", "top toolbar"},
                                                 {"bottom bar", "bottom toolbar"},
                                                 {"top right of", "top right corner of"},
                                                 {"top left of", "top left corner of"},
                                                 {"bottom right of", "bottom right corner of"},
                                                 {"bottom left of", "bottom left corner of"},
                                                 {"top-right of", "top right corner of"},
                                                 {"top-left of", "top left corner of"},
                                                 {"bottom-right of", "bottom right corner of"},
                                                 {"bottom-left of", "bottom left corner of"}};
    gboolean asks = g_str_has_prefix(folded, "请") && !g_str_has_prefix(folded, "请假");
    g_autoptr(GString) text = g_string_new(asks ? folded + strlen("请") : folded);
    for (gsize i = 0; i < G_N_ELEMENTS(short_forms); i++)
        replace_words(text, short_forms[i][0], short_forms[i][1]);
    return g_strdup(text->str);
}

HfDescription *hf_description_new(const char *text, GError **error)
{
    if (!check_text(text, error))
        return NULL;
    g_autofree char *all = hf_text_fold(text);
    g_autofree char *folded = spell_out(all);
    g_autoptr(GArray) terms = hf_terms_new(folded);
    if (says_nothing(terms)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "description: says nothing of an element");
        hf_error_suggest(error, "name it, or say what it is and where: the field right of Name");
        return NULL;
    }
    hf_terms_settle(terms);
    HfParser parser = {0};
    HfDescription *description =
        parse(&parser, (HfRange){(const HfTerm *)(gpointer)terms->data, (int)terms->len}, 0);
    description->text = g_strdup(text);
    return description;
}
