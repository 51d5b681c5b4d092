/* SPDX-License-Identifier: Apache-2.0 */
/* Selects and filters events. It must never change anything that another program could notice. */
#include "hand/x11/windows/window-watch.h"

#include <stdlib.h>
#include <string.h>

#include "hand/x11/capture/damage.h"
#include "hand/x11/windows/ewmh.h"
#include "hand/x11/windows/x11-windows.h"
#include "shared/base/error.h"

HfX11Watch *hf_x11_watch_new(HfX11Desktop *x11, xcb_window_t window, GError **error)
{
    HfX11Connection *connection = hf_x11_connect(x11->connection->display, error);
    if (!connection)
        return NULL;
    HfX11Watch *watch = g_new0(HfX11Watch, 1);
    watch->base.ops = &hf_x11_window_ops;
    watch->base.fd = xcb_get_file_descriptor(connection->xcb);
    watch->connection = connection;
    watch->shared = x11->connection;
    watch->window = window;
    guint32 root_mask = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE;
    guint32 window_mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE |
                          XCB_EVENT_MASK_FOCUS_CHANGE;
    xcb_change_window_attributes(connection->xcb, connection->root, XCB_CW_EVENT_MASK, &root_mask);
    if (window)
        xcb_change_window_attributes(connection->xcb, window, XCB_CW_EVENT_MASK, &window_mask);
    if (!hf_x11_sync(connection, error)) {
        hf_x11_window_watch_free(&watch->base);
        return NULL;
    }
    return watch;
}

HfWindowWatch *hf_x11_window_watch_new(HfDesktop *desktop, GError **error)
{
    HfX11Watch *watch = hf_x11_watch_new(hf_x11(desktop), XCB_WINDOW_NONE, error);
    return watch ? &watch->base : NULL;
}

void hf_x11_window_watch_free(HfWindowWatch *base)
{
    HfX11Watch *watch = (HfX11Watch *)base;
    hf_x11_disconnect(watch->connection);
    g_free(watch);
}

static gboolean is_watched_event(const HfX11Watch *watch, const xcb_generic_event_t *event)
{
    switch (event->response_type & 0x7f) {
    case XCB_PROPERTY_NOTIFY: {
        const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *)event;
        if (change->window == watch->connection->root)
            return hf_x11_ewmh_is_list_property(watch->shared, change->atom);
        return change->window == watch->window;
    }
    case XCB_CONFIGURE_NOTIFY:
        return watch->window != XCB_WINDOW_NONE;
    case XCB_MAP_NOTIFY:
    case XCB_UNMAP_NOTIFY:
    case XCB_DESTROY_NOTIFY:
    case XCB_REPARENT_NOTIFY:
    case XCB_FOCUS_IN:
    case XCB_FOCUS_OUT:
        return TRUE;
    default:
        return FALSE;
    }
}

gboolean hf_x11_window_watch_read(HfWindowWatch *base, gboolean *ret_changed, GError **error)
{
    HfX11Watch *watch = (HfX11Watch *)base;
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(watch->connection->xcb))) {
        watch->changed = is_watched_event(watch, event) || watch->changed;
        free(event);
    }
    if (!hf_x11_check(watch->connection, error))
        return FALSE;
    *ret_changed = watch->changed;
    watch->changed = FALSE;
    return TRUE;
}

static xcb_window_t ensure_clock(HfX11Watch *watch)
{
    if (watch->clock)
        return watch->clock;
    guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    watch->clock = xcb_generate_id(watch->connection->xcb);
    xcb_create_window(watch->connection->xcb, 0, watch->clock, watch->connection->root, -1, -1, 1,
                      1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                      &mask);
    return watch->clock;
}

static gboolean is_change_of(const xcb_generic_event_t *event, xcb_window_t window,
                             xcb_atom_t property)
{
    const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *)event;
    return (event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY && change->window == window &&
           change->atom == property;
}

/* Asks how wide a frame our own window would get. The window manager answers by setting a property
 * on that window. */
gboolean hf_x11_watch_sync_manager(HfX11Watch *watch, const HfDeadline *deadline, GError **error)
{
    xcb_window_t clock = ensure_clock(watch);
    xcb_atom_t answer = hf_x11_atom(watch->shared, "_NET_FRAME_EXTENTS");
    if (!hf_x11_sync(watch->connection, error))
        return FALSE;
    hf_x11_ewmh_request(watch->shared, clock, "_NET_REQUEST_FRAME_EXTENTS", (guint32[5]){0});
    for (gboolean answered = FALSE; !answered;) {
        xcb_generic_event_t *event;
        while ((event = xcb_poll_for_event(watch->connection->xcb))) {
            answered = is_change_of(event, clock, answer) || answered;
            watch->changed = is_watched_event(watch, event) || watch->changed;
            free(event);
        }
        if (!hf_x11_check(watch->connection, error))
            return FALSE;
        if (!answered && !hf_deadline_wait_readable(deadline, watch->base.fd, error))
            return FALSE;
    }
    return TRUE;
}

/* Changing a property of our own window makes an event that carries the server's time. */
guint32 hf_x11_window_watch_time(HfWindowWatch *base)
{
    HfX11Watch *watch = (HfX11Watch *)base;
    xcb_window_t clock = ensure_clock(watch);
    xcb_change_property(watch->connection->xcb, XCB_PROP_MODE_APPEND, clock, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, 0, NULL);
    if (!hf_x11_sync(watch->connection, NULL))
        return XCB_CURRENT_TIME;
    guint32 time = XCB_CURRENT_TIME;
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_queued_event(watch->connection->xcb))) {
        if (is_change_of(event, clock, XCB_ATOM_WM_NAME))
            time = ((const xcb_property_notify_event_t *)event)->time;
        else
            watch->changed = is_watched_event(watch, event) || watch->changed;
        free(event);
    }
    return time;
}

void hf_x11_window_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline)
{
    g_autoptr(HfX11Connection) connection =
        hf_x11_connect(hf_x11(desktop)->connection->display, NULL);
    HfX11Damage damage;
    if (!connection || !hf_x11_damage_init(&damage, connection))
        return;
    hf_x11_damage_create(&damage, window);
    hf_x11_damage_reset(&damage);
    hf_x11_damage_wait_drawn(&damage, deadline, deadline);
}
