/* SPDX-License-Identifier: Apache-2.0 */
/* Tests blend.c. */
#include "hand/pixels/image/blend.h"

#include <math.h>

static HfImage *make_plain(int width, int height, guint32 pixel)
{
    HfImage *image = hf_image_new(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            hf_image_row(image, y)[x] = pixel;
    return image;
}

static void test_colours(void)
{
    for (guint alpha = 0; alpha <= 255; alpha += 5)
        for (guint below = 0; below <= 255; below += 5) {
            guint colour = alpha * 3 / 4;
            g_autoptr(HfImage) image = make_plain(1, 1, 0xab000000 | below << 8);
            g_autoptr(HfImage) overlay = make_plain(1, 1, alpha << 24 | colour << 16 | colour << 8);
            hf_image_blend(image, overlay, (HfPoint){0, 0});
            guint32 got = hf_image_row(image, 0)[0];
            double want = colour + below * (255 - alpha) / 255.0;
            g_assert_cmpfloat(fabs((got >> 8 & 0xff) - want), <=, 0.51);
            g_assert_cmpuint(got >> 16 & 0xff, ==, colour);
            g_assert_cmpuint(got & 0xff, ==, 0);
            g_assert_cmphex(got >> 24, ==, 0xab);
        }
}

/* Wherever it is put, exactly the part of it that lies on the picture is drawn. */
static void test_places(void)
{
    static const HfPoint places[] = {{0, 0},  {2, 1},  {-1, -2},     {5, 4},     {6, 0},  {0, 5},
                                     {-3, 0}, {0, -4}, {-100, -100}, {100, 100}, {-2, 3}, {4, -3}};
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        HfPoint at = places[i];
        g_autoptr(HfImage) image = make_plain(6, 5, 0x00000000);
        g_autoptr(HfImage) overlay = make_plain(3, 4, 0xff000000);
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 3; x++)
                hf_image_row(overlay, y)[x] |= (guint32)(1 + x + 3 * y);
        hf_image_blend(image, overlay, at);
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 6; x++) {
                HfRect shown = {at.x, at.y, 3, 4};
                guint32 want = hf_rect_contains(shown, (HfPoint){x, y})
                                   ? (guint32)(1 + (x - at.x) + 3 * (y - at.y))
                                   : 0;
                g_assert_cmphex(hf_image_row(image, y)[x], ==, want);
            }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/blend/colours", test_colours);
    g_test_add_func("/blend/places", test_places);
    return g_test_run();
}
