/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of the last pictures behind a lock, and the arithmetic from a picture's pixels to the
 * screen's. It must never guess: a point whose place is not certain is refused. */
#include "hand/desktop/image-spaces.h"

#include <math.h>

#include "hand/desktop/desktop-limits.h"
#include "hand/desktop/screen.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

typedef struct Entry {
    char *id;
    HfImageSpace space;
    GBytes *hash; /* may be NULL */
} Entry;

typedef struct Snapshot {
    guint number; /* 0: none */
    char *image_id;
} Snapshot;

struct HfImageSpaces {
    GMutex lock;
    guint32 salt; /* tells our ids from those of an earlier hand on the same desktop */
    guint count;  /* of all pictures so far */
    Entry entries[HF_LIMIT_IMAGES_KEPT];
    Snapshot snapshots[HF_LIMIT_IMAGES_KEPT];
};

HfImageSpaces *hf_image_spaces_new(void)
{
    HfImageSpaces *images = g_new0(HfImageSpaces, 1);
    g_mutex_init(&images->lock);
    images->salt = g_random_int();
    return images;
}

void hf_image_spaces_free(HfImageSpaces *images)
{
    if (!images)
        return;
    for (guint i = 0; i < HF_LIMIT_IMAGES_KEPT; i++) {
        g_free(images->entries[i].id);
        g_clear_pointer(&images->entries[i].hash, g_bytes_unref);
        g_free(images->snapshots[i].image_id);
    }
    g_mutex_clear(&images->lock);
    g_free(images);
}

char *hf_image_spaces_add(HfDesktop *desktop, const HfImageSpace *space)
{
    HfImageSpaces *images = desktop->spaces;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    guint number = images->count++;
    Entry *entry = &images->entries[number % HF_LIMIT_IMAGES_KEPT];
    g_free(entry->id);
    g_clear_pointer(&entry->hash, g_bytes_unref);
    entry->id = g_strdup_printf("i_%08x%04x", images->salt, number);
    entry->space = *space;
    return g_strdup(entry->id);
}

/* With the lock held. */
static Entry *find_image_entry(HfImageSpaces *images, const char *image_id)
{
    for (guint i = 0; image_id && i < HF_LIMIT_IMAGES_KEPT; i++)
        if (g_strcmp0(images->entries[i].id, image_id) == 0)
            return &images->entries[i];
    return NULL;
}

gboolean hf_image_spaces_find(HfDesktop *desktop, const char *image_id, HfImageSpace *ret_space,
                              GError **error)
{
    HfImageSpaces *images = desktop->spaces;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    const Entry *entry = find_image_entry(images, image_id);
    if (!entry)
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                       "there is no picture '%s' (the last %u are kept)", image_id,
                       HF_LIMIT_IMAGES_KEPT);
    *ret_space = entry->space;
    return TRUE;
}

/* The entry of the picture that came `before` pictures ahead of the last one. */
static Entry *get_earlier_image(HfImageSpaces *images, guint before)
{
    return &images->entries[(images->count - 1 - before) % HF_LIMIT_IMAGES_KEPT];
}

/* Pictures of a still screen have the same hash, which is kept once. */
static GBytes *find_same_hash(HfImageSpaces *images, GBytes *hash)
{
    for (guint i = 0; i < MIN(images->count, HF_LIMIT_IMAGES_KEPT); i++) {
        GBytes *other = get_earlier_image(images, i)->hash;
        if (other && g_bytes_equal(other, hash))
            return other;
    }
    return NULL;
}

/* Keeps at most `max` bytes, those of the latest pictures. Equal hashes are mostly neighbours. */
static void forget_hashes(HfImageSpaces *images, gsize max)
{
    gsize total = 0;
    const GBytes *last = NULL;
    for (guint i = 0; i < MIN(images->count, HF_LIMIT_IMAGES_KEPT); i++) {
        Entry *entry = get_earlier_image(images, i);
        if (!entry->hash)
            continue;
        total += entry->hash == last ? 0 : g_bytes_get_size(entry->hash);
        last = entry->hash;
        if (i > 0 && total > max)
            g_clear_pointer(&entry->hash, g_bytes_unref);
    }
}

void hf_image_spaces_trim(HfImageSpaces *images)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    forget_hashes(images, HF_LIMIT_LOOKS_REST_BYTES);
}

void hf_image_spaces_set_hash(HfDesktop *desktop, const char *image_id, GBytes *hash)
{
    HfImageSpaces *images = desktop->spaces;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    Entry *entry = find_image_entry(images, image_id);
    if (!entry)
        return;
    GBytes *same = find_same_hash(images, hash), *before = entry->hash;
    entry->hash = g_bytes_ref(same ? same : hash);
    g_clear_pointer(&before, g_bytes_unref);
    forget_hashes(images, HF_LIMIT_LOOKS_BYTES);
}

GBytes *hf_image_spaces_dup_hash(HfDesktop *desktop, const char *image_id)
{
    HfImageSpaces *images = desktop->spaces;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    const Entry *entry = find_image_entry(images, image_id);
    return entry && entry->hash ? g_bytes_ref(entry->hash) : NULL;
}

