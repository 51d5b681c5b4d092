/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a tree once and scores the elements that meet every condition. Cheap conditions come first,
 * so texts are compared for few elements. One candidate is chosen only if it is better than all
 * others. */
#include "hand/atspi/selector/selector-match.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

/* The default distance for "near". */
#define NEAR_PX 400
/* The least likeness of similar names. */
#define LIKE_ENOUGH 0.6

/* The score: at most 70 for the name, 30 for everything else. */
static const double worth_of_fit[HF_FIT_COUNT] = {
    [HF_FIT_NONE] = 0,    [HF_FIT_FUZZY] = 5,   [HF_FIT_CONTAINS] = 22, [HF_FIT_WORD] = 28,
    [HF_FIT_PREFIX] = 34, [HF_FIT_NORMAL] = 67, [HF_FIT_SAME] = 70,
};
static const double cost_of_text[HF_FIT_BY_COUNT] = {0, 0, 0.5, 0.5, 1};
#define WORTH_VISIBLE 8
#define WORTH_ENABLED 3
#define WORTH_ACTIVE  3
#define WORTH_ROLE    1
#define WORTH_NEAR    15
#define WORTH_LIKE    10

typedef struct Search {
    const HfTree *tree;
    const HfSelector *selector;
    const HfMatchScope *scope;
    gboolean roles[HF_ROLE_COUNT];
    int own_role;     /* the role with exactly this name; -1: the word stands for several */
    GArray *anchors;  /* of int: what `near` means; NULL: no such condition */
    gboolean *inside; /* for each element: inside what `in` means; NULL: no such condition */
    HfFieldLabels *labels;
    gboolean explains; /* collect reasons */
    gint64 until;      /* the time limit */
    GArray *found;     /* of HfCandidate */
} Search;

static HfMatches *run_search(Search *search, gboolean top, GError **error);

static void candidate_clear(gpointer candidate)
{
    g_clear_pointer(&((HfCandidate *)candidate)->reasons, g_free);
}

static void search_clear(Search *search)
{
    g_clear_pointer(&search->anchors, g_array_unref);
    g_clear_pointer(&search->inside, g_free);
    g_clear_pointer(&search->labels, hf_field_labels_free);
    g_clear_pointer(&search->found, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Search, search_clear)

/* What a nested selector means: the best match, or all equally good ones. A label does not name its
 * field here: what is near the field is not near the label. */
static GArray *find_part(const Search *whole, const HfSelector *part, GError **error)
{
    g_auto(Search) search = {
        .tree = whole->tree, .selector = part, .scope = whole->scope, .until = whole->until};
    g_autoptr(HfMatches) matches = run_search(&search, FALSE, error);
    if (!matches)
        return NULL;
    GArray *indices = g_array_new(FALSE, FALSE, sizeof(int));
    int index;
    HfChoice choice = hf_matches_choose(matches, part, &index);
    if (choice == HF_CHOICE_ONE)
        g_array_append_val(indices, index);
    else if (choice == HF_CHOICE_SEVERAL)
        g_array_append_vals(indices, matches->in_order->data, matches->in_order->len);
    return indices;
}

static gboolean prepare_in(Search *search, GError **error)
{
    if (!search->selector->in)
        return TRUE;
    g_autoptr(GArray) containers = find_part(search, search->selector->in, error);
    if (!containers)
        return FALSE;
    search->inside = g_new0(gboolean, MAX(1, hf_tree_size(search->tree)));
    for (guint i = 0; i < containers->len; i++) {
        int container = g_array_index(containers, int, i);
        for (int k = container + 1; k < hf_tree_end(search->tree, container); k++)
            search->inside[k] = TRUE;
    }
    return TRUE;
}

static gboolean prepare_labels(Search *search, GError **error)
{
    const HfTextCondition *name = &search->selector->texts[HF_FIELD_NAME];
    gboolean takes = FALSE;
    for (int role = 0; role < HF_ROLE_COUNT; role++)
        takes = takes || (search->roles[role] && hf_node_takes_label(role));
    if (name->how == HF_TEXT_NO_CONDITION || !takes)
        return TRUE;
    g_autoptr(GError) reason = NULL;
    search->labels = hf_field_labels_new(search->tree, name, search->until, &reason);
    if (!reason)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&reason));
    return FALSE;
}

