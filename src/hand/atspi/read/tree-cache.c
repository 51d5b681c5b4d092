/* SPDX-License-Identifier: Apache-2.0 */
/* States and names are mended from what the events say; places are asked for again. A window that
 * was only moved takes all that is in it along, without a question. */
#include "hand/atspi/read/tree-cache.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

gboolean hf_tree_cache_fits(const HfTreeReader *reader, const HfTreeScope *scope)
{
    return !reader->truncated && reader->hidden == scope->include_hidden &&
           reader->depth == scope->max_depth && (reader->actions || scope->skip_actions) &&
           hf_raw_nodes_bytes(reader->records) < HF_LIMIT_ACCESS_KEPT_BYTES;
}

static void on_cache_pong(gpointer owner, int index, GVariant *body)
{
    HfTreeReader *reader = owner;
    reader->heard++;
    reader->present = body != NULL;
}

/* Over the line on which the events come: what was said before the answer comes before it. */
static void ping_cached_program(HfTreeReader *reader)
{
    HfBatchCall call = {
        .line = reader->program->ear,
        .destination = reader->program->bus,
        .path = reader->program->root,
        .interface = "org.freedesktop.DBus.Peer",
        .method = "Ping",
        .reply_type = "()",
        .done = on_cache_pong,
        .owner = reader,
    };
    reader->present = FALSE;
    hf_call_batch_call(reader->batch, &call);
}

void hf_tree_cache_begin(HfTreeReader *reader)
{
    g_array_set_size(reader->before, 0);
    for (int i = 0; i < reader->tops; i++) {
        g_array_append_val(reader->before, hf_raw_nodes_get(reader->records, i)->extents);
        if (!(hf_raw_nodes_get(reader->records, i)->known & HF_KNOWN_HIDDEN))
            hf_tree_reader_ask_extents(reader, i);
    }
    ping_cached_program(reader);
}

/* ---- mending ---- */

/* Which places are to be asked for again: one flag for each record. */
typedef guint8 Marks;

/* FALSE: what this means cannot be told from here. */
static gboolean apply_tree_change(HfTreeReader *reader, const HfTreeChange *change, Marks *moved)
{
    int index = hf_raw_nodes_find(reader->records, reader->program->bus, change->path);
    if (index == HF_NODE_NONE)
        return TRUE; /* of something that does not show */
    HfRawNode *record = hf_raw_nodes_get(reader->records, index);
    switch (change->kind) {
    case HF_CHANGE_STATE:
        record->states = change->set ? record->states | HF_STATE(change->state)
                                     : record->states & ~HF_STATE(change->state);
        return TRUE;
    case HF_CHANGE_NAME:
        record->name =
            hf_raw_nodes_intern(reader->records, change->text, HF_LIMIT_ELEMENT_NAME_BYTES);
        record->missing &= ~HF_MISSING_NAME;
        return TRUE;
    case HF_CHANGE_BOUNDS:
        moved[index] = TRUE;
        return TRUE;
    case HF_CHANGE_VALUE:
        return record->role != HF_ROLE_SCROLL_BAR;
    }
    return FALSE;
}

static gboolean same_size(HfRect a, HfRect b)
{
    return a.width == b.width && a.height == b.height;
}

/* A window of another size has other places in it. */
static void compare_tops(HfTreeReader *reader, Marks *moved)
{
    for (int i = 0; i < reader->tops; i++) {
        const HfRawNode *top = hf_raw_nodes_get(reader->records, i);
        moved[i] = moved[i] || !same_size(top->extents, g_array_index(reader->before, HfRect, i));
    }
}

static void shift_extents(HfRawNode *record, HfRect before, HfRect now)
{
    if (hf_rect_is_empty(record->extents))
        return;
    record->extents.x += now.x - before.x;
    record->extents.y += now.y - before.y;
}

/* Parents come first, so that what moves takes along all that is below. */
static void bring_along(HfTreeReader *reader, Marks *moved)
{
    int count = hf_raw_nodes_size(reader->records);
    g_autofree int *top_of = g_new(int, count + 1);
    for (int i = 0; i < count; i++) {
        HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        top_of[i] = record->parent == HF_NODE_NONE ? i : top_of[record->parent];
        if (record->parent == HF_NODE_NONE || !(record->known & HF_KNOWN_EXTENTS))
            continue;
        moved[i] = moved[i] || moved[record->parent];
        if (moved[i])
            hf_tree_reader_ask_extents(reader, i);
        else
            shift_extents(record, g_array_index(reader->before, HfRect, top_of[i]),
                          hf_raw_nodes_get(reader->records, top_of[i])->extents);
    }
}

gboolean hf_tree_cache_update(HfTreeReader *reader)
{
    if (!reader->present)
        return FALSE;
    g_autoptr(GPtrArray) changes =
        hf_event_listener_take_changes(reader->program->hearing, reader->program->bus);
    g_autofree Marks *moved = g_new0(Marks, hf_raw_nodes_size(reader->records) + 1);
    if (!changes)
        return FALSE;
    for (guint i = 0; i < changes->len; i++)
        if (!apply_tree_change(reader, changes->pdata[i], moved))
            return FALSE;
    compare_tops(reader, moved);
    bring_along(reader, moved);
    return TRUE;
}

/* Of objects that belong to another program nothing is heard. */
gboolean hf_tree_cache_is_worthwhile(const HfTreeReader *reader)
{
    if (!reader->followed || reader->truncated || reader->tops == 0)
        return FALSE;
    for (int i = 0; i < hf_raw_nodes_size(reader->records); i++)
        if (strcmp(hf_raw_nodes_get(reader->records, i)->bus, reader->program->bus) != 0)
            return FALSE;
    return TRUE;
}
