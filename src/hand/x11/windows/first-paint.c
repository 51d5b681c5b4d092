/* SPDX-License-Identifier: Apache-2.0 */
/* By Damage on the window, on a connection of its own: the events are read by nobody else, and all
 * of it ends with this process. */
#include "hand/x11/windows/first-paint.h"

#include <stdlib.h>
#include <xcb/damage.h>

#include "hand/x11/core/x11.h"

/* Silence after the last stroke. */
#define QUIET_MS 30

typedef struct Watch {
    HfX11Connection *connection;
    xcb_damage_damage_t damage;
    guint8 notify_event;
    guint subtracted; /* the last request after which drawing is told again */
} Watch;

static void listen_again(Watch *watch)
{
    watch->subtracted =
        xcb_damage_subtract(watch->connection->xcb, watch->damage, XCB_NONE, XCB_NONE).sequence;
    xcb_flush(watch->connection->xcb);
}

/* FALSE when the server cannot tell. */
static gboolean begin_paint_watch(Watch *watch, xcb_window_t window)
{
    xcb_connection_t *xcb = watch->connection->xcb;
    const xcb_query_extension_reply_t *extension =
        hf_x11_extension(watch->connection, &xcb_damage_id);
    if (!extension)
        return FALSE;
    free(xcb_damage_query_version_reply(xcb, xcb_damage_query_version(xcb, 1, 1), NULL));
    watch->notify_event = (guint8)(extension->first_event + XCB_DAMAGE_NOTIFY);
    watch->damage = xcb_generate_id(xcb);
    xcb_damage_create(xcb, watch->damage, window, XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
    listen_again(watch); /* a new one begins with telling that everything was drawn */
    return TRUE;
}

/* An error says that the window has gone: nothing will be drawn. */
typedef enum News { NOTHING, DRAWN, GONE } News;

static News read_news(Watch *watch)
{
    News news = NOTHING;
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb))) {
        if (event->response_type == 0)
            news = GONE;
        else if (news == NOTHING && (event->response_type & 0x7f) == watch->notify_event &&
                 (gint32)(event->full_sequence - watch->subtracted) >= 0)
            news = DRAWN;
        free(event);
    }
    return xcb_connection_has_error(watch->connection->xcb) ? GONE : news;
}

/* TRUE: something was drawn until then. */
static gboolean wait_for_first_drawing(Watch *watch, const HfDeadline *until)
{
    int fd = xcb_get_file_descriptor(watch->connection->xcb);
    News news;
    while ((news = read_news(watch)) == NOTHING)
        if (!hf_deadline_wait_readable(until, fd, NULL))
            return FALSE;
    return news == DRAWN;
}

void hf_x11_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline)
{
    g_autoptr(HfX11Connection) connection =
        hf_x11_connect(hf_x11(desktop)->connection->display, NULL);
    Watch watch = {.connection = connection};
    if (!connection || !begin_paint_watch(&watch, window))
        return;
    HfDeadline until = *deadline;
    while (wait_for_first_drawing(&watch, &until)) {
        listen_again(&watch);
        until = hf_deadline_within_ms(deadline, QUIET_MS);
    }
}