static gboolean fits_scope(const Search *search, const HfNode *node)
{
    const HfMatchScope *scope = search->scope;
    if (!scope)
        return TRUE;
    if (scope->window && node->window && node->window != scope->window)
        return FALSE;
    int pid = hf_tree_get_program(search->tree, node->program)->pid;
    return !scope->pid || !pid || pid == scope->pid;
}

/* An element from another source has no states, and counts as enabled. */
static gboolean is_enabled(const HfNode *node)
{
    return !(node->source & HF_SOURCE_ACCESS) || hf_states_are_enabled(node->states);
}

static gboolean fits_tristate(HfTristate wanted, gboolean is)
{
    return wanted == HF_TRISTATE_UNSET || (wanted == HF_TRISTATE_YES) == is;
}

static gboolean fits_states(const Search *search, int index, const HfNode *node)
{
    const HfSelector *selector = search->selector;
    return (node->states & selector->with_states) == selector->with_states &&
           (node->states & selector->without_states) == 0 &&
           fits_tristate(selector->enabled, is_enabled(node)) &&
           fits_tristate(selector->visible, hf_tree_is_visible(search->tree, index));
}

static gboolean fits_rect(const HfSelector *selector, const HfNode *node)
{
    HfPoint middle = {node->bounds.x + node->bounds.width / 2,
                      node->bounds.y + node->bounds.height / 2};
    return hf_rect_is_empty(selector->rect) ||
           (!hf_rect_is_empty(node->bounds) && hf_rect_contains(selector->rect, middle));
}

/* Compares the names of the path from the element outwards; levels may be skipped. */
static gboolean fits_path(const Search *search, int index, GError **error)
{
    const GPtrArray *path = search->selector->path;
    int at = index;
    for (guint left = path ? path->len : 0; left > 0; left--) {
        const HfTextCondition *condition = path->pdata[left - 1];
        HfFit fit = HF_FIT_NONE;
        while (at != HF_NODE_NONE && fit < HF_FIT_NORMAL) {
            const HfNode *node = hf_tree_get(search->tree, at);
            fit = hf_text_condition_fit(condition, hf_node_label(node), error);
            at = node->parent;
            if (left == path->len)
                break;
        }
        if (fit < HF_FIT_NORMAL)
            return FALSE;
    }
    return TRUE;
}

/* The distance from what `near` means; negative: too far. */
static double measure_distance(const Search *search, int index, const HfNode *node)
{
    const HfSelector *selector = search->selector;
    double least = -1, most = selector->distance ? selector->distance : NEAR_PX;
    for (guint i = 0; i < search->anchors->len; i++) {
        int anchor = g_array_index(search->anchors, int, i);
        const HfNode *other = hf_tree_get(search->tree, anchor);
        gboolean nested = (anchor <= index && index < hf_tree_end(search->tree, anchor)) ||
                          (index <= anchor && anchor < hf_tree_end(search->tree, index));
        if (nested || hf_rect_is_empty(other->bounds) || other->window != node->window)
            continue;
        double gap = hf_proximity_from(other->bounds, node->bounds, selector->direction);
        if (gap <= most && selector->direction == HF_DIRECTION_ANY)
            gap = MIN(most, hf_proximity_perceived(other->bounds, node->bounds));
        if (gap >= 0 && gap <= most && (least < 0 || gap < least))
            least = gap;
    }
    return least;
}

