/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over a place come from tables, and products with the small picture are added up for a whole
 * row of places at once: long plain loops, which compilers turn into vector instructions. */
#include "hand/pixels/compare/template-correlation.h"

#include <math.h>
#include <string.h>

/* A part as even as this has nothing that could correlate. */
#define LEAST_VARIANCE 4.0
/* Less is taken for transparent. */
#define OPAQUE 128
/* Up to so many pixels their products add up without passing the ends of an int. */
#define MOST_SUMMED 33000

/* Worth vector instructions also where the rest is not built for speed. */
#define VECTORS __attribute__((optimize("O3")))

static inline gint16 grey_of(guint32 pixel)
{
    guint32 red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
    return (gint16)((red * 77 + green * 150 + blue * 29) >> 8);
}

static HfGrey *grey_new(int width, int height)
{
    HfGrey *grey = g_new0(HfGrey, 1);
    grey->width = width;
    grey->height = height;
    grey->pixels = g_new(gint16, (gsize)width * (gsize)height + 16);
    return grey;
}

void hf_grey_free(HfGrey *grey)
{
    if (!grey)
        return;
    g_free(grey->pixels);
    g_free(grey->sums);
    g_free(grey->squares);
    g_free(grey);
}

void hf_grey_add_up(HfGrey *grey)
{
    gsize stride = (gsize)grey->width + 1;
    grey->sums = g_new0(guint32, stride * ((gsize)grey->height + 1));
    grey->squares = g_new0(guint64, stride * ((gsize)grey->height + 1));
    for (int y = 0; y < grey->height; y++) {
        const gint16 *row = grey->pixels + (gsize)y * (gsize)grey->width;
        guint32 sum = 0;
        guint64 square = 0;
        for (int x = 0; x < grey->width; x++) {
            gsize at = ((gsize)y + 1) * stride + (gsize)x + 1;
            sum += (guint32)row[x];
            square += (guint64)(row[x] * row[x]);
            grey->sums[at] = grey->sums[at - stride] + sum;
            grey->squares[at] = grey->squares[at - stride] + square;
        }
    }
}

HfGrey *hf_grey_new(const HfImage *image)
{
    HfGrey *grey = grey_new(image->width, image->height);
    for (int y = 0; y < image->height; y++) {
        const guint32 *from = hf_image_row(image, y);
        gint16 *to = grey->pixels + (gsize)y * (gsize)grey->width;
        for (int x = 0; x < image->width; x++)
            to[x] = grey_of(from[x]);
    }
    return grey;
}

HfGrey *hf_grey_new_half(const HfGrey *grey)
{
    HfGrey *half = grey_new(MAX(1, grey->width / 2), MAX(1, grey->height / 2));
    int right = grey->width > 1, below = grey->height > 1 ? grey->width : 0;
    for (int y = 0; y < half->height; y++) {
        const gint16 *from = grey->pixels + (gsize)y * 2 * (gsize)grey->width;
        gint16 *to = half->pixels + (gsize)y * (gsize)half->width;
        for (int x = 0; x < half->width; x++, from += 2)
            to[x] = (gint16)((from[0] + from[right] + from[below] + from[below + right] + 2) / 4);
    }
    return half;
}

/* ---- the small picture ---- */

/* What one pixel of it covers of the picture that was given. */
typedef struct Cover {
    double grey, alpha, area;
} Cover;

static Cover cover_of(const HfImage *small, double left, double top, double right, double bottom)
{
    Cover cover = {0};
    for (int y = (int)top; y < small->height && y < bottom; y++) {
        double high = MIN(bottom, y + 1) - MAX(top, y);
        const guint32 *row = hf_image_row(small, y);
        for (int x = (int)left; x < small->width && x < right; x++) {
            double area = high * (MIN(right, x + 1) - MAX(left, x));
            double alpha = area * (row[x] >> 24) / 255.0;
            cover.grey += alpha * grey_of(row[x]);
            cover.alpha += alpha;
            cover.area += area;
        }
    }
    return cover;
}

static void fill_stencil(HfStencil *stencil, const HfImage *small)
{
    double across = (double)small->width / stencil->width;
    double down = (double)small->height / stencil->height;
    for (int y = 0; y < stencil->height; y++)
        for (int x = 0; x < stencil->width; x++) {
            Cover cover = cover_of(small, x * across, y * down, (x + 1) * across, (y + 1) * down);
            gsize at = (gsize)y * (gsize)stencil->width + (gsize)x;
            stencil->mask[at] = cover.area > 0 && cover.alpha * 255 >= OPAQUE * cover.area;
            stencil->count += stencil->mask[at];
            stencil->pixels[at] =
                (gint16)(stencil->mask[at] ? lround(cover.grey / cover.alpha) : 0);
        }
}

