/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the root window's properties. A window manager that died leaves them behind, so they count
 * only while the window that it named as its own still confirms it. */
#include "hand/x11/windows/ewmh.h"

#include <string.h>

#include "hand/apps/apps-limits.h"
#include "hand/x11/windows/toplevel.h"

static xcb_get_property_cookie_t send_property_query(HfX11Connection *connection,
                                                     xcb_window_t window, const char *name,
                                                     guint values)
{
    return xcb_get_property(connection->xcb, 0, window, hf_x11_atom(connection, name), XCB_ATOM_ANY,
                            0, values);
}

/* The 32-bit values of a property, maybe 0 of them; NULL when the property does not exist. */
static guint32 *collect_values(HfX11Connection *connection, xcb_get_property_cookie_t cookie,
                               gsize *ret_count)
{
    g_autofree xcb_get_property_reply_t *reply =
        xcb_get_property_reply(connection->xcb, cookie, NULL);
    *ret_count = 0;
    if (!reply || reply->format != 32)
        return NULL;
    *ret_count = (gsize)xcb_get_property_value_length(reply) / 4;
    guint32 *values = g_new(guint32, *ret_count + 1);
    memcpy(values, xcb_get_property_value(reply), *ret_count * 4);
    return values;
}

static guint32 collect_value(HfX11Connection *connection, xcb_get_property_cookie_t cookie,
                             guint32 fallback)
{
    gsize count = 0;
    g_autofree guint32 *values = collect_values(connection, cookie, &count);
    return count > 0 ? values[0] : fallback;
}

static GArray *collect_list(HfX11Connection *connection, xcb_get_property_cookie_t cookie)
{
    gsize count = 0;
    g_autofree guint32 *values = collect_values(connection, cookie, &count);
    if (!values)
        return NULL;
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_vals(list, values, (guint)count);
    return list;
}

static GArray *collect_children(HfX11Connection *connection, xcb_query_tree_cookie_t cookie)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree xcb_query_tree_reply_t *reply = xcb_query_tree_reply(connection->xcb, cookie, NULL);
    if (reply)
        g_array_append_vals(list, xcb_query_tree_children(reply),
                            MIN((guint)xcb_query_tree_children_length(reply), HF_LIMIT_WINDOWS));
    return list;
}

/* The window manager is mostly the one of last time, so the check that it still runs goes out with
 * the other queries. */
HfX11EwmhCookies hf_x11_ewmh_send(HfX11Connection *connection)
{
    static const char *const names[] = {"_NET_SUPPORTING_WM_CHECK",
                                        "_NET_CLIENT_LIST_STACKING",
                                        "_NET_CLIENT_LIST",
                                        "_NET_ACTIVE_WINDOW",
                                        "_NET_CURRENT_DESKTOP",
                                        "_NET_SUPPORTED",
                                        NULL};
    hf_x11_preload_atoms(connection, names);
    xcb_window_t root = connection->root;
    xcb_window_t last = (xcb_window_t)g_atomic_int_get(&connection->manager);
    return (HfX11EwmhCookies){
        .last_manager = last,
        .last_check = last ? send_property_query(connection, last, "_NET_SUPPORTING_WM_CHECK", 1)
                           : (xcb_get_property_cookie_t){0},
        .check = send_property_query(connection, root, "_NET_SUPPORTING_WM_CHECK", 1),
        .stacking =
            send_property_query(connection, root, "_NET_CLIENT_LIST_STACKING", HF_LIMIT_WINDOWS),
        .list = send_property_query(connection, root, "_NET_CLIENT_LIST", HF_LIMIT_WINDOWS),
        .active = send_property_query(connection, root, "_NET_ACTIVE_WINDOW", 1),
        .workspace = send_property_query(connection, root, "_NET_CURRENT_DESKTOP", 1),
        .supported = send_property_query(connection, root, "_NET_SUPPORTED", HF_LIMIT_WINDOWS),
        .tree = xcb_query_tree(connection->xcb, root),
        .focus = xcb_get_input_focus(connection->xcb),
    };
}

