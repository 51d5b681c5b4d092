/* SPDX-License-Identifier: Apache-2.0 */
/* Each axis has a table of which source pixels make a result pixel, with which weights. The weights
 * of a result add up to exactly one, so that a plain colour does not change.
 *
 * The inner loops exist in plain C and for AVX2, chosen at run time. Both compute the same
 * integers, so that a picture does not depend on the processor. */
#include "hand/pixels/image/scale.h"

#include <math.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Up to this many source pixels for one result, 8-bit weights are exact enough and fast. */
#define NARROW    4
#define WIDE_BITS 14

/* Makes one row of bytes from several. */
typedef struct RowMix {
    const guint8 *const *rows;
    int count;            /* NARROW for narrow; even for wide */
    const guint8 *narrow; /* the weight of each row, in 256ths, at most 255 */
    const gint16 *wide;   /* the same in 16384ths */
} RowMix;

/* Makes the pixels of a row from those of another. */
typedef struct ColumnMix {
    int count;        /* of weights for one result, as above */
    const int *first; /* for each result, its first source pixel */
    const guint8 (*narrow)[NARROW];
    const gint16 *wide; /* `count` weights for each result */
} ColumnMix;

typedef struct ScaleKernels {
    void (*rows_narrow)(const RowMix *mix, guint8 *to, int bytes);
    void (*rows_wide)(const RowMix *mix, guint8 *to, int bytes);
    /* Read up to NARROW pixels from each `first` on, or `count` of them. */
    void (*columns_narrow)(const ColumnMix *mix, const guint32 *from, guint32 *to, int count);
    void (*columns_wide)(const ColumnMix *mix, const guint32 *from, guint32 *to, int count);
} ScaleKernels;

/* ---- plain C ---- */

/* `restrict` lets the compiler use vector instructions. */
__attribute__((optimize("O3"))) static void
mix_four_rows(const guint8 *restrict a, const guint8 *restrict b, const guint8 *restrict c,
              const guint8 *restrict d, const guint8 *weights, guint8 *restrict to, int bytes)
{
    const guint16 first = weights[0], second = weights[1], third = weights[2], fourth = weights[3];
    for (int i = 0; i < bytes; i++)
        to[i] =
            (guint8)((guint16)(a[i] * first + b[i] * second + c[i] * third + d[i] * fourth + 128) >>
                     8);
}

static void portable_rows_narrow(const RowMix *mix, guint8 *to, int bytes)
{
    mix_four_rows(mix->rows[0], mix->rows[1], mix->rows[2], mix->rows[3], mix->narrow, to, bytes);
}

/* Bytes [first, end). */
static void mix_wide_rows(const RowMix *mix, guint8 *to, int first, int end)
{
    for (int i = first; i < end; i++) {
        int sum = 1 << (WIDE_BITS - 1);
        for (int k = 0; k < mix->count; k++)
            sum += mix->rows[k][i] * mix->wide[k];
        to[i] = (guint8)(sum >> WIDE_BITS);
    }
}

static void portable_rows_wide(const RowMix *mix, guint8 *to, int bytes)
{
    mix_wide_rows(mix, to, 0, bytes);
}

static void portable_columns_narrow(const ColumnMix *mix, const guint32 *from, guint32 *to,
                                    int count)
{
    for (int x = 0; x < count; x++) {
        const guint8 *at = (const guint8 *)(from + mix->first[x]);
        const guint8 *weights = mix->narrow[x];
        guint8 *result = (guint8 *)(to + x);
        for (int channel = 0; channel < 4; channel++)
            result[channel] =
                (guint8)((at[channel] * weights[0] + at[4 + channel] * weights[1] +
                          at[8 + channel] * weights[2] + at[12 + channel] * weights[3] + 128) >>
                         8);
    }
}

static void portable_columns_wide(const ColumnMix *mix, const guint32 *from, guint32 *to, int count)
{
    for (int x = 0; x < count; x++) {
        const guint8 *at = (const guint8 *)(from + mix->first[x]);
        const gint16 *weights = mix->wide + (gsize)mix->count * (gsize)x;
        guint8 *result = (guint8 *)(to + x);
        int sums[4];
        for (int channel = 0; channel < 4; channel++)
            sums[channel] = 1 << (WIDE_BITS - 1);
        for (int k = 0; k < mix->count; k++, at += 4)
            for (int channel = 0; channel < 4; channel++)
                sums[channel] += at[channel] * weights[k];
        for (int channel = 0; channel < 4; channel++)
            result[channel] = (guint8)(sums[channel] >> WIDE_BITS);
    }
}

