/* SPDX-License-Identifier: Apache-2.0 */
/* What the reading strategies share: calls and limits. Then two strategies: from the list of all
 * items, and table cells by what is known of them. */
#include "hand/atspi/read/tree-reader.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/atspi/tree/tree.h"
#include "shared/text/text.h"

/* ---- raw nodes ---- */

#define TEXT_BLOCK_BYTES 4096

struct HfRawNodes {
    GArray *list;
    GStringChunk *texts;
    gsize bytes;          /* upper bound of the bytes in `texts` */
    GHashTable *by_place; /* "bus path" → index + 1; the keys are in `texts` */
};

HfRawNodes *hf_raw_nodes_new(void)
{
    HfRawNodes *records = g_new0(HfRawNodes, 1);
    records->list = g_array_new(FALSE, TRUE, sizeof(HfRawNode));
    records->texts = g_string_chunk_new(TEXT_BLOCK_BYTES);
    records->by_place = g_hash_table_new(g_str_hash, g_str_equal);
    return records;
}

void hf_raw_nodes_free(HfRawNodes *records)
{
    if (!records)
        return;
    g_array_unref(records->list);
    g_hash_table_unref(records->by_place);
    g_string_chunk_free(records->texts);
    g_free(records);
}

void hf_raw_nodes_clear(HfRawNodes *records)
{
    g_array_set_size(records->list, 0);
    g_hash_table_remove_all(records->by_place);
}

int hf_raw_nodes_size(const HfRawNodes *records)
{
    return (int)records->list->len;
}

HfRawNode *hf_raw_nodes_get(const HfRawNodes *records, int index)
{
    return &g_array_index(records->list, HfRawNode, index);
}

int hf_raw_nodes_find(const HfRawNodes *records, const char *bus, const char *path)
{
    g_autofree char *place = g_strconcat(bus, " ", path, NULL);
    return GPOINTER_TO_INT(g_hash_table_lookup(records->by_place, place)) - 1;
}

int hf_raw_nodes_add(HfRawNodes *records, int parent, const char *bus, const char *path)
{
    g_autofree char *place = g_strconcat(bus, " ", path, NULL);
    if (g_hash_table_contains(records->by_place, place))
        return HF_NODE_NONE;
    int index = (int)records->list->len;
    char *kept = g_string_chunk_insert(records->texts, place);
    HfRawNode record = {
        .bus = g_string_chunk_insert_const(records->texts, bus),
        .path = kept + strlen(bus) + 1,
        .parent = parent,
        .depth = parent == HF_NODE_NONE ? 0 : hf_raw_nodes_get(records, parent)->depth + 1,
        .child_count = -1,
    };
    g_hash_table_insert(records->by_place, kept, GINT_TO_POINTER(index + 1));
    g_array_append_val(records->list, record);
    return index;
}

const char *hf_raw_nodes_intern(HfRawNodes *records, const char *text, gsize limit)
{
    gsize length = strlen(text);
    g_autofree char *cut = length > limit ? hf_text_shorten(text, limit) : NULL;
    records->bytes += MIN(length, limit) + 1;
    return g_string_chunk_insert_const(records->texts, cut ? cut : text);
}

gsize hf_raw_nodes_bytes(const HfRawNodes *records)
{
    return records->bytes;
}

HfTreeReader *hf_tree_reader_new(HfBusProgram *program, HfBusConnection *bus)
{
    HfTreeReader *reader = g_new0(HfTreeReader, 1);
    reader->program = program;
    reader->bus = bus;
    reader->records = hf_raw_nodes_new();
    reader->wide_children =
        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_variant_unref);
    reader->old_extents = g_array_new(FALSE, TRUE, sizeof(HfRect));
    return reader;
}

void hf_tree_reader_free(HfTreeReader *reader)
{
    if (!reader)
        return;
    hf_raw_nodes_free(reader->records);
    hf_cache_items_free(reader->items);
    g_array_unref(reader->old_extents);
    g_hash_table_unref(reader->wide_children);
    g_free(reader);
}

void hf_tree_reader_begin(HfTreeReader *reader, HfCallBatch *batch, const HfTreeScope *scope,
                          int *budget)
{
    reader->batch = batch;
    reader->scope = scope;
    reader->budget = budget;
    reader->answers = 0;
    reader->hidden = scope->include_hidden;
    reader->depth = scope->max_depth;
    /* A cached reading has its actions, or does without. */
    if (hf_raw_nodes_size(reader->records) == 0)
        reader->actions = !scope->skip_actions;
    *budget -= hf_raw_nodes_size(reader->records);
}

HfRawNode *hf_tree_reader_count_answer(HfTreeReader *reader, int index)
{
    reader->answers++;
    return hf_raw_nodes_get(reader->records, index);
}

/* An object may belong to another program: a plug in a socket. */
static HfBatchCall new_node_call(HfTreeReader *reader, int index, const char *interface,
                                 HfBatchDone done)
{
    const HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    gboolean own = strcmp(record->bus, reader->program->bus) == 0;
    gboolean direct = own && reader->program->direct;
    return (HfBatchCall){
        .connection = direct ? reader->program->direct : reader->bus,
        .destination = direct ? NULL : record->bus,
        .path = record->path,
        .interface = interface,
        .done = done,
        .owner = reader,
        .index = index,
    };
}

