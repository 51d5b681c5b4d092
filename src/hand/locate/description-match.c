/* SPDX-License-Identifier: Apache-2.0 */
/* Each part of a description is a factor of the score, which orders the candidates. Confidence does
 * not come from the score, since a wrong confident answer costs more than a question: the best
 * element must fulfil everything that was said, and no other element may come near it. */
#include "hand/locate/description-match.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

/* Without a kind, texts and containers are meant less often than what can be used. */
#define PLAIN_TEXT      0.9
#define PLAIN_CONTAINER 0.5
/* Neither a name nor a kind was said. */
#define NOTHING_SAID 0.5
/* Another name, but the right kind: it is listed, last. */
#define OTHER_NAME 0.21
/* Roles that people may call so, and others. */
#define SIMILAR_KIND 0.75
#define OTHER_KIND   0.35
/* A state that is known to be another, and one that nobody knows. */
#define OTHER_STATE   0.2
#define UNKNOWN_STATE 0.6
/* In another window than the front one, and around the page in a browser. */
#define BEHIND_FRONT 0.9
#define OUTSIDE_PAGE 0.75
/* Wider than so many heights is not an icon. */
#define ICON_WIDEST 2
#define ICON_PX     64
/* Worse candidates are not reported. */
#define LEAST_SCORE 0.2
/* A confident answer has at least this score, and the next one at most this part of it. */
#define CONFIDENT_SCORE 0.7
#define NEXT_AT_MOST    0.85

/* ---- one element ---- */

/* A name is certain by a text with exactly these words or their synonyms. What is drawn is certain
 * only for an element without a name, or together with a name that means it. */
static void match_name(const HfSceneElement *element, const HfDescription *description,
                       HfElementMatch *match)
{
    gboolean kind = description->kind != HF_KIND_ANY &&
                    hf_element_kind_match(description->kind, element->role) == HF_KIND_MATCH_EXACT;
    gboolean drawn = hf_synonyms_is_picture_word(description->name->normal);
    gboolean named = FALSE, by_name = FALSE, by_meaning = FALSE, by_icon = FALSE;
    double best = kind ? OTHER_NAME : 0;
    for (int i = 0; i < element->text_count; i++) {
        HfTextSource source = element->texts[i].source;
        HfNameMatch fit = hf_name_match(description->name, element->texts[i].name);
        named |= source == HF_TEXT_SOURCE_NAME;
        by_name |= source != HF_TEXT_SOURCE_ICON &&
                   fit.kind >= (source == HF_TEXT_SOURCE_VALUE ? HF_NAME_MATCH_SAME
                                : drawn                        ? HF_NAME_MATCH_WORDS
                                                               : HF_NAME_MATCH_SYNONYM);
        by_meaning |= source != HF_TEXT_SOURCE_ICON && fit.kind >= HF_NAME_MATCH_SYNONYM;
        by_icon |= source == HF_TEXT_SOURCE_ICON && fit.kind >= HF_NAME_MATCH_SYNONYM &&
                   !element->texts[i].doubtful;
        if (fit.score * element->texts[i].worth <= best)
            continue;
        best = fit.score * element->texts[i].worth;
        match->name = fit.kind;
        match->text = i;
    }
    match->score *= best * (0.7 + 0.3 * element->read_confidence);
    if (!by_name && !(by_icon && (by_meaning || !named)))
        match->doubts |= HF_DOUBT_NAME;
}

static void match_kind(const HfSceneElement *element, const HfDescription *description,
                       HfElementMatch *match)
{
    HfElementKind kind = description->kind;
    gboolean small = MAX(element->box.width, element->box.height) <= ICON_PX &&
                     element->box.width <= ICON_WIDEST * element->box.height;
    match->kind = hf_element_kind_match(kind, element->role);
    if (kind == HF_KIND_ICON && match->kind == HF_KIND_MATCH_SIMILAR && small)
        match->kind = HF_KIND_MATCH_EXACT;
    if (kind == HF_KIND_ANY) {
        gboolean text = hf_element_kind_match(HF_KIND_TEXT, element->role) == HF_KIND_MATCH_EXACT;
        match->score *= element->container                              ? PLAIN_CONTAINER
                        : text && !hf_scene_element_is_painted(element) ? PLAIN_TEXT
                                                                        : 1;
        match->score *= description->name ? 1 : NOTHING_SAID;
        if (!description->name || (text && match->name == HF_NAME_MATCH_SYNONYM))
            match->doubts |= HF_DOUBT_KIND; /* a text that only means it may be about it */
        return;
    }
    match->score *= match->kind == HF_KIND_MATCH_EXACT     ? 1
                    : match->kind == HF_KIND_MATCH_SIMILAR ? SIMILAR_KIND
                    : element->container                   ? 0
                                                           : OTHER_KIND;
    match->doubts |= match->kind == HF_KIND_MATCH_EXACT ? 0 : HF_DOUBT_KIND;
}

