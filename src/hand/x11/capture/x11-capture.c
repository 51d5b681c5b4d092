/* SPDX-License-Identifier: Apache-2.0 */
/* Takes pictures. It connects on the first one, over a separate connection, because change events
 * arrive there. It must never fail because something moved between two requests: a window that has
 * gone is reported as gone, and a picture of another size is requested again. */
#include "hand/x11/capture/x11-capture.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xfixes.h>

#include "hand/x11/capture/damage.h"
#include "hand/x11/capture/offscreen-window.h"
#include "hand/x11/capture/pixel-grabber.h"
#include "hand/x11/capture/x11-screen.h"
#include "hand/x11/windows/toplevel.h"
#include "shared/base/error.h"

/* Retries while windows or the screen change their size. */
#define MAX_ATTEMPTS 5

/* Counts changes: has anything been drawn, and have windows changed? Nothing runs while nobody
 * asks: the server keeps one report until then. Window events are selected only while somebody
 * listens, since they pile up. */
typedef struct ChangeTracker {
    HfX11Connection *connection;
    HfX11Damage damage; /* of the root; its id is 0 when the server has no XDamage */
    guint64 drawn;      /* grows when something was drawn or the screen has another size */
    guint64 cursor;     /* grows when the pointer has moved or changed */
    HfSize size;
    HfPoint cursor_at;
    guint32 cursor_serial;
    GHashTable *watched; /* windows whose events we get; NULL: nobody listens */
    guint64 windows;     /* grows with each of these events */
} ChangeTracker;

/* The last captured window, if nothing covered it. */
typedef struct Uncovered {
    HfX11Toplevel toplevel;
    HfRect area;    /* the part that was checked */
    guint64 serial; /* get_windows_serial at that time; 0: no such window */
} Uncovered;

struct HfX11Capture {
    GMutex lock; /* one picture at a time; guards the members below */
    HfX11Connection *connection;
    HfX11Grabber *grabber;
    gboolean has_cursor;
    ChangeTracker changes;
    Uncovered uncovered;
};

/* One picture on its way: the request, and what is known so far. */
typedef struct Work {
    HfDesktop *desktop;
    HfX11Capture *capture;
    const HfCaptureRequest *request;
    const HfDeadline *deadline;
    HfX11Toplevel toplevel; /* for a window */
    gboolean uncovered;     /* nothing covers the window */
    HfCapture *picture;
} Work;

/* Starts, or goes on after a reconnect: the counts continue. */
static void tracker_connect(ChangeTracker *changes, HfX11Connection *connection)
{
    changes->connection = connection;
    g_clear_pointer(&changes->watched, g_hash_table_unref);
    changes->drawn++; /* nobody has looked meanwhile */
    changes->cursor++;
    if (hf_x11_damage_init(&changes->damage, connection))
        hf_x11_damage_create(&changes->damage, connection->root);
}

/* An error means that a window was gone before we could listen. Programs without a visible window
 * (other screenshot tools) create windows that they never show, so creating one does not count: a
 * window that can be seen is mapped first. */
static gboolean is_window_change(ChangeTracker *changes, const xcb_generic_event_t *event)
{
    xcb_window_t gone;
    switch (event->response_type & 0x7f) {
    case 0:
        gone = ((const xcb_window_error_t *)event)->bad_value;
        break;
    case XCB_CREATE_NOTIFY:
        return FALSE;
    case XCB_DESTROY_NOTIFY:
        gone = ((const xcb_destroy_notify_event_t *)event)->window;
        break;
    default:
        return TRUE;
    }
    /* Its id may soon be another window's. */
    return g_hash_table_remove(changes->watched, GUINT_TO_POINTER(gone));
}

/* The server reports the first drawing after a reset, and no more until the next one. So a report
 * is answered with a reset at once. What is drawn between the two is not reported again, which is
 * right: the count has grown after every picture that could lack it. */
static gboolean count_events(ChangeTracker *changes,
                             xcb_generic_event_t *(*next)(xcb_connection_t *xcb))
{
    xcb_generic_event_t *event;
    gboolean drawn = FALSE;
    while ((event = next(changes->connection->xcb))) {
        if (hf_x11_damage_is_report(&changes->damage, event))
            drawn = TRUE;
        else if (changes->watched && is_window_change(changes, event))
            changes->windows++;
        free(event);
    }
    if (!drawn)
        return FALSE;
    changes->drawn++;
    hf_x11_damage_reset(&changes->damage);
    return TRUE;
}

