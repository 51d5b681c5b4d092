/* SPDX-License-Identifier: Apache-2.0 */
/* Listens to what is drawn, and takes a picture when it was drawn where it counts, for no more than
 * a part of the time: what is drawn without end must not keep the machine busy. */
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
/* What is drawn within this time is one piece of news. */
#define BURST_US (20 * MS)
/* How much longer than a look the pause after it is, and how long at most. */
#define PART          4
#define MOST_PAUSE_US (250 * MS)
/* Of what does not come to rest. */
#define MOST_TOLD 12u

typedef struct Settling {
    HfCall *call;
    HfScreenWatch *watch;
    const HfDeadline *until;
    HfRect part;    /* of the screen, that was asked for; empty: all */
    guint32 window; /* or where this one is; 0: none */
    GArray *ignore; /* of HfRect; NULL: nothing */
    HfRect area;    /* what is looked at: as of the last picture */
    GArray *holes;  /* `ignore` in pixels of that picture */
    gint64 rest_us;
    HfSettleDetector *rest;
    gint64 drawn_us;           /* since when there is something to look at; 0: there is not */
    gint64 looked_us, cost_us; /* when it was looked at last, and how long that took */
    gint64 looks;
} Settling;

static void settling_clear(Settling *settling)
{
    g_clear_pointer(&settling->ignore, g_array_unref);
    g_clear_pointer(&settling->holes, g_array_unref);
    g_clear_pointer(&settling->rest, hf_settle_detector_free);
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
                       "target: %s has no place on the screen; give region instead", element->name);
    return TRUE;
}

/* All windows of a program: what lies between them comes along. */
static gboolean take_program(Settling *settling, int pid, GError **error)
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

static gboolean take_place(Settling *settling, GError **error)
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
    return scope.window || take_program(settling, scope.pid, error);
}

/* The window may have moved: the area is asked for each time. */
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

/* ---- looking ---- */

static void make_holes(Settling *settling)
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
    make_holes(settling);
    g_autoptr(GBytes) sheet = hf_picture_hash_new(capture->image);
    if (!hf_rect_equal(before, settling->area))
        hf_settle_detector_disturb(settling->rest, began);
    hf_settle_detector_add_picture(settling->rest, sheet, settling->holes, began);
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

/* Without waiting. */
static gboolean read_drawing_events(Settling *settling, GError **error)
{
    g_auto(HfScreenChanges) news = {0};
    hf_screen_changes_init(&news);
    if (!hf_screen_watch_read(settling->watch, &news, error))
        return FALSE;
    for (guint i = 0; !settling->drawn_us && i < news.drawn->len; i++)
        if (is_drawing_relevant(settling, g_array_index(news.drawn, HfRect, i)))
            settling->drawn_us = g_get_monotonic_time();
    return TRUE;
}

/* When there is something to do, if nothing more is drawn. */
static gint64 next_step(const Settling *settling)
{
    gint64 pause = CLAMP(settling->cost_us * PART, BURST_US, MOST_PAUSE_US);
    if (!settling->drawn_us)
        return hf_settle_detector_get_since(settling->rest) + settling->rest_us;
    return MAX(settling->looked_us + pause, settling->drawn_us + BURST_US);
}

/* Until the next step, or until something is drawn. FALSE when the call must end. */
static gboolean sleep_until(Settling *settling, gint64 due_us, GError **error)
{
    const HfDeadline *limit = hf_call_deadline(settling->call);
    HfDeadline nap = {MIN(due_us, settling->until->at_us), limit->cancellable};
    if (settling->drawn_us)
        hf_deadline_pause(&nap, nap.at_us - g_get_monotonic_time(), NULL);
    else
        hf_deadline_wait_readable(&nap, settling->watch->fd, NULL);
    return hf_deadline_check(limit, error) && read_drawing_events(settling, error);
}

