/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of scaling in plain C: what every processor can do, and what the others are
 * measured against. */
#include "hand/pixels/image/scale-kernels.h"

/* The compiler can do several bytes at once when it knows that nothing overlaps. */
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

static void portable_rows_narrow(const HfRowMix *mix, guint8 *to, int bytes)
{
    mix_four_rows(mix->rows[0], mix->rows[1], mix->rows[2], mix->rows[3], mix->narrow, to, bytes);
}

static void portable_rows_wide(const HfRowMix *mix, guint8 *to, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        int sum = 1 << (HF_SCALE_WIDE_BITS - 1);
        for (int k = 0; k < mix->count; k++)
            sum += mix->rows[k][i] * mix->wide[k];
        to[i] = (guint8)(sum >> HF_SCALE_WIDE_BITS);
    }
}

static void portable_columns_narrow(const HfColumnMix *mix, const guint32 *from, guint32 *to,
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

static void portable_columns_wide(const HfColumnMix *mix, const guint32 *from, guint32 *to,
                                  int count)
{
    for (int x = 0; x < count; x++) {
        const guint8 *at = (const guint8 *)(from + mix->first[x]);
        const gint16 *weights = mix->wide + (gsize)mix->count * (gsize)x;
        guint8 *result = (guint8 *)(to + x);
        int sums[4];
        for (int channel = 0; channel < 4; channel++)
            sums[channel] = 1 << (HF_SCALE_WIDE_BITS - 1);
        for (int k = 0; k < mix->count; k++, at += 4)
            for (int channel = 0; channel < 4; channel++)
                sums[channel] += at[channel] * weights[k];
        for (int channel = 0; channel < 4; channel++)
            result[channel] = (guint8)(sums[channel] >> HF_SCALE_WIDE_BITS);
    }
}

const HfScaleKernels hf_scale_portable = {
    .rows_narrow = portable_rows_narrow,
    .rows_wide = portable_rows_wide,
    .columns_narrow = portable_columns_narrow,
    .columns_wide = portable_columns_wide,
};
