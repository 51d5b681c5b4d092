/* SPDX-License-Identifier: Apache-2.0 */
/* Listens for drawing, and takes a picture when something was drawn where it counts. Pictures take
 * only a part of the time: a program that never stops drawing must not keep the machine busy. */
#include "hand/tools/structure/wait-settled.h"

#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "hand/pixels/compare/picture-hash.h"
#include "hand/pixels/compare/settle-detector.h"
#include "hand/tools/screen/picture-change.h"
#include "hand/tools/structure/call-element.h"
#include "shared/base/error.h"
#include "shared/image/rects.h"

#define MS 1000
/* Drawing within this time is one change. */
#define BURST_US (20 * MS)
/* The pause after a picture is this many times as long as taking it, up to a limit. */
#define PAUSE_FACTOR 4
#define PAUSE_MAX_US (250 * MS)
/* Changing places in the result. */
#define MAX_PLACES 12u

typedef struct Settling {
    HfCall *call;
    HfScreenWatch *watch;
    const HfDeadline *until;
    HfRect part;    /* the requested part of the screen; empty: all */
    guint32 window; /* or the area of this window; 0: none */
    GArray *ignore; /* of HfRect; NULL: nothing */
    HfRect area;    /* what the last picture shows */
    GArray *holes;  /* `ignore` in pixels of that picture */
    gint64 quiet_us;
    HfSettleDetector *detector;
    gint64 drawn_us;           /* when something was drawn after the last picture; 0: nothing */
    gint64 looked_us, cost_us; /* when the last picture was taken, and how long that took */
    gint64 looks;
} Settling;

static void settling_clear(Settling *settling)
{
    g_clear_pointer(&settling->ignore, g_array_unref);
    g_clear_pointer(&settling->holes, g_array_unref);
    g_clear_pointer(&settling->detector, hf_settle_detector_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Settling, settling_clear)

void hf_settle_wait_clear(HfSettleWait *settled)
{
    json_decref(settled->noise);
}

/* ---- where ---- */

static gboolean take_settling_element(Settling *settling, GError **error)
{
    g_autoptr(HfElement) element = hf_call_get_element(settling->call, FALSE, error);
    if (!element)
        return FALSE;
    settling->part = hf_tree_get(element->tree, element->index)->bounds;
    if (hf_rect_is_empty(settling->part))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "target: '%s' is not on the screen; give region instead", element->name);
    return TRUE;
}

/* The smallest area that has all windows of the program. */
static gboolean take_program_windows(Settling *settling, int pid, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(settling->call), error);
    for (guint i = 0; windows && i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->pid != pid || !window->visible)
            continue;
        settling->part = hf_rect_is_empty(settling->part)
                             ? window->frame
                             : hf_rect_unite(settling->part, window->frame);
    }
    if (windows && hf_rect_is_empty(settling->part))
        return hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND, "process %d shows no window", pid);
    return windows != NULL;
}

static gboolean take_settling_place(Settling *settling, GError **error)
{
    const HfCall *call = settling->call;
    HfTreeScope scope = {0};
    if (hf_call_has(call, "region"))
        return hf_call_get_area(call, "region", &settling->part, &settling->window, error);
    if (hf_call_has(call, "target"))
        return take_settling_element(settling, error);
    if (!hf_call_names_window(call) && !hf_call_has(call, "app") && !hf_call_has(call, "pid"))
        return TRUE;
    if (!hf_call_get_scope(call, &scope, error))
        return FALSE;
    settling->window = scope.window;
    return scope.window || take_program_windows(settling, scope.pid, error);
}

/* Each time anew, since the window may have moved. */
static gboolean find_settling_area(Settling *settling, GError **error)
{
    HfDesktop *desktop = hf_call_desktop(settling->call);
    HfSize screen;
    HfRect area = settling->part;
    if (!hf_screen_get_size(desktop, &screen, error) ||
        (settling->window && hf_rect_is_empty(settling->part) &&
         !hf_screen_get_window_area(desktop, settling->window, &area, error)))
        return FALSE;
    HfRect all = {0, 0, screen.width, screen.height};
    area = hf_rect_is_empty(area) ? all : hf_rect_intersect(area, all);
    if (hf_rect_is_empty(area))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "region: lies outside of the screen (%dx%d)",
                       screen.width, screen.height);
    settling->area = area;
    return TRUE;
}

