/* SPDX-License-Identifier: Apache-2.0 */
/* Taking pictures. The server knows nothing of this until the first one is wanted; then it has a
 * connection of its own, because the changes of the screen are told there. It must never fail
 * because something moved between two requests: what is gone is said to be gone, what has another
 * size is asked for again. */
#include "hand/x11/capture/x11-capture.h"

#include "hand/x11/capture/change-tracker.h"
#include "hand/x11/capture/cursor-image.h"
#include "hand/x11/capture/monitors.h"
#include "hand/x11/capture/offscreen-window.h"
#include "hand/x11/capture/pixel-grabber.h"
#include "hand/x11/windows/toplevel.h"
#include "shared/base/error.h"

/* How often a picture is tried again while windows or the screen change their size. */
#define MAX_ATTEMPTS 5

/* A window that nothing covered at its last picture. */
typedef struct Clear {
    HfX11Toplevel toplevel;
    HfRect area;    /* the part of it that was looked at */
    guint64 serial; /* of the news of windows then; 0: there is none */
} Clear;

struct HfX11Capture {
    GMutex lock; /* one picture at a time; guards what follows */
    HfX11Connection *connection;
    HfX11Grabber *grabber;
    gboolean has_cursor;
    HfX11ChangeTracker changes;
    Clear clear;
};

/* One picture on its way: what was asked for, and what has been found out so far. */
typedef struct Work {
    HfDesktop *desktop;
    HfX11Capture *capture;
    const HfCaptureRequest *request;
    const HfDeadline *deadline;
    HfX11Toplevel toplevel; /* for a window */
    gboolean clear;         /* nothing covers it */
    HfCapture *picture;
} Work;

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
    capture->clear = (Clear){0};
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
    capture->has_cursor = hf_x11_cursor_supported(capture->connection);
    hf_x11_change_tracker_connect(&capture->changes, capture->connection);
    return TRUE;
}

void hf_x11_capture_trim(HfX11Capture *capture)
{
    g_mutex_lock(&capture->lock);
    if (capture->grabber)
        hf_x11_grabber_trim(capture->grabber);
    if (capture->connection)
        hf_x11_change_tracker_ignore_windows(&capture->changes);
    g_mutex_unlock(&capture->lock);
}

void hf_x11_capture_catch_up(HfX11Capture *capture)
{
    if (!g_mutex_trylock(&capture->lock))
        return; /* a picture is being taken, which does it too */
    if (capture->connection)
        hf_x11_change_tracker_catch_up(&capture->changes);
    g_mutex_unlock(&capture->lock);
}

gboolean hf_x11_capture_watch_windows(HfDesktop *desktop, const guint32 *windows, gsize count)
{
    HfX11Capture *capture = hf_x11(desktop)->capture;
    g_mutex_lock(&capture->lock);
    gboolean all =
        capture->connection && hf_x11_change_tracker_watch(&capture->changes, windows, count);
    g_mutex_unlock(&capture->lock);
    return all;
}

/* Everything but the pixels, asked for in one round trip. */
typedef struct Questions {
    xcb_get_geometry_cookie_t root;
    xcb_get_property_cookie_t resources;
    gboolean cursor;
    xcb_xfixes_get_cursor_image_cookie_t image;
} Questions;

static Questions send_capture_queries(HfX11Capture *capture, gboolean cursor)
{
    HfX11Connection *connection = capture->connection;
    Questions asked = {.cursor = cursor && capture->has_cursor};
    asked.root = xcb_get_geometry(connection->xcb, connection->root);
    asked.resources = hf_x11_scale_send_query(connection);
    if (asked.cursor)
        asked.image = xcb_xfixes_get_cursor_image(connection->xcb);
    return asked;
}

static gboolean read_capture_replies(HfDesktop *desktop, HfX11Capture *capture,
                                     const Questions *asked, HfCapture *picture, GError **error)
{
    HfX11Connection *connection = capture->connection;
    gboolean there = hf_x11_root_read(connection, asked->root, &picture->screen, NULL, error);
    picture->scale = hf_x11_scale_read(desktop, connection, asked->resources);
    if (asked->cursor)
        picture->cursor =
            hf_x11_cursor_read(connection, asked->image, &capture->changes, &picture->cursor_at);
    if (there)
        hf_x11_change_tracker_set_size(&capture->changes, picture->screen);
    return there;
}

