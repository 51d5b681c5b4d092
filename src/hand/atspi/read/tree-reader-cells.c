/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of tables are not among a program's items, and are asked one by one. What they are and can
 * do stays with the object for life, in toolkits that never call two objects by one name: of those
 * that were met before only what changes is asked. Of a table that has more of them than can be
 * read, the one whose address was said is asked for. */
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/read/tree-reader.h"
#include "hand/atspi/tree/roles.h"

struct HfCell {
    HfAbility abilities;
    char *actions;
};

static void cell_free(gpointer data)
{
    HfCell *cell = data;
    g_free(cell->actions);
    g_free(cell);
}

GHashTable *hf_cells_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, cell_free);
}

static gboolean is_kept(const HfTreeReader *reader, const HfRawNode *record)
{
    return reader->program->traits->one_action && strcmp(record->bus, reader->program->bus) == 0;
}

gboolean hf_tree_reader_reuse_cell(HfTreeReader *reader, int index)
{
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    const HfCell *cell =
        is_kept(reader, record) ? g_hash_table_lookup(reader->program->cells, record->path) : NULL;
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

/* All about it was answered, and it holds nothing. */
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
    GHashTable *cells = reader->program->cells;
    if (reader->truncated || !reader->actions)
        return;
    for (int i = 0; i < hf_raw_nodes_size(reader->records); i++) {
        const HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        if (!is_simple_cell(record) || !is_kept(reader, record))
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
    reader->heard++;
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