/* ---- pictures ---- */

static void map_ignored_areas(Settling *settling)
{
    g_clear_pointer(&settling->holes, g_array_unref);
    settling->holes = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; settling->ignore && i < settling->ignore->len; i++) {
        HfRect hole = g_array_index(settling->ignore, HfRect, i);
        hole.x -= settling->area.x;
        hole.y -= settling->area.y;
        g_array_append_val(settling->holes, hole);
    }
}

static gboolean capture_settling_area(Settling *settling, GError **error)
{
    const HfCallContext *context = hf_call_context(settling->call);
    gint64 began = g_get_monotonic_time();
    HfRect before = settling->area;
    if (!find_settling_area(settling, error))
        return FALSE;
    HfCaptureRequest request = {.area = settling->area};
    g_autoptr(HfCapture) capture =
        hf_screen_capture(context, &request, hf_call_deadline(settling->call), error);
    if (!capture)
        return FALSE;
    settling->area = capture->area;
    map_ignored_areas(settling);
    g_autoptr(GBytes) hash = hf_picture_hash_new(capture->image);
    if (!hf_rect_equal(before, settling->area))
        hf_settle_detector_disturb(settling->detector, began);
    hf_settle_detector_add_picture(settling->detector, hash, settling->holes, began);
    settling->looks++;
    settling->drawn_us = 0;
    settling->looked_us = g_get_monotonic_time();
    settling->cost_us = settling->looked_us - began;
    return TRUE;
}

/* ---- waiting ---- */

static gboolean is_drawing_relevant(const Settling *settling, HfRect drawn)
{
    HfRect part = hf_rect_intersect(drawn, settling->area);
    g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(HfRect));
    if (hf_rect_is_empty(part))
        return FALSE;
    g_array_append_val(left, part);
    for (guint i = 0; settling->ignore && i < settling->ignore->len; i++)
        hf_rects_subtract(left, g_array_index(settling->ignore, HfRect, i));
    return left->len > 0;
}

/* Does not wait. */
static gboolean read_drawing_events(Settling *settling, GError **error)
{
    g_auto(HfScreenChanges) changes = {0};
    hf_screen_changes_init(&changes);
    if (!hf_screen_watch_read(settling->watch, &changes, error))
        return FALSE;
    for (guint i = 0; !settling->drawn_us && i < changes.drawn->len; i++)
        if (is_drawing_relevant(settling, g_array_index(changes.drawn, HfRect, i)))
            settling->drawn_us = g_get_monotonic_time();
    return TRUE;
}

/* The time of the next picture or of the end, if nothing more is drawn. */
static gint64 next_settling_step(const Settling *settling)
{
    gint64 pause = CLAMP(settling->cost_us * PAUSE_FACTOR, BURST_US, PAUSE_MAX_US);
    if (!settling->drawn_us)
        return hf_settle_detector_get_since(settling->detector) + settling->quiet_us;
    return MAX(settling->looked_us + pause, settling->drawn_us + BURST_US);
}

/* Until then, or until something is drawn. FALSE when the call must end. */
static gboolean sleep_until_drawn(Settling *settling, gint64 due_us, GError **error)
{
    const HfDeadline *limit = hf_call_deadline(settling->call);
    HfDeadline nap = {MIN(due_us, settling->until->at_us), limit->cancellable};
    if (settling->drawn_us)
        hf_deadline_pause(&nap, nap.at_us - g_get_monotonic_time(), NULL);
    else
        hf_deadline_wait_readable(&nap, settling->watch->fd, NULL);
    return hf_deadline_check(limit, error) && read_drawing_events(settling, error);
}