static gboolean is_manager_running(HfX11Connection *connection, const HfX11EwmhCookies *cookies,
                                   xcb_window_t check)
{
    guint32 owner = XCB_WINDOW_NONE;
    if (cookies->last_manager)
        owner = collect_value(connection, cookies->last_check, XCB_WINDOW_NONE);
    if (!check)
        return FALSE;
    if (check != cookies->last_manager)
        owner = collect_value(connection,
                              send_property_query(connection, check, "_NET_SUPPORTING_WM_CHECK", 1),
                              XCB_WINDOW_NONE);
    g_atomic_int_set(&connection->manager, owner == check ? check : XCB_WINDOW_NONE);
    return owner == check;
}

gboolean hf_x11_ewmh_read(HfX11Connection *connection, const HfX11EwmhCookies *cookies,
                          HfX11Ewmh *ret_ewmh, GError **error)
{
    g_auto(HfX11Ewmh) ewmh = {.workspace = -1};
    xcb_window_t check = collect_value(connection, cookies->check, XCB_WINDOW_NONE);
    g_autoptr(GArray) stacking = collect_list(connection, cookies->stacking);
    g_autoptr(GArray) list = collect_list(connection, cookies->list);
    xcb_window_t active = collect_value(connection, cookies->active, XCB_WINDOW_NONE);
    guint32 workspace = collect_value(connection, cookies->workspace, G_MAXUINT32);
    ewmh.supported = collect_values(connection, cookies->supported, &ewmh.supported_count);
    g_autoptr(GArray) children = collect_children(connection, cookies->tree);
    g_autofree xcb_get_input_focus_reply_t *focus =
        xcb_get_input_focus_reply(connection->xcb, cookies->focus, NULL);
    if (!hf_x11_check(connection, error))
        return FALSE;
    ewmh.managed = is_manager_running(connection, cookies, check) && list;
    if (ewmh.managed) {
        ewmh.clients = stacking ? g_steal_pointer(&stacking) : g_steal_pointer(&list);
        ewmh.workspace = (int)workspace;
        ewmh.active = active;
    } else {
        ewmh.clients = g_steal_pointer(&children);
        ewmh.supported_count = 0;
        ewmh.active = focus ? hf_x11_find_frame(connection, focus->focus) : XCB_WINDOW_NONE;
    }
    if (!hf_x11_check(connection, error))
        return FALSE;
    *ret_ewmh = ewmh;
    ewmh = (HfX11Ewmh){0};
    return TRUE;
}

void hf_x11_ewmh_clear(HfX11Ewmh *ewmh)
{
    g_clear_pointer(&ewmh->clients, g_array_unref);
    g_clear_pointer(&ewmh->supported, g_free);
}

gboolean hf_x11_ewmh_is_list_property(HfX11Connection *connection, xcb_atom_t property)
{
    static const char *const names[] = {"_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING",
                                        "_NET_ACTIVE_WINDOW", "_NET_CURRENT_DESKTOP",
                                        "_NET_SUPPORTING_WM_CHECK"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (property == hf_x11_atom(connection, names[i]))
            return TRUE;
    return FALSE;
}

gboolean hf_x11_contains(const guint32 *values, gsize count, guint32 value)
{
    for (gsize i = 0; i < count; i++)
        if (values[i] == value)
            return TRUE;
    return FALSE;
}

gboolean hf_x11_ewmh_supports(HfX11Connection *connection, const HfX11Ewmh *ewmh, const char *hint)
{
    return hf_x11_contains(ewmh->supported, ewmh->supported_count, hf_x11_atom(connection, hint));
}

static void send_client_message(HfX11Connection *connection, xcb_window_t receiver, guint32 mask,
                                xcb_window_t window, const char *type, const guint32 data[5])
{
    xcb_client_message_event_t event = {
        .response_type = XCB_CLIENT_MESSAGE,
        .format = 32,
        .window = window,
        .type = hf_x11_atom(connection, type),
    };
    memcpy(event.data.data32, data, sizeof event.data.data32);
    xcb_send_event(connection->xcb, 0, receiver, mask, (const char *)&event);
    xcb_flush(connection->xcb);
}

void hf_x11_ewmh_request(HfX11Connection *connection, xcb_window_t window, const char *message,
                         const guint32 data[5])
{
    send_client_message(connection, connection->root,
                        XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                        window, message, data);
}

void hf_x11_ewmh_send_protocol(HfX11Connection *connection, xcb_window_t window,
                               const char *protocol, guint32 time)
{
    send_client_message(connection, window, XCB_EVENT_MASK_NO_EVENT, window, "WM_PROTOCOLS",
                        (guint32[5]){hf_x11_atom(connection, protocol), time});
}
