/* SPDX-License-Identifier: Apache-2.0 */
/* Each result pixel is made of at most 4 x 4 pixels with weights of 7 bits; rows first, then
 * columns. */
#include "floor-scale.h"

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

typedef struct Taps {
    int first;
    int8_t weights[4];
} Taps;

struct FloorScaler {
    int from_width, to_width, to_height;
    Taps *columns, *rows;
    uint8_t *row;
};

static double overlap(double a0, double a1, double b0, double b1)
{
    double low = a0 > b0 ? a0 : b0, high = a1 < b1 ? a1 : b1;
    return high > low ? high - low : 0;
}

static Taps *make_taps(int from, int to)
{
    Taps *taps = calloc((size_t)to, sizeof *taps);
    double ratio = (double)from / to;
    for (int i = 0; i < to; i++) {
        int first = (int)(i * ratio), sum = 0, best = 0;
        taps[i].first = first > from - 4 ? from - 4 : first;
        for (int k = 0; k < 4; k++) {
            double at = taps[i].first + k;
            int weight = (int)(overlap(at, at + 1, i * ratio, (i + 1) * ratio) / ratio * 128 + .5);
            taps[i].weights[k] = (int8_t)(weight > 127 ? 127 : weight);
            sum += taps[i].weights[k];
            best = taps[i].weights[k] > taps[i].weights[best] ? k : best;
        }
        taps[i].weights[best] = (int8_t)(taps[i].weights[best] + 128 - sum);
    }
    return taps;
}

FloorScaler *floor_scaler_new(int from_width, int from_height, int to_width, int to_height)
{
    if (!__builtin_cpu_supports("avx2") || from_width % 8 || to_width % 4 || from_height < 4 ||
        from_width <= to_width || from_width > 2 * to_width || from_height <= to_height ||
        from_height > 2 * to_height)
        return NULL;
    FloorScaler *scaler = malloc(sizeof *scaler);
    *scaler = (FloorScaler){from_width,
                            to_width,
                            to_height,
                            make_taps(from_width, to_width),
                            make_taps(from_height, to_height),
                            malloc((size_t)from_width * 4)};
    return scaler;
}

AVX2 static __m256i pair(const int8_t *weights)
{
    uint16_t both;
    memcpy(&both, weights, 2);
    return _mm256_set1_epi16((short)both);
}

AVX2 static void mix_rows(const uint8_t *const rows[4], const int8_t *weights, uint8_t *to,
                          int bytes)
{
    __m256i first = pair(weights), second = pair(weights + 2), half = _mm256_set1_epi16(64);
    for (int i = 0; i < bytes; i += 32) {
        __m256i a = _mm256_loadu_si256((const void *)(rows[0] + i));
        __m256i b = _mm256_loadu_si256((const void *)(rows[1] + i));
        __m256i low = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(a, b), first);
        __m256i high = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(a, b), first);
        if (weights[2]) {
            __m256i c = _mm256_loadu_si256((const void *)(rows[2] + i));
            __m256i d = _mm256_loadu_si256((const void *)(rows[3] + i));
            low = _mm256_add_epi16(low, _mm256_maddubs_epi16(_mm256_unpacklo_epi8(c, d), second));
            high = _mm256_add_epi16(high, _mm256_maddubs_epi16(_mm256_unpackhi_epi8(c, d), second));
        }
        low = _mm256_srli_epi16(_mm256_add_epi16(low, half), 7);
        high = _mm256_srli_epi16(_mm256_add_epi16(high, half), 7);
        _mm256_storeu_si256((void *)(to + i), _mm256_packus_epi16(low, high));
    }
}

/* Two result pixels: the weighted sums of their four source pixels, 32 bits a channel. */
AVX2 static __m256i mix_two(const uint8_t *row, const Taps *taps)
{
    const __m256i by_channel = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    int left, right;
    memcpy(&left, taps[0].weights, 4);
    memcpy(&right, taps[1].weights, 4);
    __m256i pixels = _mm256_loadu2_m128i((const void *)(row + 4 * taps[1].first),
                                         (const void *)(row + 4 * taps[0].first));
    __m256i weights = _mm256_set_m128i(_mm_set1_epi32(right), _mm_set1_epi32(left));
    __m256i sums = _mm256_maddubs_epi16(_mm256_shuffle_epi8(pixels, by_channel), weights);
    sums = _mm256_madd_epi16(sums, _mm256_set1_epi16(1));
    return _mm256_srli_epi32(_mm256_add_epi32(sums, _mm256_set1_epi32(64)), 7);
}

AVX2 static void mix_columns(const uint8_t *row, const Taps *taps, int count, uint8_t *to)
{
    for (int x = 0; x < count; x += 4) {
        __m256i four = _mm256_packus_epi32(mix_two(row, taps + x), mix_two(row, taps + x + 2));
        four = _mm256_packus_epi16(four, four);
        _mm_storeu_si128(
            (void *)(to + 4 * x),
            _mm_unpacklo_epi32(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1)));
    }
}

void floor_scaler_run(FloorScaler *scaler, const uint8_t *from, uint8_t *to)
{
    size_t stride = (size_t)scaler->from_width * 4;
    for (int y = 0; y < scaler->to_height; y++) {
        const Taps *taps = &scaler->rows[y];
        const uint8_t *rows[4];
        for (int k = 0; k < 4; k++)
            rows[k] = from + (size_t)(taps->first + k) * stride;
        mix_rows(rows, taps->weights, scaler->row, (int)stride);
        mix_columns(scaler->row, scaler->columns, scaler->to_width,
                    to + (size_t)y * (size_t)scaler->to_width * 4);
    }
}
