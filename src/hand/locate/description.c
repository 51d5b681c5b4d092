/* SPDX-License-Identifier: Apache-2.0 */
/* From terms to a description. Chinese says where an element is before it says what it is
 * (用户名右边的输入框), English after it (the field right of User name). The terms are taken apart
 * at such a word: one side is the element, the other side its anchor, which may be taken apart once
 * more. What is left are a kind, an ordinal, states, a position and a name. */
#include "hand/locate/description.h"

#include <string.h>

#include "hand/locate/lexicon.h"
#include "hand/locate/locate-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

/* An anchor may have an anchor itself; a sentence with more is not understood. */
#define DEEPEST_RELATION 2

typedef struct TermRange {
    HfTerm *terms;
    int count;
} TermRange;

/* A place at which terms are taken apart. */
typedef struct TermSplit {
    int at, length;
    HfRelationKind relation;
    HfPosition position;
    gboolean anchor_first;
} TermSplit;

void hf_description_free(HfDescription *description)
{
    if (!description)
        return;
    hf_element_name_free(description->name);
    hf_element_name_free(description->whole);
    hf_element_name_free(description->without_kind);
    hf_description_free(description->anchor);
    g_free(description);
}

/* Without the words at its ends that say nothing. */
static TermRange trim_terms(TermRange range)
{
    while (range.count > 0 && hf_term_is_idle(range.terms)) {
        range.terms++;
        range.count--;
    }
    while (range.count > 0 && hf_term_is_idle(&range.terms[range.count - 1]))
        range.count--;
    return range;
}

static gboolean is_name_term(const HfTerm *term)
{
    return term->kind == HF_TERM_NAME || term->kind == HF_TERM_QUOTED;
}

static gboolean is_container_term(const HfTerm *term)
{
    return term->kind == HF_TERM_KIND && hf_element_kind_is_container((HfElementKind)term->value);
}

static gboolean any_term(TermRange range, gboolean (*is)(const HfTerm *term))
{
    for (int i = 0; i < range.count; i++)
        if (is(&range.terms[i]))
            return TRUE;
    return FALSE;
}

static gboolean is_content_term(const HfTerm *term)
{
    return is_name_term(term) || term->kind == HF_TERM_KIND;
}

/* ---- positions ---- */

/* "on the far right side" is one position; "in the top toolbar" keeps its relation. */
static void join_position_terms(GArray *terms)
{
    for (guint i = 0; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        if (term->kind == HF_TERM_SIDE)
            term->kind = HF_TERM_NAME;
        if (term->kind != HF_TERM_POSITION)
            continue;
        while (i + 1 < terms->len &&
               (term[1].kind == HF_TERM_SIDE || term[1].kind == HF_TERM_POSITION)) {
            term->value |= term[1].kind == HF_TERM_POSITION ? term[1].value : 0;
            term->end = term[1].end;
            g_array_remove_index(terms, i + 1);
        }
        term->postposition = hf_term_is_wide(term);
        guint before = i;
        while (before > 0 && g_array_index(terms, HfTerm, before - 1).kind == HF_TERM_FILLER)
            before--;
        HfTerm *relation = before > 0 ? &g_array_index(terms, HfTerm, before - 1) : NULL;
        if (relation && relation->kind == HF_TERM_RELATION && !relation->postposition &&
            relation->value == HF_RELATION_IN && !(i + 1 < terms->len && is_content_term(&term[1])))
            relation->kind = HF_TERM_FILLER;
    }
}

/* 右边的按钮 with nothing before it is a button on the right; 选中的 says no owner. */
static void settle_wide_terms(GArray *terms)
{
    gboolean first = TRUE;
    for (guint i = 0; i < terms->len; i++) {
        HfTerm *term = &g_array_index(terms, HfTerm, i);
        HfTermKind before = i > 0 ? term[-1].kind : HF_TERM_STOP;
        if (term->kind == HF_TERM_RELATION && term->postposition && first &&
            term->value <= HF_RELATION_BELOW) {
            term->kind = HF_TERM_POSITION;
            term->value = 1 << (term->value - HF_RELATION_LEFT); /* in the same order */
        }
        if (term->kind == HF_TERM_OF && hf_term_is_wide(term) &&
            (before == HF_TERM_STATE || before == HF_TERM_ORDINAL || before == HF_TERM_POSITION ||
             before == HF_TERM_RELATION))
            term->kind = HF_TERM_FILLER;
        first &= hf_term_is_idle(term);
    }
}

/* ---- relations ---- */

