/* SPDX-License-Identifier: Apache-2.0 */
/* The root window's properties. A window manager that died leaves them all behind, so they count
 * only while the window that it named as its own still says so. */
#include "hand/x11/windows/ewmh.h"

#include <stdlib.h>
#include <string.h>

#include "hand/apps/apps-limits.h"

/* Deeper nesting between a focus window and its top level is not real. */
#define MAX_DEPTH 32

static xcb_get_property_cookie_t ask_property(HfX11Connection *connection, xcb_window_t window,
                                              const char *name, guint values)
{
    return xcb_get_property(connection->xcb, 0, window, hf_x11_atom(connection, name), XCB_ATOM_ANY,
                            0, values);
}

/* The 32-bit values of a reply, of which there may be 0; NULL when there is no such property.
 * Consumes the reply. */
static guint32 *take_values(xcb_get_property_reply_t *reply, gsize *ret_count)
{
    guint32 *values = NULL;
    *ret_count = 0;
    if (reply && reply->format == 32) {
        *ret_count = (gsize)xcb_get_property_value_length(reply) / 4;
        values = g_new(guint32, *ret_count + 1);
        memcpy(values, xcb_get_property_value(reply), *ret_count * 4);
    }
    free(reply);
    return values;
}

static guint32 collect_value(HfX11Connection *connection, xcb_get_property_cookie_t cookie,
                             guint32 fallback)
{
    gsize count = 0;
    g_autofree guint32 *values =
        take_values(xcb_get_property_reply(connection->xcb, cookie, NULL), &count);
    return count > 0 ? values[0] : fallback;
}

static GArray *collect_list(HfX11Connection *connection, xcb_get_property_cookie_t cookie)
{
    gsize count = 0;
    g_autofree guint32 *values =
        take_values(xcb_get_property_reply(connection->xcb, cookie, NULL), &count);
    if (!values)
        return NULL;
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_vals(list, values, (guint)count);
    return list;
}

static GArray *collect_children(HfX11Connection *connection, xcb_query_tree_cookie_t cookie)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
    xcb_query_tree_reply_t *reply = xcb_query_tree_reply(connection->xcb, cookie, NULL);
    if (reply)
        g_array_append_vals(list, xcb_query_tree_children(reply),
                            MIN((guint)xcb_query_tree_children_length(reply), HF_LIMIT_WINDOWS));
    free(reply);
    return list;
}

/* The child of the root that `window` lies in; 0 when it is gone or is the root itself. */
static xcb_window_t find_top_level(HfX11Connection *connection, xcb_window_t window)
{
    for (int depth = 0; depth < MAX_DEPTH && window > XCB_INPUT_FOCUS_POINTER_ROOT; depth++) {
        xcb_query_tree_reply_t *reply =
            xcb_query_tree_reply(connection->xcb, xcb_query_tree(connection->xcb, window), NULL);
        xcb_window_t parent = reply ? reply->parent : XCB_WINDOW_NONE;
        free(reply);
        if (parent == connection->root)
            return window;
        window = parent;
    }
    return XCB_WINDOW_NONE;
}

static xcb_window_t collect_focus(HfX11Connection *connection, xcb_get_input_focus_cookie_t cookie)
{
    xcb_get_input_focus_reply_t *reply = xcb_get_input_focus_reply(connection->xcb, cookie, NULL);
    xcb_window_t focus = reply ? reply->focus : XCB_WINDOW_NONE;
    free(reply);
    return focus;
}

