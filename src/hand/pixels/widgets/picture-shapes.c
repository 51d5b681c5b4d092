/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of text are cut where check boxes and buttons stand in them. A box makes its row higher than
 * the text is, so the rest of the row is measured again.
 *
 * The cache holds the last few pictures by their hash, for windows that are looked at in turn. */
#include "hand/pixels/widgets/picture-shapes.h"

#include "hand/pixels/compare/tile-changes.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/shapes/shapes.h"
#include "hand/pixels/text/text-rows.h"

/* A narrower rest of a row is not text. */
#define REST_LEAST 5
/* Pixels around a box that are ignored. */
#define SPACE 2
/* The border of a frame, which is not text. */
#define BORDER 3
/* An icon before a text has at least this size, and this gap to it. */
#define SIGN_LEAST 12
#define SIGN_GAP   8

static gboolean is_choice_control(const HfShape *shape)
{
    return shape->kind == HF_SHAPE_BOX || shape->kind == HF_SHAPE_CIRCLE ||
           shape->kind == HF_SHAPE_SWITCH || shape->kind == HF_SHAPE_SLIDER;
}

static gboolean row_span_has_ink(const HfImage *image, int y, int left, int right)
{
    const guint32 *row = hf_image_row(image, y);
    for (int x = left + 1; x < right; x++)
        if (!hf_colours_alike(row[x], row[x - 1]))
            return TRUE;
    return FALSE;
}

/* Whether a column looks like the one on its left. */
static gboolean is_like_left(const HfImage *image, int x, int top, int bottom)
{
    for (int y = top; y < bottom; y++)
        if (!hf_colours_alike(hf_image_row(image, y)[x], hf_image_row(image, y)[x - 1]))
            return FALSE;
    return TRUE;
}

/* Empty: there is none. */
static HfRect close_around_ink(const HfImage *image, HfRect box)
{
    int top = box.y, bottom = box.y + box.height, left = box.x, right = box.x + box.width;
    while (top < bottom && !row_span_has_ink(image, top, left, right))
        top++;
    while (bottom > top && !row_span_has_ink(image, bottom - 1, left, right))
        bottom--;
    while (left + 1 < right && is_like_left(image, left + 1, top, bottom))
        left++;
    while (right - 1 > left && is_like_left(image, right - 1, top, bottom))
        right--;
    return (HfRect){left, top, right - left, bottom - top};
}

static gboolean is_square_icon(const HfShape *shape)
{
    int width = shape->box.width, height = shape->box.height;
    return shape->kind == HF_SHAPE_ICON && MIN(width, height) >= SIGN_LEAST &&
           width * 10 <= height * 14 && height * 10 <= width * 14;
}

/* Letters that stand apart look like icons too, so several in a row are not icons. */
static guint count_square_icons(const GArray *shapes, HfRect row)
{
    guint count = 0;
    for (guint i = 0; i < shapes->len; i++) {
        const HfShape *shape = &g_array_index(shapes, HfShape, i);
        HfRect common = hf_rect_intersect(row, shape->box);
        count += is_square_icon(shape) && common.width * 2 > shape->box.width &&
                 common.height * 2 > shape->box.height;
    }
    return count;
}

static void add_rest_of_row(GArray *rests, const HfImage *image, HfRect row, int left, int right)
{
    if (right - left < REST_LEAST)
        return;
    HfRect rest = close_around_ink(image, (HfRect){left, row.y, right - left, row.height});
    if (rest.width >= REST_LEAST && rest.height >= REST_LEAST)
        g_array_append_val(rests, rest);
}

/* A star or an avatar at the beginning of a row becomes a separate row: it may be a letter after
 * all. FALSE: it is none, or too near to the text. */
static gboolean cut_icon_from_row(GArray *rests, const HfImage *image, HfRect row,
                                  const HfShape *shape)
{
    int right = shape->box.x + shape->box.width, end = row.x + row.width;
    HfRect common = hf_rect_intersect(row, shape->box);
    if (!is_square_icon(shape) || shape->box.x > row.x + SPACE ||
        common.width * 2 < shape->box.width || common.height * 2 < shape->box.height ||
        end - right - SPACE < SIGN_GAP + REST_LEAST)
        return FALSE;
    HfRect gap = {right + SPACE, row.y, SIGN_GAP - SPACE, row.height};
    for (int y = gap.y; y < gap.y + gap.height; y++)
        if (row_span_has_ink(image, y, gap.x, gap.x + gap.width))
            return FALSE;
    add_rest_of_row(rests, image, row, row.x, right + SPACE);
    add_rest_of_row(rests, image, row, right + SPACE, end);
    return TRUE;
}

/* Whether the same flat background is on both sides of a box. */
static gboolean has_background_beside(const HfImage *image, HfRect box)
{
    int left = box.x - BORDER, right = box.x + box.width + BORDER - 1;
    if (left < 1 || right >= image->width || box.y < 0 || box.y + box.height > image->height)
        return FALSE;
    guint32 ground = hf_image_row(image, box.y)[left];
    for (int y = box.y; y < box.y + box.height; y++)
        if (!hf_colours_alike(hf_image_row(image, y)[left], ground) ||
            !hf_colours_alike(hf_image_row(image, y)[right], ground))
            return FALSE;
    return TRUE;
}

/* Whether it has a margin inside: a drawing reaches its edges. */
static gboolean has_margin_inside(const HfImage *image, HfRect box)
{
    int left = box.x + BORDER, right = box.x + box.width - BORDER - 1;
    int top = box.y + BORDER, bottom = box.y + box.height - BORDER - 1;
    guint32 ground = hf_image_row(image, top)[(left + right) / 2];
    for (int x = left + 1; x < right; x++)
        if (!hf_colours_alike(hf_image_row(image, top)[x], ground) ||
            !hf_colours_alike(hf_image_row(image, bottom)[x], ground))
            return FALSE;
    for (int y = top + 1; y < bottom; y++)
        if (!hf_colours_alike(hf_image_row(image, y)[left], ground) ||
            !hf_colours_alike(hf_image_row(image, y)[right], ground))
            return FALSE;
    return TRUE;
}

