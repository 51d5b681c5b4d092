/* SPDX-License-Identifier: Apache-2.0 */
/* The process behind a window, and whether it has taken in all that the X server sent it. For
 * programs that answer no ping. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfX11Client HfX11Client;

/* NULL when the process cannot be known: another machine, another user. */
HfX11Client *hf_x11_client_find(HfX11Connection *connection, xcb_window_t window);
/* The X server's own process, without its sockets. */
HfX11Client *hf_x11_client_find_server(HfX11Connection *connection);
void hf_x11_client_free(HfX11Client *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Client, hf_x11_client_free)

/* To X servers, as far as it can be seen. */
guint hf_x11_client_count_connections(const HfX11Client *client);

typedef struct HfX11ClientView {
    gboolean gone;    /* the process has ended */
    gboolean drained; /* nothing is on its way from the X server to it, or back */
    gboolean asleep;  /* no thread runs, and one of them waits for events */
    gboolean idle;    /* its first thread waits for events, whatever others do */
    guint64 wake_ups; /* grows whenever one of its threads ran */
} HfX11ClientView;

/* One look. A program has taken in everything when it is drained and asleep, the server is then
 * seen asleep too (it has no request of the program left to answer), and the program has not
 * woken up in between. */
HfX11ClientView hf_x11_client_observe(HfX11Client *client);
