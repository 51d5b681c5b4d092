/* SPDX-License-Identifier: Apache-2.0 */
/* Joining. What a page says of an element belongs to the one that is told to be there and is the
 * same. A text that an element there is called, too, is that element. A text on something nameless
 * is its name. A shape where an element is told to be is that. Everything else is new: it
 * goes into the innermost element around it, or right into its window. */
#include "hand/locate/join.h"

#include <string.h>

#include "hand/atspi/selector/match-text.h"
#include "hand/atspi/tree/label-match.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/told.h"

/* It was not looked at yet. */
#define UNMADE (-2)

typedef struct Joining {
    const HfTree *told;
    const GPtrArray *windows;
    HfTree *tree;
    const GArray *seen;
    int *made;         /* for each that was seen: its node, HF_NODE_NONE or UNMADE */
    GHashTable *roots; /* window → index + 1 of the node that was made for it */
} Joining;

static gboolean lies_in(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return (gint64)common.width * common.height * 2 > (gint64)inner.width * inner.height;
}

static gboolean is_called(const HfNode *node, const char *normal)
{
    if (!node->name || !*node->name)
        return FALSE;
    g_autofree char *name = hf_label_normal(node->name);
    return strcmp(name, normal) == 0;
}

/* The innermost element at the place that is called just so. */
static int find_same(const HfTree *told, const HfSeen *seen)
{
    int found = HF_NODE_NONE;
    if (!seen->text)
        return found;
    g_autofree char *normal = hf_label_normal(seen->text);
    for (int i = 0; i < hf_tree_size(told); i++) {
        const HfNode *node = hf_tree_get(told, i);
        if (node->window == seen->window && node->parent != HF_NODE_NONE &&
            lies_in(seen->box, node->bounds) && hf_tree_is_visible(told, i) &&
            is_called(node, normal))
            found = i;
    }
    return found;
}

/* The element at the place of one of a page that has its role or its name, and better both: a
 * button rather than the text on it, the innermost of several. */
static int find_element(const HfTree *told, const HfSeen *seen)
{
    int found = HF_NODE_NONE, best = 1;
    g_autofree char *normal = seen->text ? hf_label_normal(seen->text) : NULL;
    for (int i = 0; i < hf_tree_size(told); i++) {
        const HfNode *node = hf_tree_get(told, i);
        if (node->window != seen->window || node->parent == HF_NODE_NONE ||
            !lies_in(seen->box, node->bounds) || !lies_in(node->bounds, seen->box) ||
            !hf_tree_is_visible(told, i))
            continue;
        int fit = 2 * (node->role == seen->role) + (normal && is_called(node, normal));
        if (fit >= best) {
            best = fit;
            found = i;
        }
    }
    return found;
}

/* Both are known of one thing now. */
static void unite(Joining *joining, int index, const HfSeen *seen)
{
    HfNode *node = hf_tree_edit(joining->tree, index);
    node->source |= seen->source;
    if (seen->dom && !node->dom)
        node->dom = hf_tree_intern(joining->tree, seen->dom);
    if (seen->secure) {
        node->secure = TRUE;
        node->value = NULL;
    }
}

/* Several lines on one button are one name. */
static void give_name(Joining *joining, int index, const HfSeen *seen)
{
    HfNode *node = hf_tree_edit(joining->tree, index);
    const char *before = node->role == HF_ROLE_COMBO_BOX ? node->value : node->name;
    g_autofree char *name = node->source & HF_SOURCE_OCR && before
                                ? g_strjoin(" ", before, seen->text, NULL)
                                : g_strdup(seen->text);
    node->confidence =
        node->confidence > 0 ? MIN(node->confidence, seen->confidence) : seen->confidence;
    if (node->role == HF_ROLE_COMBO_BOX)
        node->value = hf_tree_intern(joining->tree, name);
    else
        node->name = hf_tree_intern(joining->tree, name);
    unite(joining, index, seen);
}

static int add_root(Joining *joining, const HfWindow *window)
{
    HfTreeProgram program = {.name = window->process ? window->process : window->class_name,
                             .pid = window->pid};
    HfNode root = {
        .program = hf_tree_add_program(joining->tree, &program),
        .role = HF_ROLE_FRAME,
        .name = window->title,
        .states = window->focused ? HF_STATE(HF_STATE_ACTIVE) : 0,
        .source = HF_SOURCE_PIXELS,
        .bounds = window->bounds,
        .window = window->id,
    };
    return hf_tree_add(joining->tree, HF_NODE_NONE, &root);
}