/* Counts what was drawn before the last reply that was read. TRUE when there was something: then
 * this count also covers what is drawn up to the server's next reply. So it belongs to a picture
 * that is requested after this, or to what the next reply says. */
static gboolean tracker_update(ChangeTracker *changes)
{
    return count_events(changes, xcb_poll_for_queued_event);
}

/* The same with all events that the server has sent so far. It sends no request. */
static void tracker_catch_up(ChangeTracker *changes)
{
    count_events(changes, xcb_poll_for_event);
}

static void select_tracked_events(ChangeTracker *changes, xcb_window_t window, guint32 mask)
{
    xcb_change_window_attributes(changes->connection->xcb, window, XCB_CW_EVENT_MASK, &mask);
}

/* Listens to these windows, to the root and to its children. TRUE when it did so already. */
static gboolean tracker_watch(ChangeTracker *changes, const guint32 *windows, gsize count)
{
    gboolean all = changes->watched != NULL;
    if (!all) {
        changes->watched = g_hash_table_new(NULL, NULL);
        changes->windows++;
        select_tracked_events(changes, changes->connection->root,
                              XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
    }
    for (gsize i = 0; i < count; i++) {
        if (!g_hash_table_add(changes->watched, GUINT_TO_POINTER(windows[i])))
            continue;
        all = FALSE;
        select_tracked_events(changes, windows[i],
                              XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
    }
    return all;
}

/* Stays the same while nothing changes that a list of the watched windows would show: their place,
 * order, state, names. As of the last reply that was read. 0: nobody listens. */
static guint64 get_windows_serial(const ChangeTracker *changes)
{
    return changes->watched ? changes->windows : 0;
}

static void tracker_ignore_windows(ChangeTracker *changes)
{
    GHashTableIter iter;
    gpointer window;
    if (!changes->watched)
        return;
    g_hash_table_iter_init(&iter, changes->watched);
    while (g_hash_table_iter_next(&iter, &window, NULL))
        select_tracked_events(changes, GPOINTER_TO_UINT(window), XCB_EVENT_MASK_NO_EVENT);
    select_tracked_events(changes, changes->connection->root, XCB_EVENT_MASK_NO_EVENT);
    xcb_flush(changes->connection->xcb);
    g_clear_pointer(&changes->watched, g_hash_table_unref);
}

static void tracker_set_cursor(ChangeTracker *changes, HfPoint at, guint32 serial)
{
    if (at.x == changes->cursor_at.x && at.y == changes->cursor_at.y &&
        serial == changes->cursor_serial)
        return;
    changes->cursor_at = at;
    changes->cursor_serial = serial;
    changes->cursor++;
}

static guint64 get_change_serial(const ChangeTracker *changes, gboolean cursor)
{
    if (!changes->damage.id)
        return 0;
    /* Neither part ever shrinks, so their sum stays the same only if both do. */
    return cursor ? changes->drawn + changes->cursor : changes->drawn;
}

HfX11Capture *hf_x11_capture_new(void)
{
    HfX11Capture *capture = g_new0(HfX11Capture, 1);
    g_mutex_init(&capture->lock);
    return capture;
}

static void disconnect_capture(HfX11Capture *capture)
{
    if (!capture->connection)
        return;
    hf_x11_grabber_free(g_steal_pointer(&capture->grabber));
    g_clear_pointer(&capture->changes.watched, g_hash_table_unref);
    capture->uncovered = (Uncovered){0};
    hf_x11_disconnect(g_steal_pointer(&capture->connection));
}

void hf_x11_capture_free(HfX11Capture *capture)
{
    if (!capture)
        return;
    disconnect_capture(capture);
    g_mutex_clear(&capture->lock);
    g_free(capture);
}

/* On first use, and after the server has ended this connection alone. */
static gboolean ensure_connection(HfDesktop *desktop, HfX11Capture *capture, GError **error)
{
    if (capture->connection && hf_x11_check(capture->connection, NULL))
        return TRUE;
    disconnect_capture(capture);
    capture->connection = hf_x11_connect(hf_x11(desktop)->connection->display, error);
    if (!capture->connection)
        return FALSE;
    capture->grabber = hf_x11_grabber_new(capture->connection);
    capture->has_cursor = hf_x11_xfixes_init(capture->connection);
    tracker_connect(&capture->changes, capture->connection);
    return TRUE;
}

void hf_x11_capture_trim(HfX11Capture *capture)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&capture->lock);
    if (!capture->connection)
        return;
    hf_x11_grabber_trim(capture->grabber);
    tracker_ignore_windows(&capture->changes);
}

