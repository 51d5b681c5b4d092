/* SPDX-License-Identifier: Apache-2.0 */
/* A difference between two pictures belongs to a place: one of about the same size that touches it.
 * A place that grows is something that moves or builds up, so its classification starts again. */
#include "hand/pixels/compare/settle-detector.h"

#include <string.h>

#include "hand/pixels/compare/picture-hash.h"

/* Pictures of one place that are remembered. A place that shows more is not noise. */
#define PICTURES 4
/* How often a known picture must return. */
#define RETURNS 2
/* Times that are remembered: two intervals. */
#define TIMES 3
/* A place this many times larger or smaller than a difference is another one. */
#define ALIKE 8
#define NEAR  2
/* A caret, also on a high-resolution display. */
#define CARET_WIDTH 6
#define CARET_LOW   6
#define CARET_HIGH  96
/* A clock: its size, its least interval, and its precision. */
#define TICK_PIXELS  (256 * 128)
#define TICK_US      (400 * 1000)
#define TICK_LATE_US (40 * 1000)
#define TICK_PART    5
#define MOST_PLACES  64

typedef struct Place {
    HfChangingArea area;
    guint64 pictures[PICTURES]; /* the latest first */
    int known;
    int returns;         /* how often in a row a known picture came */
    int steady;          /* changes since it has these bounds */
    gint64 times[TIMES]; /* of those, the latest first */
    gboolean touched;    /* by the current picture */
} Place;

struct HfSettleDetector {
    GBytes *before;  /* the last picture; NULL: none yet */
    GArray *places;  /* of Place */
    gint64 since_us; /* of the last change outside of all places */
};

static const char *const names[] = {
    [HF_CHANGING_AREA_CHANGES] = "changes",
    [HF_CHANGING_AREA_BLINKS] = "blinks",
    [HF_CHANGING_AREA_CARET] = "caret",
    [HF_CHANGING_AREA_TICKS] = "ticks",
};
G_STATIC_ASSERT(G_N_ELEMENTS(names) == HF_CHANGING_AREA_KIND_COUNT);

const char *hf_changing_area_kind_name(HfChangingAreaKind kind)
{
    return names[kind];
}

HfSettleDetector *hf_settle_detector_new(void)
{
    HfSettleDetector *detector = g_new0(HfSettleDetector, 1);
    detector->places = g_array_new(FALSE, FALSE, sizeof(Place));
    return detector;
}

void hf_settle_detector_free(HfSettleDetector *detector)
{
    if (!detector)
        return;
    g_clear_pointer(&detector->before, g_bytes_unref);
    g_array_unref(detector->places);
    g_free(detector);
}

void hf_settle_detector_disturb(HfSettleDetector *detector, gint64 now_us)
{
    detector->since_us = MAX(detector->since_us, now_us);
}

/* ---- places ---- */

static gint64 changing_area_size(HfRect rect)
{
    return (gint64)rect.width * rect.height;
}

static gboolean rects_nearly_touch(HfRect a, HfRect b)
{
    HfRect wider = {a.x - NEAR, a.y - NEAR, a.width + 2 * NEAR, a.height + 2 * NEAR};
    return !hf_rect_is_empty(hf_rect_intersect(wider, b));
}

/* Its changes still count. */
static void drop_place(HfSettleDetector *detector, guint index)
{
    const Place *place = &g_array_index(detector->places, Place, index);
    if (place->area.kind == HF_CHANGING_AREA_CHANGES)
        hf_settle_detector_disturb(detector, place->area.last_us);
    g_array_remove_index(detector->places, index);
}

/* With its picture from before. */
static void restart_changing_area(Place *place, HfRect bounds, GBytes *before)
{
    place->area.bounds = bounds;
    place->area.kind = HF_CHANGING_AREA_CHANGES;
    place->pictures[0] = hf_picture_hash_of_area(before, bounds);
    place->known = 1;
    place->returns = place->steady = 0;
}

/* Removes the places that the difference touches, unless they are much larger, and returns the
 * bounds of them and the difference. `place` becomes the one of about its size that has changed
 * most. */
static HfRect merge_touched_places(HfSettleDetector *detector, HfRect found, Place *place)
{
    gint64 size = changing_area_size(found);
    HfRect bounds = found;
    for (guint i = detector->places->len; i > 0; i--) {
        Place other = g_array_index(detector->places, Place, i - 1);
        gint64 others = changing_area_size(other.area.bounds);
        if (!rects_nearly_touch(found, other.area.bounds) || others > size * ALIKE)
            continue;
        if (size > others * ALIKE) {
            drop_place(detector, i - 1);
            continue;
        }
        g_array_remove_index(detector->places, i - 1);
        bounds = hf_rect_unite(bounds, other.area.bounds);
        if (place->area.changes < other.area.changes)
            *place = other;
    }
    return bounds;
}

