/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for drawing by events alone. It never changes a window or asks its program for anything. */
#include "hand/x11/capture/damage.h"

#include <stdlib.h>

/* Silence after the last drawing. */
#define QUIET_MS 30

gboolean hf_x11_damage_init(HfX11Damage *damage, HfX11Connection *connection)
{
    *damage = (HfX11Damage){.connection = connection};
    const xcb_query_extension_reply_t *extension = hf_x11_extension(connection, &xcb_damage_id);
    if (!extension)
        return FALSE;
    damage->notify_event = (guint8)(extension->first_event + XCB_DAMAGE_NOTIFY);
    g_autofree xcb_damage_query_version_reply_t *version = xcb_damage_query_version_reply(
        connection->xcb, xcb_damage_query_version(connection->xcb, 1, 1), NULL);
    return version != NULL;
}

void hf_x11_damage_create(HfX11Damage *damage, xcb_window_t window)
{
    damage->id = xcb_generate_id(damage->connection->xcb);
    xcb_damage_create(damage->connection->xcb, damage->id, window,
                      XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
}

void hf_x11_damage_reset(HfX11Damage *damage)
{
    damage->reset_sequence =
        xcb_damage_subtract(damage->connection->xcb, damage->id, XCB_NONE, XCB_NONE).sequence;
}

gboolean hf_x11_damage_is_report(const HfX11Damage *damage, const xcb_generic_event_t *event)
{
    return damage->id && (event->response_type & 0x7f) == damage->notify_event;
}

typedef enum Drawing { NOTHING_DRAWN, DRAWN, WINDOW_GONE } Drawing;

static Drawing read_drawing(const HfX11Damage *damage)
{
    Drawing drawing = NOTHING_DRAWN;
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(damage->connection->xcb))) {
        if (event->response_type == 0) /* an error: there is no such window */
            drawing = WINDOW_GONE;
        else if (drawing == NOTHING_DRAWN && hf_x11_damage_is_report(damage, event) &&
                 (gint32)(event->full_sequence - damage->reset_sequence) >= 0)
            drawing = DRAWN;
        free(event);
    }
    return xcb_connection_has_error(damage->connection->xcb) ? WINDOW_GONE : drawing;
}

static gboolean wait_for_drawing(const HfX11Damage *damage, const HfDeadline *until)
{
    int fd = xcb_get_file_descriptor(damage->connection->xcb);
    Drawing drawing;
    xcb_flush(damage->connection->xcb);
    while ((drawing = read_drawing(damage)) == NOTHING_DRAWN)
        if (!hf_deadline_wait_readable(until, fd, NULL))
            return FALSE;
    return drawing == DRAWN;
}

gboolean hf_x11_damage_wait_drawn(HfX11Damage *damage, const HfDeadline *first,
                                  const HfDeadline *deadline)
{
    gboolean drawn = FALSE;
    HfDeadline until = *first;
    while (wait_for_drawing(damage, &until)) {
        drawn = TRUE;
        hf_x11_damage_reset(damage);
        until = hf_deadline_within_ms(deadline, QUIET_MS);
    }
    return drawn;
}

gboolean hf_x11_xfixes_init(HfX11Connection *connection)
{
    if (!hf_x11_extension(connection, &xcb_xfixes_id))
        return FALSE;
    g_autofree xcb_xfixes_query_version_reply_t *version = xcb_xfixes_query_version_reply(
        connection->xcb, xcb_xfixes_query_version(connection->xcb, 5, 0), NULL);
    return version != NULL;
}
