/* SPDX-License-Identifier: Apache-2.0 */
/* Tests scale.c: against a plain computation in floating point, with and
 * without the processor's vector instructions. */
#include "hand/pixels/image/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    HfSize from, to;
} cases[] = {
    {{1920, 1080}, {1568, 882}},
    {{1, 1}, {1, 1}},
    {{1, 1}, {5, 7}},
    {{2, 2}, {1, 1}},
    {{3, 1}, {2, 1}},
    {{1, 3}, {1, 2}},
    {{17, 13}, {16, 12}},
    {{17, 13}, {17, 5}},
    {{17, 13}, {5, 13}},
    {{101, 67}, {33, 22}},
    {{101, 67}, {34, 22}},
    {{101, 67}, {25, 17}},
    {{101, 67}, {7, 3}},
    {{640, 480}, {1, 1}},
    {{641, 3}, {2, 2}},
    {{9, 9}, {8, 8}},
    {{33, 7}, {66, 21}},
    {{33, 7}, {40, 5}},
    {{7, 33}, {3, 99}},
    {{5, 5}, {1568, 3}},
    {{1000, 2}, {999, 2}},
    {{2000, 1}, {16, 1}},
    {{1, 2000}, {1, 16}},
    {{4, 4}, {3, 3}},
    {{1280, 800}, {1280, 800}},
    {{3840, 2160}, {1568, 882}},
};

/* Noise, lines and flat parts; rubbish in the fourth byte; rows with space between them. */
static HfImage *make_picture(HfSize size)
{
    int stride = size.width * 4 + 20;
    guint8 *pixels = g_malloc((gsize)stride * (gsize)size.height + 64);
    HfImage *image = hf_image_new_view(size.width, size.height, stride, pixels, g_free, pixels);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            guint32 pixel = g_rand_int(random);
            if (x % 7 == 0 || y % 5 == 0)
                pixel = 0xff000000;
            else if ((x + y) % 3 == 0)
                pixel = 0x00ffffff;
            hf_image_row(image, y)[x] = pixel;
        }
    return image;
}

/* The weight of source pixel `k` in result pixel `i`. */
static double weight(int from, int to, int i, int k)
{
    double ratio = (double)from / to;
    if (from >= to)
        return MAX(MIN(k + 1, (i + 1) * ratio) - MAX(k, i * ratio), 0) / ratio;
    double centre = CLAMP((i + 0.5) * ratio - 0.5, 0, from - 1);
    return MAX(0, 1 - fabs(centre - k));
}

static void range(int from, int to, int i, int *first, int *last)
{
    double ratio = (double)from / to;
    *first = MAX(0, (int)floor(i * ratio) - 2);
    *last = MIN(from - 1, (int)ceil((i + 1) * ratio) + 2);
}

static double reference(const HfImage *image, HfSize to, int x, int y, int shift)
{
    int top, bottom, left, right;
    range(image->width, to.width, x, &left, &right);
    range(image->height, to.height, y, &top, &bottom);
    double sum = 0;
    for (int row = top; row <= bottom; row++)
        for (int column = left; column <= right; column++)
            sum += weight(image->width, to.width, x, column) *
                   weight(image->height, to.height, y, row) *
                   ((hf_image_row(image, row)[column] >> shift) & 0xff);
    return sum;
}

static void test_against_reference(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = make_picture(cases[i].from);
        g_autoptr(HfImage) scaled = hf_image_scale(image, cases[i].to);
        HfSize to = cases[i].to;
        g_assert_cmpint(scaled->width, ==, to.width);
        g_assert_cmpint(scaled->height, ==, to.height);
        /* All of the small ones, a part of the large ones with both ends. */
        int step_x = MAX(1, to.width / 61), step_y = MAX(1, to.height / 31);
        for (int y = to.height - 1; y >= 0; y -= step_y)
            for (int x = to.width - 1; x >= 0; x -= step_x)
                for (int shift = 0; shift < 24; shift += 8) {
                    int got = (hf_image_row(scaled, y)[x] >> shift) & 0xff;
                    double want = reference(image, to, x, y, shift);
                    if (fabs(got - want) > 2)
                        g_error("case %zu at %d,%d: %d instead of %.1f", i, x, y, got, want);
                }
    }
}

