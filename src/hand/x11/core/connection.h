/* SPDX-License-Identifier: Apache-2.0 */
/* One connection to an X server, with its atoms and the few requests that everything needs.
 * XCB connections may be shared by threads for requests and replies; events go to whoever asks
 * first, so each part that waits for events has a connection of its own. */
#pragma once

#include <xcb/xcb.h>

#include "hand/x11/core/property-text.h"
#include "shared/base/geometry.h"
#include "shared/base/types.h"

typedef struct HfX11Connection {
    xcb_connection_t *xcb;
    xcb_screen_t *screen;
    xcb_window_t root;
    char *display;
    GMutex lock;       /* guards `atoms` and `clients` */
    GHashTable *atoms; /* name → xcb_atom_t */
    GArray *clients;   /* of guint32: the windows that were listed last; NULL: none were */
    guint manager;     /* the window that the window manager named its own last; atomic */
} HfX11Connection;

/* DESKTOP_UNAVAILABLE when the server cannot be reached. */
HfX11Connection *hf_x11_connect(const char *display, GError **error);
void hf_x11_disconnect(HfX11Connection *connection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Connection, hf_x11_disconnect)

/* FALSE with DESKTOP_UNAVAILABLE when the server is gone. Call it when a reply was NULL. */
gboolean hf_x11_check(HfX11Connection *connection, GError **error);
/* The server's process; 0 when it is not on this machine. */
int hf_x11_server_pid(HfX11Connection *connection);
/* Waits until the server has done all requests made so far on this connection. */
gboolean hf_x11_sync(HfX11Connection *connection, GError **error);

/* Throws away what nobody asked for: every client is told of changed mappings, and requests
 * without a reply may leave errors. Only for connections that wait for no events. */
void hf_x11_discard_events(HfX11Connection *connection);

xcb_atom_t hf_x11_atom(HfX11Connection *connection, const char *name);
/* Learns many atoms (a list ended by NULL) in one round trip instead of one for each. */
void hf_x11_preload_atoms(HfX11Connection *connection, const char *const *names);
char *hf_x11_dup_atom_name(HfX11Connection *connection, xcb_atom_t atom);
/* NULL when the server does not have the extension. */
const xcb_query_extension_reply_t *hf_x11_extension(HfX11Connection *connection,
                                                    xcb_extension_t *extension);

/* A property's value; NULL when absent or the window is gone. Free with free(). At most
 * `max_bytes`. */
xcb_get_property_reply_t *hf_x11_property(HfX11Connection *connection, xcb_window_t window,
                                          const char *name, xcb_atom_t type, guint max_bytes);
/* Properties of 32-bit values (windows, atoms, cardinals); the count is 0 when absent. */
guint32 *hf_x11_dup_property32(HfX11Connection *connection, xcb_window_t window, const char *name,
                               xcb_atom_t type, gsize *ret_count);
/* How text of a property's type is to be read. */
HfX11Encoding hf_x11_encoding(HfX11Connection *connection, xcb_atom_t type);
/* Text properties as valid UTF-8; NULL when absent. */
char *hf_x11_dup_property_text(HfX11Connection *connection, xcb_window_t window, const char *name);
