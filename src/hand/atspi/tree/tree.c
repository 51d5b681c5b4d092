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

/* ---- JSON: members without information are left out ---- */

static const char *const truncations[] = {"depth", "nodes", "time", "program"};
static const char *const sources[] = {"ax", "ocr", "dom", "pixels"};
static const char *const missings[] = {"name", "bounds", "children", "role"};
static const char *const abilities[] = {"component", "action", "text",     "editable-text", "value",
                                        "selection", "table",  "document", "collection"};

static json_t *tree_bits_to_json(guint bits, const char *const *names, gsize count)
{
    json_t *array = json_array();
    for (gsize i = 0; i < count; i++)
        if (bits & (1u << i))
            json_array_append_new(array, json_string(names[i]));
    return array;
}

static guint bits_from_json(const json_t *array, const char *const *names, gsize count)
{
    guint bits = 0;
    for (gsize i = 0; i < json_array_size(array); i++)
        for (gsize k = 0; k < count; k++)
            if (g_strcmp0(json_string_value(json_array_get(array, i)), names[k]) == 0)
                bits |= 1u << k;
    return bits;
}

json_t *hf_truncation_to_json(HfTruncation truncated)
{
    if (truncated & HF_TRUNCATED_CELLS)
        truncated |= HF_TRUNCATED_NODES;
    return tree_bits_to_json(truncated, truncations, G_N_ELEMENTS(truncations));
}

json_t *hf_source_to_json(HfSource source)
{
    return tree_bits_to_json(source, sources, G_N_ELEMENTS(sources));
}

static void set_node_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, hf_json_text(text));
}

static void set_bits(json_t *object, const char *key, json_t *take_bits)
{
    if (json_array_size(take_bits) > 0)
        json_object_set_new(object, key, take_bits);
    else
        json_decref(take_bits);
}

static json_t *program_to_json(const HfTreeProgram *program)
{
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:i}", "bus", hf_json_text(program->bus), "name",
                  hf_json_text(program->name), "toolkit", hf_json_text(program->toolkit), "version",
                  hf_json_text(program->version), "pid", program->pid);
    set_bits(object, "truncated", hf_truncation_to_json(program->truncated));
    return object;
}

static json_t *node_to_json(const HfNode *node)
{
    json_t *object = json_pack("{s:i, s:i, s:s}", "parent", node->parent, "program", node->program,
                               "role", hf_node_role_name(node->role));
    set_node_text(object, "path", node->path);
    set_node_text(object, "name", node->name);
    set_node_text(object, "description", node->description);
    set_node_text(object, "identifier", node->identifier);
    set_node_text(object, "dom", node->dom);
    set_node_text(object, "value", node->value);
    set_node_text(object, "actions", node->actions);
    json_object_set_new(object, "states", json_integer((json_int_t)node->states));
    set_bits(object, "abilities",
             tree_bits_to_json(node->abilities, abilities, G_N_ELEMENTS(abilities)));
    set_bits(object, "source", hf_source_to_json(node->source));
    if (!hf_rect_is_empty(node->bounds))
        json_object_set_new(object, "bounds", hf_json_rect(node->bounds));
    if (node->window)
        json_object_set_new(object, "window", json_integer(node->window));
    if (node->secure)
        json_object_set_new(object, "secure", json_true());
    if (node->more)
        json_object_set_new(object, "more", json_true());
    set_bits(object, "missing", tree_bits_to_json(node->missing, missings, G_N_ELEMENTS(missings)));
    if (node->pops_up)
        json_object_set_new(object, "pops_up", json_true());
    if (node->confidence > 0)
        json_object_set_new(object, "confidence", json_real(node->confidence));
    return object;
}