void hf_x11_capture_catch_up(HfX11Capture *capture)
{
    if (!g_mutex_trylock(&capture->lock))
        return; /* the picture that is being taken does it, too */
    if (capture->connection)
        tracker_catch_up(&capture->changes);
    g_mutex_unlock(&capture->lock);
}

gboolean hf_x11_capture_watch_windows(HfDesktop *desktop, const guint32 *windows, gsize count)
{
    HfX11Capture *capture = hf_x11(desktop)->capture;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&capture->lock);
    return capture->connection && tracker_watch(&capture->changes, windows, count);
}

/* Everything but the pixels, in one round trip. */
typedef struct CaptureCookies {
    xcb_get_geometry_cookie_t root;
    xcb_get_property_cookie_t resources;
    gboolean cursor;
    xcb_xfixes_get_cursor_image_cookie_t cursor_image;
} CaptureCookies;

static CaptureCookies send_capture_queries(HfX11Capture *capture, gboolean cursor)
{
    HfX11Connection *connection = capture->connection;
    CaptureCookies cookies = {.cursor = cursor && capture->has_cursor};
    cookies.root = xcb_get_geometry(connection->xcb, connection->root);
    cookies.resources = hf_x11_scale_send_query(connection);
    if (cookies.cursor)
        cookies.cursor_image = xcb_xfixes_get_cursor_image(connection->xcb);
    return cookies;
}

/* The pointer's picture (A R G B, premultiplied), or NULL; `ret_at` is its top left corner. */
static HfImage *read_cursor(HfX11Connection *connection,
                            xcb_xfixes_get_cursor_image_cookie_t cookie, ChangeTracker *changes,
                            HfPoint *ret_at)
{
    g_autofree xcb_xfixes_get_cursor_image_reply_t *reply =
        xcb_xfixes_get_cursor_image_reply(connection->xcb, cookie, NULL);
    if (!reply)
        return NULL;
    tracker_set_cursor(changes, (HfPoint){reply->x, reply->y}, reply->cursor_serial);
    gsize pixels = (gsize)reply->width * reply->height;
    if (pixels == 0 || (gsize)xcb_xfixes_get_cursor_image_cursor_image_length(reply) < pixels)
        return NULL;
    HfImage *image = hf_image_new(reply->width, reply->height);
    memcpy(image->pixels, xcb_xfixes_get_cursor_image_cursor_image(reply), 4 * pixels);
    *ret_at = (HfPoint){reply->x - reply->xhot, reply->y - reply->yhot};
    return image;
}

static gboolean read_capture_replies(HfDesktop *desktop, HfX11Capture *capture,
                                     const CaptureCookies *cookies, HfCapture *picture,
                                     GError **error)
{
    HfX11Connection *connection = capture->connection;
    gboolean described = hf_x11_root_read(connection, cookies->root, &picture->screen, NULL, error);
    picture->scale = hf_x11_scale_read(desktop, connection, cookies->resources);
    if (cookies->cursor)
        picture->cursor =
            read_cursor(connection, cookies->cursor_image, &capture->changes, &picture->cursor_at);
    HfSize before = capture->changes.size, now = picture->screen;
    if (described && (now.width != before.width || now.height != before.height)) {
        capture->changes.size = now;
        capture->changes.drawn++;
    }
    return described;
}

static void set_capture_serial(HfX11Capture *capture, gboolean cursor, HfCapture *picture)
{
    picture->change_serial = get_change_serial(&capture->changes, cursor);
    picture->drawn_serial = get_change_serial(&capture->changes, FALSE);
    picture->time_ms = g_get_real_time() / 1000;
}

/* When something was drawn and no picture follows, a second round trip makes the count exact. */
static HfCapture *describe_capture(HfDesktop *desktop, HfX11Capture *capture, gboolean cursor,
                                   gboolean only_describe, GError **error)
{
    g_autoptr(HfCapture) picture = g_new0(HfCapture, 1);
    CaptureCookies cookies = send_capture_queries(capture, cursor);
    if (!read_capture_replies(desktop, capture, &cookies, picture, error))
        return NULL;
    if (tracker_update(&capture->changes) && only_describe &&
        !hf_x11_sync(capture->connection, error))
        return NULL;
    set_capture_serial(capture, cursor, picture);
    return g_steal_pointer(&picture);
}

/* TRUE when no window has changed since the last picture of this one, as of the last reply that was
 * read: it is where it was, and nothing has come in front of it. */