/* Only for the candidates that are returned: a search may find thousands. */
static void add_reason(const Search *search, HfCandidate *candidate, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static void add_reason(const Search *search, HfCandidate *candidate, const char *format, ...)
{
    if (!search->explains)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    char *all = candidate->reasons ? g_strconcat(candidate->reasons, "\n", reason, NULL)
                                   : g_steal_pointer(&reason);
    g_free(candidate->reasons);
    candidate->reasons = all;
}

static void add_text_reason(const Search *search, HfCandidate *candidate, const HfTextFit *fit,
                            const HfTextCondition *condition)
{
    if (!search->explains)
        return;
    g_autofree char *wanted = hf_text_shorten(condition->text, 80);
    const char *how = condition->how == HF_TEXT_REGEX ? "matches" : hf_fit_words(fit->fit);
    const HfNode *label = fit->label == HF_NODE_NONE ? NULL : hf_tree_get(search->tree, fit->label);
    if (label && label->name) {
        g_autofree char *name = hf_text_shorten(label->name, 80);
        add_reason(search, candidate, "%s, '%s', %s '%s'", hf_fit_by_words(fit->by), name, how,
                   wanted);
    } else {
        add_reason(search, candidate, "%s %s '%s'", hf_fit_by_words(fit->by), how, wanted);
    }
}

static HfTextFit fit_field(const Search *search, int index, HfTextField field, GError **error)
{
    const HfNode *node = hf_tree_get(search->tree, index);
    const HfTextCondition *condition = &search->selector->texts[field];
    const char *texts[HF_FIELD_COUNT] = {[HF_FIELD_VALUE] = node->value,
                                         [HF_FIELD_IDENTIFIER] = node->identifier,
                                         [HF_FIELD_DESCRIPTION] = node->description};
    if (field == HF_FIELD_NAME)
        return hf_match_name(search->tree, index, condition, search->labels, error);
    if (field == HF_FIELD_TEXT)
        return hf_match_shown(search->tree, index, condition, error);
    return (HfTextFit){hf_text_condition_fit(condition, texts[field], error),
                       field == HF_FIELD_VALUE ? HF_FIT_BY_VALUE : HF_FIT_BY_DESCRIPTION,
                       HF_NODE_NONE};
}

/* The worst match of all text conditions decides. */
static gboolean score_texts(const Search *search, HfCandidate *candidate, GError **error)
{
    candidate->fit = HF_FIT_SAME;
    candidate->score = worth_of_fit[HF_FIT_SAME];
    for (int field = 0; field < HF_FIELD_COUNT; field++) {
        if (search->selector->texts[field].how == HF_TEXT_NO_CONDITION)
            continue;
        HfTextFit fit = fit_field(search, candidate->index, field, error);
        if (fit.fit == HF_FIT_NONE)
            return FALSE;
        candidate->fit = MIN(candidate->fit, fit.fit);
        candidate->score = MIN(candidate->score, worth_of_fit[fit.fit] - cost_of_text[fit.by]);
        add_text_reason(search, candidate, &fit, &search->selector->texts[field]);
    }
    return TRUE;
}

static gboolean is_in_active_window(const Search *search, int index)
{
    const HfNode *node = hf_tree_get(search->tree, index);
    if (search->scope && search->scope->active)
        return node->window == search->scope->active;
    while (node->parent != HF_NODE_NONE)
        node = hf_tree_get(search->tree, node->parent);
    return hf_states_have(node->states, HF_STATE_ACTIVE);
}

static void score_appearance(const Search *search, HfCandidate *candidate)
{
    const HfNode *node = hf_tree_get(search->tree, candidate->index);
    if (hf_tree_is_visible(search->tree, candidate->index))
        candidate->score += WORTH_VISIBLE;
    else
        add_reason(search, candidate, "it is not visible");
    if (is_enabled(node))
        candidate->score += WORTH_ENABLED;
    else
        add_reason(search, candidate, "it is disabled");
    if (is_in_active_window(search, candidate->index)) {
        candidate->score += WORTH_ACTIVE;
        add_reason(search, candidate, "it is in the active window");
    }
    if (search->selector->role)
        add_reason(search, candidate, "it is a %s", hf_node_role_name(node->role));
    if (node->role == search->own_role)
        candidate->score += WORTH_ROLE;
}

static gboolean score_distance(const Search *search, HfCandidate *candidate)
{
    if (!search->anchors)
        return TRUE;
    const HfNode *node = hf_tree_get(search->tree, candidate->index);
    double distance = measure_distance(search, candidate->index, node);
    double most = search->selector->distance ? search->selector->distance : NEAR_PX;
    if (distance < 0 || hf_rect_is_empty(node->bounds))
        return FALSE;
    candidate->score += WORTH_NEAR * (1 - MIN(distance, most) / most);
    add_reason(search, candidate, "%.0f px from what it should be near", distance);
    return TRUE;
}

/* A window's title is not a text on the screen. */
static gboolean may_fit(const Search *search, int index)
{
    const HfNode *node = hf_tree_get(search->tree, index);
    const HfSelector *selector = search->selector;
    gboolean text_allowed = selector->texts[HF_FIELD_TEXT].how == HF_TEXT_NO_CONDITION ||
                            selector->role || node->parent != HF_NODE_NONE;
    return node->role >= 0 && node->role < HF_ROLE_COUNT && search->roles[node->role] &&
           (!search->inside || search->inside[index]) && text_allowed && fits_scope(search, node) &&
           fits_states(search, index, node) && fits_rect(selector, node);
}

static gboolean score_candidate(const Search *search, HfCandidate *candidate, GError **error)
{
    if (!fits_path(search, candidate->index, error) || !score_texts(search, candidate, error) ||
        !score_distance(search, candidate))
        return FALSE;
    score_appearance(search, candidate);
    return TRUE;
}

/* For "did you mean" errors: names similar to one that nothing has. */
static gboolean score_similarity(const Search *search, HfCandidate *candidate)
{
    const HfTextCondition *name = &search->selector->texts[HF_FIELD_NAME];
    const HfTextCondition *text = &search->selector->texts[HF_FIELD_TEXT];
    const HfTextCondition *condition = name->how == HF_TEXT_NO_CONDITION ? text : name;
    const char *label = hf_node_label(hf_tree_get(search->tree, candidate->index));
    if (!label || condition->how == HF_TEXT_NO_CONDITION || condition->how == HF_TEXT_REGEX)
        return FALSE;
    g_autofree char *normal = hf_label_normal(label);
    double likeness = hf_label_likeness(normal, condition->normal);
    if (likeness < LIKE_ENOUGH)
        return FALSE;
    candidate->fit = HF_FIT_FUZZY;
    candidate->score = worth_of_fit[HF_FIT_FUZZY] + WORTH_LIKE * likeness;
    add_reason(search, candidate, "its name resembles '%s'", condition->text);
    score_appearance(search, candidate);
    return TRUE;
}

static void add_match_reasons(Search *search, HfMatches *matches)
{
    search->explains = TRUE;
    for (guint i = 0; i < matches->candidates->len; i++) {
        HfCandidate *candidate = &g_array_index(matches->candidates, HfCandidate, i);
        if (candidate->fit == HF_FIT_FUZZY)
            score_similarity(search, candidate);
        else
            score_candidate(search, candidate, NULL);
    }
}

static gboolean search_tree(Search *search, GError **error)
{
    g_autoptr(GError) reason = NULL;
    for (int i = 0; i < hf_tree_size(search->tree) && !reason; i++) {
        HfCandidate candidate = {.index = i};
        if (may_fit(search, i) && score_candidate(search, &candidate, &reason))
            g_array_append_val(search->found, candidate);
        if (!reason && (i & 63) == 63 && g_get_monotonic_time() > search->until)
            hf_fail(&reason, HF_ERROR_LIMIT_EXCEEDED,
                    "the selector takes longer than %d ms on this tree; describe the element "
                    "more exactly, or give its window",
                    HF_LIMIT_SELECTOR_MS);
    }
    if (reason) {
        g_propagate_error(error, g_steal_pointer(&reason));
        return FALSE;
    }
    gboolean none = search->found->len == 0;
    for (int i = 0; none && i < hf_tree_size(search->tree); i++) {
        HfCandidate candidate = {.index = i};
        if (may_fit(search, i) && score_similarity(search, &candidate))
            g_array_append_val(search->found, candidate);
    }
    return TRUE;
}

/* A reference inside a selector. */
static gboolean match_reference(Search *search, GError **error)
{
    const HfMatchScope *scope = search->scope;
    const HfSelector *selector = search->selector;
    if (!scope || !scope->find_reference)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "e%u: references cannot be used here; use a name or role", selector->ref);
    HfCandidate candidate = {.fit = HF_FIT_SAME, .score = 100};
    candidate.index = scope->find_reference(scope->data, selector->snapshot, selector->ref, error);
    if (candidate.index == HF_NODE_NONE)
        return FALSE;
    g_array_append_val(search->found, candidate);
    return TRUE;
}

