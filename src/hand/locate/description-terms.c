/* SPDX-License-Identifier: Apache-2.0 */
/* Terms by themselves: which say nothing, and which are one place together. */
#include <string.h>

#include "hand/locate/description-parts.h"
#include "hand/locate/synonyms.h"

static void turn_back(GArray *terms)
{
    gboolean back = FALSE;
    for (guint i = 0; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (term->kind != HF_TERM_BACK)
            continue;
        term->kind = HF_TERM_FILLER;
        back = TRUE;
    }
    for (guint i = 0; back && i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (term->kind == HF_TERM_NTH && term->value > 0)
            term->value = -term->value;
    }
}

gboolean hf_term_is_idle(const HfTerm *term)
{
    return term->kind == HF_TERM_FILLER || term->kind == HF_TERM_OF || term->kind == HF_TERM_STOP ||
           term->kind == HF_TERM_AND;
}

/* "the selected one": the word is not its name. */
static gboolean stands_for_thing(HfRange range)
{
    const HfTerm *last = &range.terms[range.count - 1];
    return range.count > 1 && (hf_term_is(last, "one") || hf_term_is(last, "ones")) &&
           (last[-1].kind == HF_TERM_IS || last[-1].kind == HF_TERM_NTH);
}

HfRange hf_range_trim(HfRange range)
{
    while (range.count > 0 && hf_term_is_idle(range.terms)) {
        range.terms++;
        range.count--;
    }
    while (range.count > 0 && hf_term_is_idle(&range.terms[range.count - 1]) &&
           !stands_for_thing(range))
        range.count--;
    return range;
}

gboolean hf_term_is(const HfTerm *term, const char *word)
{
    return strlen(word) == (gsize)(term->end - term->begin) &&
           strncmp(term->begin, word, strlen(word)) == 0;
}

static gboolean is_preposition(const HfTerm *term)
{
    return hf_term_is(term, "at") || hf_term_is(term, "on") || hf_term_is(term, "in") ||
           hf_term_is(term, "to") || hf_term_is(term, "near");
}

gboolean hf_term_is_wide(const HfTerm *term)
{
    return g_unichar_iswide(g_utf8_get_char(term->begin));
}

