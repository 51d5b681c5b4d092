/* SPDX-License-Identifier: Apache-2.0 */
/* Focus, close, maximise, minimise, restore. A window manager may ignore a request and never
 * answers, so a change counts only when it was seen. Waiting is by events alone. Without a window
 * manager the requests go to the X server, as far as it can do them. */
#include "hand/x11/windows/window-change.h"

#include <stdlib.h>

#include "hand/apps/apps-limits.h"
#include "hand/x11/windows/x11-windows.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

#define SOURCE_PAGER 2u
#define STATE_REMOVE 0u
#define STATE_ADD    1u
#define ICONIC_STATE 3u
/* How long a window manager may take for the second part of a change (raise, resize), and to
 * confirm that it has handled all requests. */
#define FOLLOW_UP_MS     500
#define SYNC_MS          2000
#define MAX_QUOTED_BYTES 120

static gboolean refresh_change(HfX11Change *change, GError **error)
{
    GPtrArray *windows = hf_x11_windows_read_all(change->connection, &change->ewmh, error);
    if (!windows)
        return FALSE;
    g_clear_pointer(&change->windows, g_ptr_array_unref);
    change->windows = windows;
    change->window = hf_windows_find(windows, change->id);
    return change->window || change->request->action == HF_WINDOW_CLOSE ||
           hf_windows_fail_missing(change->id, error);
}

HfX11Outcome hf_x11_change_wait(HfX11Change *change, gboolean (*seen)(const HfX11Change *change),
                                guint limit_ms, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(change->deadline, limit_ms);
    for (gboolean last = FALSE;;) {
        if (!refresh_change(change, error))
            return HF_X11_BROKEN;
        if (seen(change))
            return HF_X11_SEEN;
        if (last)
            return HF_X11_NOT_SEEN;
        g_autoptr(GError) reason = NULL;
        if (hf_window_watch_wait(&change->watch->base, -1, &limit, &reason))
            continue;
        if (hf_error_code(reason) != HF_ERROR_DESKTOP_TIMEOUT ||
            hf_deadline_passed(change->deadline)) {
            g_propagate_error(error, g_steal_pointer(&reason));
            return HF_X11_BROKEN;
        }
        last = TRUE;
    }
}

HfX11Outcome hf_x11_change_settle(HfX11Change *change, gboolean (*seen)(const HfX11Change *change),
                                  GError **error)
{
    if (!hf_x11_ewmh_supports(change->connection, &change->ewmh, "_NET_REQUEST_FRAME_EXTENTS")) {
        HfX11Outcome outcome = hf_x11_change_wait(change, seen, FOLLOW_UP_MS, error);
        return outcome == HF_X11_BROKEN ? outcome : HF_X11_SEEN;
    }
    HfDeadline limit = hf_deadline_within_ms(change->deadline, SYNC_MS);
    g_autoptr(GError) reason = NULL;
    if (hf_x11_watch_sync_manager(change->watch, &limit, &reason))
        return refresh_change(change, error) ? HF_X11_SEEN : HF_X11_BROKEN;
    if (hf_error_code(reason) == HF_ERROR_DESKTOP_TIMEOUT && !hf_deadline_passed(change->deadline))
        return HF_X11_NOT_SEEN;
    g_propagate_error(error, g_steal_pointer(&reason));
    return HF_X11_BROKEN;
}

static json_t *seen_to_json(const HfX11Change *change)
{
    const HfWindow *window = change->window;
    const HfWindow *focused = hf_windows_find_focused(change->windows);
    json_t *seen = json_pack("{s:b, s:s}", "window_manager", change->ewmh.managed, "focused_title",
                             focused ? focused->title : "");
    if (window)
        json_object_update_new(seen, json_pack("{s:o, s:b, s:b, s:b, s:b, s:b}", "bounds",
                                               hf_json_rect(window->bounds), "visible",
                                               window->visible, "minimized", window->minimized,
                                               "maximized", window->maximized, "fullscreen",
                                               window->fullscreen, "focused", window->focused));
    return seen;
}

gboolean hf_x11_change_fail(const HfX11Change *change, const char *missing, GError **error)
{
    g_autofree char *title =
        hf_text_shorten(change->window ? change->window->title : "", MAX_QUOTED_BYTES);
    hf_fail(error, HF_ERROR_VERIFY_FAILED, "the window '%s' %s", title, missing);
    hf_error_take_details(error, json_pack("{s:I, s:o}", "window_id", (json_int_t)change->id,
                                           "seen", seen_to_json(change)));
    return FALSE;
}