/* A relation behind its anchor; the last one counts. */
static gboolean find_postposition(TermRange range, TermSplit *split)
{
    for (int i = range.count - 1; i >= 0; i--) {
        const HfTerm *term = &range.terms[i];
        TermRange before = trim_terms((TermRange){range.terms, i});
        TermRange after = trim_terms((TermRange){range.terms + i + 1, range.count - i - 1});
        if (!term->postposition || !any_term(before, is_content_term) || after.count == 0)
            continue;
        *split = (TermSplit){i, 1, HF_RELATION_NONE, 0, TRUE};
        gboolean container = is_container_term(&before.terms[before.count - 1]);
        if (term->kind == HF_TERM_RELATION)
            split->relation = (HfRelationKind)term->value;
        else if (term->kind == HF_TERM_POSITION) {
            split->relation = HF_RELATION_IN;
            split->position = (HfPosition)term->value;
        } else if (term->kind == HF_TERM_OF && container)
            split->relation = HF_RELATION_IN;
        else if (term->kind == HF_TERM_OF &&
                 (!hf_term_is_wide(term) || any_term(after, is_name_term)))
            split->relation = HF_RELATION_OF; /* 搜索方向的下拉框 is called so, and has no owner */
        if (split->relation)
            return TRUE;
    }
    return FALSE;
}

/* A relation before its anchor; the first one counts. */
static gboolean find_preposition(TermRange range, TermSplit *split)
{
    for (int i = 0; i + 1 < range.count; i++) {
        const HfTerm *term = &range.terms[i];
        TermRange before = trim_terms((TermRange){range.terms, i});
        TermRange after = trim_terms((TermRange){range.terms + i + 1, range.count - i - 1});
        *split = (TermSplit){i, 1, HF_RELATION_NONE, 0, FALSE};
        if (before.count == 0 || after.count == 0)
            continue;
        if (term->kind == HF_TERM_RELATION && !term->postposition)
            split->relation = (HfRelationKind)term->value;
        else if (term->kind == HF_TERM_OF && !term->postposition)
            split->relation = any_term(after, is_container_term) ||
                                      before.terms[before.count - 1].kind == HF_TERM_POSITION
                                  ? HF_RELATION_IN
                                  : HF_RELATION_OF;
        else if (term->kind == HF_TERM_FOR && any_term(before, is_name_term))
            split->relation = HF_RELATION_OF; /* "the field for Name" is called so */
        HfTerm *last = &after.terms[after.count - 1];
        if (split->relation == HF_RELATION_IN && last->kind == HF_TERM_RELATION &&
            last->value == HF_RELATION_ROW && last->postposition) {
            split->relation = HF_RELATION_ROW; /* "in Anna's row" */
            last->kind = HF_TERM_FILLER;
        }
        if (split->relation)
            return TRUE;
    }
    return FALSE;
}

/* ---- one element ---- */

/* The last term says what it is, as in "Save button", else the first one, as in "button Save". */
static int find_kind_term(TermRange range)
{
    int first = -1, last = -1;
    for (int i = 0; i < range.count; i++) {
        if (!is_content_term(&range.terms[i]))
            continue;
        first = first < 0 ? i : first;
        last = i;
    }
    if (last >= 0 && range.terms[last].kind == HF_TERM_KIND)
        return last;
    return first >= 0 && range.terms[first].kind == HF_TERM_KIND ? first : -1;
}

static gboolean is_qualifier_term(const HfTerm *term)
{
    return term->kind == HF_TERM_ORDINAL || term->kind == HF_TERM_STATE ||
           term->kind == HF_TERM_POSITION;
}

/* The terms as one name. `all`: also those that mean something. NULL: none is left. */
static HfElementName *name_of_terms(TermRange range, int but, gboolean all)
{
    g_autoptr(GString) text = g_string_new("");
    const char *end = NULL;
    for (int i = 0; i < range.count; i++) {
        const HfTerm *term = &range.terms[i];
        gboolean idle = hf_term_is_idle(term) && term->kind != HF_TERM_AND;
        if (i == but || (!all && (idle || is_qualifier_term(term))))
            continue;
        if (text->len > 0 && end != term->begin)
            g_string_append_c(text, ' ');
        g_string_append_len(text, term->begin, term->end - term->begin);
        end = term->end;
    }
    return text->len > 0 ? hf_element_name_new(text->str) : NULL;
}