static void note_difference(HfSettleDetector *detector, HfRect found, gint64 now_us)
{
    Place place = {.area = {.first_us = now_us}};
    HfRect bounds = merge_touched_places(detector, found, &place);
    if (!hf_rect_equal(bounds, place.area.bounds)) {
        if (place.area.changes > 0) /* a place that grows is not noise */
            hf_settle_detector_disturb(detector, now_us);
        restart_changing_area(&place, bounds, detector->before);
    }
    place.touched = TRUE;
    g_array_append_val(detector->places, place);
    if (detector->places->len > MOST_PLACES)
        drop_place(detector, 0);
}

/* ---- classification ---- */

/* Returns whether it was known. */
static gboolean remember_area_hash(Place *place, guint64 picture)
{
    int at = 0;
    while (at < place->known && place->pictures[at] != picture)
        at++;
    gboolean was_known = at < place->known;
    if (!was_known)
        place->known = at = MIN(place->known, PICTURES - 1);
    memmove(place->pictures + 1, place->pictures, sizeof *place->pictures * (gsize)at);
    place->pictures[0] = picture;
    place->known += !was_known;
    return was_known;
}

static gboolean is_caret(const Place *place)
{
    HfRect bounds = place->area.bounds;
    return place->steady == TIMES && bounds.width <= CARET_WIDTH && bounds.height >= CARET_LOW &&
           bounds.height <= CARET_HIGH && bounds.height > bounds.width;
}

static gboolean is_ticking(const Place *place)
{
    gint64 last = place->times[0] - place->times[1], before = place->times[1] - place->times[2];
    gint64 most = MAX(last, before), least = MIN(last, before);
    return place->steady == TIMES && changing_area_size(place->area.bounds) <= TICK_PIXELS &&
           least >= TICK_US && most - least <= most / TICK_PART + TICK_LATE_US;
}

static void classify_change(Place *place, GBytes *hash, gint64 now_us)
{
    gboolean known = remember_area_hash(place, hf_picture_hash_of_area(hash, place->area.bounds));
    memmove(place->times + 1, place->times, sizeof *place->times * (TIMES - 1));
    place->times[0] = now_us;
    place->steady = MIN(place->steady + 1, TIMES);
    place->area.last_us = now_us;
    place->area.changes++;
    place->returns = known ? place->returns + 1 : 0;
    place->area.kind = place->returns >= RETURNS ? HF_CHANGING_AREA_BLINKS
                       : is_caret(place)         ? HF_CHANGING_AREA_CARET
                       : is_ticking(place)       ? HF_CHANGING_AREA_TICKS
                                                 : HF_CHANGING_AREA_CHANGES;
    place->touched = FALSE;
}

void hf_settle_detector_add_picture(HfSettleDetector *detector, GBytes *hash, const GArray *ignore,
                                    gint64 now_us)
{
    g_auto(HfPictureHashChange) change = {0};
    if (!detector->before || !hf_picture_hash_compare(detector->before, hash, ignore, &change)) {
        g_array_set_size(detector->places, 0);
        hf_settle_detector_disturb(detector, now_us);
    }
    for (guint i = 0; change.rects && i < change.rects->len; i++)
        note_difference(detector, g_array_index(change.rects, HfRect, i), now_us);
    for (guint i = 0; i < detector->places->len; i++)
        if (g_array_index(detector->places, Place, i).touched)
            classify_change(&g_array_index(detector->places, Place, i), hash, now_us);
    g_clear_pointer(&detector->before, g_bytes_unref);
    detector->before = g_bytes_ref(hash);
}

/* ---- results ---- */

gint64 hf_settle_detector_get_since(const HfSettleDetector *detector)
{
    gint64 since = detector->since_us;
    for (guint i = 0; i < detector->places->len; i++) {
        const HfChangingArea *area = &g_array_index(detector->places, Place, i).area;
        if (area->kind == HF_CHANGING_AREA_CHANGES)
            since = MAX(since, area->last_us);
    }
    return since;
}

GArray *hf_settle_detector_list_areas(const HfSettleDetector *detector, gboolean noise,
                                      gint64 since_us)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(HfChangingArea));
    for (guint i = 0; i < detector->places->len; i++) {
        HfChangingArea area = g_array_index(detector->places, Place, i).area;
        if ((area.kind != HF_CHANGING_AREA_CHANGES) == noise && (noise || area.last_us >= since_us))
            g_array_append_val(list, area);
    }
    return list;
}
