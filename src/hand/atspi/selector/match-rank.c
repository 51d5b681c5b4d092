/* SPDX-License-Identifier: Apache-2.0 */
/* The order of candidates, and the rule for choosing: one that is better than all others, or none.
 * Reading order is window by window, rows from the top, each row from the left. */
#include "hand/atspi/selector/match-rank.h"

#include "hand/atspi/tree/states.h"
#include "shared/base/limits.h"

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

HfMatches *hf_matches_new(const HfTree *tree, const HfSelector *selector, GArray *take_found)
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