/* In parts of a grey level, since the mean is not a whole number: as fine as can be added up. */
static void take_mean(HfStencil *stencil)
{
    double parts = stencil->count > MOST_SUMMED
                       ? 16
                       : MIN(16, (double)G_MAXINT / 2 / (255.0 * 255.0 * MAX(1, stencil->count)));
    gsize cells = (gsize)stencil->width * (gsize)stencil->height;
    double sum = 0, squares = 0, rest = 0;
    for (gsize i = 0; i < cells; i++)
        sum += stencil->pixels[i];
    double mean = stencil->count > 0 ? sum / stencil->count : 0;
    for (gsize i = 0; i < cells; i++) {
        double less = stencil->mask[i] ? (stencil->pixels[i] - mean) * parts : 0;
        stencil->pixels[i] = (gint16)lround(less);
        rest += stencil->pixels[i];
        squares += (double)stencil->pixels[i] * stencil->pixels[i];
    }
    stencil->rest = rest;
    stencil->norm = sqrt(MAX(0, squares - rest * rest / MAX(1, stencil->count)));
    stencil->deviation = stencil->count > 0 ? stencil->norm / parts / sqrt(stencil->count) : 0;
}

HfStencil *hf_stencil_new(const HfImage *small, HfSize size)
{
    HfStencil *stencil = g_new0(HfStencil, 1);
    gsize cells = (gsize)size.width * (gsize)size.height;
    stencil->width = size.width;
    stencil->height = size.height;
    stencil->pixels = g_new0(gint16, cells);
    stencil->mask = g_new0(guint8, cells);
    fill_stencil(stencil, small);
    take_mean(stencil);
    stencil->whole = stencil->count == (int)cells;
    return stencil;
}

void hf_stencil_free(HfStencil *stencil)
{
    if (!stencil)
        return;
    g_free(stencil->pixels);
    g_free(stencil->mask);
    g_free(stencil);
}

/* ---- correlation ---- */

static double correlation_score(const HfStencil *stencil, double product, double sum,
                                double squares)
{
    double variance = squares - sum * sum / stencil->count;
    if (variance < LEAST_VARIANCE * stencil->count)
        return 0;
    double covariance = product - stencil->rest * sum / stencil->count;
    return CLAMP(covariance / (stencil->norm * sqrt(variance)), -1, 1);
}

static double table_sum(const guint32 *sums, gsize stride, int x, int y, const HfStencil *stencil)
{
    gsize top = (gsize)y * stride + (gsize)x, bottom = top + (gsize)stencil->height * stride;
    gsize width = (gsize)stencil->width;
    return (double)(guint32)(sums[bottom + width] - sums[bottom] - sums[top + width] + sums[top]);
}

static double table_squares(const guint64 *sums, gsize stride, int x, int y,
                            const HfStencil *stencil)
{
    gsize top = (gsize)y * stride + (gsize)x, bottom = top + (gsize)stencil->height * stride;
    gsize width = (gsize)stencil->width;
    return (double)(sums[bottom + width] - sums[bottom] - sums[top + width] + sums[top]);
}

double hf_stencil_score(const HfStencil *stencil, const HfGrey *large, int x, int y)
{
    gint64 product = 0, sum = 0, squares = 0;
    for (int j = 0; j < stencil->height; j++) {
        const gint16 *row = large->pixels + (gsize)(y + j) * (gsize)large->width + x;
        const gint16 *own = stencil->pixels + (gsize)j * (gsize)stencil->width;
        const guint8 *mask = stencil->mask + (gsize)j * (gsize)stencil->width;
        int line = 0, line_sum = 0, line_squares = 0;
        for (int i = 0; i < stencil->width; i++) {
            int pixel = row[i] * mask[i];
            line += own[i] * row[i];
            line_sum += pixel;
            line_squares += pixel * pixel;
        }
        product += line;
        sum += line_sum;
        squares += line_squares;
    }
    return correlation_score(stencil, (double)product, (double)sum, (double)squares);
}

VECTORS static void add_products(int *to, const gint16 *row, int factor, int count)
{
    for (int x = 0; x < count; x++)
        to[x] += factor * row[x];
}

VECTORS static void add_masked(int *sums, int *squares, const gint16 *row, int count)
{
    for (int x = 0; x < count; x++) {
        sums[x] += row[x];
        squares[x] += row[x] * row[x];
    }
}

void hf_stencil_score_row(const HfStencil *stencil, const HfGrey *large, int y, int count,
                          double *ret_scores)
{
    g_autofree int *products = g_new0(int, (gsize)MAX(1, count) * 3);
    int *sums = products + count, *squares = sums + count;
    for (int j = 0; j < stencil->height; j++) {
        const gint16 *row = large->pixels + (gsize)(y + j) * (gsize)large->width;
        for (int i = 0; i < stencil->width; i++) {
            gsize at = (gsize)j * (gsize)stencil->width + (gsize)i;
            add_products(products, row + i, stencil->pixels[at], count);
            if (!stencil->whole && stencil->mask[at])
                add_masked(sums, squares, row + i, count);
        }
    }
    gsize stride = (gsize)large->width + 1;
    for (int x = 0; x < count; x++)
        ret_scores[x] =
            stencil->whole ? correlation_score(stencil, products[x],
                                               table_sum(large->sums, stride, x, y, stencil),
                                               table_squares(large->squares, stride, x, y, stencil))
                           : correlation_score(stencil, products[x], sums[x], squares[x]);
}
