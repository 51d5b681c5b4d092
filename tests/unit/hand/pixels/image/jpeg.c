/* SPDX-License-Identifier: Apache-2.0 */
/* Tests jpeg.c: encodes pictures, decodes them again and compares. */
#include "hand/pixels/image/jpeg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* jpeglib.h needs FILE. */
#include <jpeglib.h>

#include "hand/pixels/image/scale.h"
#include "shared/base/error.h"

static HfImage *decode(GBytes *bytes)
{
    struct jpeg_decompress_struct jpeg = {0};
    struct jpeg_error_mgr errors;
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, data, length);
    g_assert_cmpint(jpeg_read_header(&jpeg, TRUE), ==, JPEG_HEADER_OK);
    int samples = jpeg.num_components == 1 ? 1 : 2; /* grey has nothing to be halved */
    g_assert_cmpint(jpeg.comp_info[0].h_samp_factor, ==, samples);
    g_assert_cmpint(jpeg.comp_info[0].v_samp_factor, ==, samples);
    jpeg.out_color_space = JCS_EXT_BGRX;
    jpeg_start_decompress(&jpeg);
    HfImage *image = hf_image_new((int)jpeg.output_width, (int)jpeg.output_height);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = (JSAMPROW)hf_image_row(image, (int)jpeg.output_scanline);
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    g_assert_cmpint(errors.num_warnings, ==, 0);
    jpeg_destroy_decompress(&jpeg);
    return image;
}

/* Four fields of known colour; rubbish in the fourth byte; space between rows. */
static const guint32 fields[4] = {0xffd02010, 0x0010c040, 0x7f2030e0, 0x12e0e0e0};

static HfImage *make_fields(int width, int height)
{
    int stride = width * 4 + 12;
    guint8 *pixels = g_malloc((gsize)stride * (gsize)height + 64);
    HfImage *image = hf_image_new_view(width, height, stride, pixels, g_free, pixels);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            hf_image_row(image, y)[x] = fields[(x >= width / 2) + 2 * (y >= height / 2)];
    return image;
}

static void assert_near(guint32 got, guint32 want, int tolerance)
{
    for (int shift = 0; shift < 24; shift += 8)
        g_assert_cmpint(abs((int)(got >> shift & 0xff) - (int)(want >> shift & 0xff)), <=,
                        tolerance);
}

static void test_colours(void)
{
    static const struct {
        HfSize from, to;
        int quality, tolerance;
    } cases[] = {
        {{640, 480}, {640, 480}, 80, 6},  {{640, 480}, {511, 383}, 80, 6},
        {{641, 479}, {100, 77}, 80, 6},   {{320, 200}, {640, 401}, 80, 6},
        {{640, 480}, {640, 480}, 100, 3}, {{640, 480}, {640, 480}, 30, 16},
        {{64, 64}, {17, 19}, 80, 12},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = make_fields(cases[i].from.width, cases[i].from.height);
        g_autoptr(GBytes) bytes = hf_jpeg_encode(image, cases[i].to, cases[i].quality, NULL);
        g_assert_nonnull(bytes);
        g_autoptr(HfImage) back = decode(bytes);
        HfSize to = cases[i].to;
        g_assert_cmpint(back->width, ==, to.width);
        g_assert_cmpint(back->height, ==, to.height);
        for (int field = 0; field < 4; field++) {
            int x = to.width * (field % 2 ? 3 : 1) / 4, y = to.height * (field / 2 ? 3 : 1) / 4;
            assert_near(hf_image_row(back, y)[x], fields[field], cases[i].tolerance);
        }
    }
}

static void test_odd_sizes(void)
{
    static const HfSize sizes[] = {{1, 1}, {1, 9}, {9, 1}, {7, 7}, {15, 17}, {33, 31}, {129, 3}};
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++)
        for (int quality = 0; quality <= 100; quality += 25) {
            g_autoptr(HfImage) image = hf_image_new(sizes[i].width, sizes[i].height);
            for (int y = 0; y < image->height; y++)
                for (int x = 0; x < image->width; x++)
                    hf_image_row(image, y)[x] = 0x808080;
            g_autoptr(GBytes) bytes = hf_jpeg_encode(image, sizes[i], quality, NULL);
            g_autoptr(HfImage) back = decode(bytes);
            g_assert_cmpint(back->width, ==, sizes[i].width);
            assert_near(hf_image_row(back, back->height - 1)[back->width - 1], 0x808080, 3);
        }
}

/* Noise with lines and flat parts: no two blocks are alike, and the bytes are many. */
static HfImage *make_noise(int width, int height)
{
    HfImage *image = hf_image_new(width, height);
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            hf_image_row(image, y)[x] = y % 5 == 0 ? 0xffffff : g_rand_int(random);
    return image;
}

static void assert_same_pixels(GBytes *one, GBytes *other)
{
    g_autoptr(HfImage) a = decode(one), b = decode(other);
    g_assert_cmpint(a->width, ==, b->width);
    g_assert_cmpint(a->height, ==, b->height);
    for (int y = 0; y < a->height; y++)
        g_assert_cmpmem(hf_image_row(a, y), 4 * (gsize)a->width, hf_image_row(b, y),
                        4 * (gsize)b->width);
}