static const ScaleKernels portable_kernels = {
    .rows_narrow = portable_rows_narrow,
    .rows_wide = portable_rows_wide,
    .columns_narrow = portable_columns_narrow,
    .columns_wide = portable_columns_wide,
};

/* ---- AVX2 ---- */

#ifdef __x86_64__

/* These finish the end of a row with the portable loop. They never read or write beyond what that
 * one would, except that columns_narrow always reads NARROW pixels. */
#define AVX2 __attribute__((target("avx2")))

/* maddubs multiplies unsigned by signed bytes. The weights are the unsigned ones, so that they can
 * have all 8 bits. Pixels are moved down by 128, and the sums back up at the end. */
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

AVX2 static void avx2_rows_narrow(const RowMix *mix, guint8 *to, int bytes)
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
    const guint8 *rest[NARROW] = {rows[0] + i, rows[1] + i, rows[2] + i, rows[3] + i};
    RowMix rest_mix = {.rows = rest, .narrow = mix->narrow};
    portable_kernels.rows_narrow(&rest_mix, to + i, bytes - i);
}

/* Rows two by two: each pair of bytes becomes one sum of 32 bits. */
AVX2 static void avx2_rows_wide(const RowMix *mix, guint8 *to, int bytes)
{
    const __m256i half = _mm256_set1_epi32(1 << (WIDE_BITS - 1));
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
        __m256i words = _mm256_packs_epi32(_mm256_srli_epi32(low, WIDE_BITS),
                                           _mm256_srli_epi32(high, WIDE_BITS));
        words = _mm256_permute4x64_epi64(words, _MM_SHUFFLE(3, 1, 2, 0));
        _mm_storeu_si128((void *)(to + i), _mm_packus_epi16(_mm256_castsi256_si128(words),
                                                            _mm256_extracti128_si256(words, 1)));
    }
    mix_wide_rows(mix, to, i, bytes);
}

/* Two results: 32-bit sums of four source pixels each, channel by channel. */
AVX2 static inline __m256i mix_two(const ColumnMix *mix, const guint32 *from, int x)
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

AVX2 static void avx2_columns_narrow(const ColumnMix *mix, const guint32 *from, guint32 *to,
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
    ColumnMix rest = {mix->count, mix->first + x, mix->narrow + x, NULL};
    portable_kernels.columns_narrow(&rest, from, to + x, count - x);
}

AVX2 static void avx2_columns_wide(const ColumnMix *mix, const guint32 *from, guint32 *to,
                                   int count)
{
    const __m128i by_channel =
        _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, -1, -1, -1, -1, -1, -1, -1, -1);
    for (int x = 0; x < count; x++) {
        const guint32 *at = from + mix->first[x];
        const gint16 *weights = mix->wide + (gsize)mix->count * (gsize)x;
        __m128i sums = _mm_set1_epi32(1 << (WIDE_BITS - 1));
        for (int k = 0; k < mix->count; k += 2) {
            int both;
            memcpy(&both, weights + k, sizeof both);
            __m128i two = _mm_shuffle_epi8(_mm_loadl_epi64((const void *)(at + k)), by_channel);
            sums =
                _mm_add_epi32(sums, _mm_madd_epi16(_mm_cvtepu8_epi16(two), _mm_set1_epi32(both)));
        }
        sums = _mm_srli_epi32(sums, WIDE_BITS);
        sums = _mm_packus_epi16(_mm_packus_epi32(sums, sums), sums);
        to[x] = (guint32)_mm_cvtsi128_si32(sums);
    }
}

static const ScaleKernels avx2_kernels = {
    .rows_narrow = avx2_rows_narrow,
    .rows_wide = avx2_rows_wide,
    .columns_narrow = avx2_columns_narrow,
    .columns_wide = avx2_columns_wide,
};

#endif

