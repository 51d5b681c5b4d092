/* What an X server knows of a lock. A screen that is merely blank is not locked: the next event
 * wakes it. Every question here goes out in one batch, since it is asked before each input. */
#include "platform/session.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/screensaver.h>

#include "base/limits.h"
#include "platform/x11/x11.h"

/* A program that took over the server's screen saver (xss-lock) is showing itself. */
static gboolean saver_is_external(const xcb_screensaver_query_info_reply_t *reply)
{
    return reply && reply->state == XCB_SCREENSAVER_STATE_ON &&
           reply->kind == XCB_SCREENSAVER_KIND_EXTERNAL;
}

/* xscreensaver keeps its state on the root window; the first word is an atom: LOCK, BLANK or 0. */
static gboolean status_is_lock(HfX11Connection *connection, const xcb_get_property_reply_t *reply)
{
    if (!reply || reply->format != 32 || xcb_get_property_value_length(reply) < 4)
        return FALSE;
    guint32 state;
    memcpy(&state, xcb_get_property_value(reply), sizeof state);
    return state != XCB_ATOM_NONE && state == hf_x11_atom(connection, "LOCK");
}

static gboolean get_lock(HfDesktop *desktop, gboolean *ret_locked, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    xcb_connection_t *xcb = connection->xcb;
    gboolean has_saver = hf_x11_extension(connection, &xcb_screensaver_id) != NULL;
    xcb_screensaver_query_info_cookie_t saver_cookie = {0};
    if (has_saver)
        saver_cookie = xcb_screensaver_query_info(xcb, connection->root);
    xcb_get_property_cookie_t status_cookie =
        xcb_get_property(xcb, 0, connection->root, hf_x11_atom(connection, "_SCREENSAVER_STATUS"),
                         XCB_ATOM_ANY, 0, 1);
    xcb_screensaver_query_info_reply_t *saver =
        has_saver ? xcb_screensaver_query_info_reply(xcb, saver_cookie, NULL) : NULL;
    xcb_get_property_reply_t *status = xcb_get_property_reply(xcb, status_cookie, NULL);
    gboolean locked = saver_is_external(saver) || status_is_lock(connection, status);
    free(saver);
    free(status);
    if (!hf_x11_check(connection, error))
        return FALSE;
    *ret_locked = locked;
    return TRUE;
}

/* The window that a living manager names on the root must name itself: else it is left over. */
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

const HfSessionOps hf_x11_session_ops = {
    .get_lock = get_lock,
    .dup_window_manager = dup_window_manager,
};