void hf_image_spaces_set_serial(HfDesktop *desktop, const char *image_id, guint64 change_serial)
{
    HfImageSpaces *images = desktop->spaces;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    Entry *entry = find_image_entry(images, image_id);
    if (entry)
        entry->space.change_serial = change_serial;
}

void hf_image_spaces_note_snapshot(HfDesktop *desktop, guint snapshot, const char *image_id)
{
    HfImageSpaces *images = desktop->spaces;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    Snapshot *place = &images->snapshots[snapshot % HF_LIMIT_IMAGES_KEPT];
    g_free(place->image_id);
    *place = (Snapshot){snapshot, g_strdup(image_id)};
}

char *hf_image_spaces_dup_of_snapshot(HfDesktop *desktop, guint snapshot)
{
    HfImageSpaces *images = desktop->spaces;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&images->lock);
    const Snapshot *place = &images->snapshots[snapshot % HF_LIMIT_IMAGES_KEPT];
    return snapshot && place->number == snapshot ? g_strdup(place->image_id) : NULL;
}

static gboolean check_window_unmoved(HfDesktop *desktop, const HfImageSpace *space, GError **error)
{
    HfRect was = space->window_area, now;
    g_autoptr(GError) gone = NULL;
    if (hf_screen_get_window_area(desktop, space->window, &now, &gone)) {
        if (hf_rect_equal(now, was))
            return TRUE;
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                "the window in the picture was at %d,%d (%d x %d) and is now at %d,%d (%d x %d)",
                was.x, was.y, was.width, was.height, now.x, now.y, now.width, now.height);
        hf_error_take_details(
            error, json_pack("{s:o, s:o}", "was", hf_json_rect(was), "now", hf_json_rect(now)));
        return FALSE;
    }
    HfErrorCode code = hf_error_code(gone);
    if (code == HF_ERROR_WINDOW_NOT_FOUND || code == HF_ERROR_PRECONDITION_FAILED)
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                       "the window in the picture is no longer shown: %s", gone->message);
    g_propagate_error(error, g_steal_pointer(&gone));
    return FALSE;
}

/* Fails when the picture is out of date. */
static gboolean check_up_to_date(HfDesktop *desktop, const HfImageSpace *space, GError **error)
{
    HfSize now;
    if (!hf_screen_get_size(desktop, &now, error))
        return FALSE;
    if (now.width != space->screen.width || now.height != space->screen.height)
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                       "the screen was %d x %d when the picture was taken and is now %d x %d",
                       space->screen.width, space->screen.height, now.width, now.height);
    return !space->window || check_window_unmoved(desktop, space, error);
}

static gboolean fail_outside(const char *image_id, HfSize size, GError **error)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "outside of the picture '%s', which is %d x %d",
            image_id, size.width, size.height);
    hf_error_take_details(error,
                          json_pack("{s:i, s:i}", "width", size.width, "height", size.height));
    return FALSE;
}

gboolean hf_image_spaces_map_point(HfDesktop *desktop, const char *image_id, double x, double y,
                                   HfPoint *ret_point, GError **error)
{
    HfImageSpace space;
    if (!hf_image_spaces_find(desktop, image_id, &space, error))
        return FALSE;
    if (!(x >= 0 && y >= 0 && x < space.size.width && y < space.size.height)) {
        fail_outside(image_id, space.size, error);
        g_prefix_error(error, "the point %g, %g lies ", x, y);
        return FALSE;
    }
    if (!check_up_to_date(desktop, &space, error))
        return FALSE;
    /* A pixel stands for the area that it was scaled from; its centre is the target. */
    int right = (int)floor((x + 0.5) * space.area.width / space.size.width);
    int down = (int)floor((y + 0.5) * space.area.height / space.size.height);
    ret_point->x = space.area.x + MIN(right, space.area.width - 1);
    ret_point->y = space.area.y + MIN(down, space.area.height - 1);
    return TRUE;
}

/* One axis of an area: `low` to `high` on `image` pixels, scaled to `physical` pixels. */
static gboolean map_span(double low, double high, int image, int physical, int *ret_start,
                         int *ret_length)
{
    low = MAX(low, 0);
    high = MIN(high, image);
    if (!(low < high))
        return FALSE;
    int start = MIN((int)floor(low * physical / image + 1e-6), physical - 1);
    int end = MIN((int)ceil(high * physical / image - 1e-6), physical);
    *ret_start = start;
    *ret_length = MAX(end - start, 1);
    return TRUE;
}

gboolean hf_image_spaces_map_area(HfDesktop *desktop, const char *image_id, const double corners[4],
                                  HfRect *ret_area, GError **error)
{
    HfImageSpace space;
    if (!hf_image_spaces_find(desktop, image_id, &space, error))
        return FALSE;
    HfRect area;
    if (!map_span(corners[0], corners[2], space.size.width, space.area.width, &area.x,
                  &area.width) ||
        !map_span(corners[1], corners[3], space.size.height, space.area.height, &area.y,
                  &area.height)) {
        fail_outside(image_id, space.size, error);
        g_prefix_error(error, "the area from %g, %g to %g, %g is empty or lies ", corners[0],
                       corners[1], corners[2], corners[3]);
        return FALSE;
    }
    if (!check_up_to_date(desktop, &space, error))
        return FALSE;
    area.x += space.area.x;
    area.y += space.area.y;
    *ret_area = area;
    return TRUE;
}
