/* States and names are mended from what the events say; places are asked for again. A window that
 * was only moved takes all that is in it along, without a question. */
#include "access/keep.h"

#include <string.h>

#include "access/names.h"
#include "access/roles.h"
#include "access/states.h"
#include "base/limits.h"

gboolean hf_keep_fits(const HfReader *reader, const HfAccessScope *scope)
{
    return !reader->truncated && reader->hidden == scope->include_hidden &&
           reader->depth == scope->max_depth && (reader->actions || scope->skip_actions) &&
           hf_records_bytes(reader->records) < HF_LIMIT_ACCESS_KEPT_BYTES;
}

static void on_pong(gpointer owner, int index, GVariant *body)
{
    HfReader *reader = owner;
    reader->heard++;
    reader->present = body != NULL;
}

/* Over the line on which the events come: what was said before the answer comes before it. */
static void ping(HfReader *reader)
{
    HfBatchCall call = {
        .line = reader->program->ear,
        .destination = reader->program->bus,
        .path = reader->program->root,
        .interface = "org.freedesktop.DBus.Peer",
        .method = "Ping",
        .reply_type = "()",
        .done = on_pong,
        .owner = reader,
    };
    reader->present = FALSE;
    hf_batch_call(reader->batch, &call);
}

void hf_keep_begin(HfReader *reader)
{
    g_array_set_size(reader->before, 0);
    for (int i = 0; i < reader->tops; i++) {
        g_array_append_val(reader->before, hf_records_get(reader->records, i)->extents);
        if (!(hf_records_get(reader->records, i)->known & HF_KNOWN_HIDDEN))
            hf_reader_ask_extents(reader, i);
    }
    ping(reader);
}

/* ---- mending ---- */

/* Which places are to be asked for again: one flag for each record. */
typedef guint8 Marks;

/* FALSE: what this means cannot be told from here. */
static gboolean apply(HfReader *reader, const HfChange *change, Marks *moved)
{
    int index = hf_records_find(reader->records, reader->program->bus, change->path);
    if (index == HF_NODE_NONE)
        return TRUE; /* of something that does not show */
    HfRecord *record = hf_records_get(reader->records, index);
    switch (change->kind) {
    case HF_CHANGE_STATE:
        record->states = change->set ? record->states | HF_STATE(change->state)
                                     : record->states & ~HF_STATE(change->state);
        return TRUE;
    case HF_CHANGE_NAME:
        record->name = hf_records_keep(reader->records, change->text, HF_LIMIT_ELEMENT_NAME_BYTES);
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
static void compare_tops(HfReader *reader, Marks *moved)
{
    for (int i = 0; i < reader->tops; i++) {
        const HfRecord *top = hf_records_get(reader->records, i);
        moved[i] = moved[i] || !same_size(top->extents, g_array_index(reader->before, HfRect, i));
    }
}

static void shift(HfRecord *record, HfRect before, HfRect now)
{
    if (hf_rect_is_empty(record->extents))
        return;
    record->extents.x += now.x - before.x;
    record->extents.y += now.y - before.y;
}

/* Parents come first, so that what moves takes along all that is below. */
static void bring_along(HfReader *reader, Marks *moved)
{
    int count = hf_records_size(reader->records);
    g_autofree int *top_of = g_new(int, count + 1);
    for (int i = 0; i < count; i++) {
        HfRecord *record = hf_records_get(reader->records, i);
        top_of[i] = record->parent == HF_NODE_NONE ? i : top_of[record->parent];
        if (record->parent == HF_NODE_NONE || !(record->known & HF_KNOWN_EXTENTS))
            continue;
        moved[i] = moved[i] || moved[record->parent];
        if (moved[i])
            hf_reader_ask_extents(reader, i);
        else
            shift(record, g_array_index(reader->before, HfRect, top_of[i]),
                  hf_records_get(reader->records, top_of[i])->extents);
    }
}

gboolean hf_keep_mend(HfReader *reader)
{
    if (!reader->present)
        return FALSE;
    g_autoptr(GPtrArray) changes = hf_hearing_take(reader->program->hearing, reader->program->bus);
    g_autofree Marks *moved = g_new0(Marks, hf_records_size(reader->records) + 1);
    if (!changes)
        return FALSE;
    for (guint i = 0; i < changes->len; i++)
        if (!apply(reader, changes->pdata[i], moved))
            return FALSE;
    compare_tops(reader, moved);
    bring_along(reader, moved);
    return TRUE;
}

/* Of objects that belong to another program nothing is heard. */
gboolean hf_keep_is_worth(const HfReader *reader)
{
    if (!reader->followed || reader->truncated || reader->tops == 0)
        return FALSE;
    for (int i = 0; i < hf_records_size(reader->records); i++)
        if (strcmp(hf_records_get(reader->records, i)->bus, reader->program->bus) != 0)
            return FALSE;
    return TRUE;
}