static gboolean can_be_checked(const HfSceneElement *element)
{
    return hf_element_kind_match(HF_KIND_CHECK_BOX, element->role) != HF_KIND_MATCH_OTHER ||
           hf_states_have(element->states, HF_STATE_CHECKABLE) ||
           hf_states_have(element->states, HF_STATE_SELECTABLE);
}

static gboolean element_is_in_state(const HfSceneElement *element, HfElementState state)
{
    gboolean checked = hf_states_have(element->states, HF_STATE_CHECKED) ||
                       hf_states_have(element->states, HF_STATE_SELECTED) ||
                       hf_states_have(element->states, HF_STATE_PRESSED);
    gboolean enabled = hf_states_are_enabled(element->states);
    return state == HF_ELEMENT_CHECKED     ? checked
           : state == HF_ELEMENT_UNCHECKED ? can_be_checked(element) && !checked
                                           : enabled == (state == HF_ELEMENT_ENABLED);
}

/* A picture shows only whether boxes are ticked and what is selected. */
static gboolean is_state_known(const HfSceneElement *element, HfElementState state)
{
    if (!hf_scene_element_is_painted(element))
        return TRUE;
    return (state == HF_ELEMENT_CHECKED || state == HF_ELEMENT_UNCHECKED) &&
           can_be_checked(element);
}

static void match_states(const HfSceneElement *element, guint states, HfElementMatch *match)
{
    for (guint state = 1; state < HF_ELEMENT_STATE_END; state <<= 1) {
        gboolean known = is_state_known(element, (HfElementState)state);
        gboolean so = element_is_in_state(element, (HfElementState)state);
        if (!(states & state) || (known && so))
            continue;
        match->score *= known ? OTHER_STATE : UNKNOWN_STATE;
        match->doubts |= HF_DOUBT_STATE;
    }
}

/* All words, or all but the kind, are just its name: "Insert row above", "the Second tab". */
static gboolean is_called_exactly(const HfSceneElement *element, const HfElementName *name,
                                  int *ret_text)
{
    for (int i = 0; name && i < element->text_count; i++)
        if (element->texts[i].source <= HF_TEXT_SOURCE_LABEL &&
            element->texts[i].source != HF_TEXT_SOURCE_VALUE &&
            hf_name_match(name, element->texts[i].name).kind == HF_NAME_MATCH_SAME) {
            *ret_text = i;
            return TRUE;
        }
    return FALSE;
}

static void match_whole_name(const HfSceneElement *element, const HfDescription *description,
                             HfElementMatch *match)
{
    HfElementMatch whole = {.score = 1, .whole = TRUE, .name = HF_NAME_MATCH_SAME, .anchor = -1};
    HfDescription any = {.name = description->whole};
    gboolean all = is_called_exactly(element, description->whole, &whole.text);
    if (!all && !is_called_exactly(element, description->without_kind, &whole.text))
        return;
    match_kind(element, all ? &any : description, &whole);
    if (whole.score > match->score)
        *match = whole;
}

/* ---- all of them ---- */

void hf_match_elements(const HfScene *scene, const HfDescription *description,
                       HfElementMatch *matches)
{
    for (guint i = 0; i < scene->elements->len; i++) {
        const HfSceneElement *element = hf_scene_get(scene, (int)i);
        HfElementMatch *match = &matches[i];
        *match = (HfElementMatch){.score = 1, .anchor = -1};
        match->doubts = description->incomplete ? HF_DOUBT_WORDS : 0;
        if (description->name)
            match_name(element, description, match);
        match_kind(element, description, match);
        match_states(element, description->states, match);
        match->score *=
            (element->behind ? BEHIND_FRONT : 1) * (element->outside_page ? OUTSIDE_PAGE : 1);
    }
    if (description->relation)
        hf_match_relation(scene, description, matches);
    else if (description->position)
        hf_match_position(scene, description->position, (HfRect){0, 0, 0, 0}, matches);
    if (description->ordinal)
        hf_match_ordinal(scene, description, matches);
    for (guint i = 0; i < scene->elements->len; i++)
        match_whole_name(hf_scene_get(scene, (int)i), description, &matches[i]);
}

/* ---- ranking ---- */

