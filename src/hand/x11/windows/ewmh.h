/* SPDX-License-Identifier: Apache-2.0 */
/* What a running window manager publishes on the root window (Extended Window Manager Hints), and
 * how to send it a request. Without one, the X server itself answers the same questions. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfX11Ewmh {
    gboolean managed;    /* a window manager that speaks EWMH is running */
    xcb_window_t active; /* the window with the focus; 0: none */
    int workspace;       /* the one shown; -1: unknown */
    GArray *clients;     /* of guint32, bottom to top. Unmanaged: all children of the root */
    guint32 *supported;  /* atoms of the hints that it supports */
    gsize supported_count;
} HfX11Ewmh;

/* Queries that were sent. */
typedef struct HfX11EwmhCookies {
    xcb_get_property_cookie_t check, stacking, list, active, workspace, supported;
    xcb_window_t last_manager; /* the window manager's own window, last time; 0: unknown */
    xcb_get_property_cookie_t last_check;
    xcb_query_tree_cookie_t tree;
    xcb_get_input_focus_cookie_t focus;
} HfX11EwmhCookies;

/* Sends the queries. Other requests can follow before the replies are read: one round trip for all.
 * Every result must be passed to hf_x11_ewmh_read. */
HfX11EwmhCookies hf_x11_ewmh_send(HfX11Connection *connection);
/* DESKTOP_UNAVAILABLE when the server is gone. */
gboolean hf_x11_ewmh_read(HfX11Connection *connection, const HfX11EwmhCookies *cookies,
                          HfX11Ewmh *ret_ewmh, GError **error);
void hf_x11_ewmh_clear(HfX11Ewmh *ewmh);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfX11Ewmh, hf_x11_ewmh_clear)

/* TRUE for a property of the root that changes with the list of windows. */
gboolean hf_x11_ewmh_is_list_property(HfX11Connection *connection, xcb_atom_t property);
gboolean hf_x11_contains(const guint32 *values, gsize count, guint32 value);
gboolean hf_x11_ewmh_supports(HfX11Connection *connection, const HfX11Ewmh *ewmh, const char *hint);
/* Sends the window manager a request about `window`. */
void hf_x11_ewmh_request(HfX11Connection *connection, xcb_window_t window, const char *message,
                         const guint32 data[5]);
/* Sends the window's program a WM_PROTOCOLS message. */
void hf_x11_ewmh_send_protocol(HfX11Connection *connection, xcb_window_t window,
                               const char *protocol, guint32 time);
