/* SPDX-License-Identifier: Apache-2.0 */
/* Frames and what lies above them. Windows may vanish between any two requests: one that does is
 * reported as not found, or as covering nothing. */
#include "hand/x11/windows/toplevel.h"

#include <stdlib.h>

#include "hand/apps/apps-limits.h"
#include "shared/base/error.h"

/* Deeper than any real window manager nests; ends the walk if windows are moved about meanwhile. */
#define MAX_DEPTH 32

static gboolean fail_missing_window(HfX11Connection *connection, xcb_window_t window,
                                    GError **error)
{
    if (!hf_x11_check(connection, error))
        return FALSE;
    return hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND, "there is no window with the id %u", window);
}

static gboolean find_frame(HfX11Connection *connection, xcb_window_t window,
                           xcb_window_t *ret_frame, GError **error)
{
    xcb_window_t at = window;
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
        xcb_query_tree_reply_t *tree =
            xcb_query_tree_reply(connection->xcb, xcb_query_tree(connection->xcb, at), NULL);
        if (!tree)
            break;
        xcb_window_t parent = tree->parent;
        free(tree);
        if (parent == XCB_WINDOW_NONE)
            break;
        if (parent == connection->root) {
            *ret_frame = at;
            return TRUE;
        }
        at = parent;
    }
    return fail_missing_window(connection, window, error);
}

static HfRect outer_rect(const xcb_get_geometry_reply_t *geometry)
{
    return (HfRect){geometry->x, geometry->y, geometry->width + 2 * geometry->border_width,
                    geometry->height + 2 * geometry->border_width};
}

/* Programs that draw their own decoration keep a shadow inside of their window; it says nothing
 * and would show what is behind. */
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

static gboolean fail_not_shown(xcb_window_t window, GError **error)
{
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "the window %u is not shown (minimised, or on another workspace)", window);
    hf_error_suggest(error, "bring it back first: window_focus");
    return FALSE;
}

gboolean hf_x11_toplevel_find(HfX11Connection *connection, xcb_window_t window,
                              HfX11Toplevel *ret_toplevel, GError **error)
{
    xcb_connection_t *xcb = connection->xcb;
    HfX11Toplevel found = {.window = window};
    if (!find_frame(connection, window, &found.frame, error))
        return FALSE;
    xcb_get_geometry_cookie_t outer_cookie = xcb_get_geometry(xcb, found.frame);
    xcb_get_geometry_cookie_t inner_cookie = xcb_get_geometry(xcb, window);
    xcb_translate_coordinates_cookie_t origin_cookie =
        xcb_translate_coordinates(xcb, window, connection->root, 0, 0);
    xcb_get_window_attributes_cookie_t cookie = xcb_get_window_attributes(xcb, window);
    xcb_get_geometry_reply_t *outer = xcb_get_geometry_reply(xcb, outer_cookie, NULL);
    xcb_get_geometry_reply_t *inner = xcb_get_geometry_reply(xcb, inner_cookie, NULL);
    xcb_translate_coordinates_reply_t *origin =
        xcb_translate_coordinates_reply(xcb, origin_cookie, NULL);
    xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(xcb, cookie, NULL);
    gboolean complete = outer && inner && origin && attributes;
    gboolean shown = complete && attributes->map_state == XCB_MAP_STATE_VIEWABLE;
    if (complete) {
        found.outer = outer_rect(outer);
        found.inner = (HfRect){origin->dst_x, origin->dst_y, inner->width, inner->height};
    }
    free(outer);
    free(inner);
    free(origin);
    free(attributes);
    if (!complete)
        return fail_missing_window(connection, window, error);
    if (!shown)
        return fail_not_shown(window, error);
    found.area = without_shadow(connection, window, found.outer);
    *ret_toplevel = found;
    return TRUE;
}

/* The ids of one client's resources share the bits outside of this mask. */
static gboolean same_client(HfX11Connection *connection, xcb_window_t a, xcb_window_t b)
{
    guint32 mask = xcb_get_setup(connection->xcb)->resource_id_mask;
    return (a & ~mask) == (b & ~mask);
}

/* Asks for all of them at once: one round trip however many windows there are. */
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
        xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(xcb, geometries[i], NULL);
        xcb_get_window_attributes_reply_t *state =
            xcb_get_window_attributes_reply(xcb, states[i], NULL);
        HfRect part = geometry ? hf_rect_intersect(outer_rect(geometry), area) : (HfRect){0};
        gboolean own = state && state->override_redirect &&
                       same_client(connection, windows[i], toplevel->window);
        if (!hf_rect_is_empty(part) && state && !own &&
            state->map_state == XCB_MAP_STATE_VIEWABLE &&
            state->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT)
            g_array_append_val(hidden, part);
        free(geometry);
        free(state);
    }
    return hidden;
}

GArray *hf_x11_toplevel_find_covers(HfX11Connection *connection, const HfX11Toplevel *toplevel,
                                    HfRect area, GError **error)
{
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
        connection->xcb, xcb_query_tree(connection->xcb, connection->root), NULL);
    if (!tree) {
        fail_missing_window(connection, connection->root, error);
        return NULL;
    }
    const xcb_window_t *windows = xcb_query_tree_children(tree);
    guint count = (guint)xcb_query_tree_children_length(tree), above = 0;
    while (above < count && windows[above] != toplevel->frame)
        above++;
    above = MIN(above + 1, count);
    GArray *hidden = find_hidden(connection, windows + above, MIN(count - above, HF_LIMIT_WINDOWS),
                                 toplevel, area);
    free(tree);
    return hidden;
}
