/* SPDX-License-Identifier: Apache-2.0 */
/* Two trees held against each other. Elements are paired by their objects first; what a program
 * made anew under another object is paired by what it is and is called, if that is beyond doubt. */
#include "hand/atspi/tree/tree-difference.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/json.h"

/* States whose coming and going means something to a person. */
static const guint64 telling =
    HF_STATE(HF_STATE_ACTIVE) | HF_STATE(HF_STATE_BUSY) | HF_STATE(HF_STATE_CHECKED) |
    HF_STATE(HF_STATE_COLLAPSED) | HF_STATE(HF_STATE_EDITABLE) | HF_STATE(HF_STATE_EXPANDED) |
    HF_STATE(HF_STATE_FOCUSED) | HF_STATE(HF_STATE_ICONIFIED) | HF_STATE(HF_STATE_MODAL) |
    HF_STATE(HF_STATE_PRESSED) | HF_STATE(HF_STATE_SELECTED) | HF_STATE(HF_STATE_INDETERMINATE) |
    HF_STATE(HF_STATE_INVALID_ENTRY) | HF_STATE(HF_STATE_READ_ONLY);

static guint64 get_compared_states(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    guint64 states = node->states & telling;
    if (hf_tree_is_visible(tree, index))
        states |= HF_STATE(HF_STATE_VISIBLE);
    if (hf_states_have(node->states, HF_STATE_SENSITIVE) ||
        hf_states_have(node->states, HF_STATE_ENABLED))
        states |= HF_STATE(HF_STATE_SENSITIVE);
    return states;
}

static gboolean same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* A value that was not asked for in one of the looks is not one that changed. */
static gboolean same_value(const HfNode *before, const HfNode *now)
{
    return !before->value || !now->value || strcmp(before->value, now->value) == 0;
}

/* What was asked for and not answered in one of the looks is not known to have changed. */
static void compare_element(HfTreeDifference *difference, int before, int now)
{
    const HfNode *old = hf_tree_get(difference->before, before);
    const HfNode *new = hf_tree_get(difference->now, now);
    HfMissing missing = old->missing | new->missing;
    gboolean placed = !(missing & HF_MISSING_BOUNDS);
    guint64 known = placed ? ~(guint64)0 : ~HF_STATE(HF_STATE_VISIBLE);
    guint64 old_states = get_compared_states(difference->before, before) & known;
    guint64 new_states = get_compared_states(difference->now, now) & known;
    gboolean same_name = (missing & HF_MISSING_NAME) || same_text(old->name, new->name);
    HfAltered altered = {before, now, 0, new_states & ~old_states, old_states & ~new_states};
    altered.what = (same_name ? 0 : HF_ALTERED_NAME) |
                   (same_value(old, new) ? 0 : HF_ALTERED_VALUE) |
                   (old_states == new_states ? 0 : HF_ALTERED_STATES) |
                   (!placed || hf_rect_equal(old->bounds, new->bounds) ? 0 : HF_ALTERED_BOUNDS);
    if (altered.what)
        g_array_append_val(difference->altered, altered);
}

/* Program, role and what it is called, of elements that are called something. */
static char *dup_element_key(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    if (!called)
        return NULL;
    return g_strdup_printf("%s %u %d %s", hf_tree_get_program(tree, node->program)->bus,
                           node->window, node->role, called);
}

#define SEVERAL GINT_TO_POINTER(-1)

/* Key → index + 1 of those without a partner; -1 when there are several. */
static GHashTable *index_lonely(const HfTree *tree, const int *partner)
{
    GHashTable *lonely = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (int i = 0; i < hf_tree_size(tree); i++) {
        char *key = partner[i] == HF_NODE_NONE ? dup_element_key(tree, i) : NULL;
        if (key)
            g_hash_table_replace(
                lonely, key, g_hash_table_contains(lonely, key) ? SEVERAL : GINT_TO_POINTER(i + 1));
    }
    return lonely;
}

static gboolean same_role(const HfNode *before, const HfNode *now)
{
    return ((before->missing | now->missing) & HF_MISSING_ROLE) || before->role == now->role;
}

static void pair_by_object(const HfTreeDifference *difference, int *to_now, int *to_before)
{
    for (int i = 0; i < hf_tree_size(difference->now); i++) {
        const HfNode *node = hf_tree_get(difference->now, i);
        const char *bus = hf_tree_get_program(difference->now, node->program)->bus;
        gboolean has_object = node->path && !hf_node_is_painted(node);
        int other = has_object ? hf_tree_find(difference->before, bus, node->path) : HF_NODE_NONE;
        if (other == HF_NODE_NONE || !same_role(hf_tree_get(difference->before, other), node) ||
            to_now[other] != HF_NODE_NONE)
            continue;
        to_now[other] = i;
        to_before[i] = other;
    }
}