static const ScaleKernels *find_fastest_kernels(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return &avx2_kernels;
#endif
    return &portable_kernels;
}

/* ---- scaler ---- */

typedef struct Axis {
    gboolean copy; /* same size */
    int from, to;
    int count;  /* weights for each result */
    int *first; /* first source pixel of each result */
    guint8 (*narrow)[NARROW];
    gint16 *wide; /* `count` for each result, if `narrow` is too small */
} Axis;

struct HfScaler {
    const HfImage *source;
    const ScaleKernels *kernels;
    Axis columns, rows; /* never changed; a twin borrows them */
    gboolean is_twin;
    const guint8 **row_pointers;
    guint32 *mixed; /* one row of the source's width, with its last pixel repeated */
};

/* The share of each source pixel from `first` on in result pixel `i`. */
static void area_shares(const Axis *axis, int i, int first, double *shares)
{
    double ratio = (double)axis->from / axis->to;
    double start = i * ratio, end = (i + 1) * ratio;
    for (int k = 0; k < axis->count; k++) {
        double left = MAX(first + k, start), right = MIN(first + k + 1, end);
        shares[k] = MAX(right - left, 0) / ratio;
    }
}

static void bilinear_shares(const Axis *axis, int i, int *ret_first, double *shares)
{
    double centre = (i + 0.5) * axis->from / axis->to - 0.5;
    centre = CLAMP(centre, 0, axis->from - 1);
    *ret_first = MIN((int)centre, MAX(axis->from - 2, 0));
    shares[1] = centre - *ret_first;
    shares[0] = 1 - shares[1];
    for (int k = 2; k < axis->count; k++)
        shares[k] = 0;
}

/* Integers that add up to `total`. The running sum is rounded, so that errors do not add up. An
 * 8-bit weight cannot be 256: its neighbour takes the rest. */
static void round_shares(const double *shares, int count, int total, int most, int *weights)
{
    double sum = 0;
    int given = 0;
    for (int k = 0; k < count; k++) {
        sum += shares[k];
        int upto = k == count - 1 ? total : MIN((int)(sum * total + 0.5), total);
        weights[k] = upto - given;
        given = upto;
    }
    for (int k = 0; k < count; k++)
        if (weights[k] > most) {
            weights[k]--;
            weights[k ? k - 1 : 1]++;
        }
}

static void fill_axis(Axis *axis)
{
    g_autofree double *shares = g_new(double, axis->count);
    g_autofree int *weights = g_new0(int, axis->count);
    double ratio = (double)axis->from / axis->to;
    for (int i = 0; i < axis->to; i++) {
        int first = MIN((int)(i * ratio), axis->from - 1);
        if (axis->from < axis->to)
            bilinear_shares(axis, i, &first, shares);
        else
            area_shares(axis, i, first, shares);
        axis->first[i] = first;
        round_shares(shares, axis->count, axis->wide ? 1 << WIDE_BITS : 256,
                     axis->wide ? G_MAXINT16 : 255, weights);
        for (int k = 0; k < axis->count; k++) {
            if (axis->narrow)
                axis->narrow[i][k] = (guint8)weights[k];
            else
                axis->wide[(gsize)i * (gsize)axis->count + (gsize)k] = (gint16)weights[k];
        }
    }
}

static void axis_init(Axis *axis, int from, int to)
{
    *axis = (Axis){.copy = from == to, .from = from, .to = to};
    if (axis->copy)
        return;
    /* A result may begin and end within a pixel: one more than the ratio, rounded up. */
    int needed = from < to ? 2 : (int)((from + to - 1) / to) + 1;
    axis->first = g_new(int, to);
    axis->count = needed <= NARROW ? NARROW : (needed + 1) / 2 * 2;
    if (needed <= NARROW)
        axis->narrow = g_malloc_n((gsize)to, sizeof *axis->narrow);
    else
        axis->wide = g_new(gint16, (gsize)to * (gsize)axis->count);
    fill_axis(axis);
}

static void axis_clear(Axis *axis)
{
    g_free(axis->first);
    g_free(axis->narrow);
    g_free(axis->wide);
}

