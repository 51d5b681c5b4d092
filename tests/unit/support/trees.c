/* SPDX-License-Identifier: Apache-2.0 */
/* Reads fixtures: trees as JSON. */
#include "trees.h"

#include "hand/atspi/tree/roles.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* ---- JSON: members without information are left out ---- */

static const char *const truncations[] = {"depth", "nodes", "time", "program"};
static const char *const sources[] = {"ax", "ocr", "dom", "pixels"};
static const char *const missings[] = {"name", "bounds", "children", "role"};
static const char *const abilities[] = {"component", "action", "text",     "editable-text", "value",
                                        "selection", "table",  "document", "collection"};

static json_t *bits_to_json(guint bits, const char *const *names, gsize count)
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
             bits_to_json(node->abilities, abilities, G_N_ELEMENTS(abilities)));
    set_bits(object, "source", hf_source_to_json(node->source));
    if (!hf_rect_is_empty(node->bounds))
        json_object_set_new(object, "bounds", hf_json_rect(node->bounds));
    if (node->window)
        json_object_set_new(object, "window", json_integer(node->window));
    if (node->secure)
        json_object_set_new(object, "secure", json_true());
    if (node->more)
        json_object_set_new(object, "more", json_true());
    set_bits(object, "missing", bits_to_json(node->missing, missings, G_N_ELEMENTS(missings)));
    if (node->pops_up)
        json_object_set_new(object, "pops_up", json_true());
    if (node->confidence > 0)
        json_object_set_new(object, "confidence", json_real(node->confidence));
    return object;
}

json_t *hf_test_tree_to_json(const HfTree *tree)
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

HfTree *hf_test_tree_from_json(const json_t *json, GError **error)
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

/* ---- fixtures ---- */

HfTree *hf_test_tree(const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = g_strconcat(name, ".json", NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("HF_TEST_SOURCE"), "unit", "data", file, NULL);
    g_autoptr(json_t) json = json_load_file(path, 0, NULL);
    g_assert_nonnull(json);
    HfTree *tree = hf_test_tree_from_json(json, &error);
    g_assert_no_error(error);
    return tree;
}

/* Parents stand before their children, so whoever has lost its parent is met after it. */
static void close_gaps(json_t *nodes)
{
    g_autoptr(GArray) moved = g_array_new(FALSE, FALSE, sizeof(int));
    for (gsize i = 0; i < json_array_size(nodes);) {
        json_t *node = json_array_get(nodes, i);
        int parent = (int)hf_json_int(node, "parent", -1);
        int at = parent < 0 ? -1 : g_array_index(moved, int, parent);
        gboolean lost = json_is_null(node) || (parent >= 0 && at < 0);
        int now = lost ? -1 : (int)i;
        g_array_append_val(moved, now);
        if (lost) {
            json_array_remove(nodes, i);
            continue;
        }
        json_object_set_new(node, "parent", json_integer(at));
        i++;
    }
}

HfTree *hf_test_tree_changed(const char *name, const char *changes)
{
    g_autoptr(HfTree) tree = hf_test_tree(name);
    g_autoptr(json_t) json = hf_test_tree_to_json(tree);
    g_autoptr(json_t) wanted = json_loads(changes, 0, NULL);
    g_assert_nonnull(wanted);
    json_t *nodes = json_object_get(json, "nodes"), *change;
    const char *key;
    json_object_foreach (wanted, key, change) {
        gsize index = (gsize)g_ascii_strtoull(key, NULL, 10);
        if (json_is_null(change))
            json_array_set_new(nodes, index, json_null());
        else
            json_object_update(json_array_get(nodes, index), change);
    }
    close_gaps(nodes);
    g_autoptr(GError) error = NULL;
    HfTree *changed = hf_test_tree_from_json(json, &error);
    g_assert_no_error(error);
    return changed;
}
