/* A place is known again when it is drawn in the same bounds, or within them: a caret is, a page
 * that is still being built is not. */
#include "hand/effect/restless.h"

#include "base/rects.h"

#define TIMES        2
#define MAX_PIXELS   (256 * 128)
#define MAX_PLACES   64
#define FORGET_US    (60 * G_USEC_PER_SEC)
#define TOLERANCE_PX 2
#define PART         8

typedef struct Place {
    HfRect rect;
    int times;
    gint64 last_us;
} Place;

struct HfRestless {
    GArray *places; /* of Place, the latest last */
};

HfRestless *hf_restless_new(void)
{
    HfRestless *restless = g_new0(HfRestless, 1);
    restless->places = g_array_new(FALSE, FALSE, sizeof(Place));
    return restless;
}

void hf_restless_free(HfRestless *restless)
{
    if (!restless)
        return;
    g_array_unref(restless->places);
    g_free(restless);
}

static gboolean is_within(HfRect inner, HfRect outer)
{
    HfRect wider = {outer.x - TOLERANCE_PX, outer.y - TOLERANCE_PX, outer.width + 2 * TOLERANCE_PX,
                    outer.height + 2 * TOLERANCE_PX};
    return hf_rect_equal(hf_rect_intersect(inner, wider), inner);
}

static gint64 area_of(HfRect rect)
{
    return (gint64)rect.width * rect.height;
}

static gboolean is_small(HfRect rect)
{
    return area_of(rect) <= MAX_PIXELS;
}

static void forget_old(HfRestless *restless, gint64 now_us)
{
    for (guint i = restless->places->len; i > 0; i--)
        if (g_array_index(restless->places, Place, i - 1).last_us + FORGET_US < now_us)
            g_array_remove_index(restless->places, i - 1);
    if (restless->places->len > MAX_PLACES)
        g_array_remove_range(restless->places, 0, restless->places->len - MAX_PLACES);
}

static void note_one(HfRestless *restless, HfRect rect, gint64 now_us)
{
    for (guint i = 0; i < restless->places->len; i++) {
        Place *place = &g_array_index(restless->places, Place, i);
        if (!is_within(rect, place->rect) || !is_within(place->rect, rect))
            continue;
        place->times++;
        place->last_us = now_us;
        return;
    }
    Place place = {rect, 1, now_us};
    g_array_append_val(restless->places, place);
}

void hf_restless_note(HfRestless *restless, const GArray *idle, gint64 now_us)
{
    forget_old(restless, now_us);
    for (guint i = 0; i < idle->len; i++) {
        HfRect rect = g_array_index(idle, HfRect, i);
        if (is_small(rect))
            note_one(restless, rect, now_us);
    }
}

static gboolean is_restless(const HfRestless *restless, HfRect rect, HfPoint target, gint64 now_us)
{
    for (guint i = 0; i < restless->places->len; i++) {
        const Place *place = &g_array_index(restless->places, Place, i);
        if (place->times >= TIMES && place->last_us + FORGET_US >= now_us &&
            is_within(rect, place->rect) && !hf_rect_contains(place->rect, target))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_restless_holds(const HfRestless *restless, HfRect rect)
{
    gint64 now_us = g_get_monotonic_time(), part = area_of(rect) / PART;
    for (guint i = 0; i < restless->places->len; i++) {
        const Place *place = &g_array_index(restless->places, Place, i);
        if (place->times >= TIMES && place->last_us + FORGET_US >= now_us &&
            area_of(hf_rect_intersect(rect, place->rect)) > part)
            return TRUE;
    }
    return FALSE;
}

void hf_restless_remove(const HfRestless *restless, GArray *drawn, HfPoint target, gint64 now_us,
                        GArray *aside)
{
    for (guint i = drawn->len; i > 0; i--) {
        HfRect rect = g_array_index(drawn, HfRect, i - 1);
        if (!is_restless(restless, rect, target, now_us))
            continue;
        if (aside)
            hf_rects_add(aside, rect, MAX_PLACES);
        g_array_remove_index(drawn, i - 1);
    }
}