/* Whether the window manager lives is asked with the rest: it is mostly the one of the last time.
 */
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
    xcb_window_t guess = (xcb_window_t)g_atomic_int_get(&connection->manager);
    return (HfX11EwmhCookies){
        .guess = guess,
        .guessed = guess ? ask_property(connection, guess, "_NET_SUPPORTING_WM_CHECK", 1)
                         : (xcb_get_property_cookie_t){0},
        .check = ask_property(connection, root, "_NET_SUPPORTING_WM_CHECK", 1),
        .stacking = ask_property(connection, root, "_NET_CLIENT_LIST_STACKING", HF_LIMIT_WINDOWS),
        .list = ask_property(connection, root, "_NET_CLIENT_LIST", HF_LIMIT_WINDOWS),
        .active = ask_property(connection, root, "_NET_ACTIVE_WINDOW", 1),
        .workspace = ask_property(connection, root, "_NET_CURRENT_DESKTOP", 1),
        .supported = ask_property(connection, root, "_NET_SUPPORTED", HF_LIMIT_WINDOWS),
        .tree = xcb_query_tree(connection->xcb, root),
        .focus = xcb_get_input_focus(connection->xcb),
    };
}

static gboolean manager_lives(HfX11Connection *connection, const HfX11EwmhCookies *cookies,
                              xcb_window_t check)
{
    guint32 said = cookies->guess ? collect_value(connection, cookies->guessed, XCB_WINDOW_NONE)
                                  : XCB_WINDOW_NONE;
    if (!check)
        return FALSE;
    if (check != cookies->guess)
        said = collect_value(connection,
                             ask_property(connection, check, "_NET_SUPPORTING_WM_CHECK", 1),
                             XCB_WINDOW_NONE);
    g_atomic_int_set(&connection->manager, said == check ? check : XCB_WINDOW_NONE);
    return said == check;
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
    ewmh.supported = take_values(xcb_get_property_reply(connection->xcb, cookies->supported, NULL),
                                 &ewmh.supported_count);
    g_autoptr(GArray) children = collect_children(connection, cookies->tree);
    xcb_window_t focus = collect_focus(connection, cookies->focus);
    if (!hf_x11_check(connection, error))
        return FALSE;
    ewmh.managed = manager_lives(connection, cookies, check) && list;
    if (ewmh.managed) {
        ewmh.clients = stacking ? g_steal_pointer(&stacking) : g_steal_pointer(&list);
        ewmh.workspace = (int)workspace;
        ewmh.active = active;
    } else {
        ewmh.clients = g_steal_pointer(&children);
        ewmh.supported_count = 0;
        ewmh.active = find_top_level(connection, focus);
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

gboolean hf_x11_ewmh_supports(HfX11Connection *connection, const HfX11Ewmh *ewmh, const char *hint)
{
    xcb_atom_t atom = hf_x11_atom(connection, hint);
    for (gsize i = 0; i < ewmh->supported_count; i++)
        if (ewmh->supported[i] == atom)
            return TRUE;
    return FALSE;
}

static void send_client_message(HfX11Connection *connection, xcb_window_t receiver, guint32 mask,
                                const xcb_client_message_event_t *event)
{
    xcb_send_event(connection->xcb, 0, receiver, mask, (const char *)event);
    xcb_flush(connection->xcb);
}

void hf_x11_ewmh_request(HfX11Connection *connection, xcb_window_t window, const char *message,
                         const guint32 data[5])
{
    xcb_client_message_event_t event = {
        .response_type = XCB_CLIENT_MESSAGE,
        .format = 32,
        .window = window,
        .type = hf_x11_atom(connection, message),
    };
    memcpy(event.data.data32, data, sizeof event.data.data32);
    send_client_message(connection, connection->root,
                        XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                        &event);
}

void hf_x11_ewmh_send_protocol(HfX11Connection *connection, xcb_window_t window,
                               const char *protocol, guint32 time)
{
    xcb_client_message_event_t event = {
        .response_type = XCB_CLIENT_MESSAGE,
        .format = 32,
        .window = window,
        .type = hf_x11_atom(connection, "WM_PROTOCOLS"),
    };
    event.data.data32[0] = hf_x11_atom(connection, protocol);
    event.data.data32[1] = time;
    send_client_message(connection, window, XCB_EVENT_MASK_NO_EVENT, &event);
}
