/* SPDX-License-Identifier: Apache-2.0 */
/* Listing of windows: the window manager's list, or without one the root's own children. */
#include "hand/x11/windows/x11-windows.h"

#include <string.h>

#include "hand/x11/capture/monitors.h"
#include "hand/x11/windows/first-paint.h"
#include "hand/x11/windows/window-change.h"
#include "hand/x11/windows/window-identify.h"
#include "hand/x11/windows/window-popups.h"
#include "hand/x11/windows/window-read.h"
#include "hand/x11/windows/window-watch.h"
#include "shared/base/error.h"

static void reverse_ids(GArray *ids)
{
    for (guint i = 0; i < ids->len / 2; i++) {
        guint32 *low = &g_array_index(ids, guint32, i);
        guint32 *high = &g_array_index(ids, guint32, ids->len - 1 - i);
        guint32 kept = *low;
        *low = *high;
        *high = kept;
    }
}

static GArray *dup_guess(HfX11Connection *connection)
{
    g_mutex_lock(&connection->lock);
    GArray *guess = connection->clients ? g_array_copy(connection->clients) : NULL;
    g_mutex_unlock(&connection->lock);
    return guess ? guess : g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void keep_guess(HfX11Connection *connection, GArray *clients)
{
    g_mutex_lock(&connection->lock);
    g_clear_pointer(&connection->clients, g_array_unref);
    connection->clients = g_array_copy(clients);
    g_mutex_unlock(&connection->lock);
}

static gboolean are_ids_equal(const GArray *some, const GArray *others)
{
    return some->len == others->len &&
           (some->len == 0 || memcmp(some->data, others->data, some->len * sizeof(guint32)) == 0);
}

static HfX11WindowQueries *ask_all(HfX11Connection *connection, const GArray *ids)
{
    return hf_x11_windows_send_queries(connection, (const guint32 *)(gpointer)ids->data, ids->len);
}

/* Mostly there are the windows that there were the last time: they are asked about together with
 * the question which there are. */
GPtrArray *hf_x11_windows_read_all(HfX11Connection *connection, HfX11Ewmh *ret_ewmh, GError **error)
{
    g_auto(HfX11Ewmh) ewmh = {0};
    g_autoptr(GArray) guess = dup_guess(connection);
    HfX11EwmhCookies cookies = hf_x11_ewmh_send(connection);
    g_autoptr(HfX11WindowQueries) asked = ask_all(connection, guess);
    if (!hf_x11_ewmh_read(connection, &cookies, &ewmh, error))
        return NULL;
    reverse_ids(ewmh.clients);
    if (!are_ids_equal(guess, ewmh.clients)) {
        hf_x11_window_queries_free(asked);
        asked = ask_all(connection, ewmh.clients);
        keep_guess(connection, ewmh.clients);
    }
    GPtrArray *windows = hf_x11_windows_read_replies(asked, &ewmh, error);
    if (windows && ret_ewmh) {
        hf_x11_ewmh_clear(ret_ewmh);
        *ret_ewmh = ewmh;
        ewmh = (HfX11Ewmh){0};
    }
    return windows;
}

static GPtrArray *list_x11_windows(HfDesktop *desktop, double *ret_scale, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    xcb_get_property_cookie_t resources = {0};
    if (ret_scale)
        resources = hf_x11_scale_send_query(connection);
    GPtrArray *windows = hf_x11_windows_read_all(connection, NULL, error);
    double scale = ret_scale ? hf_x11_scale_read(desktop, connection, resources) : 0;
    if (ret_scale && windows)
        *ret_scale = scale;
    return windows;
}

static gboolean is_listed(const HfX11Ewmh *ewmh, guint32 id)
{
    for (guint i = 0; i < ewmh->clients->len; i++)
        if (g_array_index(ewmh->clients, guint32, i) == id)
            return TRUE;
    return FALSE;
}

static HfWindow *get_x11_window(HfDesktop *desktop, guint32 id, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    g_auto(HfX11Ewmh) ewmh = {0};
    HfX11EwmhCookies cookies = hf_x11_ewmh_send(connection);
    g_autoptr(HfX11WindowQueries) asked = hf_x11_windows_send_queries(connection, &id, 1);
    if (!hf_x11_ewmh_read(connection, &cookies, &ewmh, error))
        return NULL;
    g_autoptr(GPtrArray) windows = hf_x11_windows_read_replies(asked, &ewmh, error);
    if (!windows)
        return NULL;
    if (windows->len == 0 || !is_listed(&ewmh, id)) {
        hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND, "no window with the id %u; see window_list", id);
        return NULL;
    }
    return g_ptr_array_steal_index(windows, 0);
}

const HfWindowOps hf_x11_window_ops = {
    .list = list_x11_windows,
    .get = get_x11_window,
    .identify = hf_x11_window_identify,
    .popups = hf_x11_window_popups,
    .change = hf_x11_window_change,
    .await_paint = hf_x11_await_paint,
    .watch_new = hf_x11_window_watch_new,
    .watch_read = hf_x11_window_watch_read,
    .watch_time = hf_x11_window_watch_time,
    .watch_free = hf_x11_window_watch_free,
};
