/* SPDX-License-Identifier: Apache-2.0 */
/* Stores a tree: one array of nodes, one of programs, and the texts that both point to. Readers add
 * nodes as replies arrive, in any order that has parents first; `finish` sorts them from the top.
 */
#include "hand/atspi/tree/tree.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

#define TEXT_BLOCK_BYTES 4096

struct HfTree {
    gatomicrefcount references;
    GArray *nodes;      /* of HfNode */
    GArray *last_child; /* of int, before finish */
    GArray *ends;       /* of int, after finish */
    GArray *programs;   /* of HfTreeProgram */
    GStringChunk *texts;
    GPtrArray *parts;     /* of HfNodePart arrays */
    GHashTable *by_place; /* "bus path" → index + 1 */
    HfTruncation truncated;
    guint calls;
    gboolean finished;
};

HfTree *hf_tree_new(void)
{
    HfTree *tree = g_new0(HfTree, 1);
    g_atomic_ref_count_init(&tree->references);
    tree->nodes = g_array_new(FALSE, TRUE, sizeof(HfNode));
    tree->last_child = g_array_new(FALSE, TRUE, sizeof(int));
    tree->ends = g_array_new(FALSE, TRUE, sizeof(int));
    tree->programs = g_array_new(FALSE, TRUE, sizeof(HfTreeProgram));
    tree->texts = g_string_chunk_new(TEXT_BLOCK_BYTES);
    tree->parts = g_ptr_array_new_with_free_func(g_free);
    tree->by_place = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return tree;
}

HfTree *hf_tree_new_from(const HfTree *tree)
{
    HfTree *copy = hf_tree_new();
    for (int i = 0; i < hf_tree_programs(tree); i++)
        hf_tree_add_program(copy, hf_tree_get_program(tree, i));
    for (int i = 0; i < hf_tree_size(tree); i++)
        hf_tree_add(copy, hf_tree_get(tree, i)->parent, hf_tree_get(tree, i));
    copy->truncated = tree->truncated;
    copy->calls = tree->calls;
    return copy;
}

HfTree *hf_tree_ref(HfTree *tree)
{
    g_atomic_ref_count_inc(&tree->references);
    return tree;
}

void hf_tree_unref(HfTree *tree)
{
    if (!tree || !g_atomic_ref_count_dec(&tree->references))
        return;
    g_array_unref(tree->nodes);
    g_array_unref(tree->last_child);
    g_array_unref(tree->ends);
    g_array_unref(tree->programs);
    g_string_chunk_free(tree->texts);
    g_ptr_array_unref(tree->parts);
    g_hash_table_unref(tree->by_place);
    g_free(tree);
}

const char *hf_tree_intern(HfTree *tree, const char *text)
{
    return text ? g_string_chunk_insert_const(tree->texts, text) : NULL;
}

int hf_tree_add_program(HfTree *tree, const HfTreeProgram *program)
{
    HfTreeProgram kept = *program;
    kept.bus = hf_tree_intern(tree, program->bus ? program->bus : "");
    kept.name = hf_tree_intern(tree, program->name ? program->name : "");
    kept.toolkit = hf_tree_intern(tree, program->toolkit ? program->toolkit : "");
    kept.version = hf_tree_intern(tree, program->version ? program->version : "");
    g_array_append_val(tree->programs, kept);
    return (int)tree->programs->len - 1;
}