/* ---- ranking: reading order is window by window, rows from the top, each row from the left ----
 */

/* Scores that differ by less are equal. */
#define EQUAL 0.1
/* How many of the best are checked for duplicates. */
#define TWICE_NODES 200

static const HfCandidate *candidate_at(const GArray *candidates, guint index)
{
    return &g_array_index(candidates, HfCandidate, index);
}

static int by_score(gconstpointer a, gconstpointer b)
{
    const HfCandidate *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return one->index - other->index;
}

static gboolean is_descendant(const HfTree *tree, int index, int outer)
{
    return outer < index && index < hf_tree_end(tree, outer);
}

static int rank_usefulness(const HfNode *node)
{
    return (hf_states_have(node->states, HF_STATE_FOCUSABLE) ? 2 : 0) +
           ((node->actions && *node->actions) || (node->abilities & HF_ABILITY_ACTION) ? 1 : 0);
}

/* When an element and one inside it match alike, the usable one stays, else the inner one. */
static gboolean is_duplicate(const HfTree *tree, const HfCandidate *one, const HfCandidate *other)
{
    gboolean inner = is_descendant(tree, one->index, other->index);
    gboolean alike = one->fit == other->fit || MIN(one->fit, other->fit) >= HF_FIT_NORMAL;
    if (!alike || (!inner && !is_descendant(tree, other->index, one->index)))
        return FALSE;
    int own = rank_usefulness(hf_tree_get(tree, one->index));
    int others = rank_usefulness(hf_tree_get(tree, other->index));
    return own != others ? own < others : !inner;
}