static void test_portable_is_equal(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = make_picture(cases[i].from);
        g_autoptr(HfScaler) fast = hf_scaler_new(image, cases[i].to);
        g_autoptr(HfScaler) portable = hf_scaler_new(image, cases[i].to);
        hf_scaler_use_portable(portable);
        gsize bytes = 4 * (gsize)cases[i].to.width;
        g_autofree guint32 *one = g_malloc(bytes), *other = g_malloc(bytes);
        for (int y = 0; y < cases[i].to.height; y++)
            g_assert_cmpmem(hf_scaler_get_row(fast, y, one), bytes,
                            hf_scaler_get_row(portable, y, other), bytes);
    }
}

/* Twins on two threads, each with half of the rows, make what one alone makes. */
typedef struct Half {
    HfScaler *scaler;
    HfImage *to;
    int first;
} Half;

static gpointer make_half(gpointer data)
{
    Half *half = data;
    for (int y = half->first; y < half->to->height; y += 2) {
        guint32 *to = hf_image_row(half->to, y);
        const guint32 *row = hf_scaler_get_row(half->scaler, y, to);
        if (row != to)
            memcpy(to, row, 4 * (gsize)half->to->width);
    }
    return NULL;
}

static void test_twin(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfSize to = cases[i].to;
        g_autoptr(HfImage) image = make_picture(cases[i].from);
        g_autoptr(HfImage) alone = hf_image_scale(image, to);
        g_autoptr(HfImage) together = hf_image_new(to.width, to.height);
        g_autoptr(HfScaler) scaler = hf_scaler_new(image, to);
        g_autoptr(HfScaler) twin = hf_scaler_new_twin(scaler);
        Half one = {scaler, together, 0}, other = {twin, together, 1};
        GThread *thread = g_thread_new("twin", make_half, &other);
        make_half(&one);
        g_thread_join(thread);
        gsize bytes = 4 * (gsize)to.width * (gsize)to.height;
        g_assert_cmpmem(together->pixels, bytes, alone->pixels, bytes);
    }
}

/* A plain colour stays exactly what it is, at any ratio. */
static void test_flat(void)
{
    static const guint32 colours[] = {0x000000, 0xffffff, 0x0102fe, 0x808080, 0x7f3c01};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = hf_image_new(cases[i].from.width, cases[i].from.height);
        guint32 colour = colours[i % G_N_ELEMENTS(colours)];
        for (int y = 0; y < image->height; y++)
            for (int x = 0; x < image->width; x++)
                hf_image_row(image, y)[x] = colour;
        g_autoptr(HfImage) scaled = hf_image_scale(image, cases[i].to);
        for (int y = 0; y < scaled->height; y++)
            for (int x = 0; x < scaled->width; x++)
                g_assert_cmphex(hf_image_row(scaled, y)[x] & 0xffffff, ==, colour);
    }
}

static void test_fit(void)
{
    static const struct {
        HfSize size;
        int max_edge;
        HfSize want;
    } fits[] = {
        {{1920, 1080}, 1568, {1568, 882}}, {{1080, 1920}, 1568, {882, 1568}},
        {{1280, 800}, 1568, {1280, 800}},  {{1920, 1080}, 0, {1920, 1080}},
        {{1568, 10}, 1568, {1568, 10}},    {{16384, 1}, 1568, {1568, 1}},
        {{1, 16384}, 10, {1, 10}},         {{3840, 2160}, 1, {1, 1}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(fits); i++) {
        HfSize got = hf_size_fit(fits[i].size, fits[i].max_edge);
        g_assert_cmpint(got.width, ==, fits[i].want.width);
        g_assert_cmpint(got.height, ==, fits[i].want.height);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/scale/reference", test_against_reference);
    g_test_add_func("/scale/portable", test_portable_is_equal);
    g_test_add_func("/scale/twin", test_twin);
    g_test_add_func("/scale/flat", test_flat);
    g_test_add_func("/scale/fit", test_fit);
    return g_test_run();
}
