/* SPDX-License-Identifier: Apache-2.0 */
/* Finds frames and the windows above them. Windows may vanish between any two requests: one that
 * does is reported as not found, or as covering nothing. */
#include "hand/x11/windows/toplevel.h"

#include "hand/apps/apps-limits.h"
#include "hand/desktop/windows.h"
#include "hand/x11/windows/window-pid.h"
#include "shared/base/error.h"

/* No window manager nests deeper. Ends the walk when windows are reparented meanwhile. */
#define MAX_DEPTH 32

xcb_window_t hf_x11_find_frame(HfX11Connection *connection, xcb_window_t window)
{
    for (int depth = 0; depth < MAX_DEPTH && window > XCB_INPUT_FOCUS_POINTER_ROOT; depth++) {
        g_autofree xcb_query_tree_reply_t *tree =
            xcb_query_tree_reply(connection->xcb, xcb_query_tree(connection->xcb, window), NULL);
        if (tree && tree->parent == connection->root)
            return window;
        window = tree ? tree->parent : XCB_WINDOW_NONE;
    }
    return XCB_WINDOW_NONE;
}

static HfRect outer_rect(const xcb_get_geometry_reply_t *geometry)
{
    return (HfRect){geometry->x, geometry->y, geometry->width + 2 * geometry->border_width,
                    geometry->height + 2 * geometry->border_width};
}

/* Programs that draw their own decoration keep a shadow inside of their window. It would show what
 * is behind. */
static HfRect without_shadow(HfX11Connection *connection, xcb_window_t window, HfRect outer)
{
    gsize count;
    g_autofree guint32 *extents =
        hf_x11_dup_property32(connection, window, "_GTK_FRAME_EXTENTS", XCB_ATOM_CARDINAL, &count);
    if (count != 4)
        return outer;
    gint64 width = (gint64)outer.width - extents[0] - extents[1];
    gint64 height = (gint64)outer.height - extents[2] - extents[3];
    if (width < 1 || height < 1)
        return outer;
    return (HfRect){outer.x + (int)extents[0], outer.y + (int)extents[2], (int)width, (int)height};
}

gboolean hf_x11_toplevel_find(HfX11Connection *connection, xcb_window_t window,
                              HfX11Toplevel *ret_toplevel, GError **error)
{
    xcb_connection_t *xcb = connection->xcb;
    HfX11Toplevel found = {.window = window, .frame = hf_x11_find_frame(connection, window)};
    if (!found.frame)
        return hf_x11_check(connection, error) && hf_windows_fail_missing(window, error);
    xcb_get_geometry_cookie_t outer_cookie = xcb_get_geometry(xcb, found.frame);
    xcb_get_geometry_cookie_t inner_cookie = xcb_get_geometry(xcb, window);
    xcb_translate_coordinates_cookie_t origin_cookie =
        xcb_translate_coordinates(xcb, window, connection->root, 0, 0);
    xcb_get_window_attributes_cookie_t cookie = xcb_get_window_attributes(xcb, window);
    g_autofree xcb_get_geometry_reply_t *outer = xcb_get_geometry_reply(xcb, outer_cookie, NULL);
    g_autofree xcb_get_geometry_reply_t *inner = xcb_get_geometry_reply(xcb, inner_cookie, NULL);
    g_autofree xcb_translate_coordinates_reply_t *origin =
        xcb_translate_coordinates_reply(xcb, origin_cookie, NULL);
    g_autofree xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(xcb, cookie, NULL);
    if (!outer || !inner || !origin || !attributes)
        return hf_x11_check(connection, error) && hf_windows_fail_missing(window, error);
    if (attributes->map_state != XCB_MAP_STATE_VIEWABLE) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "the window %u is not shown (it is minimised, or on another workspace)", window);
        hf_error_suggest(error, "show it first: window_focus");
        return FALSE;
    }
    found.outer = outer_rect(outer);
    found.inner = (HfRect){origin->dst_x, origin->dst_y, inner->width, inner->height};
    found.area = without_shadow(connection, window, found.outer);
    *ret_toplevel = found;
    return TRUE;
}

/* Queries all windows at once: one round trip, however many there are. */
static GArray *find_hidden(HfX11Connection *connection, const xcb_window_t *windows, guint count,
                           const HfX11Toplevel *toplevel, HfRect area)
{
    xcb_connection_t *xcb = connection->xcb;
    GArray *hidden = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_autofree xcb_get_geometry_cookie_t *geometries = g_new(xcb_get_geometry_cookie_t, count);
    g_autofree xcb_get_window_attributes_cookie_t *states =
        g_new(xcb_get_window_attributes_cookie_t, count);
    for (guint i = 0; i < count; i++) {
        geometries[i] = xcb_get_geometry(xcb, windows[i]);
        states[i] = xcb_get_window_attributes(xcb, windows[i]);
    }
    for (guint i = 0; i < count; i++) {
        g_autofree xcb_get_geometry_reply_t *geometry =
            xcb_get_geometry_reply(xcb, geometries[i], NULL);
        g_autofree xcb_get_window_attributes_reply_t *state =
            xcb_get_window_attributes_reply(xcb, states[i], NULL);
        HfRect part = geometry ? hf_rect_intersect(outer_rect(geometry), area) : (HfRect){0};
        gboolean own = state && state->override_redirect &&
                       hf_x11_client_of(connection, windows[i]) ==
                           hf_x11_client_of(connection, toplevel->window);
        if (!hf_rect_is_empty(part) && state && !own &&
            state->map_state == XCB_MAP_STATE_VIEWABLE &&
            state->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT)
            g_array_append_val(hidden, part);
    }
    return hidden;
}

GArray *hf_x11_toplevel_find_covers(HfX11Connection *connection, const HfX11Toplevel *toplevel,
                                    HfRect area, GError **error)
{
    g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
        connection->xcb, xcb_query_tree(connection->xcb, connection->root), NULL);
    if (!tree) {
        if (hf_x11_check(connection, error))
            hf_windows_fail_missing(connection->root, error);
        return NULL;
    }
    const xcb_window_t *windows = xcb_query_tree_children(tree);
    guint count = (guint)xcb_query_tree_children_length(tree), above = 0;
    while (above < count && windows[above] != toplevel->frame)
        above++;
    above = MIN(above + 1, count);
    return find_hidden(connection, windows + above, MIN(count - above, HF_LIMIT_WINDOWS), toplevel,
                       area);
}
