/* SPDX-License-Identifier: Apache-2.0 */
/* The X11 back end's screen: size, monitors and scale, the watch on what is drawn, and frames that
 * highlight an area. x11-capture.c takes the pictures. The size is read from the root window each
 * time, because what the connection said at its start is wrong after a change of resolution. A
 * server without RandR has one monitor. */
#include "hand/x11/capture/x11-screen.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/randr.h>
#include <xcb/xfixes.h>

#include "hand/x11/capture/damage.h"
#include "hand/x11/capture/x11-capture.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/windows/ewmh.h"
#include "hand/x11/windows/toplevel.h"
#include "hand/x11/windows/window-pid.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

#define MAX_RESOURCE_BYTES (64 * 1024)
#define MAX_MONITORS       64
#define BASE_DPI           96.0
/* More drawn parts than this are reported as one. */
#define MAX_RECTS 64
#define MAX_TYPES 8
/* The thickness of a highlight. It lies around the area, so that it hides nothing of it. */
#define FRAME_PX 4
#define COLOUR   0xff3b30u
/* Kinds of the Shape extension, which XFixes takes as numbers. */
#define SHAPE_BOUNDING 0
#define SHAPE_INPUT    2

gboolean hf_x11_root_read(HfX11Connection *connection, xcb_get_geometry_cookie_t cookie,
                          HfSize *ret_size, int *ret_depth, GError **error)
{
    g_autofree xcb_get_geometry_reply_t *geometry =
        xcb_get_geometry_reply(connection->xcb, cookie, NULL);
    if (!geometry)
        return hf_x11_check(connection, error) &&
               hf_fail(error, HF_ERROR_INTERNAL, "the X server does not describe its screen");
    *ret_size = (HfSize){geometry->width, geometry->height};
    if (ret_depth)
        *ret_depth = geometry->depth;
    return TRUE;
}

xcb_get_property_cookie_t hf_x11_scale_send_query(HfX11Connection *connection)
{
    return xcb_get_property(connection->xcb, 0, connection->root, XCB_ATOM_RESOURCE_MANAGER,
                            XCB_ATOM_STRING, 0, MAX_RESOURCE_BYTES / 4);
}

/* GTK, Qt and Chromium on X11 scale by Xft.dpi of the resources. */
static double parse_scale(const char *resources)
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
    g_autofree xcb_get_property_reply_t *reply =
        xcb_get_property_reply(connection->xcb, cookie, NULL);
    gsize length = reply ? (gsize)xcb_get_property_value_length(reply) : 0;
    g_autofree char *text = g_strndup(reply ? xcb_get_property_value(reply) : "", length);
    double given = hf_x11(desktop)->scale;
    return given > 0 ? given : parse_scale(text);
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
    g_autofree xcb_randr_get_monitors_reply_t *reply =
        xcb_randr_get_monitors_reply(connection->xcb, cookie, NULL);
    if (!reply) /* a server that only has RandR 1.4 */
        return;
    xcb_randr_monitor_info_iterator_t at = xcb_randr_get_monitors_monitors_iterator(reply);
    for (; at.rem && screen->monitors->len < MAX_MONITORS; xcb_randr_monitor_info_next(&at))
        add_monitor(connection, screen, at.data);
}

/* When the server names no primary monitor, it is the first. */
static void ensure_primary_monitor(HfScreen *screen)
{
    for (guint i = 0; i < screen->monitors->len; i++)
        if (g_array_index(screen->monitors, HfMonitor, i).primary)
            return;
    g_array_index(screen->monitors, HfMonitor, 0).primary = TRUE;
}

static HfScreen *get_x11_screen(HfDesktop *desktop, GError **error)
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
    gboolean described = hf_x11_root_read(connection, root, &screen->size, &screen->depth, error);
    screen->scale = hf_x11_scale_read(desktop, connection, resources);
    if (randr)
        read_monitors(connection, screen, monitors);
    if (!described)
        return NULL;
    if (screen->monitors->len == 0) {
        HfMonitor whole = {
            g_strdup("screen"), {0, 0, screen->size.width, screen->size.height}, TRUE};
        g_array_append_val(screen->monitors, whole);
    }
    ensure_primary_monitor(screen);
    return g_steal_pointer(&screen);
}

