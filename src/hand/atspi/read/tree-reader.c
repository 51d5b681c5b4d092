/* SPDX-License-Identifier: Apache-2.0 */
/* What all ways of reading share: asking, and the limits. */
#include "hand/atspi/read/tree-reader.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/states.h"

HfTreeReader *hf_tree_reader_new(HfBusProgram *program, HfBusConnection *bus)
{
    HfTreeReader *reader = g_new0(HfTreeReader, 1);
    reader->program = program;
    reader->bus = bus;
    reader->records = hf_raw_nodes_new();
    reader->wide = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_variant_unref);
    reader->before = g_array_new(FALSE, TRUE, sizeof(HfRect));
    return reader;
}

void hf_tree_reader_free(HfTreeReader *reader)
{
    if (!reader)
        return;
    hf_raw_nodes_free(reader->records);
    hf_cache_items_free(reader->items);
    g_array_unref(reader->before);
    g_hash_table_unref(reader->wide);
    g_free(reader);
}

void hf_tree_reader_begin(HfTreeReader *reader, HfCallBatch *batch, const HfTreeScope *scope,
                          int *left)
{
    reader->batch = batch;
    reader->scope = scope;
    reader->left = left;
    reader->heard = 0;
    reader->hidden = scope->include_hidden;
    reader->depth = scope->max_depth;
    /* What was kept has them, or does without. */
    if (hf_raw_nodes_size(reader->records) == 0)
        reader->actions = !scope->skip_actions;
    *left -= hf_raw_nodes_size(reader->records);
}

/* An object may belong to another program: a plug in a socket. */
static HfBatchCall new_node_call(HfTreeReader *reader, int index, const char *interface,
                                 HfBatchDone done)
{
    const HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    gboolean own = strcmp(record->bus, reader->program->bus) == 0;
    gboolean direct = own && reader->program->direct;
    return (HfBatchCall){
        .line = direct ? reader->program->direct : reader->bus,
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

/* What was never given a place says so by the least number that there is. */
static void on_extents(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    HfRect *extents = &record->extents;
    reader->heard++;
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

gboolean hf_tree_reader_skips(const HfTreeReader *reader, guint64 states)
{
    if (hf_states_have(states, HF_STATE_DEFUNCT))
        return TRUE;
    if (reader->scope->include_hidden)
        return FALSE;
    return !hf_states_have(states, reader->program->traits->says_showing ? HF_STATE_SHOWING
                                                                         : HF_STATE_VISIBLE);
}

int hf_tree_reader_add(HfTreeReader *reader, int parent, const char *bus, const char *path)
{
    if (!*bus || strcmp(path, HF_ATSPI_NULL) == 0)
        return HF_NODE_NONE;
    if (*reader->left <= 0) {
        reader->truncated |= HF_TRUNCATED_NODES;
        if (parent != HF_NODE_NONE)
            hf_raw_nodes_get(reader->records, parent)->more = TRUE;
        return HF_NODE_NONE;
    }
    int index = hf_raw_nodes_add(reader->records, parent, bus, path);
    if (index != HF_NODE_NONE)
        --*reader->left;
    return index;
}