int hf_tree_add(HfTree *tree, int parent, const HfNode *node)
{
    g_return_val_if_fail(!tree->finished && parent < (int)tree->nodes->len, HF_NODE_NONE);
    HfNode kept = *node;
    int index = (int)tree->nodes->len, none = HF_NODE_NONE;
    kept.parent = parent;
    kept.first_child = kept.next_sibling = HF_NODE_NONE;
    kept.depth = parent == HF_NODE_NONE ? 0 : hf_tree_get(tree, parent)->depth + 1;
    kept.path = hf_tree_intern(tree, node->path);
    kept.name = hf_tree_intern(tree, node->name);
    kept.description = hf_tree_intern(tree, node->description);
    kept.identifier = hf_tree_intern(tree, node->identifier);
    kept.dom = hf_tree_intern(tree, node->dom);
    kept.value = hf_tree_intern(tree, node->value);
    kept.actions = hf_tree_intern(tree, node->actions);
    kept.parts = NULL;
    if (node->part_count > 0) {
        kept.parts = g_memdup2(node->parts, (gsize)node->part_count * sizeof *node->parts);
        g_ptr_array_add(tree->parts, (gpointer)kept.parts);
    }
    g_array_append_val(tree->nodes, kept);
    g_array_append_val(tree->last_child, none);
    if (parent == HF_NODE_NONE)
        return index;
    int *last = &g_array_index(tree->last_child, int, parent);
    if (*last == HF_NODE_NONE)
        hf_tree_edit(tree, parent)->first_child = index;
    else
        hf_tree_edit(tree, *last)->next_sibling = index;
    *last = index;
    return index;
}

HfNode *hf_tree_edit(HfTree *tree, int index)
{
    g_return_val_if_fail(!tree->finished, NULL);
    return &g_array_index(tree->nodes, HfNode, index);
}

void hf_tree_truncate(HfTree *tree, HfTruncation why)
{
    tree->truncated |= why;
}

void hf_tree_note_calls(HfTree *tree, guint calls)
{
    tree->calls = calls;
}

guint hf_tree_calls(const HfTree *tree)
{
    return tree->calls;
}

/* Parents come first, so going backwards meets children before their parents. */
static int *dup_subtree_sizes(const HfTree *tree)
{
    int *sizes = g_new(int, tree->nodes->len + 1);
    for (int i = (int)tree->nodes->len - 1; i >= 0; i--) {
        sizes[i] = 1;
        for (int child = hf_tree_get(tree, i)->first_child; child != HF_NODE_NONE;
             child = hf_tree_get(tree, child)->next_sibling)
            sizes[i] += sizes[child];
    }
    return sizes;
}

/* The new index of each node: behind its parent, and behind the subtrees of its earlier siblings.
 */
static int *dup_order(const HfTree *tree, const int *sizes)
{
    int *order = g_new(int, tree->nodes->len + 1), next_root = 0;
    for (int i = 0; i < (int)tree->nodes->len; i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (node->parent == HF_NODE_NONE) {
            order[i] = next_root;
            next_root += sizes[i];
        }
        int place = order[i] + 1;
        for (int child = node->first_child; child != HF_NODE_NONE;
             child = hf_tree_get(tree, child)->next_sibling) {
            order[child] = place;
            place += sizes[child];
        }
    }
    return order;
}

static int map_node_index(const int *order, int index)
{
    return index == HF_NODE_NONE ? HF_NODE_NONE : order[index];
}

void hf_tree_finish(HfTree *tree)
{
    g_return_if_fail(!tree->finished);
    g_autofree int *sizes = dup_subtree_sizes(tree);
    g_autofree int *order = dup_order(tree, sizes);
    GArray *nodes = g_array_sized_new(FALSE, TRUE, sizeof(HfNode), tree->nodes->len);
    g_array_set_size(nodes, tree->nodes->len);
    g_array_set_size(tree->ends, tree->nodes->len);
    for (int i = 0; i < (int)tree->nodes->len; i++) {
        HfNode node = *hf_tree_get(tree, i);
        node.parent = map_node_index(order, node.parent);
        node.first_child = map_node_index(order, node.first_child);
        node.next_sibling = map_node_index(order, node.next_sibling);
        g_array_index(nodes, HfNode, order[i]) = node;
        g_array_index(tree->ends, int, order[i]) = order[i] + sizes[i];
    }
    g_array_unref(tree->nodes);
    tree->nodes = nodes;
    tree->finished = TRUE;
    g_array_set_size(tree->last_child, 0);
    for (int i = 0; i < (int)nodes->len; i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (!node->path || node->program < 0 || node->program >= (int)tree->programs->len)
            continue;
        const char *bus = hf_tree_get_program(tree, node->program)->bus;
        g_hash_table_insert(tree->by_place, g_strconcat(bus, " ", node->path, NULL),
                            GINT_TO_POINTER(i + 1));
    }
}

int hf_tree_size(const HfTree *tree)
{
    return (int)tree->nodes->len;
}