static int compare_candidates(gconstpointer a, gconstpointer b)
{
    const HfCandidateElement *left = a, *right = b;
    if (left->match.score != right->match.score)
        return left->match.score < right->match.score ? 1 : -1;
    return left->element - right->element;
}

static GArray *rank_candidates(const HfScene *scene, const HfElementMatch *matches)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(HfCandidateElement));
    GArray *found = g_array_new(FALSE, FALSE, sizeof(HfCandidateElement));
    for (guint i = 0; i < scene->elements->len; i++) {
        HfCandidateElement each = {(int)i, matches[i]};
        if (each.match.score >= LEAST_SCORE)
            g_array_append_val(all, each);
    }
    g_array_sort(all, compare_candidates);
    for (guint i = 0; i < all->len; i++) {
        HfCandidateElement *each = &g_array_index(all, HfCandidateElement, i);
        if (!hf_scene_has_coinciding(scene, found, each->element))
            g_array_append_val(found, *each);
    }
    return found;
}

/* The score of the best rival. Whoever says a name exactly does not mean another element whose name
 * only means the same. */
static double next_score(const GArray *found)
{
    const HfElementMatch *best = &g_array_index(found, HfCandidateElement, 0).match;
    for (guint i = 1; i < found->len; i++) {
        const HfElementMatch *rival = &g_array_index(found, HfCandidateElement, i).match;
        if (best->name != HF_NAME_MATCH_SAME || rival->name != HF_NAME_MATCH_SYNONYM)
            return rival->score;
    }
    return 0;
}

HfDescriptionMatch *hf_description_match(const HfScene *scene, const HfDescription *description)
{
    g_autofree HfElementMatch *matches = g_new0(HfElementMatch, scene->elements->len + 1);
    HfDescriptionMatch *match = g_new0(HfDescriptionMatch, 1);
    hf_match_elements(scene, description, matches);
    gboolean late = scene->deadline && !hf_deadline_check(scene->deadline, NULL);
    for (guint i = 0; late && i < scene->elements->len; i++)
        matches[i].score = 0;
    match->found = rank_candidates(scene, matches);
    const GArray *found = match->found;
    const HfElementMatch *best =
        found->len > 0 ? &g_array_index(found, HfCandidateElement, 0).match : NULL;
    match->confident = best && best->score >= CONFIDENT_SCORE && !best->doubts &&
                       next_score(found) <= NEXT_AT_MOST * best->score;
    return match;
}

void hf_description_match_free(HfDescriptionMatch *match)
{
    if (!match)
        return;
    g_array_unref(match->found);
    g_free(match);
}

/* ---- reasons ---- */

/* One reason in English and Chinese; {1} and {2} are filled in. */
typedef struct ReasonForm {
    const char *languages[2];
} ReasonForm;

typedef struct ReasonList {
    GString *text;
    gboolean chinese;
} ReasonList;

static const ReasonForm name_forms[HF_NAME_MATCH_COUNT] = {
    [HF_NAME_MATCH_NONE] = {{"{2} '{1}'", "{2}“{1}”"}},
    [HF_NAME_MATCH_PARTIAL] = {{"{2} '{1}' has some of the words said",
                                "{2}“{1}”含有所说的部分词语"}},
    [HF_NAME_MATCH_SIMILAR] = {{"{2} '{1}' is spelt almost as said", "{2}“{1}”与所说的写法相近"}},
    [HF_NAME_MATCH_CONTAINS] = {{"{2} '{1}' contains what was said", "{2}“{1}”包含所说的内容"}},
    [HF_NAME_MATCH_SYNONYM] = {{"{2} '{1}' means what was said", "{2}“{1}”与所说的意思相同"}},
    [HF_NAME_MATCH_WORDS] = {{"{2} '{1}' has the words said", "{2}“{1}”就是所说的词语"}},
    [HF_NAME_MATCH_SAME] = {{"{2} '{1}' is what was said", "{2}“{1}”与所说的一致"}},
};

static const ReasonForm text_forms[HF_TEXT_SOURCE_COUNT] = {
    [HF_TEXT_SOURCE_NAME] = {{"its name", "名称"}},
    [HF_TEXT_SOURCE_DESCRIPTION] = {{"its description", "说明"}},
    [HF_TEXT_SOURCE_VALUE] = {{"its value", "内容"}},
    [HF_TEXT_SOURCE_LABEL] = {{"the label beside it", "旁边的标签"}},
    [HF_TEXT_SOURCE_ICON] = {{"its picture", "图形"}},
};

