/* SPDX-License-Identifier: Apache-2.0 */
/* One array of records, one chunk of texts, and an index by object that prevents duplicates. */
#include "hand/atspi/read/raw-nodes.h"

#include <string.h>

#include "shared/text/text.h"

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