const HfNode *hf_tree_get(const HfTree *tree, int index)
{
    g_return_val_if_fail(index >= 0 && index < (int)tree->nodes->len, NULL);
    return &g_array_index(tree->nodes, HfNode, index);
}

int hf_tree_programs(const HfTree *tree)
{
    return (int)tree->programs->len;
}

const HfTreeProgram *hf_tree_get_program(const HfTree *tree, int index)
{
    g_return_val_if_fail(index >= 0 && index < (int)tree->programs->len, NULL);
    return &g_array_index(tree->programs, HfTreeProgram, index);
}

HfTruncation hf_tree_get_truncated(const HfTree *tree)
{
    HfTruncation truncated = tree->truncated;
    for (int i = 0; i < hf_tree_programs(tree); i++)
        truncated |= hf_tree_get_program(tree, i)->truncated;
    return truncated;
}

gboolean hf_tree_is_cut(const HfTree *tree, gboolean alone)
{
    HfTruncation budget = HF_TRUNCATED_DEPTH | HF_TRUNCATED_NODES | HF_TRUNCATED_TIME;
    gboolean cut = (tree->truncated & budget) != 0;
    for (int i = 0; i < hf_tree_programs(tree) && !cut; i++) {
        HfTruncation truncated = hf_tree_get_program(tree, i)->truncated;
        cut = truncated & HF_TRUNCATED_PROGRAM ? alone : (truncated & budget) != 0;
    }
    return cut;
}

int hf_tree_find(const HfTree *tree, const char *bus, const char *path)
{
    g_autofree char *place = g_strconcat(bus, " ", path, NULL);
    return GPOINTER_TO_INT(g_hash_table_lookup(tree->by_place, place)) - 1;
}

int hf_tree_end(const HfTree *tree, int index)
{
    g_return_val_if_fail(tree->finished && index >= 0 && index < (int)tree->nodes->len, 0);
    return g_array_index(tree->ends, int, index);
}

int hf_tree_find_focused(const HfTree *tree)
{
    int other = HF_NODE_NONE;
    for (int i = hf_tree_size(tree) - 1; i >= 0; i--) {
        const HfNode *node = hf_tree_get(tree, i);
        if (!hf_states_have(node->states, HF_STATE_FOCUSED))
            continue;
        if (hf_states_have(node->states, HF_STATE_EDITABLE) ||
            (node->abilities & HF_ABILITY_EDITABLE_TEXT))
            return i;
        if (other == HF_NODE_NONE)
            other = i;
    }
    return other;
}

/* GTK 4 sets "showing" on its windows only. */
gboolean hf_tree_is_visible(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    if (hf_rect_is_empty(node->bounds))
        return FALSE;
    if (!(node->source & HF_SOURCE_ACCESS))
        return TRUE;
    const char *toolkit = hf_tree_get_program(tree, node->program)->toolkit;
    return hf_states_have(node->states, HF_STATE_VISIBLE) &&
           (hf_states_have(node->states, HF_STATE_SHOWING) || strcmp(toolkit, "GTK") == 0);
}

const char *hf_node_label(const HfNode *node)
{
    const char *name = node->name;
    if (!name || !*name || (strncmp(name, "Gtk", 3) == 0 && g_ascii_isupper(name[3])))
        return NULL;
    return name;
}

/* ---- JSON ---- */

static json_t *tree_bits_to_json(guint bits, const char *const *names, gsize count)
{
    json_t *array = json_array();
    for (gsize i = 0; i < count; i++)
        if (bits & (1u << i))
            json_array_append_new(array, json_string(names[i]));
    return array;
}

json_t *hf_truncation_to_json(HfTruncation truncated)
{
    static const char *const words[] = {"depth", "nodes", "time", "program"};
    if (truncated & HF_TRUNCATED_CELLS)
        truncated |= HF_TRUNCATED_NODES;
    return tree_bits_to_json(truncated, words, G_N_ELEMENTS(words));
}

json_t *hf_source_to_json(HfSource source)
{
    static const char *const words[] = {"ax", "ocr", "dom", "pixels"};
    return tree_bits_to_json(source, words, G_N_ELEMENTS(words));
}