static gboolean is_still_uncovered(const Work *work)
{
    const Uncovered *last = &work->capture->uncovered;
    return last->serial && last->toplevel.window == work->request->window &&
           last->serial == get_windows_serial(&work->capture->changes);
}

/* Decides which part of the screen the picture shows. */
static gboolean find_capture_area(Work *work, GError **error)
{
    HfCapture *picture = work->picture;
    HfRect screen = {0, 0, picture->screen.width, picture->screen.height};
    HfRect wanted = screen;
    if (work->request->window) {
        if (is_still_uncovered(work))
            work->toplevel = work->capture->uncovered.toplevel;
        else if (!hf_x11_toplevel_find(work->capture->connection, work->request->window,
                                       &work->toplevel, error))
            return FALSE;
        wanted = picture->window_area = work->toplevel.area;
    }
    if (!hf_rect_is_empty(work->request->area))
        wanted = work->request->window ? hf_rect_intersect(wanted, work->request->area)
                                       : work->request->area;
    picture->area = hf_rect_intersect(wanted, screen);
    picture->clipped = !hf_rect_equal(wanted, picture->area);
    if (hf_rect_is_empty(picture->area))
        return hf_fail(
            error, work->request->window ? HF_ERROR_PRECONDITION_FAILED : HF_ERROR_INVALID_PARAMS,
            "the area at %d,%d (%d x %d) is outside of the screen, which is %d x %d", wanted.x,
            wanted.y, wanted.width, wanted.height, screen.width, screen.height);
    return TRUE;
}

/* Grabs what the screen shows. The image stays NULL when the screen has become smaller meanwhile.
 */
static gboolean grab_screen(Work *work, GError **error)
{
    HfX11Capture *capture = work->capture;
    HfX11PixelFormat format;
    if (!hf_x11_pixel_format_find(capture->connection, 0, &format, error))
        return FALSE;
    work->picture->image = hf_x11_grabber_grab(capture->grabber, capture->connection->root,
                                               work->picture->area, &format, error);
    return work->picture->image || hf_x11_check(capture->connection, NULL);
}

/* Grabs all of a covered window. The image stays NULL when that is not possible. */
static gboolean grab_covered(Work *work, const GArray *hidden, GError **error)
{
    HfX11Capture *capture = work->capture;
    HfCapture *picture = work->picture;
    const HfX11Toplevel *toplevel = &work->toplevel;
    HfX11PixelFormat format;
    g_autoptr(HfX11Offscreen) offscreen =
        hf_x11_offscreen_new(capture->connection->display, toplevel, hidden, work->deadline);
    if (!hf_deadline_check(work->deadline, error) || !hf_x11_check(capture->connection, error))
        return FALSE;
    if (!offscreen ||
        !hf_x11_pixel_format_find(capture->connection, toplevel->frame, &format, NULL))
        return TRUE;
    HfRect part = picture->area;
    part.x -= toplevel->outer.x;
    part.y -= toplevel->outer.y;
    picture->image = hf_x11_grabber_grab(capture->grabber, offscreen->pixmap, part, &format, error);
    picture->occluded = !offscreen->complete;
    /* The server does not report what is drawn beneath other windows. */
    picture->change_serial = picture->drawn_serial = 0;
    return picture->image || hf_x11_check(capture->connection, NULL);
}

static gboolean grab_window(Work *work, GError **error)
{
    g_autoptr(GArray) hidden = hf_x11_toplevel_find_covers(
        work->capture->connection, &work->toplevel, work->picture->area, error);
    if (!hidden)
        return FALSE;
    work->uncovered = hidden->len == 0;
    if (work->uncovered)
        return grab_screen(work, error);
    if (!grab_covered(work, hidden, error))
        return FALSE;
    if (work->picture->image)
        return TRUE;
    work->picture->occluded = TRUE;
    return grab_screen(work, error);
}

/* While nothing covers a window, its picture is what the screen shows. */
static gboolean may_grab_at_once(const Work *work)
{
    if (work->request->only_describe || work->capture->changes.size.width == 0)
        return FALSE;
    return !work->request->window || is_still_uncovered(work);
}

/* TRUE when the picture shows only a part of the window that is known to be uncovered. */
static gboolean stayed_uncovered(Work *work)
{
    HfRect area = work->picture->area;
    tracker_update(&work->capture->changes);
    return !work->request->window ||
           (is_still_uncovered(work) &&
            hf_rect_equal(area, hf_rect_intersect(area, work->capture->uncovered.area)));
}