static void drop_duplicates(const HfTree *tree, GArray *found)
{
    for (guint i = MIN(found->len, TWICE_NODES); i-- > 0;)
        for (guint k = 0; k < MIN(found->len, TWICE_NODES); k++)
            if (k != i && is_duplicate(tree, candidate_at(found, i), candidate_at(found, k))) {
                g_array_remove_index(found, i);
                break;
            }
}

static int find_root(const HfTree *tree, int index)
{
    while (hf_tree_get(tree, index)->parent != HF_NODE_NONE)
        index = hf_tree_get(tree, index)->parent;
    return index;
}

static int compare_node_tops(gconstpointer a, gconstpointer b, gpointer data)
{
    int one = *(const int *)a, other = *(const int *)b;
    int root = find_root(data, one), other_root = find_root(data, other);
    int top = hf_tree_get(data, one)->bounds.y, other_top = hf_tree_get(data, other)->bounds.y;
    if (root != other_root)
        return root - other_root;
    return top != other_top ? (top > other_top) - (top < other_top) : one - other;
}

static int compare_node_lefts(gconstpointer a, gconstpointer b, gpointer data)
{
    int one = *(const int *)a, other = *(const int *)b;
    int left = hf_tree_get(data, one)->bounds.x, other_left = hf_tree_get(data, other)->bounds.x;
    return left != other_left ? (left > other_left) - (left < other_left) : one - other;
}

/* Whether the element is in the row that begins with `first`. */
static gboolean is_in_reading_row(const HfTree *tree, int first, int index)
{
    const HfRect *row = &hf_tree_get(tree, first)->bounds;
    return find_root(tree, first) == find_root(tree, index) &&
           hf_tree_get(tree, index)->bounds.y < row->y + MAX(1, row->height / 2);
}

static void sort_in_reading_order(const HfTree *tree, GArray *indices)
{
    g_array_sort_with_data(indices, compare_node_tops, (gpointer)tree);
    int *at = (int *)(gpointer)indices->data;
    for (guint begin = 0, end; begin < indices->len; begin = end) {
        for (end = begin + 1; end < indices->len && is_in_reading_row(tree, at[begin], at[end]);)
            end++;
        g_qsort_with_data(at + begin, (int)(end - begin), sizeof(int), compare_node_lefts,
                          (gpointer)tree);
    }
}