void hf_tree_reader_ask(HfTreeReader *reader, int index, const char *interface, const char *method,
                        GVariant *arguments, const char *reply_type, HfBatchDone done)
{
    HfBatchCall call = new_node_call(reader, index, interface, done);
    call.method = method;
    call.arguments = arguments;
    call.reply_type = reply_type;
    hf_call_batch_call(reader->batch, &call);
}

void hf_tree_reader_get_property(HfTreeReader *reader, int index, const char *interface,
                                 const char *property, HfBatchDone done)
{
    HfBatchCall call = new_node_call(reader, index, interface, done);
    hf_call_batch_get(reader->batch, &call, property);
}

/* An object that was never laid out reports the smallest integer. */
static void on_extents(gpointer owner, int index, GVariant *body)
{
    HfRawNode *record = hf_tree_reader_count_answer(owner, index);
    HfRect *extents = &record->extents;
    record->missing =
        body ? record->missing & ~HF_MISSING_BOUNDS : record->missing | HF_MISSING_BOUNDS;
    if (!body)
        return;
    record->known |= HF_KNOWN_EXTENTS;
    g_variant_get(body, "((iiii))", &extents->x, &extents->y, &extents->width, &extents->height);
    if (ABS((gint64)extents->x) > HF_LIMIT_ELEMENT_EDGE ||
        ABS((gint64)extents->y) > HF_LIMIT_ELEMENT_EDGE || extents->width > HF_LIMIT_ELEMENT_EDGE ||
        extents->height > HF_LIMIT_ELEMENT_EDGE)
        *extents = (HfRect){0};
}

void hf_tree_reader_ask_extents(HfTreeReader *reader, int index)
{
    hf_tree_reader_ask(reader, index, HF_ATSPI_COMPONENT, "GetExtents", g_variant_new("(u)", 0),
                       "((iiii))", on_extents);
}

static gboolean is_shown(const HfTreeReader *reader, guint64 states)
{
    return hf_states_have(states, reader->program->traits->says_showing ? HF_STATE_SHOWING
                                                                        : HF_STATE_VISIBLE);
}

gboolean hf_tree_reader_skips(const HfTreeReader *reader, guint64 states)
{
    return hf_states_have(states, HF_STATE_DEFUNCT) ||
           (!reader->scope->include_hidden && !is_shown(reader, states));
}

int hf_tree_reader_add(HfTreeReader *reader, int parent, const char *bus, const char *path)
{
    if (!*bus || strcmp(path, HF_ATSPI_NULL) == 0)
        return HF_NODE_NONE;
    if (*reader->budget <= 0) {
        reader->truncated |= HF_TRUNCATED_NODES;
        if (parent != HF_NODE_NONE)
            hf_raw_nodes_get(reader->records, parent)->more = TRUE;
        return HF_NODE_NONE;
    }
    int index = hf_raw_nodes_add(reader->records, parent, bus, path);
    if (index != HF_NODE_NONE)
        --*reader->budget;
    return index;
}

/* ---- from the list of all items ----
 * Only extents are asked one by one, for visible objects. The list may have gaps: where a parent
 * has more children than were found, the program is asked for them. */

static void fill_from_item(HfTreeReader *reader, int index, const HfCacheItem *item)
{
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    record->role = item->role >= 0 && item->role < HF_ROLE_COUNT ? item->role : HF_ROLE_UNKNOWN;
    record->states = item->states;
    record->abilities = item->abilities;
    record->child_count = item->child_count;
    record->name = hf_raw_nodes_intern(reader->records, item->name, HF_LIMIT_ELEMENT_NAME_BYTES);
    record->description =
        *item->description
            ? hf_raw_nodes_intern(reader->records, item->description, HF_LIMIT_ELEMENT_NAME_BYTES)
            : NULL;
    record->known |= HF_KNOWN_STATES | HF_KNOWN_ROLE;
}

/* A scrolled viewport of GTK 3 lacks "showing", although its content shows. */
static void add_item_node(HfTreeReader *reader, int parent, const HfCacheItem *item)
{
    if (item->role != HF_ROLE_VIEWPORT && hf_tree_reader_skips(reader, item->states)) {
        hf_raw_nodes_get(reader->records, parent)->more = TRUE;
        return;
    }
    int index = hf_tree_reader_add(reader, parent, item->bus, item->path);
    if (index == HF_NODE_NONE)
        return;
    fill_from_item(reader, index, item);
    if ((item->abilities & HF_ABILITY_COMPONENT) && is_shown(reader, item->states))
        hf_tree_reader_ask_extents(reader, index);
    hf_tree_reader_ask_actions(reader, index);
}

