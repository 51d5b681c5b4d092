/* SPDX-License-Identifier: Apache-2.0 */
/* Reads only what the fence needs, since it asks before every event: the windows that the event
 * would reach, from the root down to the point or from the focus up, and the popups. Every window
 * on the way counts, because a menu may have its own title and class, or none. */
#include "hand/x11/windows/window-identify.h"

#include <stdlib.h>
#include <string.h>

#include "hand/x11/windows/window-pid.h"
#include "hand/x11/windows/x11-windows.h"
#include "shared/base/limits.h"

/* Real windows nest less deeply above the one that a person knows. */
#define MAX_DEPTH 8

enum { NAME, OLD_NAME, CLASS, STATE, PROPERTIES };
static const char *const names[PROPERTIES] = {"_NET_WM_NAME", "WM_NAME", "WM_CLASS", "WM_STATE"};

typedef struct IdentityCookies {
    xcb_get_property_cookie_t properties[PROPERTIES];
} IdentityCookies;

static IdentityCookies send_identity_queries(HfX11Connection *connection, xcb_window_t window)
{
    IdentityCookies cookies;
    for (int i = 0; i < PROPERTIES; i++)
        cookies.properties[i] =
            xcb_get_property(connection->xcb, 0, window, hf_x11_atom(connection, names[i]),
                             XCB_ATOM_ANY, 0, HF_LIMIT_TITLE_BYTES / 4);
    return cookies;
}

static void read_class(const xcb_get_property_reply_t *reply, HfWindow *window)
{
    const char *text = reply && reply->format == 8 ? xcb_get_property_value(reply) : NULL;
    gsize length = text ? (gsize)xcb_get_property_value_length(reply) : 0;
    gsize first = strnlen(text ? text : "", length);
    gsize rest = first < length ? strnlen(text + first + 1, length - first - 1) : 0;
    window->instance = g_utf8_make_valid(text ? text : "", (gssize)first);
    window->class_name = g_utf8_make_valid(rest ? text + first + 1 : "", (gssize)rest);
}

/* Adds the window. TRUE when a window manager manages it. */
static gboolean collect_identity(HfX11Connection *connection, xcb_window_t id,
                                 const IdentityCookies *cookies, GPtrArray *windows)
{
    xcb_get_property_reply_t *replies[PROPERTIES];
    for (int i = 0; i < PROPERTIES; i++)
        replies[i] = xcb_get_property_reply(connection->xcb, cookies->properties[i], NULL);
    HfWindow *window = g_new0(HfWindow, 1);
    window->id = id;
    window->title = hf_x11_window_dup_title(connection, replies[NAME], replies[OLD_NAME]);
    read_class(replies[CLASS], window);
    g_ptr_array_add(windows, window);
    gboolean managed = replies[STATE] && replies[STATE]->format == 32;
    for (int i = 0; i < PROPERTIES; i++)
        free(replies[i]);
    return managed;
}

static void walk_down(HfX11Connection *connection, HfPoint point, GPtrArray *windows)
{
    xcb_connection_t *xcb = connection->xcb;
    xcb_window_t at = connection->root;
    IdentityCookies identity = {0};
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
        xcb_translate_coordinates_cookie_t cookie = xcb_translate_coordinates(
            xcb, connection->root, at, (int16_t)point.x, (int16_t)point.y);
        gboolean managed = depth > 0 && collect_identity(connection, at, &identity, windows);
        g_autofree xcb_translate_coordinates_reply_t *reply =
            xcb_translate_coordinates_reply(xcb, cookie, NULL);
        if (managed || !reply || reply->child == XCB_NONE)
            return;
        at = reply->child;
        identity = send_identity_queries(connection, at);
    }
}

static void walk_up(HfX11Connection *connection, xcb_window_t at, GPtrArray *windows)
{
    xcb_connection_t *xcb = connection->xcb;
    for (int depth = 0; depth < MAX_DEPTH && at > 1 && at != connection->root; depth++) {
        IdentityCookies identity = send_identity_queries(connection, at);
        xcb_query_tree_cookie_t cookie = xcb_query_tree(xcb, at);
        gboolean managed = collect_identity(connection, at, &identity, windows);
        g_autofree xcb_query_tree_reply_t *tree = xcb_query_tree_reply(xcb, cookie, NULL);
        at = tree ? tree->parent : XCB_NONE;
        if (managed)
            return;
    }
}

