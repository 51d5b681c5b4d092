/* SPDX-License-Identifier: Apache-2.0 */
/* Which source pixels make a result pixel, with which weights, for each axis by itself; the loops
 * that apply them are in scale-portable.c and scale-avx2.c. The weights of a result always add up
 * to one exactly, so that a plain colour stays what it is. */
#include "hand/pixels/image/scale.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/image/scale-kernels.h"

typedef struct Axis {
    gboolean copy; /* same size: nothing to do */
    int from, to;
    int count;  /* weights for each result */
    int *first; /* first source pixel of each result */
    guint8 (*narrow)[HF_SCALE_NARROW];
    gint16 *wide; /* `count` for each result, when there are more than `narrow` holds */
} Axis;

struct HfScaler {
    const HfImage *source;
    const HfScaleKernels *kernels;
    Axis columns, rows; /* only read once they are made; a twin borrows them */
    gboolean is_twin;
    const guint8 **row_pointers;
    guint32 *mixed; /* one row of the source's width, with its last pixel repeated behind it */
};

/* How much of the result pixel `i` each source pixel from `first` on makes up. */
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

/* Whole numbers that add up to `total`: the running sum is rounded, so that no error builds up
 * however many there are. A weight of 8 bits cannot be 256: its neighbour takes the one over. */
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
        round_shares(shares, axis->count, axis->wide ? 1 << HF_SCALE_WIDE_BITS : 256,
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
    axis->count = needed <= HF_SCALE_NARROW ? HF_SCALE_NARROW : (needed + 1) / 2 * 2;
    if (needed <= HF_SCALE_NARROW)
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

/* What a scaler writes to while it makes a row. */
static void allocate_scaler_rows(HfScaler *scaler)
{
    scaler->row_pointers = g_new(const guint8 *, MAX(scaler->rows.count, HF_SCALE_NARROW));
    scaler->mixed = NULL;
    if (!scaler->columns.copy)
        scaler->mixed = g_new(guint32, (gsize)scaler->source->width + (gsize)scaler->columns.count);
}

HfScaler *hf_scaler_new(const HfImage *source, HfSize size)
{
    HfScaler *scaler = g_new0(HfScaler, 1);
    scaler->source = source;
    scaler->kernels = hf_scale_find_avx2();
    if (!scaler->kernels)
        scaler->kernels = &hf_scale_portable;
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
    scaler->kernels = &hf_scale_portable;
}

static void mix_rows(HfScaler *scaler, int y, guint32 *to)
{
    const Axis *axis = &scaler->rows;
    for (int k = 0; k < axis->count; k++) {
        int row = MIN(axis->first[y] + k, axis->from - 1);
        scaler->row_pointers[k] = (const guint8 *)hf_image_row(scaler->source, row);
    }
    HfRowMix mix = {.rows = scaler->row_pointers, .count = axis->count};
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
    HfColumnMix mix = {axis->count, axis->first, (const guint8(*)[HF_SCALE_NARROW])axis->narrow,
                       axis->wide};
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
