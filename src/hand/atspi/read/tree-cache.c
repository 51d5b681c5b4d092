/* SPDX-License-Identifier: Apache-2.0 */
/* States and names are updated from the events; extents are asked for again. A window that only
 * moved shifts everything in it without a call. */
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
    reader->answers++;
    reader->present = body != NULL;
}

void hf_tree_cache_begin(HfTreeReader *reader)
{
    g_array_set_size(reader->old_extents, 0);
    for (int i = 0; i < reader->tops; i++) {
        g_array_append_val(reader->old_extents, hf_raw_nodes_get(reader->records, i)->extents);
        if (!(hf_raw_nodes_get(reader->records, i)->known & HF_KNOWN_HIDDEN))
            hf_tree_reader_ask_extents(reader, i);
    }
    /* Over the event connection: events that were sent before the reply arrive before it. */
    reader->present = FALSE;
    hf_call_batch_ping(reader->batch, reader->program->event_connection, reader->program->bus,
                       reader->program->root, on_cache_pong, reader, 0);
}

/* ---- applying changes ---- */

/* One flag for each record: its extents must be asked for again. */
typedef guint8 Marks;

/* FALSE: the change cannot be applied. */
static gboolean apply_tree_change(HfTreeReader *reader, const HfTreeChange *change, Marks *moved)
{
    int index = hf_raw_nodes_find(reader->records, reader->program->bus, change->path);
    if (index == HF_NODE_NONE)
        return TRUE; /* a hidden object */
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

/* A window that was resized has laid out its content anew. */
static void mark_resized_windows(HfTreeReader *reader, Marks *moved)
{
    for (int i = 0; i < reader->tops; i++) {
        HfRect now = hf_raw_nodes_get(reader->records, i)->extents;
        HfRect before = g_array_index(reader->old_extents, HfRect, i);
        moved[i] = moved[i] || now.width != before.width || now.height != before.height;
    }
}

/* Parents come first, so a move reaches everything below. */
static void update_extents(HfTreeReader *reader, Marks *moved)
{
    int count = hf_raw_nodes_size(reader->records);
    g_autofree int *top_of = g_new(int, count + 1);
    for (int i = 0; i < count; i++) {
        HfRawNode *record = hf_raw_nodes_get(reader->records, i);
        top_of[i] = record->parent == HF_NODE_NONE ? i : top_of[record->parent];
        if (record->parent == HF_NODE_NONE || !(record->known & HF_KNOWN_EXTENTS))
            continue;
        moved[i] = moved[i] || moved[record->parent];
        if (moved[i]) {
            hf_tree_reader_ask_extents(reader, i);
        } else if (!hf_rect_is_empty(record->extents)) {
            HfRect before = g_array_index(reader->old_extents, HfRect, top_of[i]);
            HfRect now = hf_raw_nodes_get(reader->records, top_of[i])->extents;
            record->extents.x += now.x - before.x;
            record->extents.y += now.y - before.y;
        }
    }
}

gboolean hf_tree_cache_update(HfTreeReader *reader)
{
    if (!reader->present)
        return FALSE;
    g_autoptr(GPtrArray) changes =
        hf_event_listener_take_changes(reader->program->listener, reader->program->bus);
    g_autofree Marks *moved = g_new0(Marks, hf_raw_nodes_size(reader->records) + 1);
    if (!changes)
        return FALSE;
    for (guint i = 0; i < changes->len; i++)
        if (!apply_tree_change(reader, changes->pdata[i], moved))
            return FALSE;
    mark_resized_windows(reader, moved);
    update_extents(reader, moved);
    return TRUE;
}

/* Not with objects of another program: their events do not reach us. */
gboolean hf_tree_cache_is_worthwhile(const HfTreeReader *reader)
{
    if (!reader->followed || reader->truncated || reader->tops == 0)
        return FALSE;
    for (int i = 0; i < hf_raw_nodes_size(reader->records); i++)
        if (strcmp(hf_raw_nodes_get(reader->records, i)->bus, reader->program->bus) != 0)
            return FALSE;
    return TRUE;
}
