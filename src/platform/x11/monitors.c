/* Monitors by RandR 1.5, the size by asking for the root window each time (what the connection
 * said at its start is wrong after a change of resolution), the scale from the setting that
 * toolkits read. Servers without RandR have one monitor. */
#include "platform/x11/monitors.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/randr.h>

#include "base/error.h"
#include "platform/x11/toplevel.h"
#include "platform/x11/x11.h"

#define MAX_RESOURCE_BYTES (64 * 1024)
#define MAX_MONITORS       64
#define BASE_DPI           96.0

static gboolean get_root(HfX11Connection *connection, HfSize *ret_size, int *ret_depth,
                         GError **error)
{
    xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(
        connection->xcb, xcb_get_geometry(connection->xcb, connection->root), NULL);
    if (!geometry)
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_INTERNAL, "the X server does not describe its screen");
    *ret_size = (HfSize){geometry->width, geometry->height};
    *ret_depth = geometry->depth;
    free(geometry);
    return TRUE;
}

static gboolean has_monitors(HfX11Connection *connection)
{
    if (!hf_x11_extension(connection, &xcb_randr_id))
        return FALSE;
    xcb_randr_query_version_reply_t *version = xcb_randr_query_version_reply(
        connection->xcb, xcb_randr_query_version(connection->xcb, 1, 5), NULL);
    gboolean enough = version && (version->major_version > 1 || version->minor_version >= 5);
    free(version);
    return enough;
}

static void add_monitors(HfX11Connection *connection, HfScreen *screen)
{
    xcb_randr_get_monitors_reply_t *reply = xcb_randr_get_monitors_reply(
        connection->xcb, xcb_randr_get_monitors(connection->xcb, connection->root, 1), NULL);
    if (!reply)
        return;
    HfRect whole = {0, 0, screen->size.width, screen->size.height};
    xcb_randr_monitor_info_iterator_t at = xcb_randr_get_monitors_monitors_iterator(reply);
    for (; at.rem && screen->monitors->len < MAX_MONITORS; xcb_randr_monitor_info_next(&at)) {
        HfRect area = {at.data->x, at.data->y, at.data->width, at.data->height};
        area = hf_rect_intersect(area, whole);
        if (hf_rect_is_empty(area))
            continue;
        g_autofree char *name = hf_x11_dup_atom_name(connection, at.data->name);
        HfMonitor monitor = {name ? g_utf8_make_valid(name, -1) : g_strdup(""), area,
                             at.data->primary != 0};
        g_array_append_val(screen->monitors, monitor);
    }
    free(reply);
}

/* Xft.dpi of the resources is what GTK, Qt and Chromium scale by on X11. */
static double read_scale(HfX11Connection *connection)
{
    xcb_get_property_reply_t *reply = hf_x11_property(
        connection, connection->root, "RESOURCE_MANAGER", XCB_ATOM_STRING, MAX_RESOURCE_BYTES);
    if (!reply)
        return 1;
    g_autofree char *text =
        g_strndup(xcb_get_property_value(reply), (gsize)xcb_get_property_value_length(reply));
    free(reply);
    double scale = 1;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        if (g_str_has_prefix(*line, "Xft.dpi:"))
            scale = g_ascii_strtod(*line + strlen("Xft.dpi:"), NULL) / BASE_DPI;
    return scale >= 0.5 && scale <= 8 ? scale : 1;
}

HfScreen *hf_x11_screen_get(HfDesktop *desktop, GError **error)
{
    HfX11Desktop *x11 = hf_x11(desktop);
    HfSize size;
    int depth;
    if (!get_root(x11->connection, &size, &depth, error))
        return NULL;
    HfScreen *screen = g_new(HfScreen, 1);
    *screen = (HfScreen){size, x11->scale > 0 ? x11->scale : read_scale(x11->connection), depth,
                         g_array_new(FALSE, TRUE, sizeof(HfMonitor))};
    if (has_monitors(x11->connection))
        add_monitors(x11->connection, screen);
    if (screen->monitors->len == 0) {
        HfMonitor whole = {g_strdup("screen"), {0, 0, size.width, size.height}, TRUE};
        g_array_append_val(screen->monitors, whole);
    }
    return screen;
}

gboolean hf_x11_screen_get_size(HfDesktop *desktop, HfSize *ret_size, GError **error)
{
    int depth;
    return get_root(hf_x11(desktop)->connection, ret_size, &depth, error);
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
