/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet has a hash for each tile, which says whether it has changed, and a short one for each row
 * and column of a tile, which say where: what has changed lies in the rows and columns that differ.
 * So the bounds of a change are exact to the pixel without keeping pixels. */
#include "hand/pixels/compare/picture-hash.h"

#include <string.h>

#include "hand/pixels/compare/tile-hash.h"
#include "shared/base/parallel.h"
#include "shared/image/rects.h"

#define TILE         HF_PICTURE_HASH_TILE
#define MOST_THREADS 4
/* From this share of the tiles on, all has changed. */
#define MOST_PERCENT 70
/* Changes with no more than this between them are one. */
#define GAP 16
/* Above each other they are, when that covers little more than they do. */
#define SLACK_PIXELS  2048
#define SLACK_PERCENT 25
/* So many can be joined at once without taking long. */
#define MOST_TO_JOIN 64

typedef struct Tile {
    guint64 hash;
    guint16 rows[TILE], columns[TILE];
} Tile;

typedef struct Sheet {
    int width, height;
    int columns, rows; /* of tiles */
    Tile tiles[];
} Sheet;

/* ---- making one ---- */

#define PRIME G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)

static void fill_tile(const HfTileHash *hash, Tile *tile)
{
    guint64 all = PRIME;
    for (int i = 0; i < TILE; i++) {
        all = (all ^ ((guint64)hash->rows[i] << 32 | hash->columns[i])) * PRIME;
        all ^= all >> 29;
        tile->rows[i] = (guint16)(hash->rows[i] >> 16);
        tile->columns[i] = (guint16)(hash->columns[i] >> 16);
    }
    tile->hash = all;
}

typedef struct Work {
    const HfImage *image;
    Sheet *sheet;
} Work;

static void fill_row(gpointer data, int row)
{
    const Work *work = data;
    const HfImage *image = work->image;
    int top = row * TILE, height = MIN(TILE, image->height - top);
    for (int column = 0; column < work->sheet->columns; column++) {
        int left = column * TILE;
        HfTileHash hash;
        hf_tile_hash((const guint8 *)(hf_image_row(image, top) + left), (gsize)image->stride,
                     MIN(TILE, image->width - left), height, &hash);
        fill_tile(&hash, &work->sheet->tiles[row * work->sheet->columns + column]);
    }
}

GBytes *hf_picture_hash_new(const HfImage *image)
{
    int columns = (image->width + TILE - 1) / TILE, rows = (image->height + TILE - 1) / TILE;
    gsize size = sizeof(Sheet) + sizeof(Tile) * (gsize)columns * (gsize)rows;
    Sheet *sheet = g_malloc(size);
    sheet->width = image->width;
    sheet->height = image->height;
    sheet->columns = columns;
    sheet->rows = rows;
    Work work = {image, sheet};
    hf_parallel_for(MOST_THREADS, rows, fill_row, &work);
    return g_bytes_new_take(sheet, size);
}

/* ---- comparing two ---- */

static gint64 changed_rect_area(HfRect rect)
{
    return (gint64)rect.width * rect.height;
}

/* From the first to the last that differ; all of them when none does, since the hash does. */
static void find_span(const guint16 *was, const guint16 *is, int count, int *ret_first,
                      int *ret_length)
{
    int first = 0, last = count - 1;
    while (first < count && was[first] == is[first])
        first++;
    while (last > first && was[last] == is[last])
        last--;
    *ret_first = first == count ? 0 : first;
    *ret_length = first == count ? count : last - first + 1;
}

/* The bounds of what differs in a tile. */
static HfRect find_difference(const Sheet *was, const Sheet *is, int index)
{
    const Tile *before = &was->tiles[index], *now = &is->tiles[index];
    HfRect tile = {index % is->columns * TILE, index / is->columns * TILE, 0, 0}, found;
    find_span(before->columns, now->columns, MIN(TILE, is->width - tile.x), &found.x, &found.width);
    find_span(before->rows, now->rows, MIN(TILE, is->height - tile.y), &found.y, &found.height);
    found.x += tile.x;
    found.y += tile.y;
    return found;
}

/* What is left of it; empty: nothing that counts. */
static HfRect without_ignored(HfRect found, const GArray *ignore)
{
    g_autoptr(GArray) left = NULL;
    for (guint i = 0; ignore && i < ignore->len; i++) {
        HfRect hole = g_array_index(ignore, HfRect, i);
        if (hf_rect_is_empty(hf_rect_intersect(found, hole)))
            continue;
        if (!left) {
            left = g_array_new(FALSE, FALSE, sizeof(HfRect));
            g_array_append_val(left, found);
        }
        hf_rects_subtract(left, hole);
    }
    return left ? hf_rects_bounds(left, 0, found) : found;
}

