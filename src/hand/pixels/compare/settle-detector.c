/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between two pictures belongs to a place: one that is about as large and touches it.
 * A place that grows is something that moves or builds up, so it is judged anew from then on. */
#include "hand/pixels/compare/settle-detector.h"

#include <string.h>

#include "hand/pixels/compare/picture-hash.h"

/* Pictures of one place that are known: who shows more than these is doing something. */
#define PICTURES 4
/* How often one must be seen again. */
#define RETURNS 2
/* Times of the last changes that are kept: two intervals. */
#define TIMES 3
/* A place is another one when it is so many times larger or smaller than what has changed. */
#define ALIKE 8
#define NEAR  2
/* A caret, also on a display with large pixels. */
#define CARET_WIDTH 6
#define CARET_LOW   6
#define CARET_HIGH  96
/* A clock: its size, how long it stands still, and how exactly it goes. */
#define TICK_PIXELS  (256 * 128)
#define TICK_US      (400 * 1000)
#define TICK_LATE_US (40 * 1000)
#define TICK_PART    5
#define MOST_PLACES  64

typedef struct Place {
    HfChangingArea stir;
    guint64 pictures[PICTURES]; /* the latest first */
    int known;
    int returns;         /* how often in a row it was one of them */
    int steady;          /* changes since it has these bounds */
    gint64 times[TIMES]; /* of those, the latest first */
    gboolean touched;    /* by the picture that is looked at */
} Place;

struct HfSettleDetector {
    GBytes *before;  /* the last picture; NULL: none yet */
    GArray *places;  /* of Place */
    gint64 since_us; /* of what happened outside of all places */
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
    HfSettleDetector *rest = g_new0(HfSettleDetector, 1);
    rest->places = g_array_new(FALSE, FALSE, sizeof(Place));
    return rest;
}

void hf_settle_detector_free(HfSettleDetector *rest)
{
    if (!rest)
        return;
    g_clear_pointer(&rest->before, g_bytes_unref);
    g_array_unref(rest->places);
    g_free(rest);
}

