/* SPDX-License-Identifier: Apache-2.0 */
/* The order of rules: an element of a page is the reported element at its place with the same role
 * or name. A text is the reported element there that has this name; on an element without a name it
 * becomes its name. A shape is the reported element that fills its place. Everything else is new:
 * it goes into the innermost element around it, or into its window. */
#include "hand/locate/tree-merge.h"

#include <string.h>

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/tree/label-match.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/ax-coverage.h"

#define NOT_MERGED_YET (-2)

typedef struct TreeMerge {
    const HfTree *reported;
    const GPtrArray *windows;
    HfTree *tree;
    const GArray *detected; /* of HfDetection */
    int *made;              /* for each detection: its node, HF_NODE_NONE or NOT_MERGED_YET */
    GHashTable *roots;      /* window → index + 1 of the node that was made for it */
} TreeMerge;

static gboolean node_is_called(const HfNode *node, const char *normal)
{
    if (!node->name || !*node->name)
        return FALSE;
    g_autofree char *name = hf_label_normal(node->name);
    return strcmp(name, normal) == 0;
}

/* The innermost element at the place with this name. */
static int find_element_called(const HfTree *reported, const HfDetection *element)
{
    int found = HF_NODE_NONE;
    if (!element->text)
        return found;
    g_autofree char *normal = hf_label_normal(element->text);
    for (int i = 0; i < hf_tree_size(reported); i++) {
        const HfNode *node = hf_tree_get(reported, i);
        if (node->window == element->window && node->parent != HF_NODE_NONE &&
            hf_box_is_mostly_in(element->box, node->bounds) && hf_tree_is_visible(reported, i) &&
            node_is_called(node, normal))
            found = i;
    }
    return found;
}

/* The innermost reported element that fills the place of a page's element and has its role or its
 * name, best both: a button rather than the text on it. */
static int find_page_element(const HfTree *reported, const HfDetection *element)
{
    int found = HF_NODE_NONE, best = 1;
    g_autofree char *normal = element->text ? hf_label_normal(element->text) : NULL;
    for (int i = 0; i < hf_tree_size(reported); i++) {
        const HfNode *node = hf_tree_get(reported, i);
        if (node->window != element->window || node->parent == HF_NODE_NONE ||
            !hf_box_is_mostly_in(element->box, node->bounds) ||
            !hf_box_is_mostly_in(node->bounds, element->box) || !hf_tree_is_visible(reported, i))
            continue;
        int fit = 2 * (node->role == element->role) + (normal && node_is_called(node, normal));
        if (fit >= best) {
            best = fit;
            found = i;
        }
    }
    return found;
}

/* The reported element and the detection are one now. */
static void add_sources(TreeMerge *merge, int index, const HfDetection *element)
{
    HfNode *node = hf_tree_edit(merge->tree, index);
    node->source |= element->source;
    if (element->dom && !node->dom)
        node->dom = hf_tree_intern(merge->tree, element->dom);
    if (element->secure) {
        node->secure = TRUE;
        node->value = NULL;
    }
}

/* Several lines on one button are one name. */
static void give_read_name(TreeMerge *merge, int index, const HfDetection *element)
{
    HfNode *node = hf_tree_edit(merge->tree, index);
    const char *before = node->role == HF_ROLE_COMBO_BOX ? node->value : node->name;
    g_autofree char *name = node->source & HF_SOURCE_OCR && before
                                ? g_strjoin(" ", before, element->text, NULL)
                                : g_strdup(element->text);
    node->confidence =
        node->confidence > 0 ? MIN(node->confidence, element->confidence) : element->confidence;
    if (node->role == HF_ROLE_COMBO_BOX)
        node->value = hf_tree_intern(merge->tree, name);
    else
        node->name = hf_tree_intern(merge->tree, name);
    add_sources(merge, index, element);
}

static int add_window_root(TreeMerge *merge, const HfWindow *window)
{
    HfTreeProgram program = {.name = window->process ? window->process : window->class_name,
                             .pid = window->pid};
    HfNode root = {
        .program = hf_tree_add_program(merge->tree, &program),
        .role = HF_ROLE_FRAME,
        .name = window->title,
        .states = window->focused ? HF_STATE(HF_STATE_ACTIVE) : 0,
        .source = HF_SOURCE_PIXELS,
        .bounds = window->bounds,
        .window = window->id,
    };
    return hf_tree_add(merge->tree, HF_NODE_NONE, &root);
}

/* The node of its window that a new one goes into. */
static int root_of_window(TreeMerge *merge, guint32 id)
{
    gpointer key = GUINT_TO_POINTER(id);
    int known = GPOINTER_TO_INT(g_hash_table_lookup(merge->roots, key)) - 1;
    if (known != HF_NODE_NONE)
        return known;
    for (int i = 0; i < hf_tree_size(merge->reported) && known == HF_NODE_NONE; i++)
        if (hf_tree_get(merge->reported, i)->window == id)
            known = i;
    const HfWindow *window = hf_windows_find(merge->windows, id);
    if (known == HF_NODE_NONE && window)
        known = add_window_root(merge, window);
    g_hash_table_insert(merge->roots, key, GINT_TO_POINTER(known + 1));
    return known;
}