/* The buffers that a scaler writes to. */
static void allocate_scaler_rows(HfScaler *scaler)
{
    scaler->row_pointers = g_new(const guint8 *, MAX(scaler->rows.count, NARROW));
    scaler->mixed = NULL;
    if (!scaler->columns.copy)
        scaler->mixed = g_new(guint32, (gsize)scaler->source->width + (gsize)scaler->columns.count);
}

HfScaler *hf_scaler_new(const HfImage *source, HfSize size)
{
    HfScaler *scaler = g_new0(HfScaler, 1);
    scaler->source = source;
    scaler->kernels = find_fastest_kernels();
    axis_init(&scaler->columns, source->width, size.width);
    axis_init(&scaler->rows, source->height, size.height);
    allocate_scaler_rows(scaler);
    return scaler;
}

HfScaler *hf_scaler_new_twin(const HfScaler *scaler)
{
    HfScaler *twin = g_new(HfScaler, 1);
    *twin = *scaler;
    twin->is_twin = TRUE;
    allocate_scaler_rows(twin);
    return twin;
}

void hf_scaler_free(HfScaler *scaler)
{
    if (!scaler)
        return;
    if (!scaler->is_twin) {
        axis_clear(&scaler->columns);
        axis_clear(&scaler->rows);
    }
    g_free(scaler->row_pointers);
    g_free(scaler->mixed);
    g_free(scaler);
}

void hf_scaler_use_portable(HfScaler *scaler)
{
    scaler->kernels = &portable_kernels;
}

static void mix_rows(HfScaler *scaler, int y, guint32 *to)
{
    const Axis *axis = &scaler->rows;
    for (int k = 0; k < axis->count; k++) {
        int row = MIN(axis->first[y] + k, axis->from - 1);
        scaler->row_pointers[k] = (const guint8 *)hf_image_row(scaler->source, row);
    }
    RowMix mix = {.rows = scaler->row_pointers, .count = axis->count};
    int bytes = 4 * scaler->source->width;
    if (axis->wide) {
        mix.wide = axis->wide + (gsize)y * (gsize)axis->count;
        scaler->kernels->rows_wide(&mix, (guint8 *)to, bytes);
    } else {
        mix.narrow = axis->narrow[y];
        scaler->kernels->rows_narrow(&mix, (guint8 *)to, bytes);
    }
}

static void mix_columns(HfScaler *scaler, guint32 *to)
{
    const Axis *axis = &scaler->columns;
    guint32 *end = scaler->mixed + axis->from;
    for (int k = 0; k < axis->count; k++)
        end[k] = end[-1];
    ColumnMix mix = {axis->count, axis->first, (const guint8(*)[NARROW])axis->narrow, axis->wide};
    if (axis->wide)
        scaler->kernels->columns_wide(&mix, scaler->mixed, to, axis->to);
    else
        scaler->kernels->columns_narrow(&mix, scaler->mixed, to, axis->to);
}

const guint32 *hf_scaler_get_row(HfScaler *scaler, int y, guint32 *room)
{
    if (scaler->rows.copy && scaler->columns.copy)
        return hf_image_row(scaler->source, y);
    guint32 *mixed = scaler->columns.copy ? room : scaler->mixed;
    if (scaler->rows.copy)
        memcpy(mixed, hf_image_row(scaler->source, y), 4 * (gsize)scaler->source->width);
    else
        mix_rows(scaler, y, mixed);
    if (!scaler->columns.copy)
        mix_columns(scaler, room);
    return room;
}

HfImage *hf_image_scale(const HfImage *source, HfSize size)
{
    g_autoptr(HfScaler) scaler = hf_scaler_new(source, size);
    HfImage *image = hf_image_new(size.width, size.height);
    for (int y = 0; y < size.height; y++) {
        guint32 *to = hf_image_row(image, y);
        const guint32 *row = hf_scaler_get_row(scaler, y, to);
        if (row != to)
            memcpy(to, row, 4 * (gsize)size.width);
    }
    return image;
}

HfSize hf_size_fit(HfSize size, int max_edge)
{
    int edge = MAX(size.width, size.height);
    if (max_edge <= 0 || edge <= max_edge)
        return size;
    double scale = (double)max_edge / edge;
    return (HfSize){MAX(1, (int)lround(size.width * scale)),
                    MAX(1, (int)lround(size.height * scale))};
}
