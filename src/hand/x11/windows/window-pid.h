/* SPDX-License-Identifier: Apache-2.0 */
/* The process behind a window, as the X server itself knows it (X-Resource extension). */
#pragma once

#include <xcb/res.h>

#include "hand/x11/core/connection.h"

typedef struct HfX11PidCookie {
    gboolean sent;
    xcb_res_query_client_ids_cookie_t cookie;
} HfX11PidCookie;

/* Sends the query. The reply is collected later, so that other queries can go out meanwhile. */
HfX11PidCookie hf_x11_pids_send_query(HfX11Connection *connection, const guint32 *windows,
                                      gsize count);
/* Client id → pid; empty when the server does not know. */
GHashTable *hf_x11_pids_collect(HfX11Connection *connection, HfX11PidCookie cookie);
/* The id of the client that a resource belongs to. */
guint32 hf_x11_client_of(HfX11Connection *connection, guint32 resource);
/* For a single window, in one round trip. */
int hf_x11_pid_of(HfX11Connection *connection, guint32 window);
/* 0 when unknown, for instance for a client on another machine. */
int hf_x11_pids_find(HfX11Connection *connection, GHashTable *pids, guint32 window);