static void add_item_children(HfTreeReader *reader, int index, const HfCacheItem *item)
{
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    if (record->depth + 1 >= reader->scope->max_depth) {
        record->more = record->more || item->first_child != HF_NODE_NONE;
        if (record->more)
            reader->truncated |= HF_TRUNCATED_DEPTH;
        return;
    }
    int found = 0;
    for (int child = item->first_child; child != HF_NODE_NONE && *reader->budget > 0; found++) {
        const HfCacheItem *next = hf_cache_items_get(reader->items, child);
        add_item_node(reader, index, next);
        child = next->next_sibling;
    }
    gboolean managed = hf_states_have(item->states, HF_STATE_MANAGES_DESCENDANTS);
    if (found < item->child_count || managed)
        hf_tree_reader_ask_children(reader, index);
    else if (found < item->child_count || *reader->budget <= 0)
        reader->truncated |= HF_TRUNCATED_NODES;
}

void hf_tree_reader_read_from_items(HfTreeReader *reader, int index)
{
    const HfRawNode *top = hf_raw_nodes_get(reader->records, index);
    const HfCacheItem *item =
        hf_cache_items_get(reader->items, hf_cache_items_find(reader->items, top->path));
    hf_raw_nodes_get(reader->records, index)->abilities = item->abilities;
    int end = hf_raw_nodes_size(reader->records);
    add_item_children(reader, index, item);
    /* New records go to the end, so this loop reaches every generation. */
    for (int next = end; next < hf_raw_nodes_size(reader->records); next++) {
        int found =
            hf_cache_items_find(reader->items, hf_raw_nodes_get(reader->records, next)->path);
        if (found != HF_NODE_NONE)
            add_item_children(reader, next, hf_cache_items_get(reader->items, found));
    }
}

/* ---- table cells ----
 * Cells are not among the items, so they are read one by one. Their abilities and actions stay with
 * the object for life, in toolkits that never reuse a path: a cell that was read before is only
 * asked for what changes. */

typedef struct HfCell {
    HfAbility abilities;
    char *actions;
} HfCell;

static void cell_free(gpointer data)
{
    HfCell *cell = data;
    g_free(cell->actions);
    g_free(cell);
}

static gboolean is_cell_reusable(const HfTreeReader *reader, const HfRawNode *record)
{
    return reader->program->traits->one_action && strcmp(record->bus, reader->program->bus) == 0;
}

gboolean hf_tree_reader_reuse_cell(HfTreeReader *reader, int index)
{
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    const HfCell *cell = reader->program->cells && is_cell_reusable(reader, record)
                             ? g_hash_table_lookup(reader->program->cells, record->path)
                             : NULL;
    if (!cell)
        return FALSE;
    record->role = HF_ROLE_TABLE_CELL;
    record->abilities = cell->abilities;
    record->actions =
        cell->actions && !reader->scope->skip_actions
            ? hf_raw_nodes_intern(reader->records, cell->actions, HF_LIMIT_ELEMENT_NAME_BYTES)
            : NULL;
    record->child_count = 0;
    record->known |= HF_KNOWN_ROLE | HF_KNOWN_CHILDREN | HF_KNOWN_ACTIONS;
    return TRUE;
}

/* Fully read, and without children. */
static gboolean is_simple_cell(const HfRawNode *record)
{
    const HfKnown all = HF_KNOWN_ROLE | HF_KNOWN_CHILDREN;
    gboolean acts = (record->abilities & HF_ABILITY_ACTION) && !(record->known & HF_KNOWN_ACTIONS);
    return record->role == HF_ROLE_TABLE_CELL && (record->known & all) == all && !acts &&
           (record->abilities & HF_ABILITY_COMPONENT) && record->child_count == 0 &&
           !(record->known & HF_KNOWN_HIDDEN);
}

void hf_tree_reader_remember_cells(HfTreeReader *reader)
{
    if (reader->truncated || !reader->actions)
        return;
    if (!reader->program->cells)
        reader->program->cells = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, cell_free);
    GHashTable *cells = reader->program->cells;
    for (int i = 0; i < hf_raw_nodes_size(reader->records); i++) {
        const HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        if (!is_simple_cell(record) || !is_cell_reusable(reader, record))
            continue;
        if (g_hash_table_size(cells) >= HF_LIMIT_TREE_NODES)
            g_hash_table_remove_all(cells);
        HfCell *cell = g_new(HfCell, 1);
        *cell = (HfCell){record->abilities, g_strdup(record->actions)};
        g_hash_table_replace(cells, g_strdup(record->path), cell);
    }
}

gboolean hf_tree_reader_is_cell(const HfTreeReader *reader, const HfRawNode *record)
{
    return reader->cell && record == hf_raw_nodes_get(reader->records, reader->cell);
}

static void on_cell(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    const char *bus, *path;
    reader->answers++;
    if (!body)
        return;
    g_variant_get(body, "((&s&o))", &bus, &path);
    if (!*bus)
        return;
    reader->cell = hf_raw_nodes_size(reader->records);
    hf_tree_reader_visit(reader, index, bus, path);
}

void hf_tree_reader_ask_cell(HfTreeReader *reader, int index)
{
    HfCellAddress cell = reader->scope->cell;
    if (cell.row > 0)
        hf_tree_reader_ask(reader, index, HF_ATSPI_TABLE, "GetAccessibleAt",
                           g_variant_new("(ii)", cell.row - 1, cell.column - 1), "((so))", on_cell);
}
