/* SPDX-License-Identifier: Apache-2.0 */
/* Events on a connection of their own. The server gathers what is drawn in a region that is taken
 * whenever it says that there is something. While nobody listens it is told to send no other
 * events, since they would pile up: what is drawn then is one event and one region, however much it
 * is. */
#include "hand/x11/capture/x11-screen-watch.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/damage.h>

#include "hand/desktop/screen.h"
#include "hand/x11/windows/window-pid.h"
#include "shared/base/error.h"

/* More parts than this are told as one: who draws so much at once draws a picture. */
#define MAX_RECTS 64
#define MAX_TYPES 8

typedef struct Watch {
    HfScreenWatch base;
    HfX11Connection *connection, *shared; /* the second for questions, and for its atoms */
    xcb_damage_damage_t damage;
    xcb_xfixes_region_t region;
    guint8 notify_event;
} Watch;

static gboolean begin_damage(Watch *watch)
{
    HfX11Connection *connection = watch->connection;
    const xcb_query_extension_reply_t *damage = hf_x11_extension(connection, &xcb_damage_id);
    if (!damage || !hf_x11_extension(connection, &xcb_xfixes_id))
        return FALSE;
    xcb_damage_query_version_cookie_t damage_asked =
        xcb_damage_query_version(connection->xcb, 1, 1);
    xcb_xfixes_query_version_cookie_t fixes_asked = xcb_xfixes_query_version(connection->xcb, 2, 0);
    xcb_damage_query_version_reply_t *version =
        xcb_damage_query_version_reply(connection->xcb, damage_asked, NULL);
    xcb_xfixes_query_version_reply_t *fixes =
        xcb_xfixes_query_version_reply(connection->xcb, fixes_asked, NULL);
    gboolean there = version && fixes;
    free(version);
    free(fixes);
    if (!there)
        return FALSE;
    watch->notify_event = (guint8)(damage->first_event + XCB_DAMAGE_NOTIFY);
    watch->region = xcb_generate_id(connection->xcb);
    watch->damage = xcb_generate_id(connection->xcb);
    xcb_xfixes_create_region(connection->xcb, watch->region, 0, NULL);
    xcb_damage_create(connection->xcb, watch->damage, connection->root,
                      XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
    return TRUE;
}

HfScreenWatch *hf_x11_screen_watch_new(HfDesktop *desktop, GError **error)
{
    HfX11Connection *shared = hf_x11(desktop)->connection;
    g_autoptr(HfX11Connection) connection = hf_x11_connect(shared->display, error);
    if (!connection)
        return NULL;
    Watch *watch = g_new0(Watch, 1);
    watch->base.ops = &hf_x11_screen_ops;
    watch->base.fd = xcb_get_file_descriptor(connection->xcb);
    watch->connection = g_steal_pointer(&connection);
    watch->shared = shared;
    if (begin_damage(watch))
        return &watch->base;
    hf_x11_screen_watch_free(&watch->base);
    hf_fail(error, HF_ERROR_UNSUPPORTED, "this display does not tell what is drawn");
    return NULL;
}

void hf_x11_screen_watch_free(HfScreenWatch *base)
{
    Watch *watch = (Watch *)base;
    hf_x11_disconnect(watch->connection);
    g_free(watch);
}

static void select_screen_events(Watch *watch, guint32 mask)
{
    xcb_change_window_attributes(watch->connection->xcb, watch->connection->root, XCB_CW_EVENT_MASK,
                                 &mask);
}

static HfRect from_x11(xcb_rectangle_t rect)
{
    return (HfRect){rect.x, rect.y, rect.width, rect.height};
}

/* One round trip. What is drawn after it is announced again. */
static void take_drawn(Watch *watch, GArray *drawn)
{
    xcb_connection_t *xcb = watch->connection->xcb;
    xcb_damage_subtract(xcb, watch->damage, XCB_NONE, watch->region);
    xcb_xfixes_fetch_region_reply_t *reply =
        xcb_xfixes_fetch_region_reply(xcb, xcb_xfixes_fetch_region(xcb, watch->region), NULL);
    if (!reply)
        return;
    const xcb_rectangle_t *parts = xcb_xfixes_fetch_region_rectangles(reply);
    int count = xcb_xfixes_fetch_region_rectangles_length(reply);
    HfRect all = from_x11(reply->extents);
    if (count > MAX_RECTS)
        g_array_append_val(drawn, all);
    for (int i = 0; i < count && count <= MAX_RECTS; i++) {
        HfRect part = from_x11(parts[i]);
        g_array_append_val(drawn, part);
    }
    free(reply);
}

static HfPopupKind kind_of_type(HfX11Connection *shared, const guint32 *types, gsize count)
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

/* Of one that is gone already nothing can be known, so nothing is said. */
static void add_popup(Watch *watch, xcb_window_t window, gboolean shown, GArray *popups)
{
    gsize count = 0;
    g_autofree guint32 *types =
        hf_x11_dup_property32(watch->shared, window, "_NET_WM_WINDOW_TYPE", XCB_ATOM_ATOM, &count);
    HfPopup popup = {.id = window,
                     .pid = hf_x11_pid_of(watch->shared, window),
                     .kind = kind_of_type(watch->shared, types, count),
                     .shown = shown};
    if (shown || popup.kind != HF_POPUP_OTHER)
        g_array_append_val(popups, popup);
}

static gboolean is_screen_root_change(const Watch *watch, xcb_atom_t property)
{
    static const char *const names[] = {"_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING",
                                        "_NET_ACTIVE_WINDOW", "_NET_CURRENT_DESKTOP"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (property == hf_x11_atom(watch->shared, names[i]))
            return TRUE;
    return FALSE;
}

static void take_screen_event(Watch *watch, const xcb_generic_event_t *event, HfScreenChanges *news)
{
    switch (event->response_type & 0x7f) {
    case XCB_MAP_NOTIFY: {
        const xcb_map_notify_event_t *map = (const xcb_map_notify_event_t *)event;
        news->windows = TRUE;
        if (map->override_redirect)
            add_popup(watch, map->window, TRUE, news->popups);
        break;
    }
    case XCB_UNMAP_NOTIFY:
        news->windows = TRUE;
        add_popup(watch, ((const xcb_unmap_notify_event_t *)event)->window, FALSE, news->popups);
        break;
    case XCB_DESTROY_NOTIFY:
    case XCB_CONFIGURE_NOTIFY:
        news->windows = TRUE;
        break;
    case XCB_PROPERTY_NOTIFY:
        news->windows |=
            is_screen_root_change(watch, ((const xcb_property_notify_event_t *)event)->atom);
        break;
    default:
        break;
    }
}

gboolean hf_x11_screen_watch_read(HfScreenWatch *base, HfScreenChanges *news, GError **error)
{
    Watch *watch = (Watch *)base;
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb))) {
        if ((event->response_type & 0x7f) == watch->notify_event)
            take_drawn(watch, news->drawn);
        else
            take_screen_event(watch, event, news);
        free(event);
    }
    return hf_x11_check(watch->connection, error);
}

static void forget_events(Watch *watch)
{
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb)))
        free(event);
}

gboolean hf_x11_screen_watch_begin(HfScreenWatch *base, HfScreenChanges *idle, GError **error)
{
    Watch *watch = (Watch *)base;
    select_screen_events(watch,
                         XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
    take_drawn(watch, idle->drawn);
    /* Something may have been announced between the two requests: until it is taken, the server
     * keeps quiet about what comes after it. */
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_queued_event(watch->connection->xcb))) {
        if ((event->response_type & 0x7f) == watch->notify_event)
            take_drawn(watch, idle->drawn);
        free(event);
    }
    return hf_x11_check(watch->connection, error);
}

void hf_x11_screen_watch_end(HfScreenWatch *base, HfScreenChanges *rest)
{
    Watch *watch = (Watch *)base;
    select_screen_events(watch, XCB_EVENT_MASK_NO_EVENT);
    take_drawn(watch, rest->drawn);
    forget_events(watch);
}
