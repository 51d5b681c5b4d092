/* SPDX-License-Identifier: Apache-2.0 */
/* Covered windows by Composite. When a window is redirected, the server asks its program to draw
 * what was hidden; how long that may take is bounded. Focus, grabs and the screen stay as they
 * are.
 *
 * All of it goes over a connection of its own: if this process dies in between, the server ends
 * the redirection with it. Under a compositing window manager the window is in memory already and
 * nothing has to be done. */
#include "hand/x11/capture/offscreen-window.h"

#include <stdlib.h>
#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/xfixes.h>

/* For the first stroke of the program, for silence after its last, and for both together. */
#define FIRST_DRAW_MS 500
#define QUIET_MS      30
#define TOTAL_MS      1000
#define MAX_WINDOWS   512

struct HfX11Offscreen {
    HfX11Connection *connection;
    xcb_window_t frame, window;
    xcb_pixmap_t pixmap;
    guint8 notify_event;
    guint subtracted; /* the last request after which drawing is told again */
    gboolean redirected, complete;
};

static gboolean request_worked(HfX11Offscreen *offscreen, xcb_void_cookie_t cookie)
{
    xcb_generic_error_t *refused = xcb_request_check(offscreen->connection->xcb, cookie);
    gboolean worked = !refused && !xcb_connection_has_error(offscreen->connection->xcb);
    free(refused);
    return worked;
}

static gboolean has_extensions(HfX11Offscreen *offscreen)
{
    HfX11Connection *connection = offscreen->connection;
    xcb_connection_t *xcb = connection->xcb;
    const xcb_query_extension_reply_t *damage = hf_x11_extension(connection, &xcb_damage_id);
    if (!damage || !hf_x11_extension(connection, &xcb_composite_id) ||
        !hf_x11_extension(connection, &xcb_xfixes_id))
        return FALSE;
    offscreen->notify_event = (guint8)(damage->first_event + XCB_DAMAGE_NOTIFY);
    xcb_composite_query_version_cookie_t cookie = xcb_composite_query_version(xcb, 0, 4);
    free(xcb_damage_query_version_reply(xcb, xcb_damage_query_version(xcb, 1, 1), NULL));
    xcb_composite_query_version_reply_t *version =
        xcb_composite_query_version_reply(xcb, cookie, NULL);
    /* 0.2 brought the names of pixmaps. */
    gboolean enough = version && (version->major_version > 0 || version->minor_version >= 2);
    free(version);
    return enough;
}

static gboolean name_pixmap(HfX11Offscreen *offscreen)
{
    xcb_pixmap_t pixmap = xcb_generate_id(offscreen->connection->xcb);
    if (!request_worked(offscreen, xcb_composite_name_window_pixmap_checked(
                                       offscreen->connection->xcb, offscreen->frame, pixmap)))
        return FALSE;
    offscreen->pixmap = pixmap;
    return TRUE;
}

/* Only then has the program something to draw: frames are painted by the server. */
static gboolean is_hidden(const HfX11Toplevel *toplevel, const GArray *hidden)
{
    for (guint i = 0; i < hidden->len; i++)
        if (!hf_rect_is_empty(hf_rect_intersect(g_array_index(hidden, HfRect, i), toplevel->inner)))
            return TRUE;
    return FALSE;
}

/* Does anything in the window want to be told when it has to draw? If not, the server's own
 * painting of backgrounds is all that there is to see. */
static gboolean wants_exposure(HfX11Offscreen *offscreen)
{
    xcb_connection_t *xcb = offscreen->connection->xcb;
    g_autoptr(GArray) windows = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
    g_array_append_val(windows, offscreen->window);
    for (guint i = 0; i < windows->len && windows->len < MAX_WINDOWS; i++) {
        xcb_window_t window = g_array_index(windows, xcb_window_t, i);
        xcb_get_window_attributes_cookie_t cookie = xcb_get_window_attributes(xcb, window);
        xcb_query_tree_reply_t *tree = xcb_query_tree_reply(xcb, xcb_query_tree(xcb, window), NULL);
        xcb_get_window_attributes_reply_t *attributes =
            xcb_get_window_attributes_reply(xcb, cookie, NULL);
        gboolean wants = attributes && (attributes->all_event_masks & XCB_EVENT_MASK_EXPOSURE);
        if (tree)
            g_array_append_vals(windows, xcb_query_tree_children(tree),
                                (guint)xcb_query_tree_children_length(tree));
        free(tree);
        free(attributes);
        if (wants)
            return TRUE;
    }
    return FALSE;
}