/* A line that has become longer still begins at the same place. */
static gboolean stands_at(const HfNode *old, const HfNode *node, gboolean exactly)
{
    return exactly ? hf_rect_equal(old->bounds, node->bounds)
                   : abs(old->bounds.x - node->bounds.x) <= 2 &&
                         abs(old->bounds.y - node->bounds.y) <= 2;
}

/* What only pictures show has no object: it is what was at its place before. `named`: and was
 * called the same; a text that has become another one is the same element otherwise. */
static void pair_by_place(const HfTreeDifference *difference, gboolean named, int *to_now,
                          int *to_before)
{
    for (int i = 0; i < hf_tree_size(difference->now); i++) {
        const HfNode *node = hf_tree_get(difference->now, i);
        if (!hf_node_is_painted(node) || to_before[i] != HF_NODE_NONE)
            continue;
        for (int k = 0; k < hf_tree_size(difference->before); k++) {
            const HfNode *old = hf_tree_get(difference->before, k);
            if (to_now[k] != HF_NODE_NONE || !hf_node_is_painted(old) ||
                old->window != node->window || old->role != node->role ||
                !stands_at(old, node, named) || (named && !same_text(old->name, node->name)))
                continue;
            to_now[k] = i;
            to_before[i] = k;
            break;
        }
    }
}

static void pair_by_name(const HfTreeDifference *difference, int *to_now, int *to_before)
{
    g_autoptr(GHashTable) old = index_lonely(difference->before, to_now);
    g_autoptr(GHashTable) new = index_lonely(difference->now, to_before);
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, new);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        gpointer other = g_hash_table_lookup(old, key);
        if (!other || other == SEVERAL || value == SEVERAL)
            continue;
        to_now[GPOINTER_TO_INT(other) - 1] = GPOINTER_TO_INT(value) - 1;
        to_before[GPOINTER_TO_INT(value) - 1] = GPOINTER_TO_INT(other) - 1;
    }
}

/* Whether it may have been in the other tree as well, where not all was told of what it is in. */
static gboolean may_be_in(const HfTree *tree, int index, const int *partner, const HfTree *other)
{
    for (int at = hf_tree_get(tree, index)->parent; at != HF_NODE_NONE;
         at = hf_tree_get(tree, at)->parent)
        if (partner[at] != HF_NODE_NONE)
            return (hf_tree_get(other, partner[at])->missing & HF_MISSING_CHILDREN) != 0;
    return FALSE;
}

static int *new_partners(const HfTree *tree)
{
    int *partners = g_new(int, hf_tree_size(tree) + 1);
    for (int i = 0; i < hf_tree_size(tree); i++)
        partners[i] = HF_NODE_NONE;
    return partners;
}

HfTreeDifference *hf_tree_difference_new(HfTree *before, HfTree *now)
{
    HfTreeDifference *difference = g_new0(HfTreeDifference, 1);
    *difference = (HfTreeDifference){
        hf_tree_ref(before), hf_tree_ref(now), g_array_new(FALSE, FALSE, sizeof(int)),
        g_array_new(FALSE, FALSE, sizeof(int)), g_array_new(FALSE, FALSE, sizeof(HfAltered))};
    if (before == now)
        return difference;
    g_autofree int *to_now = new_partners(before);
    g_autofree int *to_before = new_partners(now);
    pair_by_object(difference, to_now, to_before);
    pair_by_place(difference, TRUE, to_now, to_before);
    pair_by_name(difference, to_now, to_before);
    pair_by_place(difference, FALSE, to_now, to_before);
    for (int i = 0; i < hf_tree_size(now); i++)
        if (to_before[i] != HF_NODE_NONE)
            compare_element(difference, to_before[i], i);
        else if (!may_be_in(now, i, to_before, before))
            g_array_append_val(difference->added, i);
    for (int i = 0; i < hf_tree_size(before); i++)
        if (to_now[i] == HF_NODE_NONE && !may_be_in(before, i, to_now, now))
            g_array_append_val(difference->gone, i);
    return difference;
}

void hf_tree_difference_free(HfTreeDifference *difference)
{
    if (!difference)
        return;
    hf_tree_unref(difference->before);
    hf_tree_unref(difference->now);
    g_array_unref(difference->added);
    g_array_unref(difference->gone);
    g_array_unref(difference->altered);
    g_free(difference);
}