json_t *hf_tree_to_json(const HfTree *tree)
{
    json_t *programs = json_array(), *nodes = json_array();
    for (int i = 0; i < hf_tree_programs(tree); i++)
        json_array_append_new(programs, program_to_json(hf_tree_get_program(tree, i)));
    for (int i = 0; i < hf_tree_size(tree); i++)
        json_array_append_new(nodes, node_to_json(hf_tree_get(tree, i)));
    json_t *object = json_pack("{s:o, s:o}", "programs", programs, "nodes", nodes);
    set_bits(object, "truncated", hf_truncation_to_json(hf_tree_get_truncated(tree)));
    return object;
}

static void read_tree_program(HfTree *tree, const json_t *json)
{
    HfTreeProgram program = {
        .bus = hf_json_string(json, "bus", ""),
        .name = hf_json_string(json, "name", ""),
        .toolkit = hf_json_string(json, "toolkit", ""),
        .version = hf_json_string(json, "version", ""),
        .pid = (int)hf_json_int(json, "pid", 0),
        .truncated = bits_from_json(json_object_get(json, "truncated"), truncations,
                                    G_N_ELEMENTS(truncations)),
    };
    hf_tree_add_program(tree, &program);
}

static gboolean read_tree_node(HfTree *tree, gsize index, const json_t *json, GError **error)
{
    const char *role = hf_json_string(json, "role", "");
    json_int_t parent = hf_json_int(json, "parent", HF_NODE_NONE);
    const json_t *bounds = json_object_get(json, "bounds");
    HfNode node = {
        .program = (int)hf_json_int(json, "program", 0),
        .path = hf_json_string(json, "path", NULL),
        .role = hf_node_role_from_name(role),
        .states = (guint64)hf_json_int(json, "states", 0),
        .name = hf_json_string(json, "name", NULL),
        .description = hf_json_string(json, "description", NULL),
        .identifier = hf_json_string(json, "identifier", NULL),
        .dom = hf_json_string(json, "dom", NULL),
        .value = hf_json_string(json, "value", NULL),
        .actions = hf_json_string(json, "actions", NULL),
        .abilities =
            bits_from_json(json_object_get(json, "abilities"), abilities, G_N_ELEMENTS(abilities)),
        .source = bits_from_json(json_object_get(json, "source"), sources, G_N_ELEMENTS(sources)),
        .bounds = {(int)hf_json_int(bounds, "x", 0), (int)hf_json_int(bounds, "y", 0),
                   (int)hf_json_int(bounds, "width", 0), (int)hf_json_int(bounds, "height", 0)},
        .window = (guint32)hf_json_int(json, "window", 0),
        .secure = hf_json_bool(json, "secure", FALSE),
        .more = hf_json_bool(json, "more", FALSE),
        .missing =
            bits_from_json(json_object_get(json, "missing"), missings, G_N_ELEMENTS(missings)),
        .pops_up = hf_json_bool(json, "pops_up", FALSE),
        .confidence = json_number_value(json_object_get(json, "confidence")),
    };
    if (node.role < 0)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "nodes[%zu]: unknown role '%s'", index,
                       role);
    if (parent < HF_NODE_NONE || parent >= (json_int_t)index)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "nodes[%zu]: its parent must come before it",
                       index);
    if (node.program < 0 || node.program >= hf_tree_programs(tree))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "nodes[%zu]: no program %d", index,
                       node.program);
    hf_tree_add(tree, (int)parent, &node);
    return TRUE;
}

HfTree *hf_tree_from_json(const json_t *json, GError **error)
{
    g_autoptr(HfTree) tree = hf_tree_new();
    const json_t *programs = json_object_get(json, "programs");
    const json_t *nodes = json_object_get(json, "nodes");
    for (gsize i = 0; i < json_array_size(programs); i++)
        read_tree_program(tree, json_array_get(programs, i));
    for (gsize i = 0; i < json_array_size(nodes); i++)
        if (!read_tree_node(tree, i, json_array_get(nodes, i), error))
            return NULL;
    hf_tree_truncate(tree, bits_from_json(json_object_get(json, "truncated"), truncations,
                                          G_N_ELEMENTS(truncations)));
    hf_tree_finish(tree);
    return g_steal_pointer(&tree);
}
