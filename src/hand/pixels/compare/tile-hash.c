/* SPDX-License-Identifier: Apache-2.0 */
/* A pixel is mixed first, so that a difference in one bit is one in all of them; then the place in
 * its row and in its column tells it from the same pixel elsewhere. */
#include "hand/pixels/compare/tile-hash.h"

#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define COLOURS    0xffffffu
#define MIX        0x9e3779b1u
#define MIX_BITS   15
#define COLUMN     0x85ebca6bu
#define ROW_FIRST  0xc2b2ae35u
#define ROW_FACTOR 0x27d4eb2fu

/* An odd number for each place in a row. */
static void fill_places(guint32 places[HF_PICTURE_HASH_TILE])
{
    guint32 place = ROW_FIRST;
    for (int i = 0; i < HF_PICTURE_HASH_TILE; i++) {
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
    guint32 places[HF_PICTURE_HASH_TILE];
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
#define VECTORS (HF_PICTURE_HASH_TILE / LANES)

AVX2 static guint32 sum_lanes(__m256i lanes)
{
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return (guint32)_mm_cvtsi128_si32(sum);
}

/* Of tiles that are as wide as they can be. */
AVX2 static void hash_avx2(const guint8 *pixels, gsize stride, int height, HfTileHash *ret_hash)
{
    const __m256i colours = _mm256_set1_epi32((int)COLOURS), factor = _mm256_set1_epi32((int)MIX);
    const __m256i column = _mm256_set1_epi32((int)COLUMN);
    guint32 numbers[HF_PICTURE_HASH_TILE];
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
    if (width == HF_PICTURE_HASH_TILE && __builtin_cpu_supports("avx2")) {
        hash_avx2(pixels, stride, height, ret_hash);
        return;
    }
#endif
    hf_tile_hash_portable(pixels, stride, width, height, ret_hash);
}