gboolean hf_tree_difference_is_empty(const HfTreeDifference *difference)
{
    return difference->added->len + difference->gone->len + difference->altered->len == 0;
}

static const HfParam element = {.type = HF_TYPE_OBJECT, .fields = hf_element_fields};
static const HfParam word = {.type = HF_TYPE_STRING};
static const HfParam altered_fields[] = {
    {.name = "element",
     .type = HF_TYPE_OBJECT,
     .fields = hf_element_fields,
     .required = TRUE,
     .about = "As it is now"},
    {.name = "what",
     .type = HF_TYPE_ARRAY,
     .items = &word,
     .required = TRUE,
     .about = "What changed: name, value, states, bounds"},
    {.name = "name_before", .type = HF_TYPE_STRING, .about = "Its name before, if that changed"},
    {.name = "on", .type = HF_TYPE_ARRAY, .items = &word, .about = "States that it has now"},
    {.name = "off", .type = HF_TYPE_ARRAY, .items = &word, .about = "States that it had"},
    {0},
};
static const HfParam altered_form = {.type = HF_TYPE_OBJECT, .fields = altered_fields};
static const HfParam count_fields[] = {
    {.name = "new", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Elements that are new"},
    {.name = "gone", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Elements that are gone"},
    {.name = "altered", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "That have changed"},
    {0},
};
const HfParam hf_tree_difference_fields[] = {
    {.name = "new",
     .type = HF_TYPE_ARRAY,
     .items = &element,
     .required = TRUE,
     .about = "Elements that were not there before"},
    {.name = "gone",
     .type = HF_TYPE_ARRAY,
     .items = &element,
     .required = TRUE,
     .about = "Elements that are no longer there, as they were"},
    {.name = "altered",
     .type = HF_TYPE_ARRAY,
     .items = &altered_form,
     .required = TRUE,
     .about = "Elements that have changed"},
    {.name = "counts",
     .type = HF_TYPE_OBJECT,
     .fields = count_fields,
     .required = TRUE,
     .about = "Of all, also of those that are not listed"},
    {0},
};

static json_t *elements_to_array(const HfTree *tree, const GArray *indices,
                                 const HfElementStyle *style)
{
    json_t *elements = json_array();
    for (guint i = 0; i < indices->len && json_array_size(elements) < HF_LIMIT_DIFFERENCE; i++) {
        int index = g_array_index(indices, int, i);
        if (hf_element_is_informative(tree, index))
            json_array_append_new(elements, hf_element_to_json(tree, index, style));
    }
    return elements;
}

static json_t *what_of(HfAlteration what)
{
    static const char *const names[] = {"name", "value", "states", "bounds"};
    json_t *array = json_array();
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (what & (1u << i))
            json_array_append_new(array, json_string(names[i]));
    return array;
}

static json_t *altered_to_json(const HfTreeDifference *difference, const HfAltered *altered,
                               const HfElementStyle *style)
{
    const HfNode *before = hf_tree_get(difference->before, altered->before);
    json_t *object =
        json_pack("{s:o, s:o}", "element", hf_element_to_json(difference->now, altered->now, style),
                  "what", what_of(altered->what));
    if ((altered->what & HF_ALTERED_NAME) && before->name)
        json_object_set_new(object, "name_before", hf_json_text(before->name));
    if (altered->on)
        json_object_set_new(object, "on", hf_states_to_json(altered->on));
    if (altered->off)
        json_object_set_new(object, "off", hf_states_to_json(altered->off));
    return object;
}

json_t *hf_tree_difference_to_json(const HfTreeDifference *difference, const HfElementStyle *style)
{
    HfElementStyle nameless = *style;
    nameless.name = NULL;
    json_t *altered = json_array();
    for (guint i = 0;
         i < difference->altered->len && json_array_size(altered) < HF_LIMIT_DIFFERENCE; i++) {
        const HfAltered *one = &g_array_index(difference->altered, HfAltered, i);
        if (hf_element_is_informative(difference->now, one->now))
            json_array_append_new(altered, altered_to_json(difference, one, style));
    }
    return json_pack("{s:o, s:o, s:o, s:{s:i, s:i, s:i}}", "new",
                     elements_to_array(difference->now, difference->added, style), "gone",
                     elements_to_array(difference->before, difference->gone, &nameless), "altered",
                     altered, "counts", "new", (int)difference->added->len, "gone",
                     (int)difference->gone->len, "altered", (int)difference->altered->len);
}