/* The element of its window that a new one goes into. */
static int root_of(Joining *joining, guint32 id)
{
    gpointer key = GUINT_TO_POINTER(id);
    int known = GPOINTER_TO_INT(g_hash_table_lookup(joining->roots, key)) - 1;
    if (known != HF_NODE_NONE)
        return known;
    for (int i = 0; i < hf_tree_size(joining->told) && known == HF_NODE_NONE; i++)
        if (hf_tree_get(joining->told, i)->window == id)
            known = i;
    const HfWindow *window = hf_windows_find(joining->windows, id);
    if (known == HF_NODE_NONE && window)
        known = add_root(joining, window);
    g_hash_table_insert(joining->roots, key, GINT_TO_POINTER(known + 1));
    return known;
}

static int add_new(Joining *joining, int parent, const HfSeen *seen)
{
    HfNode node = {
        .program = hf_tree_get(joining->tree, parent)->program,
        .path = seen->looks,
        .role = seen->role,
        .states = seen->states,
        .name = seen->text,
        .description = seen->label,
        .dom = seen->dom,
        .value = seen->secure ? NULL : seen->value,
        .secure = seen->secure,
        .source = seen->source,
        .bounds = seen->box,
        .window = seen->window,
        .confidence = seen->confidence,
        .parts = seen->parts,
        .part_count = seen->part_count,
    };
    return hf_tree_add(joining->tree, parent, &node);
}

/* Something that is where an element is told to be is that element. A drawing there may be
 * its text, which was read neither here nor there. */
static void confirm(Joining *joining, int index, const HfSeen *seen)
{
    const HfNode *node = hf_tree_get(joining->told, index);
    gboolean drawing = seen->source == HF_SOURCE_PIXELS && hf_node_shows_text(node->role);
    HfSeen place = *seen;
    place.source &= ~HF_SOURCE_OCR; /* what was read here is not its name */
    if (!drawing && lies_in(seen->box, node->bounds) && lies_in(node->bounds, seen->box))
        unite(joining, index, &place);
}

/* A nameless shape around something that is told is only a box that it lies in. */
static gboolean holds_told(const HfTree *told, const HfSeen *seen)
{
    for (int i = 0; i < hf_tree_size(told) && !seen->text; i++) {
        const HfNode *node = hf_tree_get(told, i);
        if (node->window == seen->window && node->first_child == HF_NODE_NONE &&
            hf_tree_is_visible(told, i) && lies_in(node->bounds, seen->box))
            return TRUE;
    }
    return FALSE;
}

static int join(Joining *joining, guint index);

/* What it was seen in, where that is in the same element of the program's; HF_NODE_NONE: nothing.
 */
static int holder_of(Joining *joining, const HfSeen *seen, int told)
{
    if (!seen->holder)
        return HF_NODE_NONE;
    int holder = join(joining, (guint)seen->holder - 1);
    for (int at = holder; at != HF_NODE_NONE; at = hf_tree_get(joining->tree, at)->parent)
        if (at == told)
            return holder;
    return HF_NODE_NONE;
}

/* The node that it becomes, HF_NODE_NONE: none of its own. */
static int place(Joining *joining, const HfSeen *seen)
{
    int same = seen->source == HF_SOURCE_DOM ? find_element(joining->told, seen) : HF_NODE_NONE, at;
    if (same == HF_NODE_NONE)
        same = find_same(joining->told, seen);
    if (same != HF_NODE_NONE) {
        unite(joining, same, seen);
        return HF_NODE_NONE;
    }
    HfTold told = hf_told_at(joining->told, seen->window, seen->box, &at);
    if (told == HF_TOLD_NAMELESS && seen->text) {
        give_name(joining, at, seen);
        return HF_NODE_NONE;
    }
    if (told != HF_TOLD_NOTHING) {
        if (!seen->holds)
            confirm(joining, at, seen);
        return HF_NODE_NONE;
    }
    int parent = at != HF_NODE_NONE ? at : root_of(joining, seen->window);
    if (parent == HF_NODE_NONE || holds_told(joining->told, seen))
        return HF_NODE_NONE;
    int holder = holder_of(joining, seen, parent);
    return add_new(joining, holder != HF_NODE_NONE ? holder : parent, seen);
}

static int join(Joining *joining, guint index)
{
    if (joining->made[index] == UNMADE)
        joining->made[index] = place(joining, &g_array_index(joining->seen, HfSeen, index));
    return joining->made[index];
}

HfTree *hf_join(const HfTree *told, const GPtrArray *windows, const GArray *seen,
                HfTruncation truncated)
{
    g_autoptr(GHashTable) roots = g_hash_table_new(NULL, NULL);
    g_autofree int *made = g_new(int, seen->len + 1);
    for (guint i = 0; i < seen->len; i++)
        made[i] = UNMADE;
    Joining joining = {told, windows, hf_tree_new_from(told), seen, made, roots};
    for (guint i = 0; i < windows->len; i++)
        root_of(&joining, ((const HfWindow *)windows->pdata[i])->id);
    for (guint i = 0; i < seen->len; i++)
        join(&joining, i);
    hf_tree_truncate(joining.tree, truncated);
    hf_tree_finish(joining.tree);
    return joining.tree;
}