/* A quoted name is the name, and any other word beside it is one too many. */
static void take_element_terms(HfDescription *description, TermRange range)
{
    int kind = find_kind_term(range), names = 0;
    for (int i = 0; i < range.count; i++) {
        const HfTerm *term = &range.terms[i];
        names += is_content_term(term) && i != kind;
        if (term->kind == HF_TERM_QUOTED && !description->name) {
            g_autofree char *text = g_strndup(term->begin, (gsize)(term->end - term->begin));
            description->name = hf_element_name_new(text);
        } else if (term->kind == HF_TERM_ORDINAL) {
            description->incomplete |= description->ordinal != 0;
            description->ordinal = term->value;
        } else if (term->kind == HF_TERM_STATE)
            description->states |= (guint)term->value;
        else if (term->kind == HF_TERM_POSITION)
            description->position |= (HfPosition)term->value;
        description->incomplete |= term->kind == HF_TERM_RELATION;
    }
    description->incomplete |= description->name && names > 1;
    description->kind = kind >= 0 ? (HfElementKind)range.terms[kind].value : HF_KIND_ANY;
    if (!description->name)
        description->name = name_of_terms(range, kind, FALSE);
    if (kind >= 0 && any_term(range, is_qualifier_term))
        description->without_kind = name_of_terms(range, kind, TRUE);
}

static HfDescription *parse_terms(TermRange range, int depth)
{
    HfDescription *description = g_new0(HfDescription, 1);
    TermSplit split = {0};
    range = trim_terms(range);
    gboolean apart = find_postposition(range, &split) || find_preposition(range, &split);
    if (range.count > 1 || any_term(range, is_qualifier_term))
        description->whole = name_of_terms(range, -1, TRUE);
    if (!apart || depth == DEEPEST_RELATION) {
        take_element_terms(description, range);
        description->incomplete |= apart;
        return description;
    }
    int behind = split.at + split.length;
    TermRange left = {range.terms, split.at}, right = {range.terms + behind, range.count - behind};
    TermRange anchor = trim_terms(split.anchor_first ? left : right);
    take_element_terms(description, trim_terms(split.anchor_first ? right : left));
    description->position |= split.position;
    description->relation = split.relation;
    description->anchor = parse_terms(anchor, depth + 1);
    description->incomplete |= description->anchor->incomplete;
    return description;
}

/* ---- from the text ---- */

static gboolean check_description_text(const char *text, GError **error)
{
    if (g_utf8_validate(text, -1, NULL) && strlen(text) <= HF_LIMIT_DESCRIPTION_BYTES)
        return TRUE;
    if (!g_utf8_validate(text, -1, NULL))
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "description: this is not UTF-8");
    else
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "description: more than %u bytes",
                HF_LIMIT_DESCRIPTION_BYTES);
    hf_error_suggest(error, "say in a few words which element is meant: the Save button");
    return FALSE;
}

HfDescription *hf_description_new(const char *text, GError **error)
{
    if (!check_description_text(text, error))
        return NULL;
    g_autofree char *folded = hf_text_fold(text);
    g_autoptr(GArray) terms = hf_terms_new(folded);
    if (trim_terms((TermRange){(HfTerm *)(gpointer)terms->data, (int)terms->len}).count == 0) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "description: it says nothing about an element");
        hf_error_suggest(error, "name it, or say what it is and where: the field right of Name");
        return NULL;
    }
    join_position_terms(terms);
    settle_wide_terms(terms);
    return parse_terms((TermRange){(HfTerm *)(gpointer)terms->data, (int)terms->len}, 0);
}

char *hf_description_to_text(const HfDescription *description)
{
    static const char *const relations[HF_RELATION_COUNT] = {
        [HF_RELATION_LEFT] = "left of",      [HF_RELATION_RIGHT] = "right of",
        [HF_RELATION_ABOVE] = "above",       [HF_RELATION_BELOW] = "below",
        [HF_RELATION_BESIDE] = "beside",     [HF_RELATION_IN] = "in",
        [HF_RELATION_ROW] = "in the row of", [HF_RELATION_OF] = "belonging to",
    };
    GString *text = g_string_new(hf_element_kind_name(description->kind));
    if (description->name)
        g_string_append_printf(text, " '%s'", description->name->normal);
    if (description->ordinal)
        g_string_append_printf(text, " ordinal=%d", description->ordinal);
    if (description->states)
        g_string_append_printf(text, " states=%u", description->states);
    if (description->position)
        g_string_append_printf(text, " position=%u", description->position);
    if (description->relation) {
        g_autofree char *anchor = hf_description_to_text(description->anchor);
        g_string_append_printf(text, " %s(%s)", relations[description->relation], anchor);
    }
    if (description->incomplete)
        g_string_append(text, ", not all of it understood");
    return g_string_free(text, FALSE);
}