static gboolean get_x11_screen_size(HfDesktop *desktop, HfSize *ret_size, GError **error)
{
    HfX11Connection *connection = hf_x11(desktop)->connection;
    return hf_x11_root_read(connection, xcb_get_geometry(connection->xcb, connection->root),
                            ret_size, NULL, error);
}

static gboolean get_x11_window_area(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                    GError **error)
{
    HfX11Toplevel toplevel;
    if (!hf_x11_toplevel_find(hf_x11(desktop)->connection, window, &toplevel, error))
        return FALSE;
    *ret_area = toplevel.area;
    return TRUE;
}

/* The watch has its own connection. The server collects what is drawn in a region and sends one
 * report; reading the region makes it report again. While nobody listens, the server sends no other
 * events, since they would pile up. */
typedef struct ScreenWatch {
    HfScreenWatch base;
    HfX11Connection *connection, *shared; /* `shared` for queries and atoms */
    HfX11Damage damage;
    xcb_xfixes_region_t region;
} ScreenWatch;

static void x11_screen_watch_free(HfScreenWatch *base)
{
    ScreenWatch *watch = (ScreenWatch *)base;
    hf_x11_disconnect(watch->connection);
    g_free(watch);
}

static HfScreenWatch *x11_screen_watch_new(HfDesktop *desktop, GError **error)
{
    HfX11Connection *shared = hf_x11(desktop)->connection;
    HfX11Connection *connection = hf_x11_connect(shared->display, error);
    if (!connection)
        return NULL;
    ScreenWatch *watch = g_new0(ScreenWatch, 1);
    watch->base.ops = &hf_x11_screen_ops;
    watch->base.fd = xcb_get_file_descriptor(connection->xcb);
    watch->connection = connection;
    watch->shared = shared;
    if (!hf_x11_damage_init(&watch->damage, connection) || !hf_x11_xfixes_init(connection)) {
        x11_screen_watch_free(&watch->base);
        hf_fail(error, HF_ERROR_UNSUPPORTED, "this display does not report what is drawn");
        return NULL;
    }
    watch->region = xcb_generate_id(connection->xcb);
    xcb_xfixes_create_region(connection->xcb, watch->region, 0, NULL);
    hf_x11_damage_create(&watch->damage, connection->root);
    return &watch->base;
}

static void select_screen_events(ScreenWatch *watch, guint32 mask)
{
    xcb_change_window_attributes(watch->connection->xcb, watch->connection->root, XCB_CW_EVENT_MASK,
                                 &mask);
}

/* Takes the region in one round trip. The server reports what is drawn after it. */
static void read_drawn_region(ScreenWatch *watch, GArray *drawn)
{
    xcb_connection_t *xcb = watch->connection->xcb;
    xcb_damage_subtract(xcb, watch->damage.id, XCB_NONE, watch->region);
    g_autofree xcb_xfixes_fetch_region_reply_t *reply =
        xcb_xfixes_fetch_region_reply(xcb, xcb_xfixes_fetch_region(xcb, watch->region), NULL);
    if (!reply)
        return;
    const xcb_rectangle_t *parts = xcb_xfixes_fetch_region_rectangles(reply);
    int count = xcb_xfixes_fetch_region_rectangles_length(reply);
    if (count > MAX_RECTS) {
        parts = &reply->extents;
        count = 1;
    }
    for (int i = 0; i < count; i++) {
        HfRect part = {parts[i].x, parts[i].y, parts[i].width, parts[i].height};
        g_array_append_val(drawn, part);
    }
}

