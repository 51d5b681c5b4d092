/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of scaling with AVX2, chosen at run time. Each handles what is left over at the
 * end of a row by the portable loop; none reads or writes beyond what that one would, except that
 * columns_narrow always reads HF_SCALE_NARROW pixels. */
#include "hand/pixels/image/scale-kernels.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

/* maddubs multiplies unsigned by signed bytes: the weights take the unsigned side, so that they
 * can have all 8 bits, and pixels are moved down by 128 and the sums back up at the end. */
AVX2 static inline __m256i load_centred(const guint8 *from)
{
    return _mm256_xor_si256(_mm256_loadu_si256((const void *)from), _mm256_set1_epi8(-128));
}

AVX2 static inline __m256i two_weights(const guint8 *weights)
{
    guint16 both;
    memcpy(&both, weights, sizeof both);
    return _mm256_set1_epi16((short)both);
}

AVX2 static inline __m256i to_bytes(__m256i low, __m256i high)
{
    const __m256i half = _mm256_set1_epi16(128);
    low = _mm256_srai_epi16(_mm256_add_epi16(low, half), 8);
    high = _mm256_srai_epi16(_mm256_add_epi16(high, half), 8);
    return _mm256_xor_si256(_mm256_packs_epi16(low, high), _mm256_set1_epi8(-128));
}

AVX2 static void avx2_rows_narrow(const HfRowMix *mix, guint8 *to, int bytes)
{
    const guint8 *const *rows = mix->rows;
    const __m256i first = two_weights(mix->narrow), second = two_weights(mix->narrow + 2);
    const gboolean two = !mix->narrow[2] && !mix->narrow[3];
    int i = 0;
    for (; two && i + 32 <= bytes; i += 32) {
        __m256i a = load_centred(rows[0] + i), b = load_centred(rows[1] + i);
        __m256i low = _mm256_maddubs_epi16(first, _mm256_unpacklo_epi8(a, b));
        __m256i high = _mm256_maddubs_epi16(first, _mm256_unpackhi_epi8(a, b));
        _mm256_storeu_si256((void *)(to + i), to_bytes(low, high));
    }
    for (; i + 32 <= bytes; i += 32) {
        __m256i a = load_centred(rows[0] + i), b = load_centred(rows[1] + i);
        __m256i c = load_centred(rows[2] + i), d = load_centred(rows[3] + i);
        __m256i low = _mm256_add_epi16(_mm256_maddubs_epi16(first, _mm256_unpacklo_epi8(a, b)),
                                       _mm256_maddubs_epi16(second, _mm256_unpacklo_epi8(c, d)));
        __m256i high = _mm256_add_epi16(_mm256_maddubs_epi16(first, _mm256_unpackhi_epi8(a, b)),
                                        _mm256_maddubs_epi16(second, _mm256_unpackhi_epi8(c, d)));
        _mm256_storeu_si256((void *)(to + i), to_bytes(low, high));
    }
    const guint8 *rest[HF_SCALE_NARROW] = {rows[0] + i, rows[1] + i, rows[2] + i, rows[3] + i};
    HfRowMix rest_mix = {.rows = rest, .narrow = mix->narrow};
    hf_scale_portable.rows_narrow(&rest_mix, to + i, bytes - i);
}

/* Rows two by two: each pair of bytes becomes one sum of 32 bits. */
AVX2 static void avx2_rows_wide(const HfRowMix *mix, guint8 *to, int bytes)
{
    const __m256i half = _mm256_set1_epi32(1 << (HF_SCALE_WIDE_BITS - 1));
    int i = 0;
    for (; i + 16 <= bytes; i += 16) {
        __m256i low = half, high = half;
        for (int k = 0; k < mix->count; k += 2) {
            int both;
            memcpy(&both, mix->wide + k, sizeof both);
            __m256i weights = _mm256_set1_epi32(both);
            __m128i a = _mm_loadu_si128((const void *)(mix->rows[k] + i));
            __m128i b = _mm_loadu_si128((const void *)(mix->rows[k + 1] + i));
            __m256i left = _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(a, b));
            __m256i right = _mm256_cvtepu8_epi16(_mm_unpackhi_epi8(a, b));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(left, weights));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(right, weights));
        }
        __m256i words = _mm256_packs_epi32(_mm256_srli_epi32(low, HF_SCALE_WIDE_BITS),
                                           _mm256_srli_epi32(high, HF_SCALE_WIDE_BITS));
        words = _mm256_permute4x64_epi64(words, _MM_SHUFFLE(3, 1, 2, 0));
        _mm_storeu_si128((void *)(to + i), _mm_packus_epi16(_mm256_castsi256_si128(words),
                                                            _mm256_extracti128_si256(words, 1)));
    }
    for (; i < bytes; i++) {
        int sum = 1 << (HF_SCALE_WIDE_BITS - 1);
        for (int k = 0; k < mix->count; k++)
            sum += mix->rows[k][i] * mix->wide[k];
        to[i] = (guint8)(sum >> HF_SCALE_WIDE_BITS);
    }
}

