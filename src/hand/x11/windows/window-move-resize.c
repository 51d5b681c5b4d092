/* SPDX-License-Identifier: Apache-2.0 */
/* Moves and resizes the client area to the pixel. Window managers differ in what a position means
 * (frame or client, by gravity), so the result is measured and the request corrected by the error.
 * The program may limit its sizes (WM_NORMAL_HINTS): the nearest allowed one counts. */
#include "hand/x11/windows/window-change.h"

#include "shared/base/limits.h"

#define SOURCE_PAGER 2u
/* The position of the frame's outer corner. StaticGravity would mean the client area, but openbox
 * then forgets where the window was when it is maximised and restored. */
#define NORTH_WEST_GRAVITY 1u
/* How long to wait for a second change that corrects the first. */
#define SETTLE_MS 100
#define ATTEMPTS  3
/* Wider decorations are not real. */
#define MAX_EXTENT 1000

/* Size hints as window managers apply them (ICCCM 4.1.2.3), without the aspect ratio, which hardly
 * any program sets. Absurd values are ignored. */
enum { MIN_SIZE = 1 << 4, MAX_SIZE = 1 << 5, STEP = 1 << 6, BASE_SIZE = 1 << 8 };
/* Where the width is; the height follows. */
enum { AT_MIN = 5, AT_MAX = 7, AT_STEP = 9, AT_BASE = 15 };

/* The value of one hint; `fallback` when it is unset or absurd. */
static int get_size_hint(const guint32 *hints, gsize count, guint32 flag, gsize at, int fallback)
{
    gboolean given = count > at && hints[0] & flag && hints[at] <= HF_LIMIT_SCREEN_EDGE;
    return given ? (int)hints[at] : fallback;
}

static int limit_edge(const guint32 *hints, gsize count, gsize axis, int wanted)
{
    int minimum = get_size_hint(hints, count, MIN_SIZE, AT_MIN + axis, 0);
    int base = get_size_hint(hints, count, BASE_SIZE, AT_BASE + axis, minimum);
    minimum = get_size_hint(hints, count, MIN_SIZE, AT_MIN + axis, base);
    int maximum = get_size_hint(hints, count, MAX_SIZE, AT_MAX + axis, HF_LIMIT_SCREEN_EDGE);
    int step = MAX(1, get_size_hint(hints, count, STEP, AT_STEP + axis, 1));
    int edge = MAX(minimum, MIN(maximum, wanted));
    if (edge > base)
        edge = base + (edge - base) / step * step;
    return MAX(1, edge);
}

/* The size that the hints make of `wanted`: within minimum and maximum, in whole steps. */
static HfSize find_allowed_size(const HfX11Change *change, HfSize wanted)
{
    gsize count = 0;
    g_autofree guint32 *hints = hf_x11_dup_property32(
        change->connection, change->id, "WM_NORMAL_HINTS", XCB_ATOM_WM_SIZE_HINTS, &count);
    if (count == 0)
        return wanted;
    return (HfSize){limit_edge(hints, count, 0, wanted.width),
                    limit_edge(hints, count, 1, wanted.height)};
}

static HfRect wanted_bounds(const HfX11Change *change)
{
    const HfWindowChange *request = change->request;
    HfRect wanted = change->window->bounds;
    if (request->set & HF_SET_X)
        wanted.x = request->bounds.x;
    if (request->set & HF_SET_Y)
        wanted.y = request->bounds.y;
    if (request->set & HF_SET_WIDTH)
        wanted.width = request->bounds.width;
    if (request->set & HF_SET_HEIGHT)
        wanted.height = request->bounds.height;
    return wanted;
}

static gboolean sets_size(const HfX11Change *change)
{
    return change->request->set & (HF_SET_WIDTH | HF_SET_HEIGHT);
}

/* The distance from the outer corner to the client area. */
static HfPoint client_offset(const HfX11Change *change)
{
    HfX11Connection *connection = change->connection;
    if (!change->ewmh.managed) {
        g_autofree xcb_get_geometry_reply_t *geometry = xcb_get_geometry_reply(
            connection->xcb, xcb_get_geometry(connection->xcb, change->id), NULL);
        int border = geometry ? geometry->border_width : 0;
        return (HfPoint){border, border};
    }
    gsize count = 0;
    g_autofree guint32 *extents = hf_x11_dup_property32(
        connection, change->id, "_NET_FRAME_EXTENTS", XCB_ATOM_CARDINAL, &count);
    if (count < 4 || extents[0] > MAX_EXTENT || extents[2] > MAX_EXTENT)
        return (HfPoint){0, 0};
    return (HfPoint){(int)extents[0], (int)extents[2]};
}

