/* SPDX-License-Identifier: Apache-2.0 */
/* Each tile has a hash, which tells whether it has changed, and a short hash for each of its rows
 * and columns, which tell where: the change lies in the rows and columns that differ. So its bounds
 * are exact to the pixel without keeping pixels.
 *
 * For the hash of a tile, a pixel is mixed first, so that a difference of one bit spreads to all of
 * them. Then its place in the row and in the column tells it from the same pixel elsewhere. The
 * inner loop exists in plain C and for AVX2. Both compute the same numbers. */
#include "hand/pixels/compare/picture-hash.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "shared/base/parallel.h"
#include "shared/image/rects.h"

#define TILE         HF_PICTURE_HASH_TILE
#define MOST_THREADS 4
/* From this share of changed tiles on, in percent, the whole picture has changed. */
#define MOST_PERCENT 70
/* Changes with a gap up to this are one. */
#define GAP 16
/* Changes above each other are one if their bounds cover little more than they do. */
#define SLACK_PIXELS  2048
#define SLACK_PERCENT 25
/* This many can be joined at once without taking long. */
#define MOST_TO_JOIN 64

/* ---- hashing a tile ---- */

#define COLOURS    0xffffffu
#define MIX        0x9e3779b1u
#define MIX_BITS   15
#define COLUMN     0x85ebca6bu
#define ROW_FIRST  0xc2b2ae35u
#define ROW_FACTOR 0x27d4eb2fu

/* An odd factor for each place in a row. */
static void fill_places(guint32 places[TILE])
{
    guint32 place = ROW_FIRST;
    for (int i = 0; i < TILE; i++) {
        places[i] = place | 1;
        place = (place ^ place >> MIX_BITS) * ROW_FACTOR + (guint32)i;
    }
}

static guint32 mix_pixel_bits(const guint8 *at)
{
    guint32 pixel;
    memcpy(&pixel, at, sizeof pixel);
    pixel = (GUINT32_FROM_LE(pixel) & COLOURS) * MIX;
    return pixel ^ pixel >> MIX_BITS;
}

void hf_tile_hash_portable(const guint8 *pixels, gsize stride, int width, int height,
                           HfTileHash *ret_hash)
{
    guint32 places[TILE];
    fill_places(places);
    memset(ret_hash, 0, sizeof *ret_hash);
    for (int y = 0; y < height; y++, pixels += stride)
        for (int x = 0; x < width; x++) {
            guint32 mixed = mix_pixel_bits(pixels + (gsize)x * 4);
            ret_hash->rows[y] += mixed * places[x];
            ret_hash->columns[x] = (ret_hash->columns[x] + mixed) * COLUMN;
        }
}

#ifdef __x86_64__

#define AVX2    __attribute__((target("avx2")))
#define LANES   8
#define VECTORS (TILE / LANES)

AVX2 static guint32 sum_lanes(__m256i lanes)
{
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return (guint32)_mm_cvtsi128_si32(sum);
}

/* For tiles of full width. */
AVX2 static void hash_tile_avx2(const guint8 *pixels, gsize stride, int height,
                                HfTileHash *ret_hash)
{
    const __m256i colours = _mm256_set1_epi32((int)COLOURS), factor = _mm256_set1_epi32((int)MIX);
    const __m256i column = _mm256_set1_epi32((int)COLUMN);
    guint32 numbers[TILE];
    __m256i places[VECTORS], columns[VECTORS];
    fill_places(numbers);
    for (int i = 0; i < VECTORS; i++) {
        places[i] = _mm256_loadu_si256((const void *)(numbers + i * LANES));
        columns[i] = _mm256_setzero_si256();
    }
    memset(ret_hash->rows, 0, sizeof ret_hash->rows);
    for (int y = 0; y < height; y++, pixels += stride) {
        __m256i row = _mm256_setzero_si256();
        for (int i = 0; i < VECTORS; i++) {
            __m256i mixed = _mm256_loadu_si256((const void *)(pixels + (gsize)i * LANES * 4));
            mixed = _mm256_mullo_epi32(_mm256_and_si256(mixed, colours), factor);
            mixed = _mm256_xor_si256(mixed, _mm256_srli_epi32(mixed, MIX_BITS));
            row = _mm256_add_epi32(row, _mm256_mullo_epi32(mixed, places[i]));
            columns[i] = _mm256_mullo_epi32(_mm256_add_epi32(columns[i], mixed), column);
        }
        ret_hash->rows[y] = sum_lanes(row);
    }
    for (int i = 0; i < VECTORS; i++)
        _mm256_storeu_si256((void *)(ret_hash->columns + i * LANES), columns[i]);
}

#endif

void hf_tile_hash(const guint8 *pixels, gsize stride, int width, int height, HfTileHash *ret_hash)
{
#ifdef __x86_64__
    if (width == TILE && __builtin_cpu_supports("avx2")) {
        hash_tile_avx2(pixels, stride, height, ret_hash);
        return;
    }
#endif
    hf_tile_hash_portable(pixels, stride, width, height, ret_hash);
}

typedef struct Tile {
    guint64 hash;
    guint16 rows[TILE], columns[TILE];
} Tile;

typedef struct PictureHash {
    int width, height;
    int columns, rows; /* of tiles */
    Tile tiles[];
} PictureHash;