static HfPopupKind find_popup_kind(HfX11Connection *shared, const guint32 *types, gsize count)
{
    static const struct {
        const char *name;
        HfPopupKind kind;
    } known[] = {
        {"_NET_WM_WINDOW_TYPE_POPUP_MENU", HF_POPUP_MENU},
        {"_NET_WM_WINDOW_TYPE_DROPDOWN_MENU", HF_POPUP_MENU},
        {"_NET_WM_WINDOW_TYPE_COMBO", HF_POPUP_MENU},
        {"_NET_WM_WINDOW_TYPE_MENU", HF_POPUP_MENU},
        {"_NET_WM_WINDOW_TYPE_TOOLTIP", HF_POPUP_TIP},
        {"_NET_WM_WINDOW_TYPE_NOTIFICATION", HF_POPUP_TIP},
        {"_NET_WM_WINDOW_TYPE_DND", HF_POPUP_TIP},
    };
    for (gsize i = 0; i < MIN(count, MAX_TYPES); i++)
        for (gsize j = 0; j < G_N_ELEMENTS(known); j++)
            if (types[i] == hf_x11_atom(shared, known[j].name))
                return known[j].kind;
    return HF_POPUP_OTHER;
}

/* A popup that has gone already has no properties left, so only its known kinds are reported. */
static void add_popup(ScreenWatch *watch, xcb_window_t window, gboolean shown, GArray *popups)
{
    gsize count = 0;
    g_autofree guint32 *types =
        hf_x11_dup_property32(watch->shared, window, "_NET_WM_WINDOW_TYPE", XCB_ATOM_ATOM, &count);
    HfPopup popup = {.id = window,
                     .pid = hf_x11_pid_of(watch->shared, window),
                     .kind = find_popup_kind(watch->shared, types, count),
                     .shown = shown};
    if (shown || popup.kind != HF_POPUP_OTHER)
        g_array_append_val(popups, popup);
}

static void note_screen_event(ScreenWatch *watch, const xcb_generic_event_t *event,
                              HfScreenChanges *changes)
{
    switch (event->response_type & 0x7f) {
    case XCB_MAP_NOTIFY: {
        const xcb_map_notify_event_t *map = (const xcb_map_notify_event_t *)event;
        changes->windows = TRUE;
        if (map->override_redirect)
            add_popup(watch, map->window, TRUE, changes->popups);
        break;
    }
    case XCB_UNMAP_NOTIFY:
        changes->windows = TRUE;
        add_popup(watch, ((const xcb_unmap_notify_event_t *)event)->window, FALSE, changes->popups);
        break;
    case XCB_DESTROY_NOTIFY:
    case XCB_CONFIGURE_NOTIFY:
        changes->windows = TRUE;
        break;
    case XCB_PROPERTY_NOTIFY:
        changes->windows |= hf_x11_ewmh_is_list_property(
            watch->shared, ((const xcb_property_notify_event_t *)event)->atom);
        break;
    default:
        break;
    }
}

static gboolean x11_screen_watch_read(HfScreenWatch *base, HfScreenChanges *changes, GError **error)
{
    ScreenWatch *watch = (ScreenWatch *)base;
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb))) {
        if (hf_x11_damage_is_report(&watch->damage, event))
            read_drawn_region(watch, changes->drawn);
        else
            note_screen_event(watch, event, changes);
        free(event);
    }
    return hf_x11_check(watch->connection, error);
}

static gboolean x11_screen_watch_begin(HfScreenWatch *base, HfScreenChanges *idle, GError **error)
{
    ScreenWatch *watch = (ScreenWatch *)base;
    select_screen_events(watch,
                         XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
    read_drawn_region(watch, idle->drawn);
    /* The server may have sent a report between the two requests. Until the region is read, it
     * sends no other. */
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_queued_event(watch->connection->xcb))) {
        if (hf_x11_damage_is_report(&watch->damage, event))
            read_drawn_region(watch, idle->drawn);
        free(event);
    }
    return hf_x11_check(watch->connection, error);
}

static void x11_screen_watch_end(HfScreenWatch *base, HfScreenChanges *unread)
{
    ScreenWatch *watch = (ScreenWatch *)base;
    select_screen_events(watch, XCB_EVENT_MASK_NO_EVENT);
    read_drawn_region(watch, unread->drawn);
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb)))
        free(event);
}