static json_t *changing_areas_to_json(const Settling *settling, gboolean noise)
{
    g_autoptr(GArray) list = hf_settle_detector_list_areas(
        settling->detector, noise, g_get_monotonic_time() - settling->quiet_us);
    json_t *json = json_array();
    for (guint i = list->len; i > 0 && json_array_size(json) < MAX_PLACES; i--) {
        HfChangingArea area = g_array_index(list, HfChangingArea, i - 1);
        area.bounds.x += settling->area.x;
        area.bounds.y += settling->area.y;
        json_t *place = hf_json_rect(area.bounds);
        json_object_set_new(place, "kind", json_string(hf_changing_area_kind_name(area.kind)));
        json_object_set_new(place, "changes", json_integer(area.changes));
        json_array_append_new(json, place);
    }
    return json;
}

static gboolean fail_unsettled(Settling *settling, GError **error)
{
    g_autoptr(json_t) places = changing_areas_to_json(settling, FALSE);
    const json_t *first = json_array_get(places, 0);
    if (!first) {
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "timed out waiting for: settled");
    } else {
        int x, y, width, height;
        json_unpack((json_t *)first, "{s:i, s:i, s:i, s:i}", "x", &x, "y", &y, "width", &width,
                    "height", &height);
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT,
                "it has not settled: %dx%d pixels at %d, %d still change", width, height, x, y);
        hf_error_suggest(error, "wait longer, or give the areas that do not matter as ignore");
    }
    hf_error_take_details(error, json_pack("{s:O, s:o}", "restless", places, "noise",
                                           changing_areas_to_json(settling, TRUE)));
    return FALSE;
}

static gboolean wait_for_settled_screen(Settling *settling, GError **error)
{
    hf_settle_detector_disturb(settling->detector, g_get_monotonic_time());
    while (read_drawing_events(settling, error)) {
        gint64 now = g_get_monotonic_time(), due = next_settling_step(settling);
        if (now >= due && !settling->drawn_us)
            return TRUE;
        gboolean over = now >= settling->until->at_us;
        if (settling->drawn_us && (over || now >= due)) {
            if (!capture_settling_area(settling, error))
                return FALSE;
        } else if (!over && !sleep_until_drawn(settling, due, error)) {
            return FALSE;
        }
        if (over)
            return fail_unsettled(settling, error);
    }
    return FALSE;
}

gboolean hf_settle_wait_check_params(const HfCall *call, GError **error)
{
    if (hf_call_has(call, "region") && hf_call_has(call, "target"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "target: replaces region; give either");
    if (hf_call_int(call, "rest_ms") > hf_call_int(call, "max_ms"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "rest_ms: %d is longer than max_ms (%d), so it would always time out",
                       (int)hf_call_int(call, "rest_ms"), (int)hf_call_int(call, "max_ms"));
    return TRUE;
}

gboolean hf_settle_wait_run(HfCall *call, HfScreenWatch *watch, const HfDeadline *until,
                            HfSettleWait *ret_settled, GError **error)
{
    g_auto(Settling) settling = {
        .call = call,
        .watch = watch,
        .until = until,
        .quiet_us = hf_call_int(call, "rest_ms") * MS,
        .detector = hf_settle_detector_new(),
    };
    if (!take_settling_place(&settling, error) || !find_settling_area(&settling, error) ||
        !hf_picture_get_ignored(call, &settling.ignore, error) ||
        !wait_for_settled_screen(&settling, error))
        return FALSE;
    *ret_settled =
        (HfSettleWait){.looks = settling.looks, .noise = changing_areas_to_json(&settling, TRUE)};
    return TRUE;
}

const HfParam hf_noise_fields[] = {
    HF_REQUIRED("x", HF_TYPE_INTEGER, "Left edge"),
    HF_REQUIRED("y", HF_TYPE_INTEGER, "Top edge"),
    HF_REQUIRED("width", HF_TYPE_INTEGER, "Width"),
    HF_REQUIRED("height", HF_TYPE_INTEGER, "Height"),
    HF_REQUIRED("kind", HF_TYPE_STRING,
                "blinks: shows a few pictures in turn; caret: a thin line that fades; ticks: "
                "changes at regular intervals"),
    HF_REQUIRED("changes", HF_TYPE_INTEGER, "How often it was seen to change"),
    {0},
};
