/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which places are redrawn by themselves. A place counts again when it is drawn in the same
 * bounds, or within them: a caret is, a page that still loads is not. */
#include "hand/verify/idle-drawing.h"

#include "shared/image/rects.h"

#define TIMES        2
#define MAX_PIXELS   (256 * 128)
#define MAX_PLACES   64
#define FORGET_US    (60 * G_USEC_PER_SEC)
#define TOLERANCE_PX 2
#define PART         8

typedef struct Place {
    HfRect rect;
    guint32 window; /* visible there; 0: none */
    int pid;        /* ids of windows are given again */
    HfRect bounds;  /* of the window */
    int times;
    gint64 last_us;
} Place;

struct HfIdleDrawing {
    GArray *places; /* of Place, the latest last */
};

HfIdleDrawing *hf_idle_drawing_new(void)
{
    HfIdleDrawing *idle = g_new0(HfIdleDrawing, 1);
    idle->places = g_array_new(FALSE, FALSE, sizeof(Place));
    return idle;
}

void hf_idle_drawing_free(HfIdleDrawing *idle)
{
    if (!idle)
        return;
    g_array_unref(idle->places);
    g_free(idle);
}

static gboolean is_rect_within_tolerance(HfRect inner, HfRect outer)
{
    HfRect wider = {outer.x - TOLERANCE_PX, outer.y - TOLERANCE_PX, outer.width + 2 * TOLERANCE_PX,
                    outer.height + 2 * TOLERANCE_PX};
    return hf_rect_equal(hf_rect_intersect(inner, wider), inner);
}

static gint64 idle_area_size(HfRect rect)
{
    return (gint64)rect.width * rect.height;
}

/* The window visible in its middle; NULL: none. */
static const HfWindow *find_window_at_middle(const GPtrArray *windows, HfRect rect)
{
    HfPoint middle = {rect.x + rect.width / 2, rect.y + rect.height / 2};
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->visible && !window->minimized && hf_rect_contains(window->frame, middle))
            return window;
    }
    return NULL;
}

/* The window closed or moved. One that is only covered is still there. */
static gboolean is_idle_area_window_gone(const Place *place, const GPtrArray *windows)
{
    const HfWindow *window = place->window ? hf_windows_find(windows, place->window) : NULL;
    return place->window &&
           (!window || window->pid != place->pid || !hf_rect_equal(window->bounds, place->bounds));
}

static void forget_old_idle_areas(HfIdleDrawing *idle, const GPtrArray *windows, gint64 now_us)
{
    for (guint i = idle->places->len; i > 0; i--) {
        const Place *place = &g_array_index(idle->places, Place, i - 1);
        if (place->last_us + FORGET_US < now_us || is_idle_area_window_gone(place, windows))
            g_array_remove_index(idle->places, i - 1);
    }
    if (idle->places->len > MAX_PLACES)
        g_array_remove_range(idle->places, 0, idle->places->len - MAX_PLACES);
}

static void note_idle_area(HfIdleDrawing *idle, HfRect rect, const HfWindow *window, gint64 now_us)
{
    guint32 id = window ? window->id : 0;
    for (guint i = 0; i < idle->places->len; i++) {
        Place *place = &g_array_index(idle->places, Place, i);
        if (place->window != id || !is_rect_within_tolerance(rect, place->rect) ||
            !is_rect_within_tolerance(place->rect, rect))
            continue;
        place->times++;
        place->last_us = now_us;
        return;
    }
    Place place = {.rect = rect, .window = id, .times = 1, .last_us = now_us};
    if (window) {
        place.pid = window->pid;
        place.bounds = window->bounds;
    }
    g_array_append_val(idle->places, place);
}

void hf_idle_drawing_note(HfIdleDrawing *idle, const GArray *drawn, const GPtrArray *windows,
                          gint64 now_us)
{
    forget_old_idle_areas(idle, windows, now_us);
    for (guint i = 0; i < drawn->len; i++) {
        HfRect rect = g_array_index(drawn, HfRect, i);
        if (idle_area_size(rect) <= MAX_PIXELS)
            note_idle_area(idle, rect, find_window_at_middle(windows, rect), now_us);
    }
}

static gboolean is_idle_area(const Place *place, gint64 now_us)
{
    return place->times >= TIMES && place->last_us + FORGET_US >= now_us;
}

static gboolean is_in_idle_area(const HfIdleDrawing *idle, HfRect rect, HfPoint target,
                                gint64 now_us)
{
    for (guint i = 0; i < idle->places->len; i++) {
        const Place *place = &g_array_index(idle->places, Place, i);
        if (is_idle_area(place, now_us) && is_rect_within_tolerance(rect, place->rect) &&
            !hf_rect_contains(place->rect, target))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_idle_drawing_holds(const HfIdleDrawing *idle, HfRect rect)
{
    gint64 now_us = g_get_monotonic_time(), part = idle_area_size(rect) / PART;
    for (guint i = 0; i < idle->places->len; i++) {
        const Place *place = &g_array_index(idle->places, Place, i);
        if (is_idle_area(place, now_us) &&
            idle_area_size(hf_rect_intersect(rect, place->rect)) > part)
            return TRUE;
    }
    return FALSE;
}

void hf_idle_drawing_remove(const HfIdleDrawing *idle, GArray *drawn, HfPoint target, gint64 now_us,
                            GArray *aside)
{
    for (guint i = drawn->len; i > 0; i--) {
        HfRect rect = g_array_index(drawn, HfRect, i - 1);
        if (!is_in_idle_area(idle, rect, target, now_us))
            continue;
        if (aside)
            hf_rects_add(aside, rect, MAX_PLACES);
        g_array_remove_index(drawn, i - 1);
    }
}
