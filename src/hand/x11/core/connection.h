/* SPDX-License-Identifier: Apache-2.0 */
/* One connection to an X server, with its atoms and the requests that all parts need. Threads may
 * share an XCB connection for requests and replies. Events go to whoever polls first, so each part
 * that waits for events opens its own connection. */
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
    GArray *clients;   /* of guint32: the windows of the last listing; NULL before the first */
    guint manager;     /* the window manager's own window, as seen last; atomic */
} HfX11Connection;

/* DESKTOP_UNAVAILABLE when the server cannot be reached. */
HfX11Connection *hf_x11_connect(const char *display, GError **error);
void hf_x11_disconnect(HfX11Connection *connection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Connection, hf_x11_disconnect)

/* DESKTOP_UNAVAILABLE when the server is gone. Call it when a reply was NULL. */
gboolean hf_x11_check(HfX11Connection *connection, GError **error);
/* The server's process; 0 when it is not on this machine. */
int hf_x11_server_pid(HfX11Connection *connection);
/* Waits until the server has processed all earlier requests of this connection. */
gboolean hf_x11_sync(HfX11Connection *connection, GError **error);

/* Frees queued events that nobody reads: the server notifies every client of changed mappings, and
 * requests without a reply may leave errors. Only for connections that wait for no events. */
void hf_x11_discard_events(HfX11Connection *connection);

xcb_atom_t hf_x11_atom(HfX11Connection *connection, const char *name);
/* Caches many atoms (a list that ends with NULL) in one round trip. */
void hf_x11_preload_atoms(HfX11Connection *connection, const char *const *names);
char *hf_x11_dup_atom_name(HfX11Connection *connection, xcb_atom_t atom);
/* NULL when the server does not have the extension. */
const xcb_query_extension_reply_t *hf_x11_extension(HfX11Connection *connection,
                                                    xcb_extension_t *extension);

/* At most `max_bytes` of a property; NULL when it or the window does not exist. Free with free().
 */
xcb_get_property_reply_t *hf_x11_property(HfX11Connection *connection, xcb_window_t window,
                                          const char *name, xcb_atom_t type, guint max_bytes);
/* Properties of 32-bit values (windows, atoms, cardinals); the count is 0 when absent. */
guint32 *hf_x11_dup_property32(HfX11Connection *connection, xcb_window_t window, const char *name,
                               xcb_atom_t type, gsize *ret_count);
/* The encoding of text properties of this type. */
HfX11Encoding hf_x11_encoding(HfX11Connection *connection, xcb_atom_t type);
/* A text property as valid UTF-8; NULL when absent. */
char *hf_x11_dup_property_text(HfX11Connection *connection, xcb_window_t window, const char *name);