/* Two results: 32-bit sums of four source pixels each, channel by channel. */
AVX2 static inline __m256i mix_two(const HfColumnMix *mix, const guint32 *from, int x)
{
    const __m256i by_channel = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    int left, right;
    memcpy(&left, mix->narrow[x], sizeof left);
    memcpy(&right, mix->narrow[x + 1], sizeof right);
    __m256i pixels = _mm256_loadu2_m128i((const void *)(from + mix->first[x + 1]),
                                         (const void *)(from + mix->first[x]));
    pixels = _mm256_xor_si256(_mm256_shuffle_epi8(pixels, by_channel), _mm256_set1_epi8(-128));
    __m256i weights = _mm256_set_m128i(_mm_set1_epi32(right), _mm_set1_epi32(left));
    return _mm256_madd_epi16(_mm256_maddubs_epi16(weights, pixels), _mm256_set1_epi16(1));
}

AVX2 static void avx2_columns_narrow(const HfColumnMix *mix, const guint32 *from, guint32 *to,
                                     int count)
{
    const __m256i half = _mm256_set1_epi16(128);
    int x = 0;
    for (; x + 4 <= count; x += 4) {
        __m256i left = mix_two(mix, from, x), right = mix_two(mix, from, x + 2);
        __m256i words = _mm256_add_epi16(_mm256_packs_epi32(left, right), half);
        words = _mm256_srai_epi16(words, 8);
        __m256i four = _mm256_xor_si256(_mm256_packs_epi16(words, words), _mm256_set1_epi8(-128));
        _mm_storeu_si128((void *)(to + x), _mm_unpacklo_epi32(_mm256_castsi256_si128(four),
                                                              _mm256_extracti128_si256(four, 1)));
    }
    HfColumnMix rest = {mix->count, mix->first + x, mix->narrow + x, NULL};
    hf_scale_portable.columns_narrow(&rest, from, to + x, count - x);
}

AVX2 static void avx2_columns_wide(const HfColumnMix *mix, const guint32 *from, guint32 *to,
                                   int count)
{
    const __m128i by_channel =
        _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, -1, -1, -1, -1, -1, -1, -1, -1);
    for (int x = 0; x < count; x++) {
        const guint32 *at = from + mix->first[x];
        const gint16 *weights = mix->wide + (gsize)mix->count * (gsize)x;
        __m128i sums = _mm_set1_epi32(1 << (HF_SCALE_WIDE_BITS - 1));
        for (int k = 0; k < mix->count; k += 2) {
            int both;
            memcpy(&both, weights + k, sizeof both);
            __m128i two = _mm_shuffle_epi8(_mm_loadl_epi64((const void *)(at + k)), by_channel);
            sums =
                _mm_add_epi32(sums, _mm_madd_epi16(_mm_cvtepu8_epi16(two), _mm_set1_epi32(both)));
        }
        sums = _mm_srli_epi32(sums, HF_SCALE_WIDE_BITS);
        sums = _mm_packus_epi16(_mm_packus_epi32(sums, sums), sums);
        to[x] = (guint32)_mm_cvtsi128_si32(sums);
    }
}

static const HfScaleKernels avx2 = {
    .rows_narrow = avx2_rows_narrow,
    .rows_wide = avx2_rows_wide,
    .columns_narrow = avx2_columns_narrow,
    .columns_wide = avx2_columns_wide,
};

const HfScaleKernels *hf_scale_find_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
}

#else

const HfScaleKernels *hf_scale_find_avx2(void)
{
    return NULL;
}

#endif