void hf_settle_detector_disturb(HfSettleDetector *rest, gint64 now_us)
{
    rest->since_us = MAX(rest->since_us, now_us);
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

/* What it did stays done. */
static void drop_place(HfSettleDetector *rest, guint index)
{
    const Place *place = &g_array_index(rest->places, Place, index);
    if (place->stir.kind == HF_CHANGING_AREA_CHANGES)
        hf_settle_detector_disturb(rest, place->stir.last_us);
    g_array_remove_index(rest->places, index);
}

/* It looks like this until now. */
static void restart_changing_area(Place *place, HfRect bounds, GBytes *before)
{
    place->stir.bounds = bounds;
    place->stir.kind = HF_CHANGING_AREA_CHANGES;
    place->pictures[0] = hf_picture_hash_of_area(before, bounds);
    place->known = 1;
    place->returns = place->steady = 0;
}

/* Those that this difference touches and that are no larger than it, or about as large, are one
 * with it: `place` is the one of them that has changed most, and what is returned their bounds. Of
 * a much larger one it is a detail. */
static HfRect take_places(HfSettleDetector *rest, HfRect found, Place *place)
{
    gint64 size = changing_area_size(found);
    HfRect bounds = found;
    for (guint i = rest->places->len; i > 0; i--) {
        Place other = g_array_index(rest->places, Place, i - 1);
        gint64 others = changing_area_size(other.stir.bounds);
        if (!rects_nearly_touch(found, other.stir.bounds) || others > size * ALIKE)
            continue;
        if (size > others * ALIKE) {
            drop_place(rest, i - 1);
            continue;
        }
        g_array_remove_index(rest->places, i - 1);
        bounds = hf_rect_unite(bounds, other.stir.bounds);
        if (place->stir.changes < other.stir.changes)
            *place = other;
    }
    return bounds;
}

static void note_difference(HfSettleDetector *rest, HfRect found, gint64 now_us)
{
    Place place = {.stir = {.first_us = now_us}};
    HfRect bounds = take_places(rest, found, &place);
    if (!hf_rect_equal(bounds, place.stir.bounds)) {
        if (place.stir.changes > 0) /* whatever it turns out to be, this was no noise */
            hf_settle_detector_disturb(rest, now_us);
        restart_changing_area(&place, bounds, rest->before);
    }
    place.touched = TRUE;
    g_array_append_val(rest->places, place);
    if (rest->places->len > MOST_PLACES)
        drop_place(rest, 0);
}

/* ---- what they do ---- */

/* Whether it was known. */
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

static void remember_time(Place *place, gint64 now_us)
{
    memmove(place->times + 1, place->times, sizeof *place->times * (TIMES - 1));
    place->times[0] = now_us;
    place->steady = MIN(place->steady + 1, TIMES);
    place->stir.last_us = now_us;
    place->stir.changes++;
}

static gboolean is_caret(const Place *place)
{
    HfRect bounds = place->stir.bounds;
    return place->steady == TIMES && bounds.width <= CARET_WIDTH && bounds.height >= CARET_LOW &&
           bounds.height <= CARET_HIGH && bounds.height > bounds.width;
}

static gboolean is_ticking(const Place *place)
{
    gint64 last = place->times[0] - place->times[1], before = place->times[1] - place->times[2];
    gint64 most = MAX(last, before), least = MIN(last, before);
    return place->steady == TIMES && changing_area_size(place->stir.bounds) <= TICK_PIXELS &&
           least >= TICK_US && most - least <= most / TICK_PART + TICK_LATE_US;
}

static void classify_change(Place *place, GBytes *sheet, gint64 now_us)
{
    gboolean known = remember_area_hash(place, hf_picture_hash_of_area(sheet, place->stir.bounds));
    remember_time(place, now_us);
    place->returns = known ? place->returns + 1 : 0;
    place->stir.kind = place->returns >= RETURNS ? HF_CHANGING_AREA_BLINKS
                       : is_caret(place)         ? HF_CHANGING_AREA_CARET
                       : is_ticking(place)       ? HF_CHANGING_AREA_TICKS
                                                 : HF_CHANGING_AREA_CHANGES;
    place->touched = FALSE;
}

static void start_over(HfSettleDetector *rest, GBytes *sheet, gint64 now_us)
{
    g_array_set_size(rest->places, 0);
    g_clear_pointer(&rest->before, g_bytes_unref);
    rest->before = g_bytes_ref(sheet);
    hf_settle_detector_disturb(rest, now_us);
}

void hf_settle_detector_add_picture(HfSettleDetector *rest, GBytes *sheet, const GArray *ignore,
                                    gint64 now_us)
{
    g_auto(HfPictureHashChange) change = {0};
    if (!rest->before || !hf_picture_hash_compare(rest->before, sheet, ignore, &change)) {
        start_over(rest, sheet, now_us);
        return;
    }
    for (guint i = 0; i < change.rects->len; i++)
        note_difference(rest, g_array_index(change.rects, HfRect, i), now_us);
    for (guint i = 0; i < rest->places->len; i++)
        if (g_array_index(rest->places, Place, i).touched)
            classify_change(&g_array_index(rest->places, Place, i), sheet, now_us);
    g_clear_pointer(&rest->before, g_bytes_unref);
    rest->before = g_bytes_ref(sheet);
}

/* ---- what is told ---- */

gint64 hf_settle_detector_get_since(const HfSettleDetector *rest)
{
    gint64 since = rest->since_us;
    for (guint i = 0; i < rest->places->len; i++) {
        const HfChangingArea *stir = &g_array_index(rest->places, Place, i).stir;
        if (stir->kind == HF_CHANGING_AREA_CHANGES)
            since = MAX(since, stir->last_us);
    }
    return since;
}

GArray *hf_settle_detector_list_areas(const HfSettleDetector *rest, gboolean noise, gint64 since_us)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(HfChangingArea));
    for (guint i = 0; i < rest->places->len; i++) {
        HfChangingArea stir = g_array_index(rest->places, Place, i).stir;
        if ((stir.kind != HF_CHANGING_AREA_CHANGES) == noise && (noise || stir.last_us >= since_us))
            g_array_append_val(list, stir);
    }
    return list;
}