static void set_capture_serial(HfX11Capture *capture, gboolean cursor, HfCapture *picture)
{
    picture->change_serial = hf_x11_change_tracker_serial(&capture->changes, cursor);
    picture->time_ms = g_get_real_time() / 1000;
}

/* A second round trip follows when something was drawn and no picture is asked for after this, so
 * that the count is exact either way. */
static HfCapture *describe_capture(HfDesktop *desktop, HfX11Capture *capture, gboolean cursor,
                                   gboolean only_describe, GError **error)
{
    g_autoptr(HfCapture) picture = g_new0(HfCapture, 1);
    Questions asked = send_capture_queries(capture, cursor);
    if (!read_capture_replies(desktop, capture, &asked, picture, error))
        return NULL;
    if (hf_x11_change_tracker_update(&capture->changes) && only_describe &&
        !hf_x11_sync(capture->connection, error))
        return NULL;
    set_capture_serial(capture, cursor, picture);
    return g_steal_pointer(&picture);
}

/* Whether the window is where it was, and nothing has come in front of it, as of the last reply
 * that was read: no window has changed since. */
static gboolean is_window_clear(const Work *work)
{
    const Clear *clear = &work->capture->clear;
    return clear->serial && clear->toplevel.window == work->request->window &&
           clear->serial == hf_x11_change_tracker_windows(&work->capture->changes);
}

static gboolean find_toplevel(Work *work, GError **error)
{
    if (!is_window_clear(work))
        return hf_x11_toplevel_find(work->capture->connection, work->request->window,
                                    &work->toplevel, error);
    work->toplevel = work->capture->clear.toplevel;
    return TRUE;
}

/* Which part of the screen the picture shows. */
static gboolean find_capture_area(Work *work, GError **error)
{
    HfCapture *picture = work->picture;
    HfRect screen = {0, 0, picture->screen.width, picture->screen.height};
    HfRect wanted = screen;
    if (work->request->window) {
        if (!find_toplevel(work, error))
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
            "the area at %d,%d (%d x %d) lies outside of the screen, which is %d x %d", wanted.x,
            wanted.y, wanted.width, wanted.height, screen.width, screen.height);
    return TRUE;
}

/* What is to be seen on the screen; the image stays NULL when it has become smaller meanwhile. */
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

/* All of a covered window; the image stays NULL when that is not possible. */
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
    picture->image = hf_x11_grabber_grab(capture->grabber, hf_x11_offscreen_pixmap(offscreen), part,
                                         &format, error);
    picture->occluded = !hf_x11_offscreen_is_complete(offscreen);
    /* What is drawn beneath others is not told. */
    picture->change_serial = 0;
    return picture->image || hf_x11_check(capture->connection, NULL);
}

static gboolean grab_window(Work *work, GError **error)
{
    g_autoptr(GArray) hidden = hf_x11_toplevel_find_covers(
        work->capture->connection, &work->toplevel, work->picture->area, error);
    if (!hidden)
        return FALSE;
    work->clear = hidden->len == 0;
    if (work->clear)
        return grab_screen(work, error);
    if (!grab_covered(work, hidden, error))
        return FALSE;
    if (work->picture->image)
        return TRUE;
    work->picture->occluded = TRUE;
    return grab_screen(work, error);
}

/* A window's own picture shows what is on the screen as long as nothing covers it there. */
static gboolean may_grab_at_once(const Work *work)
{
    if (work->request->only_describe || work->capture->changes.size.width == 0)
        return FALSE;
    return !work->request->window || is_window_clear(work);
}

/* TRUE: the picture shows no more of the window than what is known to be clear, and it still is. */
static gboolean stayed_clear(Work *work)
{
    HfRect area = work->picture->area;
    hf_x11_change_tracker_update(&work->capture->changes);
    return !work->request->window ||
           (is_window_clear(work) &&
            hf_rect_equal(area, hf_rect_intersect(area, work->capture->clear.area)));
}

