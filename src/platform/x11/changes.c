/* Counting changes. The server reports the first drawing after a subtract and then keeps quiet
 * until the next subtract. So whatever is drawn between a report and the subtract that answers it
 * is not reported again, which is right as long as the count has grown after the last picture:
 * that is why a picture begins with a subtract. */
#include "platform/x11/changes.h"

#include <stdlib.h>

void hf_x11_changes_connect(HfX11Changes *changes, HfX11Connection *connection)
{
    changes->connection = connection;
    changes->damage = 0;
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

static guint subtract(HfX11Changes *changes)
{
    if (!changes->damage)
        return 0;
    return xcb_damage_subtract(changes->connection->xcb, changes->damage, XCB_NONE, XCB_NONE)
        .sequence;
}

guint hf_x11_changes_begin(HfX11Changes *changes)
{
    return subtract(changes);
}

/* Reads the events that have come; counts those made before and those made after a request. */
static void drain(HfX11Changes *changes, guint request, guint *ret_before, guint *ret_after)
{
    xcb_generic_event_t *event;
    *ret_before = *ret_after = 0;
    while ((event = xcb_poll_for_queued_event(changes->connection->xcb))) {
        if (changes->damage && (event->response_type & 0x7f) == changes->notify_event)
            ++*((gint32)(event->full_sequence - request) < 0 ? ret_before : ret_after);
        free(event);
    }
}

guint64 hf_x11_changes_end(HfX11Changes *changes, guint begin)
{
    guint before, after;
    drain(changes, begin, &before, &after);
    changes->drawn += before > 0;
    guint64 drawn = changes->drawn;
    if (after) {
        changes->drawn++;
        subtract(changes);
    }
    return drawn;
}

void hf_x11_changes_update(HfX11Changes *changes)
{
    guint before, after;
    drain(changes, 0, &before, &after);
    if (!before && !after)
        return;
    changes->drawn++;
    subtract(changes);
}

void hf_x11_changes_set_size(HfX11Changes *changes, HfSize size)
{
    if (size.width == changes->size.width && size.height == changes->size.height)
        return;
    changes->size = size;
    changes->drawn++;
}

void hf_x11_changes_set_cursor(HfX11Changes *changes, HfPoint at, guint32 serial)
{
    if (at.x == changes->cursor_at.x && at.y == changes->cursor_at.y &&
        serial == changes->cursor_serial)
        return;
    changes->cursor_at = at;
    changes->cursor_serial = serial;
    changes->cursor++;
}

guint64 hf_x11_changes_serial(const HfX11Changes *changes, guint64 drawn, gboolean cursor)
{
    if (!changes->damage)
        return 0;
    /* Neither part ever shrinks, so their sum stays the same only if both do. */
    return cursor ? drawn + changes->cursor : drawn;
}
