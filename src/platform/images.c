/* The spaces of pictures given out: a ring of the last ones behind a lock, and the arithmetic
 * from a picture's pixels to the screen's. It must never guess: a point whose place cannot be
 * known for certain is refused. */
#include "platform/images.h"

#include <math.h>

#include "base/error.h"
#include "base/json.h"
#include "base/limits.h"
#include "platform/screen.h"

typedef struct Entry {
    char *id;
    HfImageSpace space;
} Entry;

struct HfImageSpaces {
    GMutex lock;
    guint32 salt; /* ids of an earlier hand on the same desktop must not be taken for ours */
    guint count;  /* of all pictures so far */
    Entry entries[HF_LIMIT_IMAGES_KEPT];
};

HfImageSpaces *hf_images_new(void)
{
    HfImageSpaces *images = g_new0(HfImageSpaces, 1);
    g_mutex_init(&images->lock);
    images->salt = g_random_int();
    return images;
}

void hf_images_free(HfImageSpaces *images)
{
    if (!images)
        return;
    for (guint i = 0; i < HF_LIMIT_IMAGES_KEPT; i++)
        g_free(images->entries[i].id);
    g_mutex_clear(&images->lock);
    g_free(images);
}

char *hf_images_add(HfDesktop *desktop, const HfImageSpace *space)
{
    HfImageSpaces *images = desktop->spaces;
    g_mutex_lock(&images->lock);
    guint number = images->count++;
    Entry *entry = &images->entries[number % HF_LIMIT_IMAGES_KEPT];
    g_free(entry->id);
    entry->id = g_strdup_printf("i_%08x%04x", images->salt, number);
    entry->space = *space;
    char *id = g_strdup(entry->id);
    g_mutex_unlock(&images->lock);
    return id;
}

gboolean hf_images_find(HfDesktop *desktop, const char *image_id, HfImageSpace *ret_space,
                        GError **error)
{
    HfImageSpaces *images = desktop->spaces;
    gboolean found = FALSE;
    g_mutex_lock(&images->lock);
    for (guint i = 0; i < HF_LIMIT_IMAGES_KEPT && !found; i++) {
        found = g_strcmp0(images->entries[i].id, image_id) == 0;
        if (found)
            *ret_space = images->entries[i].space;
    }
    g_mutex_unlock(&images->lock);
    if (found)
        return TRUE;
    return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                   "there is no picture '%s' (the last %u are kept)", image_id,
                   HF_LIMIT_IMAGES_KEPT);
}

static gboolean check_window(HfDesktop *desktop, const HfImageSpace *space, GError **error)
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

/* Does the picture still say where things are? */
static gboolean check_geometry(HfDesktop *desktop, const HfImageSpace *space, GError **error)
{
    HfSize now;
    if (!hf_screen_get_size(desktop, &now, error))
        return FALSE;
    if (now.width != space->screen.width || now.height != space->screen.height)
        return hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                       "the screen was %d x %d when the picture was taken and is now %d x %d",
                       space->screen.width, space->screen.height, now.width, now.height);
    return !space->window || check_window(desktop, space, error);
}

static gboolean fail_outside(const char *image_id, HfSize size, GError **error)
{
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "outside of the picture '%s', which is %d x %d",
            image_id, size.width, size.height);
    hf_error_take_details(error,
                          json_pack("{s:i, s:i}", "width", size.width, "height", size.height));
    return FALSE;
}

gboolean hf_images_map_point(HfDesktop *desktop, const char *image_id, double x, double y,
                             HfPoint *ret_point, GError **error)
{
    HfImageSpace space;
    if (!hf_images_find(desktop, image_id, &space, error))
        return FALSE;
    if (!(x >= 0 && y >= 0 && x < space.size.width && y < space.size.height)) {
        fail_outside(image_id, space.size, error);
        g_prefix_error(error, "the point %g, %g lies ", x, y);
        return FALSE;
    }
    if (!check_geometry(desktop, &space, error))
        return FALSE;
    /* A pixel stands for the area that it was made from; its middle is what was meant. */
    int right = (int)floor((x + 0.5) * space.area.width / space.size.width);
    int down = (int)floor((y + 0.5) * space.area.height / space.size.height);
    ret_point->x = space.area.x + MIN(right, space.area.width - 1);
    ret_point->y = space.area.y + MIN(down, space.area.height - 1);
    return TRUE;
}

/* One axis of an area: from `low` up to `high` of `image` pixels, on `physical` pixels. */
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

gboolean hf_images_map_area(HfDesktop *desktop, const char *image_id, const double corners[4],
                            HfRect *ret_area, GError **error)
{
    HfImageSpace space;
    if (!hf_images_find(desktop, image_id, &space, error))
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
    if (!check_geometry(desktop, &space, error))
        return FALSE;
    area.x += space.area.x;
    area.y += space.area.y;
    *ret_area = area;
    return TRUE;
}
