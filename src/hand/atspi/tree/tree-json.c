/* SPDX-License-Identifier: Apache-2.0 */
/* A tree as JSON and back. Members that say nothing are left out. */
#include "hand/atspi/tree/tree.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

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

static HfRect read_node_rect(const json_t *json)
{
    return (HfRect){(int)hf_json_int(json, "x", 0), (int)hf_json_int(json, "y", 0),
                    (int)hf_json_int(json, "width", 0), (int)hf_json_int(json, "height", 0)};
}

static gboolean read_tree_node(HfTree *tree, gsize index, const json_t *json, GError **error)
{
    const char *role = hf_json_string(json, "role", "");
    json_int_t parent = hf_json_int(json, "parent", HF_NODE_NONE);
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
        .bounds = read_node_rect(json_object_get(json, "bounds")),
        .window = (guint32)hf_json_int(json, "window", 0),
        .secure = hf_json_bool(json, "secure", FALSE),
        .more = hf_json_bool(json, "more", FALSE),
        .missing =
            bits_from_json(json_object_get(json, "missing"), missings, G_N_ELEMENTS(missings)),
        .pops_up = hf_json_bool(json, "pops_up", FALSE),
        .confidence = json_number_value(json_object_get(json, "confidence")),
    };
    if (node.role < 0)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "nodes[%zu]: no role is called '%s'", index,
                       role);
    if (parent < HF_NODE_NONE || parent >= (json_int_t)index)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "nodes[%zu]: its parent must stand before it", index);
    if (node.program < 0 || node.program >= hf_tree_programs(tree))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "nodes[%zu]: there is no such program",
                       index);
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
