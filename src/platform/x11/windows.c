/* Listing of windows: the window manager's list, or without one the root's own children. */
#include "platform/x11/windows.h"

#include "base/error.h"
#include "platform/x11/first-paint.h"
#include "platform/x11/window-change.h"
#include "platform/x11/window-identify.h"
#include "platform/x11/window-popups.h"
#include "platform/x11/window-read.h"
#include "platform/x11/window-watch.h"

static void reverse(GArray *ids)
{
    for (guint i = 0; i < ids->len / 2; i++) {
        guint32 *low = &g_array_index(ids, guint32, i);
        guint32 *high = &g_array_index(ids, guint32, ids->len - 1 - i);
        guint32 kept = *low;
        *low = *high;
        *high = kept;
    }
}

GPtrArray *hf_x11_windows_look(HfX11Connection *connection, HfX11Ewmh *ret_ewmh, GError **error)
{
    g_auto(HfX11Ewmh) ewmh = {0};
    if (!hf_x11_ewmh_read(connection, &ewmh, error))
        return NULL;
    reverse(ewmh.clients);
    GPtrArray *windows = hf_x11_windows_read(
        connection, &ewmh, (const guint32 *)(gpointer)ewmh.clients->data, ewmh.clients->len, error);
    if (windows && ret_ewmh) {
        hf_x11_ewmh_clear(ret_ewmh);
        *ret_ewmh = ewmh;
        ewmh = (HfX11Ewmh){0};
    }
    return windows;
}

static GPtrArray *list(HfDesktop *desktop, GError **error)
{
    return hf_x11_windows_look(hf_x11(desktop)->connection, NULL, error);
}

static gboolean is_listed(const HfX11Ewmh *ewmh, guint32 id)
{
    for (guint i = 0; i < ewmh->clients->len; i++)
        if (g_array_index(ewmh->clients, guint32, i) == id)
            return TRUE;
    return FALSE;
}

static HfWindow *get(HfDesktop *desktop, guint32 id, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    g_auto(HfX11Ewmh) ewmh = {0};
    if (!hf_x11_ewmh_read(connection, &ewmh, error))
        return NULL;
    gsize count = is_listed(&ewmh, id) ? 1 : 0;
    g_autoptr(GPtrArray) windows = hf_x11_windows_read(connection, &ewmh, &id, count, error);
    if (!windows)
        return NULL;
    if (windows->len == 0) {
        hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND, "no window with the id %u; see window_list", id);
        return NULL;
    }
    return g_ptr_array_steal_index(windows, 0);
}

const HfWindowOps hf_x11_window_ops = {
    .list = list,
    .get = get,
    .identify = hf_x11_window_identify,
    .popups = hf_x11_window_popups,
    .change = hf_x11_window_change,
    .await_paint = hf_x11_await_paint,
    .watch_new = hf_x11_window_watch_new,
    .watch_read = hf_x11_window_watch_read,
    .watch_time = hf_x11_window_watch_time,
    .watch_free = hf_x11_window_watch_free,
};