/* A difference in a row of tiles belongs to the one left of it when they are close. */
static void add_right(GArray *row, HfRect found)
{
    HfRect *last = row->len > 0 ? &g_array_index(row, HfRect, row->len - 1) : NULL;
    if (last && found.x - (last->x + last->width) <= GAP)
        *last = hf_rect_unite(*last, found);
    else
        g_array_append_val(row, found);
}

static gboolean belongs_to(HfRect above, HfRect below)
{
    HfRect both = hf_rect_unite(above, below);
    gint64 more = changed_rect_area(both) - changed_rect_area(above) - changed_rect_area(below);
    return below.y - (above.y + above.height) <= GAP && below.x <= above.x + above.width + GAP &&
           above.x <= below.x + below.width + GAP &&
           more <= MAX(SLACK_PIXELS, changed_rect_area(both) * SLACK_PERCENT / 100);
}

static void join_with_rects_above(GArray *rects, const GArray *row)
{
    guint above = rects->len;
    for (guint i = 0; i < row->len; i++) {
        HfRect found = g_array_index(row, HfRect, i);
        guint j = above;
        while (j > 0 && !belongs_to(g_array_index(rects, HfRect, j - 1), found))
            j--;
        if (j > 0)
            g_array_index(rects, HfRect, j - 1) =
                hf_rect_unite(g_array_index(rects, HfRect, j - 1), found);
        else
            g_array_append_val(rects, found);
    }
}

/* Neighbours in the list, two by two: they lie side by side. */
static void merge_rect_pairs(GArray *rects)
{
    guint count = (rects->len + 1) / 2;
    for (guint i = 0; i < count; i++) {
        HfRect rect = g_array_index(rects, HfRect, 2 * i);
        if (2 * i + 1 < rects->len)
            rect = hf_rect_unite(rect, g_array_index(rects, HfRect, 2 * i + 1));
        g_array_index(rects, HfRect, i) = rect;
    }
    g_array_set_size(rects, count);
}

typedef struct Sum {
    int tiles;
    gint64 pixels;
} Sum;

static Sum compare_row(const Sheet *was, const Sheet *is, int row, const GArray *ignore,
                       HfPictureHashChange *change)
{
    Sum sum = {0};
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (int index = row * is->columns; index < (row + 1) * is->columns; index++) {
        if (was->tiles[index].hash == is->tiles[index].hash)
            continue;
        HfRect rect = without_ignored(find_difference(was, is, index), ignore);
        if (hf_rect_is_empty(rect)) {
            change->ignored = TRUE;
            continue;
        }
        sum.tiles++;
        sum.pixels += changed_rect_area(rect);
        add_right(found, rect);
    }
    join_with_rects_above(change->rects, found);
    return sum;
}

void hf_picture_hash_change_clear(HfPictureHashChange *change)
{
    g_clear_pointer(&change->rects, g_array_unref);
}

gboolean hf_picture_hash_compare(GBytes *before, GBytes *now, const GArray *ignore,
                                 HfPictureHashChange *ret_change)
{
    const Sheet *was = g_bytes_get_data(before, NULL), *is = g_bytes_get_data(now, NULL);
    if (was->width != is->width || was->height != is->height)
        return FALSE;
    HfRect all = {0, 0, is->width, is->height};
    Sum sum = {0};
    *ret_change = (HfPictureHashChange){.rects = g_array_new(FALSE, FALSE, sizeof(HfRect))};
    for (int row = 0; row < is->rows; row++) {
        Sum more = compare_row(was, is, row, ignore, ret_change);
        sum.tiles += more.tiles;
        sum.pixels += more.pixels;
    }
    ret_change->share = (double)sum.pixels / (double)changed_rect_area(all);
    if (sum.tiles * 100 > is->columns * is->rows * MOST_PERCENT && !ret_change->ignored) {
        g_array_set_size(ret_change->rects, 0);
        g_array_append_val(ret_change->rects, all);
    }
    while (ret_change->rects->len > MOST_TO_JOIN)
        merge_rect_pairs(ret_change->rects);
    hf_rects_join(ret_change->rects, HF_PICTURE_HASH_RECTS);
    return TRUE;
}

guint64 hf_picture_hash_of_area(GBytes *bytes, HfRect area)
{
    const Sheet *sheet = g_bytes_get_data(bytes, NULL);
    HfRect part = hf_rect_intersect(area, (HfRect){0, 0, sheet->width, sheet->height});
    guint64 all = PRIME;
    if (hf_rect_is_empty(part))
        return all;
    for (int row = part.y / TILE; row <= (part.y + part.height - 1) / TILE; row++)
        for (int column = part.x / TILE; column <= (part.x + part.width - 1) / TILE; column++) {
            all = (all ^ sheet->tiles[row * sheet->columns + column].hash) * PRIME;
            all ^= all >> 29;
        }
    return all;
}