/* The size of the screen hardly ever changes: the pixels are asked for together with everything
 * else, as if it had not. NULL without an error when it has. The count is the one before: what is
 * drawn from here on comes after it, whether the pixels show it or not. */
static HfCapture *grab_at_once(Work *work, GError **error)
{
    HfX11Capture *capture = work->capture;
    HfSize before = capture->changes.size;
    g_autoptr(HfCapture) picture = work->picture = g_new0(HfCapture, 1);
    picture->screen = before;
    if (!find_capture_area(work, NULL))
        return NULL;
    Questions asked = send_capture_queries(capture, work->request->cursor);
    gboolean grabbed = grab_screen(work, error);
    gboolean heard =
        read_capture_replies(work->desktop, capture, &asked, picture, grabbed ? error : NULL);
    set_capture_serial(capture, work->request->cursor, picture);
    gboolean same =
        picture->screen.width == before.width && picture->screen.height == before.height;
    return grabbed && heard && same && picture->image && stayed_clear(work)
               ? g_steal_pointer(&picture)
               : NULL;
}

/* From here on it is heard what becomes of the window; so it is right as long as nothing is. */
static void watch_captured_window(Work *work)
{
    if (!work->request->window)
        return;
    work->capture->clear.serial = 0;
    hf_x11_change_tracker_watch(&work->capture->changes, &work->request->window, 1);
}

static void note_clear(Work *work, guint64 serial)
{
    HfX11ChangeTracker *changes = &work->capture->changes;
    hf_x11_change_tracker_update(changes);
    if (work->clear && hf_x11_change_tracker_windows(changes) == serial)
        work->capture->clear = (Clear){work->toplevel, work->picture->area, serial};
}

/* NULL without an error when something has changed its size meanwhile. */
static HfCapture *grab_in_steps(Work *work, GError **error)
{
    if (!work->request->only_describe)
        watch_captured_window(work);
    g_autoptr(HfCapture) picture = describe_capture(
        work->desktop, work->capture, work->request->cursor, work->request->only_describe, error);
    guint64 serial = hf_x11_change_tracker_windows(&work->capture->changes);
    work->picture = picture;
    if (!picture || !find_capture_area(work, error))
        return NULL;
    if (work->request->only_describe)
        return g_steal_pointer(&picture);
    gboolean grabbed = work->request->window ? grab_window(work, error) : grab_screen(work, error);
    if (!grabbed || !picture->image)
        return NULL;
    note_clear(work, serial);
    return g_steal_pointer(&picture);
}

static HfCapture *attempt_capture(Work *work, GError **error)
{
    HfCapture *picture = NULL;
    GError *failed = NULL;
    hf_x11_change_tracker_catch_up(&work->capture->changes);
    if (may_grab_at_once(work))
        picture = grab_at_once(work, &failed);
    if (!picture && !failed)
        picture = grab_in_steps(work, &failed);
    if (failed)
        g_propagate_error(error, failed);
    if (picture) {
        picture->cursor_at.x -= picture->area.x;
        picture->cursor_at.y -= picture->area.y;
        hf_x11_change_tracker_update(&work->capture->changes);
        picture->windows_serial = hf_x11_change_tracker_windows(&work->capture->changes);
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
                "the screen or the window keeps changing its size; try again");
    return picture;
}

gboolean hf_x11_capture_get_change_serial(HfDesktop *desktop, gboolean cursor, guint64 *ret_serial,
                                          GError **error)
{
    HfX11Capture *capture = hf_x11(desktop)->capture;
    g_autoptr(HfCapture) picture = NULL;
    g_mutex_lock(&capture->lock);
    if (ensure_connection(desktop, capture, error)) {
        hf_x11_change_tracker_catch_up(&capture->changes);
        picture = describe_capture(desktop, capture, cursor, TRUE, error);
    }
    g_mutex_unlock(&capture->lock);
    if (picture)
        *ret_serial = picture->change_serial;
    return picture != NULL;
}
