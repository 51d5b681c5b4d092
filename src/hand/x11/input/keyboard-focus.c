/* SPDX-License-Identifier: Apache-2.0 */
/* The focus as the server has it, not as the window manager announces it: only the server decides
 * where keys go. A window manager without a window to focus parks the focus on a tiny window; that
 * counts as no focus. */
#include "hand/x11/input/keyboard-focus.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"

static gboolean fail_no_focus(HfX11Connection *connection, GError **error)
{
    return hf_x11_check(connection, error) &&
           hf_fail(
               error, HF_ERROR_DESKTOP_FOCUS_LOST,
               "no window has the keyboard focus, so keys would go nowhere; focus a window first");
}

/* The window under the pointer, which gets the keys on a server without a window manager. */
static xcb_window_t under_pointer(HfX11Connection *connection)
{
    xcb_window_t window = connection->root, found = XCB_NONE;
    for (;;) {
        xcb_query_pointer_reply_t *reply = xcb_query_pointer_reply(
            connection->xcb, xcb_query_pointer(connection->xcb, window), NULL);
        xcb_window_t child = reply ? reply->child : XCB_NONE;
        free(reply);
        if (child == XCB_NONE)
            return found;
        found = window = child;
    }
}

static gboolean is_managed(HfX11Connection *connection, xcb_window_t window)
{
    xcb_get_property_reply_t *reply =
        hf_x11_property(connection, window, "WM_STATE", XCB_ATOM_ANY, 8);
    gboolean managed = reply != NULL;
    free(reply);
    return managed;
}

/* The nearest ancestor that a window manager manages, otherwise the root's child. */
static xcb_window_t toplevel_of(HfX11Connection *connection, xcb_window_t window)
{
    for (;;) {
        if (is_managed(connection, window))
            return window;
        xcb_query_tree_reply_t *reply =
            xcb_query_tree_reply(connection->xcb, xcb_query_tree(connection->xcb, window), NULL);
        xcb_window_t parent = reply ? reply->parent : XCB_NONE;
        free(reply);
        if (parent == connection->root || parent == XCB_NONE)
            return parent ? window : XCB_NONE;
        window = parent;
    }
}

static gboolean is_parking_place(HfX11Connection *connection, xcb_window_t window)
{
    gsize count;
    g_autofree guint32 *check = hf_x11_dup_property32(
        connection, connection->root, "_NET_SUPPORTING_WM_CHECK", XCB_ATOM_WINDOW, &count);
    guint32 owner = ~xcb_get_setup(connection->xcb)->resource_id_mask;
    if (count != 1 || (check[0] & owner) != (window & owner) || is_managed(connection, window))
        return FALSE;
    xcb_get_geometry_reply_t *geometry =
        xcb_get_geometry_reply(connection->xcb, xcb_get_geometry(connection->xcb, window), NULL);
    gboolean tiny = !geometry || (geometry->width <= 1 && geometry->height <= 1) ||
                    geometry->x + geometry->width <= 0 || geometry->y + geometry->height <= 0;
    free(geometry);
    return tiny;
}

static xcb_window_t input_focus(HfX11Connection *connection)
{
    xcb_get_input_focus_reply_t *reply =
        xcb_get_input_focus_reply(connection->xcb, xcb_get_input_focus(connection->xcb), NULL);
    xcb_window_t window = reply ? reply->focus : XCB_NONE;
    free(reply);
    return window;
}

gboolean hf_x11_focus_is(HfX11Connection *connection, const HfX11Focus *focus)
{
    return input_focus(connection) == focus->window;
}

gboolean hf_x11_focus_get(HfX11Connection *connection, HfX11Focus *ret_focus, GError **error)
{
    xcb_window_t window = input_focus(connection);
    if (window == XCB_INPUT_FOCUS_POINTER_ROOT)
        window = under_pointer(connection);
    if (window == XCB_NONE || window == connection->root || is_parking_place(connection, window))
        return fail_no_focus(connection, error);
    xcb_window_t toplevel = toplevel_of(connection, window);
    if (toplevel == XCB_NONE)
        return fail_no_focus(connection, error);
    *ret_focus = (HfX11Focus){window, toplevel};
    return TRUE;
}

char *hf_x11_focus_dup_class(HfX11Connection *connection, xcb_window_t window)
{
    xcb_get_property_reply_t *reply =
        hf_x11_property(connection, window, "WM_CLASS", XCB_ATOM_ANY, HF_LIMIT_TITLE_BYTES);
    const char *value = reply && reply->format == 8 ? xcb_get_property_value(reply) : "";
    gsize length = reply && reply->format == 8 ? (gsize)xcb_get_property_value_length(reply) : 0;
    const char *end = memchr(value, '\0', length); /* the end of the instance name */
    const char *start = end ? end + 1 : value + length;
    char *name = g_utf8_make_valid(start, (gssize)strnlen(start, (gsize)(value + length - start)));
    free(reply);
    return name;
}