/* VERIFY_FAILED with `missing` ("is not maximised") when the change is not seen in time. */
static gboolean require_change(HfX11Change *change, gboolean (*seen)(const HfX11Change *change),
                               const char *missing, GError **error)
{
    guint limit_ms = change->request->action == HF_WINDOW_CLOSE ? HF_LIMIT_WINDOW_CLOSE_MS
                                                                : HF_LIMIT_WINDOW_CHANGE_MS;
    switch (hf_x11_change_wait(change, seen, limit_ms, error)) {
    case HF_X11_SEEN:
        return TRUE;
    case HF_X11_NOT_SEEN:
        return hf_x11_change_fail(change, missing, error);
    default:
        return FALSE;
    }
}

gboolean hf_x11_change_allowed(const HfX11Change *change, const char *action, GError **error)
{
    if (!change->ewmh.managed)
        return TRUE;
    gsize count = 0;
    g_autofree guint32 *atoms = hf_x11_dup_property32(
        change->connection, change->id, "_NET_WM_ALLOWED_ACTIONS", XCB_ATOM_ATOM, &count);
    if (!atoms || hf_x11_contains(atoms, count, hf_x11_atom(change->connection, action)))
        return TRUE;
    g_autofree char *title = hf_text_shorten(change->window->title, MAX_QUOTED_BYTES);
    return hf_fail(error, HF_ERROR_UNSUPPORTED,
                   "the window manager does not offer %s for the window '%s'", action, title);
}

static gboolean fail_modal(const HfX11Change *change, const HfWindow *dialog, GError **error)
{
    g_autofree char *title = hf_text_shorten(change->window->title, MAX_QUOTED_BYTES);
    g_autofree char *blocker = hf_text_shorten(dialog->title, MAX_QUOTED_BYTES);
    hf_fail(error, HF_ERROR_DESKTOP_MODAL_BLOCKING,
            "the dialog '%s' blocks the window '%s'; answer it first", blocker, title);
    hf_error_take_details(error,
                          json_pack("{s:I, s:s, s:o}", "window_id", (json_int_t)dialog->id, "title",
                                    dialog->title, "bounds", hf_json_rect(dialog->bounds)));
    return FALSE;
}

static gboolean fail_without_manager(const char *action, GError **error)
{
    hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop has no window manager that could %s",
            action);
    hf_error_suggest(error, "use window_manage with move and resize instead");
    return FALSE;
}

/* Focus. */

static gboolean has_window_focus(const HfX11Change *change)
{
    return change->window->focused && change->window->visible;
}

/* TRUE when no window covers it, except those that always stay above it. */
static gboolean is_raised(const HfX11Change *change)
{
    for (guint i = 0; i < change->windows->len; i++) {
        const HfWindow *other = change->windows->pdata[i];
        if (other->id == change->id)
            return TRUE;
        gboolean stays_above = other->above || other->kind == HF_WINDOW_DOCK ||
                               hf_windows_is_dialog_of(change->windows, other, change->window);
        HfRect common = hf_rect_intersect(other->frame, change->window->frame);
        if (other->visible && !stays_above && !hf_rect_is_empty(common))
            return FALSE;
    }
    return FALSE;
}

static gboolean has_focus_and_is_raised(const HfX11Change *change)
{
    return has_window_focus(change) && is_raised(change);
}

static gboolean takes_input(const HfX11Change *change)
{
    gsize count = 0;
    g_autofree guint32 *hints = hf_x11_dup_property32(change->connection, change->id, "WM_HINTS",
                                                      XCB_ATOM_WM_HINTS, &count);
    return count < 2 || !(hints[0] & 1) || hints[1] != 0;
}

static gboolean has_protocol(const HfX11Change *change, const char *protocol)
{
    gsize count = 0;
    g_autofree guint32 *atoms = hf_x11_dup_property32(change->connection, change->id,
                                                      "WM_PROTOCOLS", XCB_ATOM_ATOM, &count);
    return hf_x11_contains(atoms, count, hf_x11_atom(change->connection, protocol));
}

static void focus_directly(const HfX11Change *change)
{
    xcb_connection_t *xcb = change->connection->xcb;
    guint32 above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(xcb, change->id, XCB_CONFIG_WINDOW_STACK_MODE, &above);
    if (takes_input(change))
        xcb_set_input_focus(xcb, XCB_INPUT_FOCUS_POINTER_ROOT, change->id, change->time);
    if (has_protocol(change, "WM_TAKE_FOCUS"))
        hf_x11_ewmh_send_protocol(change->connection, change->id, "WM_TAKE_FOCUS", change->time);
    xcb_flush(xcb);
}

