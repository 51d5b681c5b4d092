/* SPDX-License-Identifier: Apache-2.0 */
/* Which windows an event would reach, with no more questions than that takes: from the root down to
 * the point, or from the focus up. Every window on the way counts, since a menu has a title or a
 * class of its own, or neither; whose process it is, the server tells. */
#include "hand/x11/windows/window-identify.h"

#include <stdlib.h>
#include <string.h>

#include "hand/x11/windows/window-pid.h"
#include "shared/base/limits.h"

/* Deeper than real windows nest before the one that a person knows. */
#define MAX_DEPTH 8

enum { NAME, OLD_NAME, CLASS, STATE, PROPERTIES };
static const char *const names[PROPERTIES] = {"_NET_WM_NAME", "WM_NAME", "WM_CLASS", "WM_STATE"};

typedef struct Look {
    xcb_get_property_cookie_t properties[PROPERTIES];
} Look;

static Look send_identity_queries(HfX11Connection *connection, xcb_window_t window)
{
    Look look;
    for (int i = 0; i < PROPERTIES; i++)
        look.properties[i] =
            xcb_get_property(connection->xcb, 0, window, hf_x11_atom(connection, names[i]),
                             XCB_ATOM_ANY, 0, HF_LIMIT_TITLE_BYTES / 4);
    return look;
}

static char *dup_line(HfX11Connection *connection, const xcb_get_property_reply_t *reply)
{
    if (!reply || reply->format != 8 || xcb_get_property_value_length(reply) == 0)
        return NULL;
    return hf_x11_text_decode_line(hf_x11_encoding(connection, reply->type),
                                   xcb_get_property_value(reply),
                                   (gsize)xcb_get_property_value_length(reply), FALSE);
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

/* Adds the window; TRUE when it is one that a window manager manages. */
static gboolean collect_identity(HfX11Connection *connection, xcb_window_t id, const Look *look,
                                 GPtrArray *windows)
{
    xcb_get_property_reply_t *replies[PROPERTIES];
    for (int i = 0; i < PROPERTIES; i++)
        replies[i] = xcb_get_property_reply(connection->xcb, look->properties[i], NULL);
    HfWindow *window = g_new0(HfWindow, 1);
    window->id = id;
    window->title = dup_line(connection, replies[NAME]);
    if (!window->title)
        window->title = dup_line(connection, replies[OLD_NAME]);
    if (!window->title)
        window->title = g_strdup("");
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
    Look look = {0};
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
        xcb_translate_coordinates_cookie_t cookie = xcb_translate_coordinates(
            xcb, connection->root, at, (int16_t)point.x, (int16_t)point.y);
        gboolean managed = depth > 0 && collect_identity(connection, at, &look, windows);
        xcb_translate_coordinates_reply_t *reply =
            xcb_translate_coordinates_reply(xcb, cookie, NULL);
        xcb_window_t child = reply ? reply->child : XCB_NONE;
        free(reply);
        if (managed || child == XCB_NONE)
            return;
        at = child;
        look = send_identity_queries(connection, at);
    }
}

static void walk_up(HfX11Connection *connection, xcb_window_t at, GPtrArray *windows)
{
    xcb_connection_t *xcb = connection->xcb;
    for (int depth = 0; depth < MAX_DEPTH && at > 1 && at != connection->root; depth++) {
        Look look = send_identity_queries(connection, at);
        xcb_query_tree_cookie_t cookie = xcb_query_tree(xcb, at);
        gboolean managed = collect_identity(connection, at, &look, windows);
        xcb_query_tree_reply_t *tree = xcb_query_tree_reply(xcb, cookie, NULL);
        at = tree ? tree->parent : XCB_NONE;
        free(tree);
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
    xcb_get_input_focus_reply_t *reply = xcb_get_input_focus_reply(xcb, cookie, NULL);
    xcb_get_property_reply_t *active = xcb_get_property_reply(xcb, active_cookie, NULL);
    xcb_window_t focus = reply ? reply->focus : XCB_NONE;
    xcb_window_t front = active && xcb_get_property_value_length(active) >= 4
                             ? *(xcb_window_t *)xcb_get_property_value(active)
                             : XCB_NONE;
    free(reply);
    free(active);
    walk_up(connection, focus, windows);
    gboolean seen = FALSE;
    for (guint i = 0; i < windows->len; i++)
        seen |= ((HfWindow *)windows->pdata[i])->id == front;
    if (!seen)
        walk_up(connection, front, windows);
}

GPtrArray *hf_x11_window_identify(HfDesktop *desktop, const HfPoint *point, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    g_autoptr(GPtrArray) windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    if (point)
        walk_down(connection, *point, windows);
    else
        walk_from_focus(connection, windows);
    guint32 ids[2 * MAX_DEPTH + 2];
    for (guint i = 0; i < windows->len; i++)
        ids[i] = ((HfWindow *)windows->pdata[i])->id;
    if (windows->len > 0) {
        HfX11PidCookie cookie = hf_x11_pids_send_query(connection, ids, windows->len);
        g_autoptr(GHashTable) pids = hf_x11_pids_collect(connection, cookie);
        for (guint i = 0; i < windows->len; i++)
            ((HfWindow *)windows->pdata[i])->pid = hf_x11_pids_find(connection, pids, ids[i]);
    }
    return hf_x11_check(connection, error) ? g_steal_pointer(&windows) : NULL;
}
