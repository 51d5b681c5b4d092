/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/x11/capture/pixel-grabber.c: layouts that no server at hand has. */
#include "hand/x11/capture/pixel-grabber.h"

static const struct {
    HfX11PixelFormat format;
    guint8 bytes[16]; /* two rows of one pixel each, padded */
    guint32 want[2];
    gboolean native;
} cases[] = {
    {{32, 32, FALSE, {0xff0000, 0xff00, 0xff}},
     {0x10, 0x20, 0x30, 0xff, 0x01, 0x02, 0x03, 0x00},
     {0x302010, 0x030201},
     TRUE},
    {{32, 32, TRUE, {0xff0000, 0xff00, 0xff}},
     {0xff, 0x30, 0x20, 0x10, 0x00, 0x03, 0x02, 0x01},
     {0x302010, 0x030201},
     FALSE},
    {{32, 32, FALSE, {0xff, 0xff00, 0xff0000}},
     {0x30, 0x20, 0x10, 0x00, 0x03, 0x02, 0x01, 0x00},
     {0x302010, 0x030201},
     FALSE},
    {{24, 32, FALSE, {0xff0000, 0xff00, 0xff}},
     {0x10, 0x20, 0x30, 0xaa, 0x01, 0x02, 0x03, 0xaa},
     {0x302010, 0x030201},
     FALSE},
    {{16, 32, FALSE, {0xf800, 0x7e0, 0x1f}},
     {0x00, 0xf8, 0xaa, 0xaa, 0xff, 0xff, 0xaa, 0xaa},
     {0xff0000, 0xffffff},
     FALSE},
    {{16, 16, TRUE, {0x7c00, 0x3e0, 0x1f}},
     {0x7c, 0x00, 0x00, 0x1f, 0xaa, 0xaa, 0xaa, 0xaa},
     {0xff0000, 0x0000ff},
     FALSE},
    {{32, 32, FALSE, {0x3ff00000, 0xffc00, 0x3ff}},
     {0xff, 0x03, 0x00, 0x00, 0x00, 0x00, 0xf0, 0x3f},
     {0x0000ff, 0xff0000},
     FALSE},
};

static void test_layouts(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = hf_x11_pixels_convert(&cases[i].format, cases[i].bytes, 1, 2);
        for (int y = 0; y < 2; y++)
            g_assert_cmphex(hf_image_row(image, y)[0] & 0xffffff, ==, cases[i].want[y]);
        g_assert_cmpint(hf_x11_pixel_format_is_native(&cases[i].format), ==, cases[i].native);
    }
}

static void test_strides(void)
{
    static const struct {
        int bits, pad, width;
        gsize want;
    } strides[] = {{32, 32, 1, 4}, {32, 32, 7, 28}, {16, 32, 1, 4},  {16, 32, 2, 4},
                   {16, 16, 3, 6}, {24, 32, 1, 4},  {24, 32, 5, 16}, {24, 8, 5, 15}};
    for (gsize i = 0; i < G_N_ELEMENTS(strides); i++) {
        HfX11PixelFormat format = {.bits = strides[i].bits, .pad = strides[i].pad};
        g_assert_cmpuint(hf_x11_pixel_format_stride(&format, strides[i].width), ==,
                         strides[i].want);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pixels/layouts", test_layouts);
    g_test_add_func("/pixels/strides", test_strides);
    return g_test_run();
}