/* The request always has the position, since a new size alone may move the window. It has the size
 * only when that should change, since it can make the window jump to a whole step. */
static void request_move_resize(const HfX11Change *change, HfRect target)
{
    gboolean sizes = sets_size(change);
    HfPoint offset = client_offset(change);
    guint32 values[] = {(guint32)(target.x - offset.x), (guint32)(target.y - offset.y),
                        (guint32)target.width, (guint32)target.height};
    if (hf_x11_ewmh_supports(change->connection, &change->ewmh, "_NET_MOVERESIZE_WINDOW")) {
        guint32 flags = 1u << 8 | 1u << 9 | (sizes ? 1u << 10 | 1u << 11 : 0);
        hf_x11_ewmh_request(change->connection, change->id, "_NET_MOVERESIZE_WINDOW",
                            (guint32[5]){NORTH_WEST_GRAVITY | flags | SOURCE_PAGER << 12, values[0],
                                         values[1], values[2], values[3]});
        return;
    }
    guint16 mask = XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y;
    if (sizes)
        mask |= XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT;
    xcb_configure_window(change->connection->xcb, change->id, mask, values);
    xcb_flush(change->connection->xcb);
}

/* The size counts only if the request sets it. */
static gboolean is_window_at(const HfX11Change *change, HfRect place)
{
    HfRect now = change->window->bounds;
    return now.x == place.x && now.y == place.y &&
           (!sets_size(change) || (now.width == place.width && now.height == place.height));
}

static gboolean is_at_wanted_place(const HfX11Change *change)
{
    return is_window_at(change, change->wanted) || is_window_at(change, change->allowed);
}

static gboolean is_there_or_moved(const HfX11Change *change)
{
    return is_at_wanted_place(change) || !hf_rect_equal(change->window->bounds, change->last);
}

/* Waits until the window is there, or has moved elsewhere and stays. NOT_SEEN: it was ignored. */
static HfX11Outcome wait_until_settled(HfX11Change *change, GError **error)
{
    change->last = change->window->bounds;
    HfX11Outcome outcome = hf_x11_change_settle(change, is_there_or_moved, error);
    while (outcome == HF_X11_SEEN && !is_at_wanted_place(change)) {
        change->last = change->window->bounds;
        outcome = hf_x11_change_wait(change, is_there_or_moved, SETTLE_MS, error);
        if (outcome == HF_X11_NOT_SEEN)
            return HF_X11_SEEN;
    }
    return outcome;
}

static gboolean fail_place(const HfX11Change *change, GError **error)
{
    HfRect seen = change->window->bounds, wanted = change->wanted;
    gboolean sized = seen.width == wanted.width && seen.height == wanted.height;
    g_autofree char *missing =
        g_strdup_printf("is at %d,%d %dx%d instead of %d,%d %dx%d%s", seen.x, seen.y, seen.width,
                        seen.height, wanted.x, wanted.y, wanted.width, wanted.height,
                        sized ? "" : "; it may allow only certain sizes");
    return hf_x11_change_fail(change, missing, error);
}

static gboolean check_move_allowed(const HfX11Change *change, GError **error)
{
    HfRect now = change->window->bounds, wanted = change->wanted;
    if ((now.x != wanted.x || now.y != wanted.y) &&
        !hf_x11_change_allowed(change, "_NET_WM_ACTION_MOVE", error))
        return FALSE;
    return (now.width == wanted.width && now.height == wanted.height) ||
           hf_x11_change_allowed(change, "_NET_WM_ACTION_RESIZE", error);
}

gboolean hf_x11_change_place(HfX11Change *change, GError **error)
{
    if (!hf_x11_change_unmaximize(change, error))
        return FALSE;
    change->before = change->window->bounds;
    change->wanted = wanted_bounds(change);
    change->allowed = change->wanted;
    if (sets_size(change)) {
        HfSize size =
            find_allowed_size(change, (HfSize){change->wanted.width, change->wanted.height});
        change->allowed.width = size.width;
        change->allowed.height = size.height;
    }
    if (hf_rect_equal(change->before, change->wanted))
        return TRUE;
    if (!check_move_allowed(change, error))
        return FALSE;
    HfRect target = change->wanted;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        request_move_resize(change, target);
        HfX11Outcome outcome = wait_until_settled(change, error);
        if (outcome == HF_X11_BROKEN)
            return FALSE;
        if (outcome == HF_X11_NOT_SEEN)
            break;
        /* An allowed size that it had before: nothing was done. */
        if (is_at_wanted_place(change) && !hf_rect_equal(change->window->bounds, change->before))
            return TRUE;
        target.x += change->wanted.x - change->window->bounds.x;
        target.y += change->wanted.y - change->window->bounds.y;
    }
    return fail_place(change, error);
}