/* decode() takes no warning, and the library warns of a restart marker that is not the next. */
static void test_stripes(void)
{
    static const struct {
        HfSize from, to;
        int quality, block_rows;
    } cases[] = {
        {{640, 480}, {640, 480}, 80, 15},
        {{640, 480}, {640, 480}, 80, 1}, /* 30 stripes */
        {{640, 480}, {523, 392}, 80, 7},
        {{640, 481}, {640, 481}, 80, 30}, /* a last one of 1 row */
        {{640, 497}, {640, 497}, 100, 31},
        {{641, 479}, {97, 73}, 50, 2},
        {{320, 200}, {333, 250}, 0, 3},
        {{40, 40}, {17, 17}, 80, 1},
        {{40, 40}, {40, 40}, 80, 1000},
        {{40, 40}, {40, 40}, 80, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfSize to = cases[i].to;
        int quality = cases[i].quality, rows = cases[i].block_rows;
        g_autoptr(HfImage) image = make_noise(cases[i].from.width, cases[i].from.height);
        for (gboolean grey = FALSE; grey <= TRUE; grey++) {
            g_autoptr(GBytes) whole =
                hf_jpeg_encode_stripes(image, to, quality, grey, to.height, NULL);
            g_autoptr(GBytes) striped =
                hf_jpeg_encode_stripes(image, to, quality, grey, rows, NULL);
            g_autoptr(GBytes) again = hf_jpeg_encode_stripes(image, to, quality, grey, rows, NULL);
            assert_same_pixels(whole, striped);
            g_assert_true(g_bytes_equal(striped, again));
        }
    }
}

static int count_components(GBytes *bytes)
{
    struct jpeg_decompress_struct jpeg = {0};
    struct jpeg_error_mgr errors;
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, data, length);
    g_assert_cmpint(jpeg_read_header(&jpeg, TRUE), ==, JPEG_HEADER_OK);
    int count = jpeg.num_components;
    jpeg_destroy_decompress(&jpeg);
    return count;
}

/* One brightness for each colour, in one component, and fewer bytes for the same picture. */
static void test_grey(void)
{
    static const guint32 wanted[4] = {0x535353, 0x7d7d7d, 0x3f3f3f, 0xe0e0e0};
    g_autoptr(HfImage) image = make_fields(640, 480), noise = make_noise(640, 480);
    HfSize size = {511, 383}, whole = {640, 480};
    g_autoptr(GBytes) bytes = hf_jpeg_encode_grey(image, size, 90, NULL);
    g_autoptr(HfImage) back = decode(bytes);
    g_assert_cmpint(count_components(bytes), ==, 1);
    for (int field = 0; field < 4; field++)
        assert_near(
            hf_image_row(back, 383 * (field / 2 ? 3 : 1) / 4)[511 * (field % 2 ? 3 : 1) / 4],
            wanted[field], 2);
    g_autoptr(GBytes) colours = hf_jpeg_encode(noise, whole, 80, NULL);
    g_autoptr(GBytes) grey = hf_jpeg_encode_grey(noise, whole, 80, NULL);
    g_assert_cmpint(count_components(colours), ==, 3);
    g_assert_cmpuint(g_bytes_get_size(grey), <, g_bytes_get_size(colours));
}

static void test_large_is_striped(void)
{
    g_autoptr(HfImage) image = make_noise(1920, 1080);
    HfSize size = {1568, 882};
    g_autoptr(GBytes) usual = hf_jpeg_encode(image, size, 80, NULL);
    g_autoptr(GBytes) whole = hf_jpeg_encode_stripes(image, size, 80, FALSE, size.height, NULL);
    assert_same_pixels(usual, whole);
    g_assert_false(g_bytes_equal(usual, whole));
}

/* More blocks than may lie between two restart markers: it has to be more stripes. */
static void test_longest_stripe(void)
{
    g_autoptr(HfImage) image = make_fields(64, 64);
    HfSize size = {65500, 17 * 16};
    g_autoptr(GBytes) bytes = hf_jpeg_encode_stripes(image, size, 80, FALSE, 17, NULL);
    g_autoptr(HfImage) back = decode(bytes);
    assert_near(hf_image_row(back, 17 * 16 - 1)[65499], fields[3], 6);
    assert_near(hf_image_row(back, 0)[0], fields[0], 6);
    g_autoptr(GBytes) grey = hf_jpeg_encode_stripes(image, size, 80, TRUE, 17, NULL);
    g_autoptr(HfImage) grey_back = decode(grey);
    assert_near(hf_image_row(grey_back, 17 * 16 - 1)[65499], 0xe0e0e0, 6);
}

static void test_too_large(void)
{
    g_autoptr(HfImage) image = hf_image_new(1, 1);
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_jpeg_encode(image, (HfSize){70000, 1}, 80, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/jpeg/colours", test_colours);
    g_test_add_func("/jpeg/odd-sizes", test_odd_sizes);
    g_test_add_func("/jpeg/stripes", test_stripes);
    g_test_add_func("/jpeg/grey", test_grey);
    g_test_add_func("/jpeg/large-is-striped", test_large_is_striped);
    g_test_add_func("/jpeg/longest-stripe", test_longest_stripe);
    g_test_add_func("/jpeg/too-large", test_too_large);
    return g_test_run();
}
