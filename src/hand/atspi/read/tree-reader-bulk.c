/* SPDX-License-Identifier: Apache-2.0 */
/* From the list of all items: only places are asked one by one, of those that show. The list may
 * have gaps; where a parent says that it has more children than were found, they are asked for. */
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/read/tree-reader.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

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

static gboolean is_item_shown(const HfTreeReader *reader, guint64 states)
{
    return hf_states_have(states, reader->program->traits->says_showing ? HF_STATE_SHOWING
                                                                        : HF_STATE_VISIBLE);
}

/* A viewport of GTK 3 that has been scrolled says that it does not show, but what is in it does. */
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
    if ((item->abilities & HF_ABILITY_COMPONENT) && is_item_shown(reader, item->states))
        hf_tree_reader_ask_extents(reader, index);
    hf_tree_reader_ask_actions(reader, index);
}

/* The children of one record; those that are missing from the list are asked for. */
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
    for (int child = item->first_child; child != HF_NODE_NONE && *reader->left > 0; found++) {
        const HfCacheItem *next = hf_cache_items_get(reader->items, child);
        add_item_node(reader, index, next);
        child = next->next_sibling;
    }
    gboolean managed = hf_states_have(item->states, HF_STATE_MANAGES_DESCENDANTS);
    if (found < item->child_count || managed)
        hf_tree_reader_ask_children(reader, index);
    else if (found < item->child_count || *reader->left <= 0)
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
    /* New records are added at the end, so that this goes through all generations. */
    for (int next = end; next < hf_raw_nodes_size(reader->records); next++) {
        int found =
            hf_cache_items_find(reader->items, hf_raw_nodes_get(reader->records, next)->path);
        if (found != HF_NODE_NONE)
            add_item_children(reader, next, hf_cache_items_get(reader->items, found));
    }
}