/* A button in a row of text: its text and the text beside it are read separately. */
static gboolean cut_frame_from_row(GArray *rests, const HfImage *image, HfRect row,
                                   const HfShape *shape)
{
    HfRect box = shape->box;
    int right = box.x + box.width, end = row.x + row.width;
    if ((shape->kind != HF_SHAPE_BUTTON && shape->kind != HF_SHAPE_FRAME) ||
        (row.x >= box.x - BORDER && end <= right + BORDER) || box.y > row.y + row.height / 3 ||
        box.y + box.height < row.y + row.height * 2 / 3 || !has_background_beside(image, box) ||
        !has_margin_inside(image, box))
        return FALSE;
    HfRect inside = {box.x + BORDER, MAX(row.y, box.y + BORDER), box.width - 2 * BORDER, 0};
    inside.height = MIN(row.y + row.height, box.y + box.height - BORDER) - inside.y;
    add_rest_of_row(rests, image, row, row.x, box.x - SPACE);
    add_rest_of_row(rests, image, inside, MAX(row.x, inside.x), MIN(end, inside.x + inside.width));
    add_rest_of_row(rests, image, row, right + SPACE, end);
    return TRUE;
}

/* FALSE: nothing is in the way. */
static gboolean cut_control_from_row(GArray *rests, const HfImage *image, HfRect row,
                                     const HfShape *shape)
{
    HfRect common = hf_rect_intersect(row, shape->box);
    if (!is_choice_control(shape) || common.width * 2 < shape->box.width ||
        common.height * 2 < MIN(row.height, shape->box.height))
        return FALSE;
    add_rest_of_row(rests, image, row, row.x, shape->box.x - SPACE);
    add_rest_of_row(rests, image, row, shape->box.x + shape->box.width + SPACE, row.x + row.width);
    return TRUE;
}

void hf_text_rows_cut_shapes(GArray *rows, const GArray *shapes, const HfImage *image)
{
    for (guint i = 0; i < shapes->len; i++) {
        g_autoptr(GArray) rests = g_array_new(FALSE, FALSE, sizeof(HfRect));
        for (guint k = 0; k < rows->len;) {
            HfRect row = g_array_index(rows, HfRect, k);
            const HfShape *shape = &g_array_index(shapes, HfShape, i);
            gboolean apart = hf_rect_is_empty(hf_rect_intersect(row, shape->box));
            if (apart || (!cut_control_from_row(rests, image, row, shape) &&
                          !cut_frame_from_row(rests, image, row, shape) &&
                          (!is_square_icon(shape) || count_square_icons(shapes, row) != 1 ||
                           !cut_icon_from_row(rests, image, row, shape)))) {
                k++;
                continue;
            }
            g_array_remove_index(rows, k);
            g_array_insert_vals(rows, k, rests->data, rests->len);
            k += rests->len;
            g_array_set_size(rests, 0);
        }
    }
}

/* ---- cache ---- */

static GMutex lock; /* guards what follows */
static HfPictureShapes *recents[HF_LIMIT_PICTURE_SHAPES];
static guint next_recent;

static HfPictureShapes *picture_shapes_ref(HfPictureShapes *detection)
{
    g_atomic_ref_count_inc(&detection->references);
    return detection;
}

void hf_picture_shapes_unref(HfPictureShapes *detection)
{
    if (!detection || !g_atomic_ref_count_dec(&detection->references))
        return;
    g_array_unref(detection->rows);
    g_array_unref(detection->shapes);
    g_free(detection);
}

static HfPictureShapes *find_cached_shapes(guint64 hash, HfSize size)
{
    HfPictureShapes *found = NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    for (guint i = 0; i < HF_LIMIT_PICTURE_SHAPES && !found; i++)
        if (recents[i] && recents[i]->hash == hash && recents[i]->size.width == size.width &&
            recents[i]->size.height == size.height)
            found = picture_shapes_ref(recents[i]);
    return found;
}

static void cache_picture_shapes(HfPictureShapes *detection)
{
    g_mutex_lock(&lock);
    HfPictureShapes **place = &recents[next_recent++ % HF_LIMIT_PICTURE_SHAPES];
    HfPictureShapes *old = *place;
    *place = picture_shapes_ref(detection);
    g_mutex_unlock(&lock);
    hf_picture_shapes_unref(old);
}

HfPictureShapes *hf_picture_shapes_new(const HfImage *image)
{
    HfSize size = {image->width, image->height};
    guint64 hash = hf_image_hash(image);
    HfPictureShapes *detection = find_cached_shapes(hash, size);
    if (detection)
        return detection;
    g_auto(HfTextRows) rows = {0};
    hf_text_rows_find(&rows, image);
    detection = g_new0(HfPictureShapes, 1);
    g_atomic_ref_count_init(&detection->references);
    detection->size = size;
    detection->hash = hash;
    detection->cut = rows.truncated;
    detection->rows = g_steal_pointer(&rows.boxes);
    detection->shapes = hf_shapes_find(image);
    hf_text_rows_cut_shapes(detection->rows, detection->shapes, image);
    cache_picture_shapes(detection);
    return detection;
}

void hf_picture_shapes_clear_cache(void)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    for (guint i = 0; i < HF_LIMIT_PICTURE_SHAPES; i++)
        g_clear_pointer(&recents[i], hf_picture_shapes_unref);
}