/* openbox only marks a window on another workspace as urgent, so switch to its workspace first. */
static void request_activation(const HfX11Change *change)
{
    int workspace = change->window->workspace;
    if (workspace >= 0 && workspace != change->ewmh.workspace)
        hf_x11_ewmh_request(change->connection, change->connection->root, "_NET_CURRENT_DESKTOP",
                            (guint32[5]){(guint32)workspace, change->time});
    if (hf_x11_ewmh_supports(change->connection, &change->ewmh, "_NET_ACTIVE_WINDOW"))
        hf_x11_ewmh_request(change->connection, change->id, "_NET_ACTIVE_WINDOW",
                            (guint32[5]){SOURCE_PAGER, change->time});
    else
        focus_directly(change);
}

static gboolean focus_window(HfX11Change *change, GError **error)
{
    const HfWindow *dialog = hf_windows_find_modal(change->windows, change->window);
    if (dialog)
        return fail_modal(change, dialog, error);
    if (has_focus_and_is_raised(change))
        return TRUE;
    request_activation(change);
    if (!require_change(change, has_window_focus, "did not get the focus", error))
        return FALSE;
    /* Some window managers are set up not to raise a focused window. */
    return is_raised(change) ||
           hf_x11_change_settle(change, has_focus_and_is_raised, error) != HF_X11_BROKEN;
}

/* Close. */

/* A dialog that appeared instead of closing: "save changes?". */
static const HfWindow *find_new_dialog(const HfX11Change *change)
{
    const HfWindow *window = change->window;
    for (guint i = 0; window && i < change->windows->len; i++) {
        const HfWindow *other = change->windows->pdata[i];
        if (g_hash_table_contains(change->known, GUINT_TO_POINTER(other->id)))
            continue;
        gboolean same_program = window->pid && other->pid == window->pid &&
                                (other->modal || other->kind == HF_WINDOW_DIALOG);
        if (same_program || hf_windows_is_dialog_of(change->windows, other, window))
            return other;
    }
    return NULL;
}

static gboolean is_closed_or_asks(const HfX11Change *change)
{
    return !change->window || find_new_dialog(change);
}

static gboolean request_close(HfX11Change *change, GError **error)
{
    const HfWindow *dialog = hf_windows_find_modal(change->windows, change->window);
    if (dialog)
        return fail_modal(change, dialog, error);
    if (hf_x11_ewmh_supports(change->connection, &change->ewmh, "_NET_CLOSE_WINDOW"))
        hf_x11_ewmh_request(change->connection, change->id, "_NET_CLOSE_WINDOW",
                            (guint32[5]){change->time, SOURCE_PAGER});
    else if (has_protocol(change, "WM_DELETE_WINDOW"))
        hf_x11_ewmh_send_protocol(change->connection, change->id, "WM_DELETE_WINDOW", change->time);
    else /* what every window manager does with a program that knows no close request */
        xcb_kill_client(change->connection->xcb, change->id);
    if (!require_change(change, is_closed_or_asks, "did not close", error))
        return FALSE;
    dialog = find_new_dialog(change);
    return dialog ? fail_modal(change, dialog, error) : TRUE;
}

/* States. */

static gboolean is_not_minimized(const HfX11Change *change)
{
    return !change->window->minimized;
}

static gboolean is_visible(const HfX11Change *change)
{
    return change->window->visible;
}

static gboolean is_minimized(const HfX11Change *change)
{
    return change->window->minimized;
}

static gboolean is_maximized(const HfX11Change *change)
{
    return change->window->maximized && !change->window->fullscreen;
}

static gboolean is_unmaximized(const HfX11Change *change)
{
    return !change->window->maximized && !change->window->fullscreen;
}

/* The window manager sets the state first and the size later. */
static gboolean has_other_bounds(const HfX11Change *change)
{
    return !hf_rect_equal(change->window->bounds, change->before);
}

static void request_state(const HfX11Change *change, guint32 how, const char *first,
                          const char *second)
{
    HfX11Connection *connection = change->connection;
    hf_x11_ewmh_request(connection, change->id, "_NET_WM_STATE",
                        (guint32[5]){how, hf_x11_atom(connection, first),
                                     second ? hf_x11_atom(connection, second) : 0, SOURCE_PAGER});
}

static gboolean unminimize_window(HfX11Change *change, GError **error)
{
    request_activation(change);
    return require_change(change, is_not_minimized, "is still minimised", error) &&
           hf_x11_change_settle(change, is_visible, error) != HF_X11_BROKEN;
}

gboolean hf_x11_change_unmaximize(HfX11Change *change, GError **error)
{
    if (is_unmaximized(change))
        return TRUE;
    change->before = change->window->bounds;
    if (change->window->fullscreen)
        request_state(change, STATE_REMOVE, "_NET_WM_STATE_FULLSCREEN", NULL);
    if (change->window->maximized)
        request_state(change, STATE_REMOVE, "_NET_WM_STATE_MAXIMIZED_VERT",
                      "_NET_WM_STATE_MAXIMIZED_HORZ");
    return require_change(change, is_unmaximized, "is still maximised", error) &&
           hf_x11_change_settle(change, has_other_bounds, error) != HF_X11_BROKEN;
}