/* "in the far top-right corner" is one spot. */
static int join_spot(GArray *terms, int at)
{
    HfTerm *all = (HfTerm *)(gpointer)terms->data;
    int begin = at, end = at + 1;
    while (begin > 0 && all[begin - 1].kind == HF_TERM_FILLER && !hf_term_is_wide(&all[begin - 1]))
        begin--;
    for (; end < (int)terms->len; end++) {
        if (all[end].kind == HF_TERM_SPOT)
            all[at].value |= all[end].value;
        else if (all[end].kind != HF_TERM_PART &&
                 !(hf_term_is(&all[end], "-") && end + 1 < (int)terms->len &&
                   all[end + 1].kind == HF_TERM_SPOT))
            break;
    }
    gboolean of_next =
        end < (int)terms->len && (all[end].kind == HF_TERM_KIND || all[end].kind == HF_TERM_NAME);
    if (begin > 0 && is_preposition(&all[begin - 1]) && !of_next) /* not "in the top bar" */
        begin--;
    else
        begin = at;
    HfTerm spot = all[at];
    spot.begin = all[begin].begin;
    spot.end = all[end - 1].end;
    spot.after = hf_term_is_wide(&all[at]);
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

/* 没勾选的: what says how a thing is does not say what it belongs to. */
static void join_states(GArray *terms)
{
    for (guint i = 1; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        const HfTerm *before = term - 1;
        if (term->kind == HF_TERM_OF && hf_term_is(term, "的") &&
            (before->kind == HF_TERM_IS || before->kind == HF_TERM_COLOUR ||
             (before->kind == HF_TERM_SPOT && i == 1)))
            term->kind = HF_TERM_FILLER;
    }
}

/* "the open menu" is how it is; "the Open button" what it is called. */
static void turn_to_states(GArray *terms)
{
    for (guint i = 0; i + 1 < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        const HfTerm *next = term + 1;
        if (term->kind == HF_TERM_NAME &&
            (hf_term_is(term, "open") || hf_term_is(term, "opened")) &&
            next->kind == HF_TERM_KIND &&
            (next->value == HF_KIND_MENU || next->value == HF_KIND_TAB)) {
            term->kind = HF_TERM_IS;
            term->value = HF_IS_CHECKED;
        }
    }
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

/* 右边的按钮 without anything before it is a button on the right; 那一行里右边的 one on its right.
 */
static void turn_to_spots(GArray *terms)
{
    gboolean first = TRUE;
    for (guint i = 0; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        HfSpot spot =
            term->kind == HF_TERM_TIE && term->after ? spot_of((HfTieKind)term->value) : 0;
        gboolean inside = i > 0 && term[-1].kind == HF_TERM_TIE && term[-1].after &&
                          (term[-1].value == HF_TIE_IN || term[-1].value == HF_TIE_ROW);
        if (hf_term_is_idle(term))
            continue;
        if (term->kind == HF_TERM_SPOT && inside)
            term->after = FALSE;
        if (spot && (first || inside)) {
            term->kind = HF_TERM_SPOT;
            term->value = (int)spot;
            term->after = first;
        }
        first = FALSE;
    }
}

/* ---- words that are names here ---- */

static gboolean calls(const HfTerm *term)
{
    static const char *const words[] = {"named", "called", "labelled", "labeled", "titled",
                                        "写着",  "名为",   "名叫",     "叫做",    "标着"};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if (hf_term_is(term, words[i]))
            return TRUE;
    return FALSE;
}

/* "below From", "the drop-down named Right". */
static void turn_to_names(GArray *terms)
{
    for (guint i = 1; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        gboolean last = i + 1 == terms->len;
        gboolean dangling = last && term->kind == HF_TERM_TIE && !term->after &&
                            (term[-1].kind == HF_TERM_TIE || term[-1].kind == HF_TERM_OF);
        gboolean called =
            calls(term - 1) && (term->kind == HF_TERM_SPOT || term->kind == HF_TERM_NTH ||
                                term->kind == HF_TERM_IS || term->kind == HF_TERM_COLOUR);
        if (dangling || called)
            term->kind = HF_TERM_NAME;
        gboolean goes_on = term[-1].kind == HF_TERM_NAME && term[-1].value == HF_NAME_CALLED;
        if (term->kind == HF_TERM_NAME && (calls(term - 1) || goes_on))
            term->value = HF_NAME_CALLED;
    }
    HfTerm *first = terms->len > 1 ? &g_array_index(terms, HfTerm, 0) : NULL;
    if (first && first->kind == HF_TERM_TIE && !first->after && first[1].kind == HF_TERM_TIE &&
        first[1].after)
        first->kind = HF_TERM_NAME; /* From 下面的日期框 */
}

/* "between Left and Right", Left 和 Right 中间的. */
static void turn_ends_to_names(GArray *terms)
{
    for (guint i = 1; i + 1 < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        gboolean joins = term->kind == HF_TERM_AND || hf_term_is(term, "、");
        gboolean named = term[-1].kind == HF_TERM_SPOT || term[-1].kind == HF_TERM_NAME;
        if (joins && named && term[1].kind == HF_TERM_SPOT && !hf_term_is_wide(&term[1]))
            term[-1].kind = term[1].kind = HF_TERM_NAME;
    }
}

/* 一排五个按钮: how they stand says nothing of one. */
static void drop_rows(GArray *terms)
{
    for (guint i = 0; i + 2 < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if ((hf_term_is(term, "一排") || hf_term_is(term, "一行") || hf_term_is(term, "一列")) &&
            term[1].kind == HF_TERM_FILLER && term[2].kind == HF_TERM_KIND)
            term->kind = HF_TERM_FILLER;
    }
}

/* "dark green": the shade of a colour. */
static void drop_shades(GArray *terms)
{
    static const char *const shades[] = {"dark", "light", "bright", "pale", "deep",
                                         "深",   "浅",    "亮",     "暗",   "淡"};
    for (guint i = 0; i + 1 < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        for (gsize k = 0; k < G_N_ELEMENTS(shades); k++)
            if (term[1].kind == HF_TERM_COLOUR && hf_term_is(term, shades[k]))
                term->kind = HF_TERM_FILLER;
    }
}

/* "the two switches": how many there are says nothing of one; "three dots" are a picture. */
static void drop_numbers(GArray *terms)
{
    static const char *const numbers[] = {"two", "three", "four", "five", "six"};
    for (guint i = 0; i + 1 < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        gboolean before_kind =
            term[1].kind == HF_TERM_KIND || (i + 2 < terms->len && term[2].kind == HF_TERM_KIND);
        g_autofree char *both = g_strndup(term->begin, (gsize)(term[1].end - term->begin));
        for (gsize k = 0; k < G_N_ELEMENTS(numbers); k++) {
            if (term->kind != HF_TERM_NAME || !hf_term_is(term, numbers[k]) || !before_kind)
                continue;
            if (hf_synonyms_find(both))
                term[1].kind = HF_TERM_NAME;
            else
                term->kind = HF_TERM_FILLER;
        }
    }
}

/* "the star in Peter Lane's row": in the row of him. */
static void turn_to_rows(GArray *terms)
{
    for (guint i = 2; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (term->kind != HF_TERM_KIND || term->value != HF_KIND_ROW ||
            !(hf_term_is(term - 1, "'s") || hf_term_is(term - 1, "’s")))
            continue;
        for (guint k = i - 1; k > 0; k--) {
            HfTerm *tie = &g_array_index(terms, HfTerm, k - 1);
            if (tie->kind != HF_TERM_TIE || tie->value != HF_TIE_IN || tie->after)
                continue;
            tie->value = HF_TIE_ROW;
            term->kind = term[-1].kind = HF_TERM_FILLER;
            break;
        }
    }
}

void hf_terms_settle(GArray *terms)
{
    turn_to_rows(terms);
    drop_numbers(terms);
    drop_shades(terms);
    drop_rows(terms);
    turn_back(terms);
    turn_to_names(terms);
    turn_ends_to_names(terms);
    join_spots(terms);
    turn_to_spots(terms);
    turn_to_states(terms);
    join_states(terms);
}
