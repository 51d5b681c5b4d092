/* One array, one chunk of texts, and the objects by name, so that none is taken twice. */
#include "access/records.h"

#include <string.h>

#include "base/text.h"

#define TEXT_BLOCK_BYTES 4096

struct HfRecords {
    GArray *list;
    GStringChunk *texts;
    gsize bytes;          /* at most, in `texts` */
    GHashTable *by_place; /* "bus path" → index + 1; the keys are in `texts` */
};

HfRecords *hf_records_new(void)
{
    HfRecords *records = g_new0(HfRecords, 1);
    records->list = g_array_new(FALSE, TRUE, sizeof(HfRecord));
    records->texts = g_string_chunk_new(TEXT_BLOCK_BYTES);
    records->by_place = g_hash_table_new(g_str_hash, g_str_equal);
    return records;
}

void hf_records_free(HfRecords *records)
{
    if (!records)
        return;
    g_array_unref(records->list);
    g_hash_table_unref(records->by_place);
    g_string_chunk_free(records->texts);
    g_free(records);
}

void hf_records_clear(HfRecords *records)
{
    g_array_set_size(records->list, 0);
    g_hash_table_remove_all(records->by_place);
}

int hf_records_size(const HfRecords *records)
{
    return (int)records->list->len;
}

HfRecord *hf_records_get(const HfRecords *records, int index)
{
    return &g_array_index(records->list, HfRecord, index);
}

int hf_records_find(const HfRecords *records, const char *bus, const char *path)
{
    g_autofree char *place = g_strconcat(bus, " ", path, NULL);
    return GPOINTER_TO_INT(g_hash_table_lookup(records->by_place, place)) - 1;
}

int hf_records_add(HfRecords *records, int parent, const char *bus, const char *path)
{
    g_autofree char *place = g_strconcat(bus, " ", path, NULL);
    if (g_hash_table_contains(records->by_place, place))
        return HF_NODE_NONE;
    int index = (int)records->list->len;
    char *kept = g_string_chunk_insert(records->texts, place);
    HfRecord record = {
        .bus = g_string_chunk_insert_const(records->texts, bus),
        .path = kept + strlen(bus) + 1,
        .parent = parent,
        .depth = parent == HF_NODE_NONE ? 0 : hf_records_get(records, parent)->depth + 1,
        .child_count = -1,
    };
    g_hash_table_insert(records->by_place, kept, GINT_TO_POINTER(index + 1));
    g_array_append_val(records->list, record);
    return index;
}

const char *hf_records_keep(HfRecords *records, const char *text, gsize limit)
{
    gsize length = strlen(text);
    g_autofree char *cut = length > limit ? hf_text_shorten(text, limit) : NULL;
    records->bytes += MIN(length, limit) + 1;
    return g_string_chunk_insert_const(records->texts, cut ? cut : text);
}

gsize hf_records_bytes(const HfRecords *records)
{
    return records->bytes;
}
