/* Terms by themselves: which say nothing, and which are one place together. */
#include <string.h>

#include "fusion/description-parts.h"

void hf_terms_turn_back(GArray *terms)
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

void hf_terms_join_spots(GArray *terms)
{
    for (int i = 0; i < (int)terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (term->kind == HF_TERM_SPOT)
            i = join_spot(terms, i);
        else if (term->kind == HF_TERM_PART)
            term->kind = HF_TERM_NAME;
    }
}

/* "the open menu" is how it is; "the Open button" what it is called. */
void hf_terms_turn_to_states(GArray *terms)
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

void hf_terms_turn_to_spots(GArray *terms)
{
    for (guint i = 0; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (hf_term_is_idle(term))
            continue;
        if (term->kind == HF_TERM_TIE && term->after && spot_of((HfTieKind)term->value)) {
            term->kind = HF_TERM_SPOT;
            term->value = (int)spot_of((HfTieKind)term->value);
        }
        return;
    }
}
