/* SPDX-License-Identifier: Apache-2.0 */
/* Walks object by object, from parents to children, one generation at a time. Where hidden objects
 * can be told by their states, those are asked first: most of a large program is hidden. */
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/read/tree-reader.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

#define MATCH_ALL 1
#define IN_ORDER  1

static void on_role(gpointer owner, int index, GVariant *body)
{
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    guint32 role = HF_ROLE_UNKNOWN;
    if (body)
        g_variant_get(body, "(u)", &role);
    else
        record->missing |= HF_MISSING_ROLE;
    record->role = role < HF_ROLE_COUNT ? (int)role : HF_ROLE_UNKNOWN;
    record->known |= HF_KNOWN_ROLE;
}

/* GTK 4 names an unnamed object after its class. */
static gboolean is_class_name(const HfTreeReader *reader, const char *name)
{
    if (!reader->program->traits->window_relative || !g_str_has_prefix(name, "Gtk"))
        return FALSE;
    const char *rest = name + strlen("Gtk");
    return g_ascii_isupper(*rest) && strspn(rest, G_CSET_A_2_Z G_CSET_a_2_z) == strlen(rest);
}

static void on_node_name(gpointer owner, int index, GVariant *value)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (!value || !g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) {
        record->missing |= HF_MISSING_NAME;
        return;
    }
    const char *name = g_variant_get_string(value, NULL);
    if (!is_class_name(reader, name))
        record->name = hf_raw_nodes_intern(reader->records, name, HF_LIMIT_ELEMENT_NAME_BYTES);
}

static void on_interfaces(gpointer owner, int index, GVariant *body)
{
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (!body)
        return;
    g_autoptr(GVariant) names = g_variant_get_child_value(body, 0);
    record->abilities = hf_abilities_from_variant(names);
    hf_tree_reader_ask_actions(owner, index);
}

static void ask_role(HfTreeReader *reader, int index)
{
    hf_tree_reader_ask(reader, index, HF_ATSPI_ACCESSIBLE, "GetRole", NULL, "(u)", on_role);
}

static void ask_name_and_extents(HfTreeReader *reader, int index)
{
    hf_tree_reader_get_property(reader, index, HF_ATSPI_ACCESSIBLE, "Name", on_node_name);
    hf_tree_reader_ask_extents(reader, index);
}

static void ask_abilities_and_children(HfTreeReader *reader, int index)
{
    hf_tree_reader_ask(reader, index, HF_ATSPI_ACCESSIBLE, "GetInterfaces", NULL, "(as)",
                       on_interfaces);
    hf_tree_reader_ask_children(reader, index);
}

static gboolean is_in_open_menu(const HfTreeReader *reader, const HfRawNode *record)
{
    const HfRawNode *menu =
        record->parent == HF_NODE_NONE ? NULL : hf_raw_nodes_get(reader->records, record->parent);
    return reader->program->traits->silent_menus && menu && menu->role == HF_ROLE_MENU &&
           (hf_states_have(menu->states, HF_STATE_FOCUSED) ||
            hf_states_have(menu->states, HF_STATE_SELECTED));
}

static gboolean take_node_states(HfTreeReader *reader, HfRawNode *record, GVariant *body)
{
    if (body) {
        g_autoptr(GVariant) words = g_variant_get_child_value(body, 0);
        record->states = hf_states_from_variant(words);
        if (is_in_open_menu(reader, record) && hf_states_have(record->states, HF_STATE_VISIBLE))
            record->states |= HF_STATE(HF_STATE_SHOWING);
        record->known |= HF_KNOWN_STATES;
    }
    if (body &&
        (hf_tree_reader_is_cell(reader, record) || !hf_tree_reader_skips(reader, record->states)))
        return TRUE;
    record->known |= HF_KNOWN_HIDDEN;
    reader->hidden_seen++;
    HfRawNode *parent =
        record->parent == HF_NODE_NONE ? NULL : hf_raw_nodes_get(reader->records, record->parent);
    if (parent)
        parent->more = TRUE;
    if (parent && !body)
        parent->missing |= HF_MISSING_CHILDREN;
    return FALSE;
}

static void on_states_first(gpointer owner, int index, GVariant *body)
{
    if (!take_node_states(owner, hf_tree_reader_count_answer(owner, index), body))
        return;
    gboolean known = hf_tree_reader_reuse_cell(owner, index);
    if (!known)
        ask_role(owner, index);
    ask_name_and_extents(owner, index);
    if (!known)
        ask_abilities_and_children(owner, index);
}

