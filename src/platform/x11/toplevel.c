/* Frames and what lies above them. Windows may vanish between any two requests: one that does is
 * reported as not found, or as covering nothing. */
#include "platform/x11/toplevel.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/limits.h"

/* Deeper than any real window manager nests; ends the walk if windows are moved about meanwhile. */
#define MAX_DEPTH 32

static gboolean fail_missing(HfX11Connection *connection, xcb_window_t window, GError **error)
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
    return fail_missing(connection, window, error);
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

gboolean hf_x11_toplevel_find(HfX11Connection *connection, xcb_window_t window,
                              HfX11Toplevel *ret_toplevel, GError **error)
{
    xcb_connection_t *xcb = connection->xcb;
    xcb_window_t frame = XCB_WINDOW_NONE;
    if (!find_frame(connection, window, &frame, error))
        return FALSE;
    xcb_get_geometry_cookie_t geometry_cookie = xcb_get_geometry(xcb, frame);
    xcb_get_window_attributes_cookie_t cookie = xcb_get_window_attributes(xcb, window);
    xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(xcb, geometry_cookie, NULL);
    xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(xcb, cookie, NULL);
    gboolean found = geometry && attributes;
    gboolean shown = found && attributes->map_state == XCB_MAP_STATE_VIEWABLE;
    HfRect outer = geometry ? outer_rect(geometry) : (HfRect){0};
    free(geometry);
    free(attributes);
    if (!found)
        return fail_missing(connection, window, error);
    if (!shown) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "the window %u is not shown (minimised, or on another workspace)", window);
        hf_error_suggest(error, "bring it back first: window_focus");
        return FALSE;
    }
    *ret_toplevel =
        (HfX11Toplevel){window, frame, outer, without_shadow(connection, window, outer)};
    return TRUE;
}

/* The ids of one client's resources share the bits outside of this mask. */
static gboolean same_client(HfX11Connection *connection, xcb_window_t a, xcb_window_t b)
{
    guint32 mask = xcb_get_setup(connection->xcb)->resource_id_mask;
    return (a & ~mask) == (b & ~mask);
}

/* Asks for all of them at once: one round trip however many windows there are. */
static gboolean any_covers(HfX11Connection *connection, const xcb_window_t *windows, guint count,
                           const HfX11Toplevel *toplevel, HfRect area)
{
    xcb_connection_t *xcb = connection->xcb;
    g_autofree xcb_get_geometry_cookie_t *geometries = g_new(xcb_get_geometry_cookie_t, count);
    g_autofree xcb_get_window_attributes_cookie_t *states =
        g_new(xcb_get_window_attributes_cookie_t, count);
    for (guint i = 0; i < count; i++) {
        geometries[i] = xcb_get_geometry(xcb, windows[i]);
        states[i] = xcb_get_window_attributes(xcb, windows[i]);
    }
    gboolean covered = FALSE;
    for (guint i = 0; i < count; i++) {
        xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(xcb, geometries[i], NULL);
        xcb_get_window_attributes_reply_t *state =
            xcb_get_window_attributes_reply(xcb, states[i], NULL);
        if (geometry && state && state->map_state == XCB_MAP_STATE_VIEWABLE &&
            state->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT &&
            !hf_rect_is_empty(hf_rect_intersect(outer_rect(geometry), area)))
            covered |= !(state->override_redirect &&
                         same_client(connection, windows[i], toplevel->window));
        free(geometry);
        free(state);
    }
    return covered;
}

gboolean hf_x11_toplevel_is_covered(HfX11Connection *connection, const HfX11Toplevel *toplevel,
                                    HfRect area, gboolean *ret_covered, GError **error)
{
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
        connection->xcb, xcb_query_tree(connection->xcb, connection->root), NULL);
    if (!tree)
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_INTERNAL, "the X server does not list its windows");
    const xcb_window_t *windows = xcb_query_tree_children(tree);
    int count = xcb_query_tree_children_length(tree), above = 0;
    while (above < count && windows[above] != toplevel->frame)
        above++;
    above = MIN(above + 1, count);
    guint checked = MIN((guint)(count - above), HF_LIMIT_WINDOWS);
    *ret_covered = any_covers(connection, windows + above, checked, toplevel, area);
    free(tree);
    return hf_x11_check(connection, error);
}