static int add_detected_node(TreeMerge *merge, int parent, const HfDetection *element)
{
    HfNode node = {
        .program = hf_tree_get(merge->tree, parent)->program,
        .path = element->looks,
        .role = element->role,
        .states = element->states,
        .name = element->text,
        .description = element->label,
        .dom = element->dom,
        .value = element->secure ? NULL : element->value,
        .secure = element->secure,
        .source = element->source,
        .bounds = element->box,
        .window = element->window,
        .confidence = element->confidence,
        .parts = element->parts,
        .part_count = element->part_count,
    };
    return hf_tree_add(merge->tree, parent, &node);
}

/* A detection at the place of a reported element is that element. A drawing there may be its
 * text. */
static void confirm_place(TreeMerge *merge, int index, const HfDetection *element)
{
    const HfNode *node = hf_tree_get(merge->reported, index);
    gboolean drawing = element->source == HF_SOURCE_PIXELS && hf_node_shows_text(node->role);
    HfDetection place_detected = *element;
    place_detected.source &= ~HF_SOURCE_OCR; /* what was read here is not its name */
    if (!drawing && hf_box_is_mostly_in(element->box, node->bounds) &&
        hf_box_is_mostly_in(node->bounds, element->box))
        add_sources(merge, index, &place_detected);
}

/* A shape without a name around a reported element is only a box around it. */
static gboolean holds_reported(const HfTree *reported, const HfDetection *element)
{
    for (int i = 0; i < hf_tree_size(reported) && !element->text; i++) {
        const HfNode *node = hf_tree_get(reported, i);
        if (node->window == element->window && node->first_child == HF_NODE_NONE &&
            hf_tree_is_visible(reported, i) && hf_box_is_mostly_in(node->bounds, element->box))
            return TRUE;
    }
    return FALSE;
}

static int merge_detected_at(TreeMerge *merge, guint index);

/* The node of its group, if that is inside the same reported element; HF_NODE_NONE: none. */
static int find_holder_node(TreeMerge *merge, const HfDetection *element, int reported)
{
    if (!element->holder)
        return HF_NODE_NONE;
    int holder = merge_detected_at(merge, (guint)element->holder - 1);
    for (int at = holder; at != HF_NODE_NONE; at = hf_tree_get(merge->tree, at)->parent)
        if (at == reported)
            return holder;
    return HF_NODE_NONE;
}

/* The new node; HF_NODE_NONE: it became part of another. */
static int place_detected(TreeMerge *merge, const HfDetection *element)
{
    int same = element->source == HF_SOURCE_DOM ? find_page_element(merge->reported, element)
                                                : HF_NODE_NONE,
        at;
    if (same == HF_NODE_NONE)
        same = find_element_called(merge->reported, element);
    if (same != HF_NODE_NONE) {
        add_sources(merge, same, element);
        return HF_NODE_NONE;
    }
    HfAxCoverage reported = hf_ax_coverage_at(merge->reported, element->window, element->box, &at);
    if (reported == HF_AX_COVERAGE_UNNAMED && element->text) {
        give_read_name(merge, at, element);
        return HF_NODE_NONE;
    }
    if (reported != HF_AX_COVERAGE_NONE) {
        if (!element->holds)
            confirm_place(merge, at, element);
        return HF_NODE_NONE;
    }
    int parent = at != HF_NODE_NONE ? at : root_of_window(merge, element->window);
    if (parent == HF_NODE_NONE || holds_reported(merge->reported, element))
        return HF_NODE_NONE;
    int holder = find_holder_node(merge, element, parent);
    return add_detected_node(merge, holder != HF_NODE_NONE ? holder : parent, element);
}

static int merge_detected_at(TreeMerge *merge, guint index)
{
    if (merge->made[index] == NOT_MERGED_YET)
        merge->made[index] =
            place_detected(merge, &g_array_index(merge->detected, HfDetection, index));
    return merge->made[index];
}

HfTree *hf_tree_merge_detected(const HfTree *reported, const GPtrArray *windows,
                               const GArray *detected, HfTruncation truncated)
{
    g_autoptr(GHashTable) roots = g_hash_table_new(NULL, NULL);
    g_autofree int *made = g_new(int, detected->len + 1);
    for (guint i = 0; i < detected->len; i++)
        made[i] = NOT_MERGED_YET;
    TreeMerge merge = {reported, windows, hf_tree_new_from(reported), detected, made, roots};
    for (guint i = 0; i < windows->len; i++)
        root_of_window(&merge, ((const HfWindow *)windows->pdata[i])->id);
    for (guint i = 0; i < detected->len; i++)
        merge_detected_at(&merge, i);
    hf_tree_truncate(merge.tree, truncated);
    hf_tree_finish(merge.tree);
    return merge.tree;
}
