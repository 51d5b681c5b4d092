/* SPDX-License-Identifier: Apache-2.0 */
/* Matches the texts of elements. Many fields have no name; like a person, we take the label beside
 * or above one for its name. */
#include "hand/atspi/selector/match-text.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"

/* How many elements inside one are searched for its text. */
#define CONTENT_NODES 24

/* A label that matches, and the field that it names. */
typedef struct Labelled {
    int label, field;
    HfFit fit;
} Labelled;

struct HfFieldLabels {
    GArray *found; /* of Labelled */
};

const char *hf_fit_by_words(HfFitBy by)
{
    static const char *const words[HF_FIT_BY_COUNT] = {
        [HF_FIT_BY_NAME] = "its name",
        [HF_FIT_BY_VALUE] = "its value",
        [HF_FIT_BY_DESCRIPTION] = "its description",
        [HF_FIT_BY_CONTENT] = "a text inside it",
        [HF_FIT_BY_LABEL] = "the label beside it",
    };
    return words[by];
}

/* A checkbox or switch with a name shows it itself; the label beside it belongs to another. */
static GArray *dup_fields(const HfTree *tree)
{
    GArray *fields = g_array_new(FALSE, FALSE, sizeof(int));
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        gboolean checkbox = node->role == HF_ROLE_CHECK_BOX || node->role == HF_ROLE_SWITCH;
        if (hf_node_takes_label(node->role) && !(checkbox && hf_node_label(node)) &&
            hf_tree_is_visible(tree, i))
            g_array_append_val(fields, i);
    }
    return fields;
}

/* The text inside a button, checkbox or menu item names that, and not what is beside it. */
static gboolean is_widget_caption(const HfTree *tree, int label)
{
    int parent = hf_tree_get(tree, label)->parent;
    int role = parent == HF_NODE_NONE ? HF_ROLE_INVALID : hf_tree_get(tree, parent)->role;
    return role == HF_ROLE_CHECK_BOX || role == HF_ROLE_RADIO_BUTTON || role == HF_ROLE_BUTTON ||
           role == HF_ROLE_TOGGLE_BUTTON || role == HF_ROLE_MENU_ITEM || role == HF_ROLE_PAGE_TAB ||
           role == HF_ROLE_LINK || role == HF_ROLE_COMBO_BOX;
}

/* The field that a label names: the nearest to its right, else below. */
static int find_labelled_field(const HfTree *tree, const GArray *fields, int label)
{
    const HfNode *own = hf_tree_get(tree, label);
    int best = HF_NODE_NONE;
    double least = G_MAXDOUBLE;
    for (guint i = 0; i < fields->len; i++) {
        int field = g_array_index(fields, int, i);
        const HfNode *node = hf_tree_get(tree, field);
        gboolean same_window = node->program == own->program && node->window == own->window;
        double distance = same_window ? hf_proximity_label(own->bounds, node->bounds) : -1;
        if (distance >= 0 && distance < least) {
            least = distance;
            best = field;
        }
    }
    return best;
}

HfFieldLabels *hf_field_labels_new(const HfTree *tree, const HfTextCondition *condition,
                                   gint64 until, GError **error)
{
    HfFieldLabels *labels = g_new(HfFieldLabels, 1);
    labels->found = g_array_new(FALSE, FALSE, sizeof(Labelled));
    g_autoptr(GArray) fields = dup_fields(tree);
    for (int i = 0; fields->len > 0 && i < hf_tree_size(tree) &&
                    labels->found->len < HF_LIMIT_CANDIDATE_LABELS;
         i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (!hf_node_is_label(node->role) || !node->name || !hf_tree_is_visible(tree, i) ||
            is_widget_caption(tree, i))
            continue;
        if (g_get_monotonic_time() > until)
            break;
        Labelled found = {i, HF_NODE_NONE, hf_text_condition_fit(condition, node->name, error)};
        if (found.fit != HF_FIT_NONE &&
            (found.field = find_labelled_field(tree, fields, i)) != HF_NODE_NONE)
            g_array_append_val(labels->found, found);
    }
    return labels;
}

void hf_field_labels_free(HfFieldLabels *labels)
{
    if (!labels)
        return;
    g_array_unref(labels->found);
    g_free(labels);
}

static void keep_better_fit(HfTextFit *best, HfFit fit, HfFitBy by, int label)
{
    if (fit > best->fit)
        *best = (HfTextFit){fit, by, label};
}

static void match_content(const HfTree *tree, int index, const HfTextCondition *condition,
                          HfTextFit *best, GError **error)
{
    int end = MIN(hf_tree_end(tree, index), index + 1 + CONTENT_NODES);
    for (int i = index + 1; i < end; i++) {
        const HfNode *node = hf_tree_get(tree, i);
        const char *text = hf_node_label(node);
        if (text && hf_node_shows_text(node->role))
            keep_better_fit(best, hf_text_condition_fit(condition, text, error), HF_FIT_BY_CONTENT,
                            i);
    }
}

static void look_beside(const HfFieldLabels *labels, int index, HfTextFit *best)
{
    for (guint i = 0; labels && i < labels->found->len; i++) {
        const Labelled *found = &g_array_index(labels->found, Labelled, i);
        if (found->field == index)
            keep_better_fit(best, found->fit, HF_FIT_BY_LABEL, found->label);
    }
}

HfTextFit hf_match_name(const HfTree *tree, int index, const HfTextCondition *condition,
                        const HfFieldLabels *labels, GError **error)
{
    const HfNode *node = hf_tree_get(tree, index);
    HfTextFit best = {HF_FIT_NONE, HF_FIT_BY_NAME, HF_NODE_NONE};
    const char *name = hf_node_label(node);
    keep_better_fit(&best, hf_text_condition_fit(condition, name, error), HF_FIT_BY_NAME,
                    HF_NODE_NONE);
    if (!name)
        keep_better_fit(&best, hf_text_condition_fit(condition, node->description, error),
                        HF_FIT_BY_DESCRIPTION, HF_NODE_NONE);
    if (!name && hf_node_known_by_content(node->role))
        match_content(tree, index, condition, &best, error);
    if (hf_node_takes_label(node->role))
        look_beside(labels, index, &best);
    return best;
}

HfTextFit hf_match_shown(const HfTree *tree, int index, const HfTextCondition *condition,
                         GError **error)
{
    const HfNode *node = hf_tree_get(tree, index);
    HfTextFit best = {HF_FIT_NONE, HF_FIT_BY_NAME, HF_NODE_NONE};
    keep_better_fit(&best, hf_text_condition_fit(condition, hf_node_label(node), error),
                    HF_FIT_BY_NAME, HF_NODE_NONE);
    keep_better_fit(&best, hf_text_condition_fit(condition, node->value, error), HF_FIT_BY_VALUE,
                    HF_NODE_NONE);
    return best;
}