/* ---- hashing a picture ---- */

#define PRIME G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)

static void hash_to_tile(const HfTileHash *hash, Tile *tile)
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

typedef struct HashWork {
    const HfImage *image;
    PictureHash *picture;
} HashWork;

static void hash_tile_row(gpointer data, int row)
{
    const HashWork *work = data;
    const HfImage *image = work->image;
    int top = row * TILE, height = MIN(TILE, image->height - top);
    for (int column = 0; column < work->picture->columns; column++) {
        int left = column * TILE;
        HfTileHash hash;
        hf_tile_hash((const guint8 *)(hf_image_row(image, top) + left), (gsize)image->stride,
                     MIN(TILE, image->width - left), height, &hash);
        hash_to_tile(&hash, &work->picture->tiles[row * work->picture->columns + column]);
    }
}

GBytes *hf_picture_hash_new(const HfImage *image)
{
    int columns = (image->width + TILE - 1) / TILE, rows = (image->height + TILE - 1) / TILE;
    gsize size = sizeof(PictureHash) + sizeof(Tile) * (gsize)columns * (gsize)rows;
    PictureHash *picture = g_malloc(size);
    picture->width = image->width;
    picture->height = image->height;
    picture->columns = columns;
    picture->rows = rows;
    HashWork work = {image, picture};
    hf_parallel_for(MOST_THREADS, rows, hash_tile_row, &work);
    return g_bytes_new_take(picture, size);
}

/* ---- comparing ---- */

static gint64 changed_rect_area(HfRect rect)
{
    return (gint64)rect.width * rect.height;
}

/* From the first to the last difference; all if there is none, since the hash differs. */
static void find_changed_span(const guint16 *was, const guint16 *is, int count, int *ret_first,
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

/* The bounds of the difference in a tile. */
static HfRect find_tile_difference(const PictureHash *was, const PictureHash *is, int index)
{
    const Tile *before = &was->tiles[index], *now = &is->tiles[index];
    HfRect tile = {index % is->columns * TILE, index / is->columns * TILE, 0, 0}, found;
    find_changed_span(before->columns, now->columns, MIN(TILE, is->width - tile.x), &found.x,
                      &found.width);
    find_changed_span(before->rows, now->rows, MIN(TILE, is->height - tile.y), &found.y,
                      &found.height);
    found.x += tile.x;
    found.y += tile.y;
    return found;
}

/* The rest of it; empty: nothing that counts. */
static HfRect subtract_ignored(HfRect found, const GArray *ignore)
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

/* Joins a difference with the one on its left if they are close. */
static void add_to_tile_row(GArray *row, HfRect found)
{
    HfRect *last = row->len > 0 ? &g_array_index(row, HfRect, row->len - 1) : NULL;
    if (last && found.x - (last->x + last->width) <= GAP)
        *last = hf_rect_unite(*last, found);
    else
        g_array_append_val(row, found);
}

static gboolean belongs_to_rect_above(HfRect above, HfRect below)
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
        while (j > 0 && !belongs_to_rect_above(g_array_index(rects, HfRect, j - 1), found))
            j--;
        if (j > 0)
            g_array_index(rects, HfRect, j - 1) =
                hf_rect_unite(g_array_index(rects, HfRect, j - 1), found);
        else
            g_array_append_val(rects, found);
    }
}

/* Merges neighbours in the list, which lie side by side. */
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

typedef struct ChangeSum {
    int tiles;
    gint64 pixels;
} ChangeSum;

static ChangeSum compare_tile_row(const PictureHash *was, const PictureHash *is, int row,
                                  const GArray *ignore, HfPictureHashChange *change)
{
    ChangeSum sum = {0};
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (int index = row * is->columns; index < (row + 1) * is->columns; index++) {
        if (was->tiles[index].hash == is->tiles[index].hash)
            continue;
        HfRect rect = subtract_ignored(find_tile_difference(was, is, index), ignore);
        if (hf_rect_is_empty(rect)) {
            change->ignored = TRUE;
            continue;
        }
        sum.tiles++;
        sum.pixels += changed_rect_area(rect);
        add_to_tile_row(found, rect);
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
    const PictureHash *was = g_bytes_get_data(before, NULL), *is = g_bytes_get_data(now, NULL);
    if (was->width != is->width || was->height != is->height)
        return FALSE;
    HfRect all = {0, 0, is->width, is->height};
    ChangeSum sum = {0};
    *ret_change = (HfPictureHashChange){.rects = g_array_new(FALSE, FALSE, sizeof(HfRect))};
    for (int row = 0; row < is->rows; row++) {
        ChangeSum more = compare_tile_row(was, is, row, ignore, ret_change);
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
    const PictureHash *picture = g_bytes_get_data(bytes, NULL);
    HfRect part = hf_rect_intersect(area, (HfRect){0, 0, picture->width, picture->height});
    guint64 all = PRIME;
    if (hf_rect_is_empty(part))
        return all;
    for (int row = part.y / TILE; row <= (part.y + part.height - 1) / TILE; row++)
        for (int column = part.x / TILE; column <= (part.x + part.width - 1) / TILE; column++) {
            all = (all ^ picture->tiles[row * picture->columns + column].hash) * PRIME;
            all ^= all >> 29;
        }
    return all;
}
