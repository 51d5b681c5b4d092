/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the screen is locked, and which window manager and layout the session has. A blank screen
 * is not locked: the next event wakes it. The lock is queried before each input, so all its
 * requests go out together. */
#include "hand/desktop/desktop-session.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/screensaver.h>

#include "hand/apps/process-info.h"
#include "hand/x11/capture/x11-capture.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/windows/window-pid.h"

/* A program that took over the server's screen saver (xss-lock) covers the screen. */
static gboolean saver_is_external(const xcb_screensaver_query_info_reply_t *reply)
{
    return reply && reply->state == XCB_SCREENSAVER_STATE_ON &&
           reply->kind == XCB_SCREENSAVER_KIND_EXTERNAL;
}

/* xscreensaver's state on the root window begins with an atom: LOCK, BLANK or 0. */
static gboolean status_is_lock(HfX11Connection *connection, const xcb_get_property_reply_t *reply)
{
    if (!reply || reply->format != 32 || xcb_get_property_value_length(reply) < 4)
        return FALSE;
    guint32 state;
    memcpy(&state, xcb_get_property_value(reply), sizeof state);
    return state != XCB_ATOM_NONE && state == hf_x11_atom(connection, "LOCK");
}

/* Some lockers announce nothing: they cover the screen with an unmanaged window and grab the
 * keyboard. Games and presentations do that too, so the program's name decides. */
static gboolean is_locker(HfX11Connection *connection, xcb_window_t window)
{
    static const char *const names[] = {"i3lock", "xsecurelock", "slock",  "xtrlock",
                                        "xlock",  "alock",       "sflock", NULL};
    g_autoptr(GHashTable) pids =
        hf_x11_pids_collect(connection, hf_x11_pids_send_query(connection, &window, 1));
    int pid = hf_x11_pids_find(connection, pids, window);
    g_autofree char *name = pid > 0 ? hf_process_dup_name(pid) : NULL;
    return name && g_strv_contains(names, name);
}

/* Pending requests about a window that may cover the screen. */
typedef struct Cover {
    xcb_window_t window;
    xcb_get_window_attributes_cookie_t attributes;
    xcb_get_geometry_cookie_t geometry, root;
} Cover;

static Cover query_cover(HfX11Connection *connection, xcb_window_t window)
{
    return (Cover){window, xcb_get_window_attributes(connection->xcb, window),
                   xcb_get_geometry(connection->xcb, window),
                   xcb_get_geometry(connection->xcb, connection->root)};
}

static gboolean covers_screen(HfX11Connection *connection, const Cover *cover)
{
    xcb_connection_t *xcb = connection->xcb;
    xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(xcb, cover->attributes, NULL);
    xcb_get_geometry_reply_t *of_window = xcb_get_geometry_reply(xcb, cover->geometry, NULL);
    xcb_get_geometry_reply_t *of_root = xcb_get_geometry_reply(xcb, cover->root, NULL);
    gboolean covers = attributes && of_window && of_root && attributes->override_redirect &&
                      attributes->map_state == XCB_MAP_STATE_VIEWABLE && of_window->x <= 0 &&
                      of_window->y <= 0 && of_window->x + of_window->width >= of_root->width &&
                      of_window->y + of_window->height >= of_root->height;
    free(attributes);
    free(of_window);
    free(of_root);
    return covers;
}

/* A locker keeps its window above all others. The topmost window is mostly the one of the last
 * query, so `guess` has requested it in advance. */
static gboolean is_covered_by_locker(HfX11Connection *connection,
                                     const xcb_query_tree_reply_t *tree, const Cover *guess,
                                     xcb_window_t *ret_top)
{
    int count = tree ? xcb_query_tree_children_length(tree) : 0;
    xcb_window_t top = count > 0 ? xcb_query_tree_children(tree)[count - 1] : XCB_WINDOW_NONE;
    gboolean guessed = guess->window && covers_screen(connection, guess);
    *ret_top = top;
    if (top == XCB_WINDOW_NONE)
        return FALSE;
    if (top != guess->window) {
        Cover cover = query_cover(connection, top);
        guessed = covers_screen(connection, &cover);
    }
    return guessed && is_locker(connection, top);
}