/* Without a window manager there is no maximised state: only make it as large as the screen. */
static gboolean fill_screen(HfX11Change *change, GError **error)
{
    const xcb_screen_t *screen = change->connection->screen;
    HfWindowChange fill = {
        .action = HF_WINDOW_MOVE_RESIZE,
        .bounds = {0, 0, screen->width_in_pixels, screen->height_in_pixels},
        .set = HF_SET_X | HF_SET_Y | HF_SET_WIDTH | HF_SET_HEIGHT,
    };
    change->request = &fill;
    return hf_x11_change_place(change, error);
}

static gboolean maximize_window(HfX11Change *change, GError **error)
{
    if (!change->ewmh.managed)
        return fill_screen(change, error);
    if (change->window->minimized && !unminimize_window(change, error))
        return FALSE;
    if (is_maximized(change))
        return TRUE;
    if (!hf_x11_change_allowed(change, "_NET_WM_ACTION_MAXIMIZE_VERT", error))
        return FALSE;
    change->before = change->window->bounds;
    if (change->window->fullscreen)
        request_state(change, STATE_REMOVE, "_NET_WM_STATE_FULLSCREEN", NULL);
    request_state(change, STATE_ADD, "_NET_WM_STATE_MAXIMIZED_VERT",
                  "_NET_WM_STATE_MAXIMIZED_HORZ");
    return require_change(change, is_maximized, "is not maximised", error) &&
           hf_x11_change_settle(change, has_other_bounds, error) != HF_X11_BROKEN;
}

static gboolean minimize_window(HfX11Change *change, GError **error)
{
    if (!change->ewmh.managed)
        return fail_without_manager("minimise a window", error);
    if (is_minimized(change))
        return TRUE;
    if (!hf_x11_change_allowed(change, "_NET_WM_ACTION_MINIMIZE", error))
        return FALSE;
    hf_x11_ewmh_request(change->connection, change->id, "WM_CHANGE_STATE",
                        (guint32[5]){ICONIC_STATE});
    return require_change(change, is_minimized, "is not minimised", error);
}

static gboolean restore_window(HfX11Change *change, GError **error)
{
    if (!change->ewmh.managed)
        return fail_without_manager("restore a window", error);
    return change->window->minimized ? unminimize_window(change, error)
                                     : hf_x11_change_unmaximize(change, error);
}

static void change_clear(HfX11Change *change)
{
    if (change->watch)
        hf_x11_window_watch_free(&change->watch->base);
    hf_x11_ewmh_clear(&change->ewmh);
    g_clear_pointer(&change->windows, g_ptr_array_unref);
    g_clear_pointer(&change->known, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfX11Change, change_clear)

static gboolean begin_window_change(HfX11Change *change, HfX11Desktop *x11, GError **error)
{
    change->watch = hf_x11_watch_new(x11, change->id, error);
    if (!change->watch)
        return FALSE;
    change->time = hf_x11_window_watch_time(&change->watch->base);
    if (!refresh_change(change, error))
        return FALSE;
    if (!change->window)
        return hf_windows_fail_missing(change->id, error);
    change->before = change->window->bounds;
    change->known = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < change->windows->len; i++) {
        const HfWindow *window = change->windows->pdata[i];
        g_hash_table_add(change->known, GUINT_TO_POINTER(window->id));
    }
    return TRUE;
}

gboolean hf_x11_window_change(HfDesktop *desktop, guint32 window, const HfWindowChange *request,
                              const HfDeadline *deadline, GError **error)
{
    static gboolean (*const actions[])(HfX11Change * change, GError * *error) = {
        [HF_WINDOW_FOCUS] = focus_window,       [HF_WINDOW_CLOSE] = request_close,
        [HF_WINDOW_MAXIMIZE] = maximize_window, [HF_WINDOW_MINIMIZE] = minimize_window,
        [HF_WINDOW_RESTORE] = restore_window,   [HF_WINDOW_MOVE_RESIZE] = hf_x11_change_place,
    };
    g_auto(HfX11Change) change = {
        .connection = hf_x11(desktop)->connection,
        .request = request,
        .deadline = deadline,
        .id = window,
    };
    gboolean done = begin_window_change(&change, hf_x11(desktop), error) &&
                    actions[request->action](&change, error);
    hf_x11_discard_events(change.connection); /* errors about windows that have gone meanwhile */
    return done;
}
