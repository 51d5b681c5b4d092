/* SPDX-License-Identifier: Apache-2.0 */
/* Redirects covered windows by Composite. The server then asks the program to draw what was hidden,
 * and we wait a bounded time until it has done so. Focus, grabs and the screen stay as they are.
 *
 * All requests use a separate connection: if this process dies in between, the server ends the
 * redirection with it. Under a compositing window manager the window is in memory already and
 * nothing has to be done. */
#include "hand/x11/capture/offscreen-window.h"

#include <xcb/composite.h>
#include <xcb/xfixes.h>

#include "hand/apps/process-activity.h"
#include "hand/x11/windows/window-pid.h"

/* How long the program may take to begin and to finish drawing. */
#define FIRST_DRAW_MS 500
#define TOTAL_MS      1000
#define MAX_WINDOWS   512
/* A program that has drawn something and still works may draw more: it is asked this often. */
#define STILL_WORKS_MS 30

static gboolean request_worked(HfX11Offscreen *offscreen, xcb_void_cookie_t cookie)
{
    g_autofree xcb_generic_error_t *refused = xcb_request_check(offscreen->connection->xcb, cookie);
    return !refused && !xcb_connection_has_error(offscreen->connection->xcb);
}

static gboolean has_extensions(HfX11Offscreen *offscreen)
{
    HfX11Connection *connection = offscreen->connection;
    xcb_connection_t *xcb = connection->xcb;
    if (!hf_x11_extension(connection, &xcb_composite_id) ||
        !hf_x11_extension(connection, &xcb_xfixes_id) ||
        !hf_x11_damage_init(&offscreen->damage, connection))
        return FALSE;
    g_autofree xcb_composite_query_version_reply_t *version =
        xcb_composite_query_version_reply(xcb, xcb_composite_query_version(xcb, 0, 4), NULL);
    /* Version 0.2 added the names of pixmaps. */
    return version && (version->major_version > 0 || version->minor_version >= 2);
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

/* TRUE when the program has something to draw: the server paints the frame. */
static gboolean is_hidden(const HfX11Toplevel *toplevel, const GArray *hidden)
{
    for (guint i = 0; i < hidden->len; i++)
        if (!hf_rect_is_empty(hf_rect_intersect(g_array_index(hidden, HfRect, i), toplevel->inner)))
            return TRUE;
    return FALSE;
}

/* TRUE when anything in the window listens for exposure. Otherwise the backgrounds that the server
 * paints are all that there is to see. */
static gboolean wants_exposure(HfX11Offscreen *offscreen)
{
    xcb_connection_t *xcb = offscreen->connection->xcb;
    g_autoptr(GArray) windows = g_array_new(FALSE, FALSE, sizeof(xcb_window_t));
    g_array_append_val(windows, offscreen->window);
    for (guint i = 0; i < windows->len && windows->len < MAX_WINDOWS; i++) {
        xcb_window_t window = g_array_index(windows, xcb_window_t, i);
        xcb_get_window_attributes_cookie_t cookie = xcb_get_window_attributes(xcb, window);
        g_autofree xcb_query_tree_reply_t *tree =
            xcb_query_tree_reply(xcb, xcb_query_tree(xcb, window), NULL);
        g_autofree xcb_get_window_attributes_reply_t *attributes =
            xcb_get_window_attributes_reply(xcb, cookie, NULL);
        if (attributes && (attributes->all_event_masks & XCB_EVENT_MASK_EXPOSURE))
            return TRUE;
        if (tree)
            g_array_append_vals(windows, xcb_query_tree_children(tree),
                                (guint)xcb_query_tree_children_length(tree));
    }
    return FALSE;
}

/* Silence alone is not the end: on a busy machine the program, or the server that works for it, may
 * wait for its turn in the middle of its drawing. */
static gboolean wait_until_drawn(HfX11Offscreen *offscreen, const HfDeadline *deadline)
{
    HfDeadline total = hf_deadline_within_ms(deadline, TOTAL_MS);
    HfDeadline first = hf_deadline_within_ms(&total, FIRST_DRAW_MS);
    if (!hf_x11_damage_wait_drawn(&offscreen->damage, &first, &total))
        return FALSE;
    int pid = hf_x11_pid_of(offscreen->connection, offscreen->window);
    int server = hf_x11_server_pid(offscreen->connection);
    while (pid > 0 && hf_deadline_check(&total, NULL) &&
           (hf_process_is_busy(pid) || hf_process_is_busy(server))) {
        HfDeadline soon = hf_deadline_within_ms(&total, STILL_WORKS_MS);
        hf_x11_damage_wait_drawn(&offscreen->damage, &soon, &total);
    }
    return TRUE;
}

static gboolean redirect_window(HfX11Offscreen *offscreen, gboolean hidden,
                                const HfDeadline *deadline)
{
    xcb_connection_t *xcb = offscreen->connection->xcb;
    gboolean draws = hidden && wants_exposure(offscreen);
    xcb_void_cookie_t redirected = xcb_composite_redirect_window_checked(
        xcb, offscreen->frame, XCB_COMPOSITE_REDIRECT_AUTOMATIC);
    /* Created after the server has painted the backgrounds and before the program can react, so
     * that it reports all that the program draws and nothing else. */
    hf_x11_damage_create(&offscreen->damage, offscreen->window);
    hf_x11_damage_reset(&offscreen->damage);
    offscreen->redirected = request_worked(offscreen, redirected);
    if (!offscreen->redirected)
        return FALSE;
    offscreen->complete = !draws || wait_until_drawn(offscreen, deadline);
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