static json_t *unrest_to_json(const Settling *settling, gboolean noise)
{
    g_autoptr(GArray) list = hf_settle_detector_list_areas(
        settling->rest, noise, g_get_monotonic_time() - settling->rest_us);
    json_t *json = json_array();
    for (guint i = list->len; i > 0 && json_array_size(json) < MOST_TOLD; i--) {
        HfChangingArea stir = g_array_index(list, HfChangingArea, i - 1);
        stir.bounds.x += settling->area.x;
        stir.bounds.y += settling->area.y;
        json_t *place = hf_json_rect(stir.bounds);
        json_object_set_new(place, "kind", json_string(hf_changing_area_kind_name(stir.kind)));
        json_object_set_new(place, "changes", json_integer(stir.changes));
        json_array_append_new(json, place);
    }
    return json;
}

static gboolean fail_restless(Settling *settling, GError **error)
{
    g_autoptr(json_t) places = unrest_to_json(settling, FALSE);
    const json_t *first = json_array_get(places, 0);
    if (!first) {
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "it has not come about: settled");
    } else {
        int x, y, width, height;
        json_unpack((json_t *)first, "{s:i, s:i, s:i, s:i}", "x", &x, "y", &y, "width", &width,
                    "height", &height);
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT,
                "it has not settled: %dx%d at %d, %d goes on changing", width, height, x, y);
        hf_error_suggest(error, "wait longer, or give what does not matter as ignore");
    }
    hf_error_take_details(error, json_pack("{s:O, s:o}", "restless", places, "noise",
                                           unrest_to_json(settling, TRUE)));
    return FALSE;
}

static gboolean wait_for_settled_screen(Settling *settling, GError **error)
{
    hf_settle_detector_disturb(settling->rest, g_get_monotonic_time());
    while (read_drawing_events(settling, error)) {
        gint64 now = g_get_monotonic_time(), due = next_step(settling);
        if (now >= due && !settling->drawn_us)
            return TRUE;
        gboolean over = now >= settling->until->at_us;
        if (settling->drawn_us && (over || now >= due)) {
            if (!capture_settling_area(settling, error))
                return FALSE;
        } else if (!over && !sleep_until(settling, due, error)) {
            return FALSE;
        }
        if (over)
            return fail_restless(settling, error);
    }
    return FALSE;
}

gboolean hf_settle_wait_check(const HfCall *call, GError **error)
{
    if (hf_call_has(call, "region") && hf_call_has(call, "target"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "target: is another way to say region; give one of them");
    if (hf_call_int(call, "rest_ms") > hf_call_int(call, "max_ms"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "rest_ms: %d is longer than max_ms (%d), so it could never be",
                       (int)hf_call_int(call, "rest_ms"), (int)hf_call_int(call, "max_ms"));
    return TRUE;
}

gboolean hf_settle_wait_wait(HfCall *call, HfScreenWatch *watch, const HfDeadline *until,
                             HfSettleWait *ret_settled, GError **error)
{
    g_auto(Settling) settling = {
        .call = call,
        .watch = watch,
        .until = until,
        .rest_us = hf_call_int(call, "rest_ms") * MS,
        .rest = hf_settle_detector_new(),
    };
    if (!take_place(&settling, error) || !find_settling_area(&settling, error) ||
        !hf_picture_get_ignored(call, &settling.ignore, error) ||
        !wait_for_settled_screen(&settling, error))
        return FALSE;
    *ret_settled =
        (HfSettleWait){.looks = settling.looks, .noise = unrest_to_json(&settling, TRUE)};
    return TRUE;
}

const HfParam hf_noise_fields[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Left edge"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Top edge"},
    {.name = "width", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Width"},
    {.name = "height", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Height"},
    {.name = "kind",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "blinks: shows a few pictures in turn; caret: a thin line that fades; ticks: "
              "changes at regular intervals"},
    {.name = "changes",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How often it was seen to change"},
    {0},
};