static void on_states(gpointer owner, int index, GVariant *body)
{
    take_node_states(owner, hf_tree_reader_count_answer(owner, index), body);
}

/* Programs answer in the order of the calls: children come when states and extents are known. */
void hf_tree_reader_visit(HfTreeReader *reader, int parent, const char *bus, const char *path)
{
    int index = hf_tree_reader_add(reader, parent, bus, path);
    if (index == HF_NODE_NONE)
        return;
    gboolean first = reader->program->traits->says_showing;
    hf_tree_reader_ask(reader, index, HF_ATSPI_ACCESSIBLE, "GetState", NULL, "(au)",
                       first ? on_states_first : on_states);
    if (first)
        return;
    ask_role(reader, index);
    ask_name_and_extents(reader, index);
    ask_abilities_and_children(reader, index);
}

/* GTK 4 gives a collapsed object no size; its content is hidden with it. */
static gboolean is_collapsed(const HfTreeReader *reader, const HfRawNode *record)
{
    return (record->known & HF_KNOWN_HIDDEN) ||
           (!reader->program->traits->says_showing && !reader->scope->include_hidden &&
            (record->known & HF_KNOWN_EXTENTS) && hf_rect_is_empty(record->extents));
}

/* `shown`: paths of the children to visit; NULL: all of them. */
static void visit_children(HfTreeReader *reader, int parent, GVariant *children, GHashTable *shown)
{
    GVariantIter each;
    const char *bus, *path;
    g_variant_iter_init(&each, children);
    while (g_variant_iter_next(&each, "(&s&o)", &bus, &path))
        if (!shown || g_hash_table_contains(shown, path))
            hf_tree_reader_visit(reader, parent, bus, path);
}

/* With very many children, the program itself says which of them show. It may also name objects
 * further below. */
static void on_showing(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    g_autoptr(GVariant) children =
        g_variant_ref(g_hash_table_lookup(reader->wide_children, GINT_TO_POINTER(index)));
    g_hash_table_remove(reader->wide_children, GINT_TO_POINTER(index));
    record->more = TRUE;
    g_autoptr(GVariant) showing = body ? g_variant_get_child_value(body, 0) : NULL;
    g_autoptr(GHashTable) shown = g_hash_table_new(g_str_hash, g_str_equal);
    GVariantIter each;
    const char *bus, *path;
    if (showing) {
        g_variant_iter_init(&each, showing);
        while (g_variant_iter_next(&each, "(&s&o)", &bus, &path))
            g_hash_table_add(shown, (gpointer)path);
    }
    visit_children(reader, index, children, showing ? shown : NULL);
}

static void ask_showing(HfTreeReader *reader, int index, GVariant *children)
{
    g_hash_table_replace(reader->wide_children, GINT_TO_POINTER(index), g_variant_ref(children));
    GVariant *states[] = {g_variant_new_int32((gint32)HF_STATE(HF_STATE_SHOWING)),
                          g_variant_new_int32(0)};
    GVariant *rule = g_variant_new(
        "(@aii@a{ss}i@aii@asib)", g_variant_new_array(NULL, states, G_N_ELEMENTS(states)),
        MATCH_ALL, g_variant_new_array(G_VARIANT_TYPE("{ss}"), NULL, 0), MATCH_ALL,
        g_variant_new_array(G_VARIANT_TYPE_INT32, NULL, 0), MATCH_ALL,
        g_variant_new_array(G_VARIANT_TYPE_STRING, NULL, 0), MATCH_ALL, FALSE);
    hf_tree_reader_ask(
        reader, index, HF_ATSPI_COLLECTION, "GetMatches",
        g_variant_new("(@(aiia{ss}iaiiasib)uib)", rule, IN_ORDER, HF_LIMIT_ACCESS_CELLS, FALSE),
        "(a(so))", on_showing);
}

static void on_children(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (!body)
        record->missing |= HF_MISSING_CHILDREN;
    if (!body || is_collapsed(reader, record))
        return;
    g_autoptr(GVariant) children = g_variant_get_child_value(body, 0);
    gsize count = g_variant_n_children(children);
    record->known |= HF_KNOWN_CHILDREN;
    record->child_count = (int)MIN(count, G_MAXINT);
    reader->children_seen += (guint)MIN(count, HF_LIMIT_TREE_NODES);
    if (count > HF_LIMIT_ACCESS_CELLS && (record->abilities & HF_ABILITY_COLLECTION) &&
        reader->program->traits->says_showing && !reader->scope->include_hidden)
        ask_showing(reader, index, children);
    else
        visit_children(reader, index, children, NULL);
}

