/* SPDX-License-Identifier: Apache-2.0 */
/* Monitors by RandR 1.5, the size by asking for the root window each time (what the connection
 * said at its start is wrong after a change of resolution), the scale from the setting that
 * toolkits read. Servers without RandR have one monitor. */
#include "hand/x11/capture/monitors.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/randr.h>

#include "hand/x11/core/x11.h"
#include "hand/x11/windows/toplevel.h"
#include "shared/base/error.h"

#define MAX_RESOURCE_BYTES (64 * 1024)
#define MAX_MONITORS       64
#define BASE_DPI           96.0

gboolean hf_x11_root_read(HfX11Connection *connection, xcb_get_geometry_cookie_t cookie,
                          HfSize *ret_size, int *ret_depth, GError **error)
{
    xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(connection->xcb, cookie, NULL);
    if (!geometry)
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_INTERNAL, "the X server does not describe its screen");
    *ret_size = (HfSize){geometry->width, geometry->height};
    if (ret_depth)
        *ret_depth = geometry->depth;
    free(geometry);
    return TRUE;
}

xcb_get_property_cookie_t hf_x11_scale_send_query(HfX11Connection *connection)
{
    return xcb_get_property(connection->xcb, 0, connection->root, XCB_ATOM_RESOURCE_MANAGER,
                            XCB_ATOM_STRING, 0, MAX_RESOURCE_BYTES / 4);
}

/* Xft.dpi of the resources is what GTK, Qt and Chromium scale by on X11. */
static double scale_of(const char *resources)
{
    double scale = 1;
    g_auto(GStrv) lines = g_strsplit(resources, "\n", -1);
    for (char **line = lines; *line; line++)
        if (g_str_has_prefix(*line, "Xft.dpi:"))
            scale = g_ascii_strtod(*line + strlen("Xft.dpi:"), NULL) / BASE_DPI;
    return scale >= 0.5 && scale <= 8 ? scale : 1;
}

double hf_x11_scale_read(HfDesktop *desktop, HfX11Connection *connection,
                         xcb_get_property_cookie_t cookie)
{
    xcb_get_property_reply_t *reply = xcb_get_property_reply(connection->xcb, cookie, NULL);
    gsize length = reply ? (gsize)xcb_get_property_value_length(reply) : 0;
    g_autofree char *text = g_strndup(reply ? xcb_get_property_value(reply) : "", length);
    free(reply);
    double given = hf_x11(desktop)->scale;
    return given > 0 ? given : scale_of(text);
}

static void add_monitor(HfX11Connection *connection, HfScreen *screen,
                        const xcb_randr_monitor_info_t *info)
{
    HfRect area = {info->x, info->y, info->width, info->height};
    area = hf_rect_intersect(area, (HfRect){0, 0, screen->size.width, screen->size.height});
    if (hf_rect_is_empty(area))
        return;
    g_autofree char *name = hf_x11_dup_atom_name(connection, info->name);
    HfMonitor monitor = {name ? g_utf8_make_valid(name, -1) : g_strdup(""), area,
                         info->primary != 0};
    g_array_append_val(screen->monitors, monitor);
}

static void read_monitors(HfX11Connection *connection, HfScreen *screen,
                          xcb_randr_get_monitors_cookie_t cookie)
{
    xcb_generic_error_t *refused = NULL; /* by servers that only know RandR 1.4 */
    xcb_randr_get_monitors_reply_t *reply =
        xcb_randr_get_monitors_reply(connection->xcb, cookie, &refused);
    free(refused);
    if (!reply)
        return;
    xcb_randr_monitor_info_iterator_t at = xcb_randr_get_monitors_monitors_iterator(reply);
    for (; at.rem && screen->monitors->len < MAX_MONITORS; xcb_randr_monitor_info_next(&at))
        add_monitor(connection, screen, at.data);
    free(reply);
}

/* A server that names none means its first. */
static void name_a_primary(HfScreen *screen)
{
    for (guint i = 0; i < screen->monitors->len; i++)
        if (g_array_index(screen->monitors, HfMonitor, i).primary)
            return;
    g_array_index(screen->monitors, HfMonitor, 0).primary = TRUE;
}

HfScreen *hf_x11_screen_get(HfDesktop *desktop, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    gboolean randr = hf_x11_extension(connection, &xcb_randr_id) != NULL;
    xcb_get_geometry_cookie_t root = xcb_get_geometry(connection->xcb, connection->root);
    xcb_get_property_cookie_t resources = hf_x11_scale_send_query(connection);
    xcb_randr_get_monitors_cookie_t monitors = {0};
    if (randr)
        monitors = xcb_randr_get_monitors(connection->xcb, connection->root, 1);
    g_autoptr(HfScreen) screen = g_new0(HfScreen, 1);
    screen->monitors = g_array_new(FALSE, TRUE, sizeof(HfMonitor));
    gboolean there = hf_x11_root_read(connection, root, &screen->size, &screen->depth, error);
    screen->scale = hf_x11_scale_read(desktop, connection, resources);
    if (randr)
        read_monitors(connection, screen, monitors);
    if (!there)
        return NULL;
    if (screen->monitors->len == 0) {
        HfMonitor whole = {
            g_strdup("screen"), {0, 0, screen->size.width, screen->size.height}, TRUE};
        g_array_append_val(screen->monitors, whole);
    }
    name_a_primary(screen);
    return g_steal_pointer(&screen);
}

gboolean hf_x11_screen_get_size(HfDesktop *desktop, HfSize *ret_size, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    return hf_x11_root_read(connection, xcb_get_geometry(connection->xcb, connection->root),
                            ret_size, NULL, error);
}

gboolean hf_x11_screen_get_scale(HfDesktop *desktop, double *ret_scale, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    double scale = hf_x11_scale_read(desktop, connection, hf_x11_scale_send_query(connection));
    if (!hf_x11_check(connection, error))
        return FALSE;
    *ret_scale = scale;
    return TRUE;
}

gboolean hf_x11_screen_get_window_area(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                       GError **error)
{
    HfX11Toplevel toplevel;
    if (!hf_x11_toplevel_find(hf_x11(desktop)->connection, window, &toplevel, error))
        return FALSE;
    *ret_area = toplevel.area;
    return TRUE;
}