/* Waits for the next stroke of the program; FALSE when there is none in time. */
static gboolean wait_for_offscreen_drawing(HfX11Offscreen *offscreen, const HfDeadline *deadline)
{
    xcb_connection_t *xcb = offscreen->connection->xcb;
    for (;;) {
        xcb_generic_event_t *event;
        while ((event = xcb_poll_for_event(xcb))) {
            gboolean drawn = (event->response_type & 0x7f) == offscreen->notify_event &&
                             (gint32)(event->full_sequence - offscreen->subtracted) >= 0;
            free(event);
            if (drawn)
                return TRUE;
        }
        if (xcb_connection_has_error(xcb) ||
            !hf_deadline_wait_readable(deadline, xcb_get_file_descriptor(xcb), NULL))
            return FALSE;
    }
}

/* Waits until the program has drawn what was hidden. */
static gboolean wait_until_drawn(HfX11Offscreen *offscreen, xcb_damage_damage_t damage,
                                 const HfDeadline *deadline)
{
    HfDeadline total = hf_deadline_within_ms(deadline, TOTAL_MS);
    HfDeadline first = hf_deadline_within_ms(&total, FIRST_DRAW_MS);
    if (!wait_for_offscreen_drawing(offscreen, &first))
        return FALSE;
    HfDeadline quiet;
    do {
        offscreen->subtracted =
            xcb_damage_subtract(offscreen->connection->xcb, damage, XCB_NONE, XCB_NONE).sequence;
        xcb_flush(offscreen->connection->xcb);
        quiet = hf_deadline_within_ms(&total, QUIET_MS);
    } while (wait_for_offscreen_drawing(offscreen, &quiet));
    return TRUE;
}

static gboolean redirect_window(HfX11Offscreen *offscreen, gboolean hidden,
                                const HfDeadline *deadline)
{
    xcb_connection_t *xcb = offscreen->connection->xcb;
    gboolean draws = hidden && wants_exposure(offscreen);
    xcb_void_cookie_t redirected = xcb_composite_redirect_window_checked(
        xcb, offscreen->frame, XCB_COMPOSITE_REDIRECT_AUTOMATIC);
    /* Made after the server has painted the backgrounds and before the program can hear of it, so
     * that it tells of all of the program's strokes and of nothing else. */
    xcb_damage_damage_t damage = xcb_generate_id(xcb);
    xcb_damage_create(xcb, damage, offscreen->window, XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
    /* A new one begins with telling that everything was drawn. */
    offscreen->subtracted = xcb_damage_subtract(xcb, damage, XCB_NONE, XCB_NONE).sequence;
    offscreen->redirected = request_worked(offscreen, redirected);
    if (!offscreen->redirected)
        return FALSE;
    offscreen->complete = !draws || wait_until_drawn(offscreen, damage, deadline);
    return name_pixmap(offscreen);
}

HfX11Offscreen *hf_x11_offscreen_new(const char *display, const HfX11Toplevel *toplevel,
                                     const GArray *hidden, const HfDeadline *deadline)
{
    g_autoptr(HfX11Offscreen) offscreen = g_new0(HfX11Offscreen, 1);
    offscreen->frame = toplevel->frame;
    offscreen->window = toplevel->window;
    offscreen->connection = hf_x11_connect(display, NULL);
    if (!offscreen->connection || !has_extensions(offscreen))
        return NULL;
    offscreen->complete = name_pixmap(offscreen);
    if (!offscreen->complete && !redirect_window(offscreen, is_hidden(toplevel, hidden), deadline))
        return NULL;
    return g_steal_pointer(&offscreen);
}

void hf_x11_offscreen_free(HfX11Offscreen *offscreen)
{
    if (!offscreen)
        return;
    if (offscreen->redirected) {
        xcb_composite_unredirect_window(offscreen->connection->xcb, offscreen->frame,
                                        XCB_COMPOSITE_REDIRECT_AUTOMATIC);
        hf_x11_sync(offscreen->connection, NULL);
    }
    hf_x11_disconnect(offscreen->connection);
    g_free(offscreen);
}

xcb_pixmap_t hf_x11_offscreen_pixmap(const HfX11Offscreen *offscreen)
{
    return offscreen->pixmap;
}

gboolean hf_x11_offscreen_is_complete(const HfX11Offscreen *offscreen)
{
    return offscreen->complete;
}