static void walk_from_focus(HfX11Connection *connection, GPtrArray *windows)
{
    xcb_connection_t *xcb = connection->xcb;
    xcb_get_input_focus_cookie_t cookie = xcb_get_input_focus(xcb);
    xcb_get_property_cookie_t active_cookie =
        xcb_get_property(xcb, 0, connection->root, hf_x11_atom(connection, "_NET_ACTIVE_WINDOW"),
                         XCB_ATOM_WINDOW, 0, 1);
    g_autofree xcb_get_input_focus_reply_t *focus = xcb_get_input_focus_reply(xcb, cookie, NULL);
    g_autofree xcb_get_property_reply_t *active = xcb_get_property_reply(xcb, active_cookie, NULL);
    xcb_window_t front = active && xcb_get_property_value_length(active) >= 4
                             ? *(xcb_window_t *)xcb_get_property_value(active)
                             : XCB_NONE;
    walk_up(connection, focus ? focus->focus : XCB_NONE, windows);
    if (!hf_windows_find(windows, front))
        walk_up(connection, front, windows);
}

/* The server knows the process behind a window. A title can lie about it. */
static void fill_pids(HfX11Connection *connection, GPtrArray *windows)
{
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < windows->len; i++)
        g_array_append_val(ids, ((HfWindow *)windows->pdata[i])->id);
    if (ids->len == 0)
        return;
    HfX11PidCookie cookie =
        hf_x11_pids_send_query(connection, (const guint32 *)(gpointer)ids->data, ids->len);
    g_autoptr(GHashTable) pids = hf_x11_pids_collect(connection, cookie);
    for (guint i = 0; i < windows->len; i++) {
        HfWindow *window = windows->pdata[i];
        window->pid = hf_x11_pids_find(connection, pids, window->id);
    }
}

GPtrArray *hf_x11_window_identify(HfDesktop *desktop, const HfPoint *point, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    g_autoptr(GPtrArray) windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    if (point)
        walk_down(connection, *point, windows);
    else
        walk_from_focus(connection, windows);
    fill_pids(connection, windows);
    return hf_x11_check(connection, error) ? g_steal_pointer(&windows) : NULL;
}

typedef struct PopupCookies {
    xcb_get_window_attributes_cookie_t attributes;
    xcb_get_geometry_cookie_t geometry;
} PopupCookies;

static gboolean is_popup(const xcb_get_window_attributes_reply_t *attributes,
                         const xcb_get_geometry_reply_t *geometry)
{
    return attributes && geometry && attributes->override_redirect &&
           attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
           attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT && geometry->width > 1 &&
           geometry->height > 1;
}

static void collect_popup(xcb_connection_t *xcb, xcb_window_t id, PopupCookies cookies,
                          GPtrArray *popups)
{
    g_autofree xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(xcb, cookies.attributes, NULL);
    g_autofree xcb_get_geometry_reply_t *geometry =
        xcb_get_geometry_reply(xcb, cookies.geometry, NULL);
    if (!is_popup(attributes, geometry))
        return;
    HfWindow *popup = g_new0(HfWindow, 1);
    popup->id = id;
    popup->bounds =
        (HfRect){geometry->x + geometry->border_width, geometry->y + geometry->border_width,
                 geometry->width, geometry->height};
    g_ptr_array_insert(popups, 0, popup);
}

/* Queries all at once: two round trips, however many there are. */
GPtrArray *hf_x11_window_list_popups(HfDesktop *desktop, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    xcb_connection_t *xcb = connection->xcb;
    g_autoptr(GPtrArray) popups = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    g_autofree xcb_query_tree_reply_t *tree =
        xcb_query_tree_reply(xcb, xcb_query_tree(xcb, connection->root), NULL);
    int count = tree ? xcb_query_tree_children_length(tree) : 0;
    const xcb_window_t *children = tree ? xcb_query_tree_children(tree) : NULL;
    g_autofree PopupCookies *cookies = g_new(PopupCookies, count + 1);
    for (int i = 0; i < count; i++)
        cookies[i] = (PopupCookies){xcb_get_window_attributes(xcb, children[i]),
                                    xcb_get_geometry(xcb, children[i])};
    for (int i = 0; i < count; i++)
        collect_popup(xcb, children[i], cookies[i], popups);
    fill_pids(connection, popups);
    return hf_x11_check(connection, error) ? g_steal_pointer(&popups) : NULL;
}