/* Requests the pixels together with everything else, since the size of the screen hardly ever
 * changes. NULL without an error when it has changed. The serial is taken before the pixels: what
 * is drawn from here on counts as later, whether the pixels show it or not. */
static HfCapture *grab_at_once(Work *work, GError **error)
{
    HfX11Capture *capture = work->capture;
    HfSize before = capture->changes.size;
    g_autoptr(HfCapture) picture = work->picture = g_new0(HfCapture, 1);
    picture->screen = before;
    if (!find_capture_area(work, NULL))
        return NULL;
    CaptureCookies cookies = send_capture_queries(capture, work->request->cursor);
    gboolean grabbed = grab_screen(work, error);
    gboolean described =
        read_capture_replies(work->desktop, capture, &cookies, picture, grabbed ? error : NULL);
    set_capture_serial(capture, work->request->cursor, picture);
    gboolean same_size =
        picture->screen.width == before.width && picture->screen.height == before.height;
    return grabbed && described && same_size && picture->image && stayed_uncovered(work)
               ? g_steal_pointer(&picture)
               : NULL;
}

static void note_uncovered(Work *work, guint64 serial)
{
    ChangeTracker *changes = &work->capture->changes;
    tracker_update(changes);
    if (work->uncovered && get_windows_serial(changes) == serial)
        work->capture->uncovered = (Uncovered){work->toplevel, work->picture->area, serial};
}

/* NULL without an error when the screen or the window has changed its size meanwhile. */
static HfCapture *grab_in_steps(Work *work, GError **error)
{
    if (!work->request->only_describe && work->request->window) {
        /* Before the window is captured, so that no change after that is missed. */
        work->capture->uncovered.serial = 0;
        tracker_watch(&work->capture->changes, &work->request->window, 1);
    }
    g_autoptr(HfCapture) picture = describe_capture(
        work->desktop, work->capture, work->request->cursor, work->request->only_describe, error);
    guint64 serial = get_windows_serial(&work->capture->changes);
    work->picture = picture;
    if (!picture || !find_capture_area(work, error))
        return NULL;
    if (work->request->only_describe)
        return g_steal_pointer(&picture);
    gboolean grabbed = work->request->window ? grab_window(work, error) : grab_screen(work, error);
    if (!grabbed || !picture->image)
        return NULL;
    note_uncovered(work, serial);
    return g_steal_pointer(&picture);
}

static HfCapture *attempt_capture(Work *work, GError **error)
{
    HfCapture *picture = NULL;
    GError *failed = NULL;
    tracker_catch_up(&work->capture->changes);
    if (may_grab_at_once(work))
        picture = grab_at_once(work, &failed);
    if (!picture && !failed)
        picture = grab_in_steps(work, &failed);
    if (failed)
        g_propagate_error(error, failed);
    if (picture) {
        picture->cursor_at.x -= picture->area.x;
        picture->cursor_at.y -= picture->area.y;
        tracker_update(&work->capture->changes);
        picture->windows_serial = get_windows_serial(&work->capture->changes);
    }
    return picture;
}

HfCapture *hf_x11_capture(HfDesktop *desktop, const HfCaptureRequest *request,
                          const HfDeadline *deadline, GError **error)
{
    HfX11Capture *capture = hf_x11(desktop)->capture;
    Work work = {.desktop = desktop, .capture = capture, .request = request, .deadline = deadline};
    HfCapture *picture = NULL;
    g_autoptr(GError) failed = NULL;
    g_mutex_lock(&capture->lock);
    for (int i = 0; !picture && !failed && i < MAX_ATTEMPTS; i++)
        if (hf_deadline_check(deadline, &failed) && ensure_connection(desktop, capture, &failed))
            picture = attempt_capture(&work, &failed);
    g_mutex_unlock(&capture->lock);
    if (failed)
        g_propagate_error(error, g_steal_pointer(&failed));
    else if (!picture)
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                "the size of the screen or the window keeps changing; try again");
    return picture;
}

gboolean hf_x11_capture_get_change_serial(HfDesktop *desktop, gboolean cursor, guint64 *ret_serial,
                                          GError **error)
{
    HfX11Capture *capture = hf_x11(desktop)->capture;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&capture->lock);
    if (!ensure_connection(desktop, capture, error))
        return FALSE;
    tracker_catch_up(&capture->changes);
    g_autoptr(HfCapture) picture = describe_capture(desktop, capture, cursor, TRUE, error);
    if (picture)
        *ret_serial = picture->change_serial;
    return picture != NULL;
}
