/* SPDX-License-Identifier: Apache-2.0 */
/* Counting changes. The server reports the first drawing after a subtract and then keeps quiet
 * until the next one. So a report is answered with a subtract at once: whatever is drawn between
 * the two is not reported again, which is right, since the count has grown after every picture
 * that could lack it. */
#include "hand/x11/capture/change-tracker.h"

#include <stdlib.h>

void hf_x11_change_tracker_connect(HfX11ChangeTracker *changes, HfX11Connection *connection)
{
    changes->connection = connection;
    changes->damage = 0;
    g_clear_pointer(&changes->watched, g_hash_table_unref);
    changes->drawn++; /* nobody has looked meanwhile */
    changes->cursor++;
    const xcb_query_extension_reply_t *extension = hf_x11_extension(connection, &xcb_damage_id);
    if (!extension)
        return;
    xcb_damage_query_version_reply_t *version = xcb_damage_query_version_reply(
        connection->xcb, xcb_damage_query_version(connection->xcb, 1, 1), NULL);
    if (!version)
        return;
    free(version);
    changes->notify_event = (guint8)(extension->first_event + XCB_DAMAGE_NOTIFY);
    changes->damage = xcb_generate_id(connection->xcb);
    xcb_damage_create(connection->xcb, changes->damage, connection->root,
                      XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
}

/* Not watched any more: its number may soon be another window's. TRUE when it was. */
static gboolean forget_window(HfX11ChangeTracker *changes, xcb_window_t window)
{
    return g_hash_table_remove(changes->watched, GUINT_TO_POINTER(window));
}

/* Is it news? An error says that a window was gone before we could listen. Programs without a
 * window of their own (other tools that take pictures) make some that are never shown: what is to
 * be seen is mapped first. */
static gboolean is_window_change(HfX11ChangeTracker *changes, const xcb_generic_event_t *event)
{
    switch (event->response_type & 0x7f) {
    case 0:
        return forget_window(changes, ((const xcb_window_error_t *)event)->bad_value);
    case XCB_CREATE_NOTIFY:
        return FALSE;
    case XCB_DESTROY_NOTIFY:
        return forget_window(changes, ((const xcb_destroy_notify_event_t *)event)->window);
    default:
        return TRUE;
    }
}

typedef xcb_generic_event_t *(*NextEvent)(xcb_connection_t *xcb);

static gboolean take_in(HfX11ChangeTracker *changes, NextEvent next)
{
    xcb_generic_event_t *event;
    gboolean drawn = FALSE;
    while ((event = next(changes->connection->xcb))) {
        if (changes->damage && (event->response_type & 0x7f) == changes->notify_event)
            drawn = TRUE;
        else if (changes->watched && is_window_change(changes, event))
            changes->windows++;
        free(event);
    }
    if (!drawn)
        return FALSE;
    changes->drawn++;
    xcb_damage_subtract(changes->connection->xcb, changes->damage, XCB_NONE, XCB_NONE);
    return TRUE;
}

gboolean hf_x11_change_tracker_update(HfX11ChangeTracker *changes)
{
    return take_in(changes, xcb_poll_for_queued_event);
}

void hf_x11_change_tracker_catch_up(HfX11ChangeTracker *changes)
{
    take_in(changes, xcb_poll_for_event);
}

static void select_tracked_events(HfX11ChangeTracker *changes, xcb_window_t window, guint32 mask)
{
    xcb_change_window_attributes(changes->connection->xcb, window, XCB_CW_EVENT_MASK, &mask);
}

gboolean hf_x11_change_tracker_watch(HfX11ChangeTracker *changes, const guint32 *windows,
                                     gsize count)
{
    gboolean all = changes->watched != NULL;
    if (!all) {
        changes->watched = g_hash_table_new(NULL, NULL);
        changes->windows++;
        select_tracked_events(changes, changes->connection->root,
                              XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
    }
    for (gsize i = 0; i < count; i++) {
        if (!g_hash_table_add(changes->watched, GUINT_TO_POINTER(windows[i])))
            continue;
        all = FALSE;
        select_tracked_events(changes, windows[i],
                              XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
    }
    return all;
}

guint64 hf_x11_change_tracker_windows(const HfX11ChangeTracker *changes)
{
    return changes->watched ? changes->windows : 0;
}

void hf_x11_change_tracker_ignore_windows(HfX11ChangeTracker *changes)
{
    GHashTableIter iter;
    gpointer window;
    if (!changes->watched)
        return;
    g_hash_table_iter_init(&iter, changes->watched);
    while (g_hash_table_iter_next(&iter, &window, NULL))
        select_tracked_events(changes, GPOINTER_TO_UINT(window), XCB_EVENT_MASK_NO_EVENT);
    select_tracked_events(changes, changes->connection->root, XCB_EVENT_MASK_NO_EVENT);
    xcb_flush(changes->connection->xcb);
    g_clear_pointer(&changes->watched, g_hash_table_unref);
}

void hf_x11_change_tracker_set_size(HfX11ChangeTracker *changes, HfSize size)
{
    if (size.width == changes->size.width && size.height == changes->size.height)
        return;
    changes->size = size;
    changes->drawn++;
}

void hf_x11_change_tracker_set_cursor(HfX11ChangeTracker *changes, HfPoint at, guint32 serial)
{
    if (at.x == changes->cursor_at.x && at.y == changes->cursor_at.y &&
        serial == changes->cursor_serial)
        return;
    changes->cursor_at = at;
    changes->cursor_serial = serial;
    changes->cursor++;
}

guint64 hf_x11_change_tracker_serial(const HfX11ChangeTracker *changes, gboolean cursor)
{
    if (!changes->damage)
        return 0;
    /* Neither part ever shrinks, so their sum stays the same only if both do. */
    return cursor ? changes->drawn + changes->cursor : changes->drawn;
}
