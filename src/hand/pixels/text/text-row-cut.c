/* SPDX-License-Identifier: Apache-2.0 */
/* A box makes its row higher than its text is: what is left of the row is measured again. */
#include "hand/pixels/text/text-row-cut.h"

#include "hand/pixels/shapes/flat-areas.h"

/* A rest that is less wide is no text, and the space around a box that is not looked at. */
#define REST_LEAST 5
#define SPACE      2
/* The border of a frame, which is no text. */
#define BORDER 3
/* A sign before a text is no smaller, and no nearer to it. */
#define SIGN_LEAST 12
#define SIGN_GAP   8

static gboolean is_tick(const HfShape *shape)
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

/* Whether a column looks like the one to its left. */
static gboolean is_like_left(const HfImage *image, int x, int top, int bottom)
{
    for (int y = top; y < bottom; y++)
        if (!hf_colours_alike(hf_image_row(image, y)[x], hf_image_row(image, y)[x - 1]))
            return FALSE;
    return TRUE;
}

/* Empty where there is none. */
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

/* How many there are in a row: letters that stand apart look like signs, too. */
static guint count_signs(const GArray *shapes, HfRect row)
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

static void add_rest(GArray *rests, const HfImage *image, HfRect row, int left, int right)
{
    if (right - left < REST_LEAST)
        return;
    HfRect rest = close_around_ink(image, (HfRect){left, row.y, right - left, row.height});
    if (rest.width >= REST_LEAST && rest.height >= REST_LEAST)
        g_array_append_val(rests, rest);
}

/* A star or an avatar at the beginning of a row becomes a row of its own: it may be a letter after
 * all. FALSE: it is none, or too near to what follows. */
static gboolean cut_sign(GArray *rests, const HfImage *image, HfRect row, const HfShape *shape)
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
    add_rest(rests, image, row, row.x, right + SPACE);
    add_rest(rests, image, row, right + SPACE, end);
    return TRUE;
}

/* Whether the same even ground is on both sides of a box. */
static gboolean is_set_apart(const HfImage *image, HfRect box)
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

/* Whether there is room around what is on it: a drawing reaches to its own edges. */
static gboolean has_margin(const HfImage *image, HfRect box)
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

/* A button in a row of text: what is on it is read by itself, and so is what is beside it. */
static gboolean cut_frame(GArray *rests, const HfImage *image, HfRect row, const HfShape *shape)
{
    HfRect box = shape->box;
    int right = box.x + box.width, end = row.x + row.width;
    if ((shape->kind != HF_SHAPE_BUTTON && shape->kind != HF_SHAPE_FRAME) ||
        (row.x >= box.x - BORDER && end <= right + BORDER) || box.y > row.y + row.height / 3 ||
        box.y + box.height < row.y + row.height * 2 / 3 || !is_set_apart(image, box) ||
        !has_margin(image, box))
        return FALSE;
    HfRect inside = {box.x + BORDER, MAX(row.y, box.y + BORDER), box.width - 2 * BORDER, 0};
    inside.height = MIN(row.y + row.height, box.y + box.height - BORDER) - inside.y;
    add_rest(rests, image, row, row.x, box.x - SPACE);
    add_rest(rests, image, inside, MAX(row.x, inside.x), MIN(end, inside.x + inside.width));
    add_rest(rests, image, row, right + SPACE, end);
    return TRUE;
}

/* FALSE: nothing is in the way. */
static gboolean cut_tick_from_row(GArray *rests, const HfImage *image, HfRect row,
                                  const HfShape *shape)
{
    HfRect common = hf_rect_intersect(row, shape->box);
    if (!is_tick(shape) || common.width * 2 < shape->box.width ||
        common.height * 2 < MIN(row.height, shape->box.height))
        return FALSE;
    add_rest(rests, image, row, row.x, shape->box.x - SPACE);
    add_rest(rests, image, row, shape->box.x + shape->box.width + SPACE, row.x + row.width);
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
            if (apart || (!cut_tick_from_row(rests, image, row, shape) &&
                          !cut_frame(rests, image, row, shape) &&
                          (!is_square_icon(shape) || count_signs(shapes, row) != 1 ||
                           !cut_sign(rests, image, row, shape)))) {
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
