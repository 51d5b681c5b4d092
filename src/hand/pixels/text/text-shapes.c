/* SPDX-License-Identifier: Apache-2.0 */
/* Faint columns count as ground, so that letters whose smoothed edges touch are still apart; and
 * shades are compared in few steps, so that a rounding makes no other shape. */
#include "hand/pixels/text/text-shapes.h"

#include "shared/base/hash.h"

/* What counts as ink, of 255. */
#define INK 160
/* Eight shades. */
#define SHADE_SHIFT 5
/* Up to this share of the middling height, in percent, how high it stands tells what it is. */
#define LOW_PERCENT 60

static guint8 get_line_pixel(const HfTextLine *line, int x, int y)
{
    return line->grey[(gsize)y * (gsize)line->width + (gsize)x];
}

static gboolean column_has_ink(const HfTextLine *line, int x)
{
    for (int y = 0; y < line->height; y++)
        if (get_line_pixel(line, x, y) < INK)
            return TRUE;
    return FALSE;
}

static gboolean row_has_ink(const HfTextLine *line, int y, int left, int right)
{
    for (int x = left; x < right; x++)
        if (get_line_pixel(line, x, y) < INK)
            return TRUE;
    return FALSE;
}

static HfTextShape shape_between(const HfTextLine *line, int left, int right)
{
    HfTextShape shape = {left, 0, right, line->height};
    while (!row_has_ink(line, shape.top, left, right))
        shape.top++;
    while (!row_has_ink(line, shape.bottom - 1, left, right))
        shape.bottom--;
    return shape;
}

static void cut_line_into_shapes(HfTextShapes *shapes)
{
    const HfTextLine *line = shapes->line;
    for (int x = 0; x < line->width;) {
        int end = x;
        while (end < line->width && column_has_ink(line, end))
            end++;
        if (end > x) {
            HfTextShape shape = shape_between(line, x, end);
            g_array_append_val(shapes->list, shape);
        }
        x = MAX(end, x + 1);
    }
}

static int height_of(const HfTextShape *shape)
{
    return shape->bottom - shape->top;
}

/* The number up to `most` that was counted most often; the larger of two that were as often. */
static int find_commonest_count(const int *counts, int most)
{
    int best = 0;
    for (int i = 0; i <= most; i++)
        if (counts[i] >= counts[best])
            best = i;
    return best;
}

static void find_base(HfTextShapes *shapes)
{
    g_autofree int *bottoms = g_new0(int, shapes->line->height + 1);
    for (guint i = 0; i < shapes->list->len; i++)
        bottoms[hf_text_shape(shapes, i)->bottom]++;
    shapes->base = find_commonest_count(bottoms, shapes->line->height);
}

static int compare_ints(gconstpointer a, gconstpointer b)
{
    return *(const int *)a - *(const int *)b;
}

static void find_middling(HfTextShapes *shapes)
{
    g_autoptr(GArray) heights = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < shapes->list->len; i++) {
        int height = height_of(hf_text_shape(shapes, i));
        g_array_append_val(heights, height);
    }
    g_array_sort(heights, compare_ints);
    shapes->middling = heights->len > 0 ? g_array_index(heights, int, heights->len / 2) : 0;
}

void hf_text_shapes_find(HfTextShapes *shapes, const HfTextLine *line)
{
    *shapes = (HfTextShapes){line, g_array_new(FALSE, FALSE, sizeof(HfTextShape))};
    cut_line_into_shapes(shapes);
    find_base(shapes);
    find_middling(shapes);
}

void hf_text_shapes_clear(HfTextShapes *shapes)
{
    g_clear_pointer(&shapes->list, g_array_unref);
}

HfRect hf_text_shapes_box(const HfTextShapes *shapes, guint first, guint end)
{
    const HfTextShape *shape = hf_text_shape(shapes, first);
    int left = shape->left, top = shape->top, right = shape->right, bottom = shape->bottom;
    for (guint i = first + 1; i < end; i++) {
        shape = hf_text_shape(shapes, i);
        top = MIN(top, shape->top);
        right = MAX(right, shape->right);
        bottom = MAX(bottom, shape->bottom);
    }
    return (HfRect){left, top, right - left, bottom - top};
}

guint64 hf_text_shapes_hash(const HfTextShapes *shapes, guint first, guint end, guint64 seed)
{
    const HfTextLine *line = shapes->line;
    HfRect box = hf_text_shapes_box(shapes, first, end);
    gboolean low = box.height * 100 <= shapes->middling * LOW_PERCENT;
    guint64 hash = hf_hash_mix(seed, (guint64)box.width << 32 | (guint64)box.height), packed = 0;
    int count = 0;
    if (low)
        hash = hf_hash_mix(hash, (guint64)(guint)(shapes->base - box.y));
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++) {
            packed = packed << 3 | get_line_pixel(line, x, y) >> SHADE_SHIFT;
            if (++count % 21 == 0)
                hash = hf_hash_mix(hash, packed);
        }
    return hf_hash_mix(hash, packed);
}
