/* SPDX-License-Identifier: Apache-2.0 */
/* The server reads the pid of a local client from its socket. Unlike _NET_WM_PID it cannot be wrong
 * or forged, and it works for programs that do not set that property. */
#include "hand/x11/windows/window-pid.h"

HfX11PidCookie hf_x11_pids_send_query(HfX11Connection *connection, const guint32 *windows,
                                      gsize count)
{
    HfX11PidCookie cookie = {0};
    if (count == 0 || !hf_x11_extension(connection, &xcb_res_id))
        return cookie;
    g_autofree xcb_res_client_id_spec_t *specs = g_new(xcb_res_client_id_spec_t, count);
    for (gsize i = 0; i < count; i++)
        specs[i] = (xcb_res_client_id_spec_t){windows[i], XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
    cookie.sent = TRUE;
    cookie.cookie = xcb_res_query_client_ids(connection->xcb, (guint32)count, specs);
    return cookie;
}

guint32 hf_x11_client_of(HfX11Connection *connection, guint32 resource)
{
    return resource & ~xcb_get_setup(connection->xcb)->resource_id_mask;
}

GHashTable *hf_x11_pids_collect(HfX11Connection *connection, HfX11PidCookie cookie)
{
    GHashTable *pids = g_hash_table_new(NULL, NULL);
    if (!cookie.sent)
        return pids;
    g_autofree xcb_res_query_client_ids_reply_t *reply =
        xcb_res_query_client_ids_reply(connection->xcb, cookie.cookie, NULL);
    if (!reply)
        return pids;
    xcb_res_client_id_value_iterator_t ids = xcb_res_query_client_ids_ids_iterator(reply);
    for (; ids.rem > 0; xcb_res_client_id_value_next(&ids)) {
        if (ids.data->spec.mask != XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID ||
            xcb_res_client_id_value_value_length(ids.data) < 1)
            continue;
        guint32 pid = *xcb_res_client_id_value_value(ids.data);
        guint32 client = hf_x11_client_of(connection, ids.data->spec.client);
        if (pid > 1 && pid <= G_MAXINT)
            g_hash_table_insert(pids, GUINT_TO_POINTER(client), GUINT_TO_POINTER(pid));
    }
    return pids;
}

int hf_x11_pids_find(HfX11Connection *connection, GHashTable *pids, guint32 window)
{
    gpointer client = GUINT_TO_POINTER(hf_x11_client_of(connection, window));
    return GPOINTER_TO_INT(g_hash_table_lookup(pids, client));
}

int hf_x11_pid_of(HfX11Connection *connection, guint32 window)
{
    g_autoptr(GHashTable) pids =
        hf_x11_pids_collect(connection, hf_x11_pids_send_query(connection, &window, 1));
    return hf_x11_pids_find(connection, pids, window);
}
