/* SPDX-License-Identifier: Apache-2.0 */
/* Covered parts are the same whatever was there, nothing around them is touched, and marks are
 * where they should be. */
#include "hand/safety/privacy-mask.h"

#include <string.h>

#include "hand/pixels/image/mark.h"

#define WIDTH  64
#define HEIGHT 48

static HfImage *noise(guint32 seed)
{
    HfImage *image = hf_image_new(WIDTH, HEIGHT);
    GRand *random = g_rand_new_with_seed(seed);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            hf_image_row(image, y)[x] = g_rand_int(random);
    g_rand_free(random);
    return image;
}

static void paint_over(HfImage *image, HfRect rect)
{
    HfCapture capture = {.image = image, .area = {0, 0, WIDTH, HEIGHT}};
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_array_append_val(places, rect);
    hf_privacy_mask_paint(&capture, places);
}

static const HfRect rects[] = {
    {10, 10, 20, 8},            /* inside */
    {-5, -5, 20, 20},           /* over the corner */
    {60, 40, 100, 100},         /* over the other one */
    {0, 0, WIDTH, HEIGHT},      /* everything */
    {30, 30, 1, 1},             /* one pixel */
    {-1000, -1000, 5000, 5000}, /* far over */
    {10, 10, 0, 5},             /* empty: nothing happens */
    {200, 200, 10, 10},         /* elsewhere */
    {WIDTH - 3, 0, 3, HEIGHT},  /* along an edge */
};

static void test_unreadable(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rects); i++) {
        g_test_message("rectangle %zu", i);
        g_autoptr(HfImage) one = noise(1), other = noise(2), plain = noise(1);
        paint_over(one, rects[i]);
        paint_over(other, rects[i]);
        HfRect grown = {rects[i].x - 2, rects[i].y - 2, rects[i].width + 4, rects[i].height + 4};
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                guint32 pixel = hf_image_row(one, y)[x];
                if (!hf_rect_is_empty(rects[i]) && hf_rect_contains(grown, (HfPoint){x, y}))
                    g_assert_cmphex(pixel, ==, hf_image_row(other, y)[x]);
                else
                    g_assert_cmphex(pixel, ==, hf_image_row(plain, y)[x]);
            }
    }
}

/* A field full of dots must not be told from an empty one by colours or brightness either. */
static void test_no_average(void)
{
    g_autoptr(HfImage) dark = hf_image_new(WIDTH, HEIGHT), bright = hf_image_new(WIDTH, HEIGHT);
    memset(dark->pixels, 0x00, (gsize)dark->stride * HEIGHT);
    memset(bright->pixels, 0xff, (gsize)bright->stride * HEIGHT);
    HfRect all = {0, 0, WIDTH, HEIGHT};
    paint_over(dark, all);
    paint_over(bright, all);
    g_assert_cmpmem(dark->pixels, (gsize)dark->stride * HEIGHT, bright->pixels,
                    (gsize)bright->stride * HEIGHT);
}

static void test_marks(void)
{
    static const HfPoint points[] = {
        {32, 24}, {0, 0}, {WIDTH - 1, HEIGHT - 1}, {-50, 10}, {500, 5}};
    for (gsize i = 0; i < G_N_ELEMENTS(points); i++) {
        g_autoptr(HfImage) image = noise(3), plain = noise(3);
        hf_image_mark_point(image, points[i]);
        HfPoint at = points[i];
        if (hf_rect_contains((HfRect){0, 0, WIDTH, HEIGHT}, at)) {
            /* The point itself stays to be seen. */
            g_assert_cmphex(hf_image_row(image, at.y)[at.x], ==, hf_image_row(plain, at.y)[at.x]);
            int beside = at.x + 8 < WIDTH ? at.x + 8 : at.x - 8;
            g_assert_cmphex(hf_image_row(image, at.y)[beside], ==, 0xffff2d78);
        }
    }
    g_autoptr(HfImage) image = noise(4), plain = noise(4);
    hf_image_mark_area(image, (HfRect){4, 4, 30, 30});
    g_assert_cmphex(hf_image_row(image, 4)[10], ==, 0xffff2d78);
    g_assert_cmphex(hf_image_row(image, 15)[15], ==, hf_image_row(plain, 15)[15]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/privacy-mask-paint/unreadable", test_unreadable);
    g_test_add_func("/privacy-mask-paint/no-average", test_no_average);
    g_test_add_func("/privacy-mask-paint/marks", test_marks);
    return g_test_run();
}