/* A highlight is a window in the shape of a frame, on top of everything, that takes no input and
 * that no window manager manages. Its own connection ends with this process, and the frame with it.
 */
static int highlights_shown;

typedef struct Highlight {
    HfX11Connection *connection;
    HfDeadline until;
} Highlight;

static gpointer hide_later(gpointer data)
{
    Highlight *frame = data;
    hf_deadline_pause(&frame->until, hf_deadline_left_ms(&frame->until) * 1000, NULL);
    hf_x11_disconnect(frame->connection);
    g_free(frame);
    g_atomic_int_add(&highlights_shown, -1);
    return NULL;
}

static void set_shape(xcb_connection_t *xcb, xcb_window_t window, guint8 kind,
                      const xcb_rectangle_t *rects, guint32 count)
{
    xcb_xfixes_region_t region = xcb_generate_id(xcb);
    xcb_xfixes_create_region(xcb, region, count, rects);
    xcb_xfixes_set_window_shape_region(xcb, window, kind, 0, 0, region);
    xcb_xfixes_destroy_region(xcb, region);
}

static void draw_highlight_frame(HfX11Connection *connection, HfRect area)
{
    guint16 width = (guint16)(area.width + 2 * FRAME_PX);
    guint16 height = (guint16)(area.height + 2 * FRAME_PX);
    xcb_rectangle_t sides[] = {
        {0, 0, width, FRAME_PX},
        {0, (gint16)(height - FRAME_PX), width, FRAME_PX},
        {0, 0, FRAME_PX, height},
        {(gint16)(width - FRAME_PX), 0, FRAME_PX, height},
    };
    guint32 values[] = {COLOUR, 1};
    xcb_window_t window = xcb_generate_id(connection->xcb);
    xcb_create_window(connection->xcb, XCB_COPY_FROM_PARENT, window, connection->root,
                      (gint16)(area.x - FRAME_PX), (gint16)(area.y - FRAME_PX), width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
    set_shape(connection->xcb, window, SHAPE_BOUNDING, sides, G_N_ELEMENTS(sides));
    set_shape(connection->xcb, window, SHAPE_INPUT, NULL, 0);
    xcb_map_window(connection->xcb, window);
}

static gboolean highlight_x11_area(HfDesktop *desktop, HfRect area, guint milliseconds,
                                   GError **error)
{
    if (g_atomic_int_add(&highlights_shown, 1) >= HF_LIMIT_HIGHLIGHTS) {
        g_atomic_int_add(&highlights_shown, -1);
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "%d areas are highlighted already; wait until one is gone",
                       HF_LIMIT_HIGHLIGHTS);
    }
    g_autoptr(HfX11Connection) connection =
        hf_x11_connect(hf_x11(desktop)->connection->display, error);
    gboolean ready = connection && hf_x11_xfixes_init(connection);
    if (ready) {
        draw_highlight_frame(connection, area);
    } else if (connection) {
        hf_desktop_fail_unsupported(desktop, "draw on its screen", error);
    }
    if (!ready || !hf_x11_sync(connection, error)) {
        g_atomic_int_add(&highlights_shown, -1);
        return FALSE;
    }
    Highlight *frame = g_new(Highlight, 1);
    *frame = (Highlight){g_steal_pointer(&connection), hf_deadline_in_ms(milliseconds, NULL)};
    g_thread_unref(g_thread_new("highlight", hide_later, frame));
    return TRUE;
}

const HfScreenOps hf_x11_screen_ops = {
    .get = get_x11_screen,
    .get_size = get_x11_screen_size,
    .get_window_area = get_x11_window_area,
    .capture = hf_x11_capture,
    .watch_windows = hf_x11_capture_watch_windows,
    .get_change_serial = hf_x11_capture_get_change_serial,
    .highlight = highlight_x11_area,
    .watch_new = x11_screen_watch_new,
    .watch_free = x11_screen_watch_free,
    .watch_begin = x11_screen_watch_begin,
    .watch_read = x11_screen_watch_read,
    .watch_end = x11_screen_watch_end,
};
