/* SPDX-License-Identifier: Apache-2.0 */
/* What a living window manager says on the root window (Extended Window Manager Hints), and how to
 * ask it for something. Without one, the same facts are taken from the X server itself. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfX11Ewmh {
    gboolean managed;    /* a window manager that speaks EWMH is alive */
    xcb_window_t active; /* the window with the focus; 0: none */
    int workspace;       /* the one shown; -1 unknown */
    GArray *clients;     /* of guint32, bottom to top. Unmanaged: all children of the root */
    guint32 *supported;  /* atoms of the hints that it honours */
    gsize supported_count;
} HfX11Ewmh;

/* The questions, on their way. */
typedef struct HfX11EwmhCookies {
    xcb_get_property_cookie_t check, stacking, list, active, workspace, supported;
    xcb_window_t guess; /* the window manager's own, as it was the last time; 0: not known */
    xcb_get_property_cookie_t guessed;
    xcb_query_tree_cookie_t tree;
    xcb_get_input_focus_cookie_t focus;
} HfX11EwmhCookies;

/* Sends them: what is asked before the answers are read comes with them. Each is to be read. */
HfX11EwmhCookies hf_x11_ewmh_send(HfX11Connection *connection);
/* DESKTOP_UNAVAILABLE when the server is gone. */
gboolean hf_x11_ewmh_read(HfX11Connection *connection, const HfX11EwmhCookies *cookies,
                          HfX11Ewmh *ret_ewmh, GError **error);
void hf_x11_ewmh_clear(HfX11Ewmh *ewmh);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfX11Ewmh, hf_x11_ewmh_clear)

gboolean hf_x11_ewmh_supports(HfX11Connection *connection, const HfX11Ewmh *ewmh, const char *hint);
/* A request to the window manager about `window`. */
void hf_x11_ewmh_request(HfX11Connection *connection, xcb_window_t window, const char *message,
                         const guint32 data[5]);
/* A WM_PROTOCOLS message to the window's own program. */
void hf_x11_ewmh_send_protocol(HfX11Connection *connection, xcb_window_t window,
                               const char *protocol, guint32 time);