static gboolean get_lock(HfDesktop *desktop, gboolean *ret_locked, GError **error)
{
    HfX11Desktop *x11 = hf_x11(desktop);
    HfX11Connection *connection = x11->connection;
    xcb_connection_t *xcb = connection->xcb;
    xcb_window_t top = (xcb_window_t)g_atomic_int_get(&x11->top_window);
    Cover guess = {0};
    /* This runs before every input, so unread events and changes never pile up. */
    hf_x11_discard_events(connection);
    hf_x11_capture_catch_up(x11->capture);
    gboolean has_saver = hf_x11_extension(connection, &xcb_screensaver_id) != NULL;
    xcb_screensaver_query_info_cookie_t saver_cookie = {0};
    if (has_saver)
        saver_cookie = xcb_screensaver_query_info(xcb, connection->root);
    xcb_get_property_cookie_t status_cookie =
        xcb_get_property(xcb, 0, connection->root, hf_x11_atom(connection, "_SCREENSAVER_STATUS"),
                         XCB_ATOM_ANY, 0, 1);
    xcb_query_tree_cookie_t tree_cookie = xcb_query_tree(xcb, connection->root);
    if (top)
        guess = query_cover(connection, top);
    xcb_screensaver_query_info_reply_t *saver =
        has_saver ? xcb_screensaver_query_info_reply(xcb, saver_cookie, NULL) : NULL;
    xcb_get_property_reply_t *status = xcb_get_property_reply(xcb, status_cookie, NULL);
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(xcb, tree_cookie, NULL);
    gboolean covered = is_covered_by_locker(connection, tree, &guess, &top);
    gboolean locked = covered || saver_is_external(saver) || status_is_lock(connection, status);
    g_atomic_int_set(&x11->top_window, (gint)top);
    free(saver);
    free(status);
    free(tree);
    if (!hf_x11_check(connection, error))
        return FALSE;
    *ret_locked = locked;
    return TRUE;
}

/* A running window manager's check window names itself; otherwise it is left over from an earlier
 * one. */
static gboolean dup_window_manager(HfDesktop *desktop, char **ret_name, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    gsize count, own_count;
    g_autofree guint32 *check = hf_x11_dup_property32(
        connection, connection->root, "_NET_SUPPORTING_WM_CHECK", XCB_ATOM_WINDOW, &count);
    g_autofree guint32 *own =
        count > 0 ? hf_x11_dup_property32(connection, check[0], "_NET_SUPPORTING_WM_CHECK",
                                          XCB_ATOM_WINDOW, &own_count)
                  : NULL;
    char *name = own && own_count > 0 && own[0] == check[0]
                     ? hf_x11_dup_property_text(connection, check[0], "_NET_WM_NAME")
                     : NULL;
    *ret_name = name;
    if (hf_x11_check(connection, error))
        return TRUE;
    g_clear_pointer(ret_name, g_free);
    return FALSE;
}

/* The property holds rules, model, layout, variant and options, each ending with a zero. */
static gboolean dup_layout(HfDesktop *desktop, char **ret_layout, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    xcb_get_property_reply_t *reply =
        hf_x11_property(connection, connection->root, "_XKB_RULES_NAMES", XCB_ATOM_STRING, 1024);
    const char *names = reply ? xcb_get_property_value(reply) : NULL;
    const char *end = names ? names + xcb_get_property_value_length(reply) : NULL;
    for (int skip = 0; names && skip < 2; skip++) {
        const char *zero = memchr(names, 0, (gsize)(end - names));
        names = zero ? zero + 1 : NULL;
    }
    *ret_layout = names && names < end && *names
                      ? g_utf8_make_valid(names, (gssize)strnlen(names, (gsize)(end - names)))
                      : NULL;
    free(reply);
    if (hf_x11_check(connection, error))
        return TRUE;
    g_clear_pointer(ret_layout, g_free);
    return FALSE;
}

const HfSessionOps hf_x11_session_ops = {
    .get_lock = get_lock,
    .dup_window_manager = dup_window_manager,
    .dup_layout = dup_layout,
};
