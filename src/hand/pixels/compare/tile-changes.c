/* SPDX-License-Identifier: Apache-2.0 */
/* Changed tiles side by side become one part, and so do such rows of the same extent below each
 * other: a scrolled window is one part and not two hundred. */
#include "hand/pixels/compare/tile-changes.h"

#include <string.h>

#include "shared/base/hash.h"

/* From this share of changed tiles on, in percent, one whole picture is cheaper. */
#define MOST_PERCENT 70

struct HfTiles {
    HfSize size; /* of the picture before; 0 x 0: none */
    int columns, rows;
    guint64 *hashes;
    gboolean *changed;
};

HfTiles *hf_tiles_new(void)
{
    return g_new0(HfTiles, 1);
}

void hf_tiles_free(HfTiles *tiles)
{
    if (!tiles)
        return;
    g_free(tiles->hashes);
    g_free(tiles->changed);
    g_free(tiles);
}

void hf_tiles_forget(HfTiles *tiles)
{
    tiles->size = (HfSize){0, 0};
}

/* Two pixels without their undefined byte. */
static guint64 two_pixels(const guint8 *at)
{
    guint64 value;
    memcpy(&value, at, sizeof value);
    return GUINT64_FROM_LE(value) & G_GUINT64_CONSTANT(0x00ffffff00ffffff);
}

/* Four lanes, so that the processor need not wait for each product. */
static void hash_pixel_row(const guint8 *row, int pixels, guint64 lanes[4])
{
    int x = 0;
    for (; x + 8 <= pixels; x += 8)
        for (int lane = 0; lane < 4; lane++)
            lanes[lane] =
                hf_hash_mix(lanes[lane], two_pixels(row + (gsize)x * 4 + (gsize)lane * 8));
    for (; x < pixels; x++) {
        guint32 pixel;
        memcpy(&pixel, row + (gsize)x * 4, sizeof pixel);
        lanes[0] = hf_hash_mix(lanes[0], GUINT32_FROM_LE(pixel) & 0xffffff);
    }
}

static guint64 hash_area(const HfImage *image, HfRect area, guint64 seed)
{
    guint64 lanes[4] = {1, 2, 3, seed};
    for (int y = area.y; y < area.y + area.height; y++)
        hash_pixel_row((const guint8 *)(hf_image_row(image, y) + area.x), area.width, lanes);
    return hf_hash_mix(hf_hash_mix(hf_hash_mix(lanes[0], lanes[1]), lanes[2]), lanes[3]);
}

guint64 hf_image_hash(const HfImage *image)
{
    return hash_area(image, (HfRect){0, 0, image->width, image->height},
                     (guint64)image->width << 32 | (guint64)image->height);
}

/* FALSE: there is nothing to compare with. */
static gboolean resize_tile_grid(HfTiles *tiles, const HfImage *image)
{
    if (tiles->size.width == image->width && tiles->size.height == image->height)
        return TRUE;
    tiles->size = (HfSize){image->width, image->height};
    tiles->columns = (image->width + HF_TILE - 1) / HF_TILE;
    tiles->rows = (image->height + HF_TILE - 1) / HF_TILE;
    gsize count = (gsize)tiles->columns * (gsize)tiles->rows;
    tiles->hashes = g_renew(guint64, tiles->hashes, count);
    tiles->changed = g_renew(gboolean, tiles->changed, count);
    memset(tiles->hashes, 0, count * sizeof *tiles->hashes);
    return FALSE;
}

/* Returns the number of changed tiles. */
static int mark_changed_tiles(HfTiles *tiles, const HfImage *image)
{
    int count = 0;
    for (int index = 0; index < tiles->columns * tiles->rows; index++) {
        int left = index % tiles->columns * HF_TILE, top = index / tiles->columns * HF_TILE;
        HfRect tile = {left, top, MIN(HF_TILE, image->width - left),
                       MIN(HF_TILE, image->height - top)};
        guint64 hash = hash_area(image, tile, 4);
        tiles->changed[index] = hash != tiles->hashes[index];
        tiles->hashes[index] = hash;
        count += tiles->changed[index];
    }
    return count;
}

/* Extends a part that ends right above with the same extent. */
static gboolean extend_part_above(GArray *parts, HfRect part)
{
    for (guint i = 0; i < parts->len; i++) {
        HfRect *above = &g_array_index(parts, HfRect, i);
        if (above->x == part.x && above->width == part.width &&
            above->y + above->height == part.y) {
            above->height += part.height;
            return TRUE;
        }
    }
    return FALSE;
}

static void add_changed_parts(const HfTiles *tiles, int row, GArray *parts)
{
    const gboolean *changed = tiles->changed + (gsize)row * (gsize)tiles->columns;
    int top = row * HF_TILE, height = MIN(HF_TILE, tiles->size.height - top);
    for (int first = 0, after; first < tiles->columns; first = after + 1) {
        after = first;
        while (after < tiles->columns && changed[after])
            after++;
        HfRect part = {first * HF_TILE, top, 0, height};
        part.width = MIN(after * HF_TILE, tiles->size.width) - part.x;
        if (after > first && !extend_part_above(parts, part))
            g_array_append_val(parts, part);
    }
}

GArray *hf_tiles_compare(HfTiles *tiles, const HfImage *image)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(HfRect));
    gboolean known = resize_tile_grid(tiles, image);
    int count = mark_changed_tiles(tiles, image);
    HfRect all = {0, 0, image->width, image->height};
    if (!known || count * 100 > tiles->columns * tiles->rows * MOST_PERCENT)
        g_array_append_val(parts, all);
    else
        for (int row = 0; row < tiles->rows; row++)
            add_changed_parts(tiles, row, parts);
    return parts;
}
