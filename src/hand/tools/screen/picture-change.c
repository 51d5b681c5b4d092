/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a capture with an earlier picture. A cropped picture stands for the whole area: the
 * caller has the rest from before. */
#include "hand/tools/screen/picture-change.h"

#include <math.h>

#include "hand/pixels/compare/picture-hash.h"
#include "hand/tools/resolve.h"
#include "shared/base/error.h"
#include "shared/image/rects.h"

/* Around a change, so that its surroundings can be recognised. */
#define MARGIN 32
/* A larger change is not cropped. */
#define CROP_MAX_PERCENT 60
/* Precision of changed_share: one pixel of a large screen must not round to 0. */
#define SHARE_STEPS 1e6

const HfParam hf_ignored_area = {
    .type = HF_TYPE_ARRAY, .items = &hf_coordinate, .min = 4, .max = 4, .also = &hf_area_form};
const char *const hf_crop_choices[] = {"none", "changed", NULL};
const HfParam hf_changed_rect = {.type = HF_TYPE_OBJECT, .fields = hf_rect_fields};

gboolean hf_picture_get_ignored(const HfCall *call, GArray **ret_areas, GError **error)
{
    const json_t *list = hf_call_json(call, "ignore"), *value;
    size_t index;
    *ret_areas = NULL;
    if (json_array_size(list) == 0)
        return TRUE;
    g_autoptr(GArray) areas = g_array_new(FALSE, FALSE, sizeof(HfRect));
    json_array_foreach (list, index, value) {
        g_autofree char *name = g_strdup_printf("ignore[%zu]", index);
        HfRect area;
        guint32 window;
        if (!hf_call_read_area(call, name, value, &area, &window, error))
            return FALSE;
        g_array_append_val(areas, area);
    }
    *ret_areas = g_steal_pointer(&areas);
    return TRUE;
}

void hf_picture_change_clear(HfPictureChange *change)
{
    g_clear_pointer(&change->hash, g_bytes_unref);
    g_clear_pointer(&change->rects, g_array_unref);
}

static GArray *dup_moved_rects(const GArray *rects, int right, int down)
{
    GArray *moved = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; rects && i < rects->len; i++) {
        HfRect rect = g_array_index(rects, HfRect, i);
        rect.x += right;
        rect.y += down;
        g_array_append_val(moved, rect);
    }
    return moved;
}

static gboolean is_same_area(const HfImageSpace *space, const HfPicture *picture)
{
    const HfCapture *capture = picture->capture;
    return hf_rect_equal(space->seen, capture->area) && space->cursor == picture->cursor &&
           space->window == (picture->window ? picture->window->id : 0) &&
           hf_rect_equal(space->window_area, capture->window_area) &&
           space->screen.width == capture->screen.width &&
           space->screen.height == capture->screen.height;
}

void hf_picture_compare(HfDesktop *desktop, const char *image_id, const HfPicture *picture,
                        const GArray *ignore, HfPictureChange *ret_change)
{
    HfRect area = picture->capture->area;
    HfImageSpace space;
    g_auto(HfPictureHashChange) found = {0};
    *ret_change = (HfPictureChange){0};
    if (!picture->capture->image)
        return;
    ret_change->hash = hf_picture_hash_new(picture->capture->image);
    g_autoptr(GBytes) before = image_id ? hf_image_spaces_dup_hash(desktop, image_id) : NULL;
    g_autoptr(GArray) holes = dup_moved_rects(ignore, -area.x, -area.y);
    if (!before || !hf_image_spaces_find(desktop, image_id, &space, NULL) ||
        !is_same_area(&space, picture) ||
        !hf_picture_hash_compare(before, ret_change->hash, holes, &found))
        return;
    ret_change->known = TRUE;
    ret_change->same = found.rects->len == 0 && !found.ignored;
    ret_change->rects = dup_moved_rects(found.rects, area.x, area.y);
    ret_change->share = found.share;
}

gboolean hf_picture_check_since(const HfCall *call, const char *since, GError **error)
{
    gboolean cropped = g_str_equal(hf_call_string(call, "crop"), "changed");
    if ((cropped || hf_call_has(call, "ignore")) && !hf_call_has(call, since))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "%s: only goes with %s, which names an earlier picture or snapshot",
                       cropped ? "crop" : "ignore", since);
    return TRUE;
}

gboolean hf_picture_is_unchanged(const HfCall *call, const char *image_id,
                                 const HfCaptureRequest *request, const HfPicture *picture,
                                 const HfPictureChange *change, HfImageSpace *ret_space)
{
    HfDesktop *desktop = hf_call_desktop(call);
    if (!change->known || change->rects->len > 0 ||
        !hf_image_spaces_find(desktop, image_id, ret_space, NULL) ||
        !hf_picture_is_same_view(call, request, ret_space))
        return FALSE;
    if (change->same)
        hf_image_spaces_set_serial(desktop, image_id, picture->capture->change_serial);
    return TRUE;
}

json_t *hf_picture_unchanged_to_json(const HfCall *call, const char *image_id,
                                     const HfImageSpace *space, const HfWindow *window)
{
    json_t *json = hf_picture_describe(image_id, space, window);
    json_object_set_new(json, "unchanged", json_true());
    json_object_set_new(json, "changed", json_array());
    json_object_set_new(json, "changed_share", json_real(0));
    hf_call_add_found(call, json);
    return json;
}

void hf_picture_report_change(const HfPictureChange *change, json_t *result)
{
    if (!change->known)
        return;
    json_t *list = json_array();
    for (guint i = 0; i < change->rects->len; i++)
        json_array_append_new(list, hf_json_rect(g_array_index(change->rects, HfRect, i)));
    json_object_set_new(result, "changed", list);
    json_object_set_new(result, "changed_share",
                        json_real(ceil(change->share * SHARE_STEPS) / SHARE_STEPS));
}

void hf_picture_crop_to_change(HfPicture *picture, const HfPictureChange *change)
{
    HfRect all = picture->capture->area;
    if (!change->known || change->rects->len == 0)
        return;
    HfRect part = hf_rects_bounds(change->rects, MARGIN, all);
    if ((gint64)part.width * part.height * 100 <= (gint64)all.width * all.height * CROP_MAX_PERCENT)
        hf_picture_crop(picture, part);
}