/* A table that manages its cells may report billions of them. */
static void on_count(gpointer owner, int index, GVariant *value)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    if (!value || !g_variant_is_of_type(value, G_VARIANT_TYPE_INT32)) {
        record->missing |= HF_MISSING_CHILDREN;
        return;
    }
    record->child_count = g_variant_get_int32(value);
    gboolean deep = record->depth + 1 >= reader->scope->max_depth;
    if (!deep && record->child_count <= HF_LIMIT_ACCESS_CELLS) {
        hf_tree_reader_ask(reader, index, HF_ATSPI_ACCESSIBLE, "GetChildren", NULL, "(a(so))",
                           on_children);
        return;
    }
    record->more = record->more || record->child_count > 0;
    if (record->child_count > 0)
        reader->truncated |= deep ? HF_TRUNCATED_DEPTH : HF_TRUNCATED_CELLS;
    if (!deep && record->child_count > 0)
        hf_tree_reader_ask_cell(reader, index);
}

void hf_tree_reader_ask_children(HfTreeReader *reader, int index)
{
    const HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    if (record->depth + 1 >= reader->scope->max_depth ||
        hf_states_have(record->states, HF_STATE_MANAGES_DESCENDANTS))
        hf_tree_reader_get_property(reader, index, HF_ATSPI_ACCESSIBLE, "ChildCount", on_count);
    else
        hf_tree_reader_ask(reader, index, HF_ATSPI_ACCESSIBLE, "GetChildren", NULL, "(a(so))",
                           on_children);
}

/* ---- windows ---- */

static void on_windows(gpointer owner, int unused, GVariant *body)
{
    HfTreeReader *reader = owner;
    g_autoptr(GVariantIter) tops = NULL;
    const char *bus, *path;
    reader->answers++;
    if (!body)
        return;
    g_variant_get(body, "(a(so))", &tops);
    while (g_variant_iter_next(tops, "(&s&o)", &bus, &path)) {
        int index = hf_tree_reader_add(reader, HF_NODE_NONE, bus, path);
        if (index == HF_NODE_NONE)
            continue;
        reader->tops = index + 1;
        hf_tree_reader_ask(reader, index, HF_ATSPI_ACCESSIBLE, "GetState", NULL, "(au)", on_states);
        ask_role(reader, index);
        ask_name_and_extents(reader, index);
    }
}

static void on_items(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    reader->answers++;
    gint64 took_ms = (g_get_monotonic_time() - reader->asked_us) / 1000;
    if (body)
        reader->items = hf_cache_items_new(body);
    reader->hidden_seen = 0;
    reader->children_seen =
        reader->items ? (guint)hf_cache_items_size(reader->items) : reader->children_seen;
    /* A busy machine is slow with few items too, and slower still one by one. */
    reader->program->slow_bulk =
        took_ms > HF_LIMIT_ACCESS_BULK_MS && reader->children_seen > HF_LIMIT_ACCESS_ATTENDED;
}

void hf_tree_reader_read_windows(HfTreeReader *reader)
{
    HfBusProgram *program = reader->program;
    HfBatchCall windows = {
        .connection = program->direct ? program->direct : reader->bus,
        .destination = program->direct ? NULL : program->bus,
        .path = program->root,
        .interface = HF_ATSPI_ACCESSIBLE,
        .method = "GetChildren",
        .reply_type = "(a(so))",
        .done = on_windows,
        .owner = reader,
    };
    hf_call_batch_call(reader->batch, &windows);
    if (!program->traits->bulk || !program->direct || program->slow_bulk)
        return;
    HfBatchCall items = {
        .connection = program->direct,
        .path = HF_ATSPI_CACHE_PATH,
        .interface = HF_ATSPI_CACHE,
        .method = "GetItems",
        .reply_type = "(say)",
        .raw = TRUE,
        .done = on_items,
        .owner = reader,
    };
    program->slow_bulk = TRUE; /* until the reply comes in good time */
    reader->asked_us = g_get_monotonic_time();
    hf_call_batch_call(reader->batch, &items);
}

void hf_tree_reader_read_below(HfTreeReader *reader, int index)
{
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    if (record->known & (HF_KNOWN_HIDDEN | HF_KNOWN_BELOW))
        return;
    record->known |= HF_KNOWN_BELOW;
    if (reader->items && hf_cache_items_find(reader->items, record->path) != HF_NODE_NONE)
        hf_tree_reader_read_from_items(reader, index);
    else
        ask_abilities_and_children(reader, index);
}