/* The candidates whose name matches as well as the best one's, and that are as visible. */
static GArray *dup_in_order(const HfTree *tree, const GArray *found)
{
    GArray *indices = g_array_new(FALSE, FALSE, sizeof(int));
    if (found->len == 0)
        return indices;
    const HfCandidate *best = candidate_at(found, 0);
    gboolean visible = hf_tree_is_visible(tree, best->index);
    for (guint i = 0; i < found->len; i++) {
        const HfCandidate *one = candidate_at(found, i);
        if (one->fit == best->fit && hf_tree_is_visible(tree, one->index) == visible)
            g_array_append_val(indices, one->index);
    }
    sort_in_reading_order(tree, indices);
    return indices;
}

/* Sorts by score, drops duplicates (a button and the label in it), and counts the equally good
 * ones. */
static HfMatches *rank_matches(const HfTree *tree, const HfSelector *selector, GArray *take_found)
{
    HfMatches *matches = g_new0(HfMatches, 1);
    gboolean has_text = FALSE;
    for (int i = 0; i < HF_FIELD_COUNT; i++)
        has_text = has_text || selector->texts[i].how != HF_TEXT_NO_CONDITION;
    g_array_sort(take_found, by_score);
    if (has_text)
        drop_duplicates(tree, take_found);
    matches->candidates = take_found;
    matches->total = (int)take_found->len;
    matches->in_order = dup_in_order(tree, take_found);
    while (matches->best < matches->total &&
           candidate_at(take_found, 0)->score -
                   candidate_at(take_found, (guint)matches->best)->score <
               EQUAL)
        matches->best++;
    if (take_found->len > HF_LIMIT_CANDIDATES)
        g_array_set_size(take_found, HF_LIMIT_CANDIDATES);
    return matches;
}

static HfMatches *run_search(Search *search, gboolean top, GError **error)
{
    search->found = g_array_new(FALSE, FALSE, sizeof(HfCandidate));
    g_array_set_clear_func(search->found, candidate_clear);
    const HfSelector *near = search->selector->near;
    const char *word = search->selector->role;
    search->own_role = word ? hf_node_role_from_name(word) : -1;
    for (int role = 0; role < HF_ROLE_COUNT; role++)
        search->roles[role] = !word || hf_node_role_is(role, word);
    if (search->selector->ref && !match_reference(search, error))
        return NULL;
    if (!search->selector->ref &&
        ((near && !(search->anchors = find_part(search, near, error))) ||
         !prepare_in(search, error) || (top && !prepare_labels(search, error)) ||
         !search_tree(search, error)))
        return NULL;
    HfMatches *matches =
        rank_matches(search->tree, search->selector, g_steal_pointer(&search->found));
    if (top && !search->selector->ref)
        add_match_reasons(search, matches);
    return matches;
}

HfMatches *hf_selector_match(const HfTree *tree, const HfSelector *selector,
                             const HfMatchScope *scope, GError **error)
{
    g_auto(Search) search = {.tree = tree, .selector = selector, .scope = scope};
    search.until = g_get_monotonic_time() + HF_LIMIT_SELECTOR_MS * 1000;
    return run_search(&search, TRUE, error);
}

void hf_matches_free(HfMatches *matches)
{
    if (!matches)
        return;
    g_array_unref(matches->candidates);
    g_array_unref(matches->in_order);
    g_free(matches);
}

HfChoice hf_matches_choose(const HfMatches *matches, const HfSelector *selector, int *ret_index)
{
    if (matches->total == 0 || candidate_at(matches->candidates, 0)->fit == HF_FIT_FUZZY)
        return HF_CHOICE_NONE;
    if (selector->nth > (int)matches->in_order->len)
        return HF_CHOICE_TOO_FEW;
    if (selector->nth) {
        *ret_index = g_array_index(matches->in_order, int, selector->nth - 1);
        return HF_CHOICE_ONE;
    }
    if (matches->best > 1)
        return HF_CHOICE_SEVERAL;
    *ret_index = candidate_at(matches->candidates, 0)->index;
    return HF_CHOICE_ONE;
}
