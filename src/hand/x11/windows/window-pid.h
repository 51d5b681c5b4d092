/* SPDX-License-Identifier: Apache-2.0 */
/* Which process is behind a window, as the X server itself knows it (X-Resource extension). */
#pragma once

#include <xcb/res.h>

#include "hand/x11/core/connection.h"

typedef struct HfX11PidCookie {
    gboolean asked;
    xcb_res_query_client_ids_cookie_t cookie;
} HfX11PidCookie;

/* Sends the question; the answer is collected later, so that others can be asked meanwhile. */
HfX11PidCookie hf_x11_pids_send_query(HfX11Connection *connection, const guint32 *windows,
                                      gsize count);
/* Clients' ids → pids; empty when the server cannot tell. */
GHashTable *hf_x11_pids_collect(HfX11Connection *connection, HfX11PidCookie cookie);
/* The client that a resource belongs to: the same for all of its windows. */
guint32 hf_x11_client_of(HfX11Connection *connection, guint32 resource);
/* For one window alone, in a round trip of its own. */
int hf_x11_pid_of(HfX11Connection *connection, guint32 window);
/* 0 when unknown: for instance a client on another machine. */
int hf_x11_pids_find(HfX11Connection *connection, GHashTable *pids, guint32 window);