static const ReasonForm relation_forms[HF_RELATION_COUNT] = {
    [HF_RELATION_LEFT] = {{"it is left of {1}", "位于{1}左边"}},
    [HF_RELATION_RIGHT] = {{"it is right of {1}", "位于{1}右边"}},
    [HF_RELATION_ABOVE] = {{"it is above {1}", "位于{1}上方"}},
    [HF_RELATION_BELOW] = {{"it is below {1}", "位于{1}下方"}},
    [HF_RELATION_BESIDE] = {{"it is next to {1}", "位于{1}旁边"}},
    [HF_RELATION_IN] = {{"it is in {1}", "位于{1}里"}},
    [HF_RELATION_ROW] = {{"it is in the row of {1}", "与{1}在同一行"}},
    [HF_RELATION_OF] = {{"it belongs to {1}", "属于{1}"}},
};

static void append_reason(ReasonList *reasons, ReasonForm form, const char *first,
                          const char *second)
{
    if (reasons->text->len > 0)
        g_string_append_c(reasons->text, '\n');
    for (const char *at = form.languages[reasons->chinese]; *at; at++) {
        if (g_str_has_prefix(at, "{1}") || g_str_has_prefix(at, "{2}")) {
            g_string_append(reasons->text, at[1] == '1' ? first : second);
            at += 2;
        } else
            g_string_append_c(reasons->text, *at);
    }
}

static char *dup_with_article(const char *word, gboolean chinese)
{
    return g_strconcat(chinese ? "" : strchr("aeiou", *word) ? "an " : "a ", word, NULL);
}

static void add_kind_reason(ReasonList *reasons, int role, HfElementKind kind, HfKindMatch match)
{
    static const ReasonForm forms[] = {
        [HF_KIND_MATCH_EXACT] = {{"it is {1}", "是所说的类型（{1}）"}},
        [HF_KIND_MATCH_SIMILAR] = {{"it is {1}, which may be called {2}", "是{1}，可以称为{2}"}},
        [HF_KIND_MATCH_OTHER] = {{"it is {1}, and not {2}", "是{1}，而不是{2}"}},
    };
    g_autofree char *is = dup_with_article(hf_node_role_name(role), reasons->chinese);
    g_autofree char *said = dup_with_article(hf_element_kind_name(kind), reasons->chinese);
    append_reason(reasons, forms[match], is, said);
}

char *hf_candidate_reasons(const HfScene *scene, const HfDescription *description,
                           const HfCandidateElement *candidate, gboolean chinese)
{
    static const ReasonForm nth = {{"it is number {1} of {2} such", "是{2}个中的第{1}个"}};
    static const ReasonForm place = {{"it is at the place that was said", "在所说的位置"}};
    static const ReasonForm state = {{"its state fits", "状态相符"}};
    static const ReasonForm behind = {{"it is not in the front window", "不在最前面的窗口里"}};
    const HfElementMatch *match = &candidate->match;
    const HfSceneElement *element = hf_scene_get(scene, candidate->element);
    ReasonList reasons = {g_string_new(""), chinese != FALSE};
    if ((description->name || match->whole) && match->text < element->text_count)
        append_reason(&reasons, name_forms[match->name], element->texts[match->text].name->text,
                      text_forms[element->texts[match->text].source].languages[reasons.chinese]);
    if (description->kind != HF_KIND_ANY && !match->whole)
        add_kind_reason(&reasons, element->role, description->kind, match->kind);
    if (description->relation && match->anchor >= 0) {
        const HfSceneElement *anchor = hf_scene_get(scene, match->anchor);
        const char *name = anchor->text_count > 0 ? anchor->texts[0].name->text : NULL;
        g_autofree char *called =
            g_strdup_printf("%s%s%s%s", hf_node_role_name(anchor->role), name ? " '" : "",
                            name ? name : "", name ? "'" : "");
        append_reason(&reasons, relation_forms[description->relation], called, "");
    }
    if (description->position && !(match->doubts & HF_DOUBT_POSITION) && !match->whole)
        append_reason(&reasons, place, "", "");
    if (description->states && !(match->doubts & HF_DOUBT_STATE) && !match->whole)
        append_reason(&reasons, state, "", "");
    if (description->ordinal && !match->whole) {
        int at = description->ordinal;
        g_autofree char *which = g_strdup_printf("%d", at > 0 ? at : match->group + 1 + at);
        g_autofree char *all = g_strdup_printf("%d", match->group);
        append_reason(&reasons, nth, which, all);
    }
    if (element->behind)
        append_reason(&reasons, behind, "", "");
    return g_string_free(reasons.text, FALSE);
}
