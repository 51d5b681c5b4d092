/* SPDX-License-Identifier: Apache-2.0 */
/* Tests png.c: read back chunk by chunk, with every checksum, and compared
 * exactly. */
#include "hand/pixels/image/png.h"

#include <libdeflate.h>
#include <string.h>

#include "hand/pixels/image/scale.h"

static guint32 number_at(const guint8 *at)
{
    guint32 value;
    memcpy(&value, at, 4);
    return GUINT32_FROM_BE(value);
}

/* Checks one chunk and returns the next. */
static const guint8 *check_chunk(const guint8 *at, const char *name, const guint8 **ret_data,
                                 gsize *ret_length)
{
    *ret_length = number_at(at);
    *ret_data = at + 8;
    g_assert_cmpmem(at + 4, 4, name, 4);
    g_assert_cmphex(number_at(*ret_data + *ret_length), ==,
                    libdeflate_crc32(0, at + 4, *ret_length + 4));
    return *ret_data + *ret_length + 4;
}

static guint8 *decode(GBytes *bytes, HfSize size, gboolean grey)
{
    gsize total, length;
    const guint8 *start = g_bytes_get_data(bytes, &total), *data;
    g_assert_cmpmem(start, 8, "\x89PNG\r\n\x1a\n", 8);
    const guint8 *at = check_chunk(start + 8, "IHDR", &data, &length);
    g_assert_cmpuint(length, ==, 13);
    g_assert_cmpuint(number_at(data), ==, size.width);
    g_assert_cmpuint(number_at(data + 4), ==, size.height);
    g_assert_cmpmem(data + 8, 5, grey ? "\x08\0\0\0\0" : "\x08\x02\0\0\0", 5);
    const guint8 *compressed;
    gsize compressed_length;
    at = check_chunk(at, "IDAT", &compressed, &compressed_length);
    at = check_chunk(at, "IEND", &data, &length);
    g_assert_true(at == start + total);
    gsize raw_length = (gsize)size.height * (1 + (grey ? 1 : 3) * (gsize)size.width);
    guint8 *raw = g_malloc(raw_length);
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    g_assert_cmpint(libdeflate_zlib_decompress(decompressor, compressed, compressed_length, raw,
                                               raw_length, NULL),
                    ==, LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(decompressor);
    return raw;
}

static void test_pixels(void)
{
    static const struct {
        HfSize from, to;
    } cases[] = {
        {{1, 1}, {1, 1}},     {{3, 2}, {3, 2}},     {{17, 9}, {17, 9}}, {{640, 480}, {640, 480}},
        {{33, 15}, {20, 10}}, {{10, 10}, {31, 33}}, {{5, 1}, {1, 1}},   {{64, 400}, {40, 257}},
    };
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfSize to = cases[i].to;
        g_autoptr(HfImage) image = hf_image_new(cases[i].from.width, cases[i].from.height);
        for (int y = 0; y < image->height; y++)
            for (int x = 0; x < image->width; x++)
                hf_image_row(image, y)[x] = g_rand_int(random);
        g_autoptr(HfImage) want = hf_image_scale(image, to);
        g_autoptr(GBytes) bytes = hf_png_encode(image, to, NULL);
        g_autofree guint8 *raw = decode(bytes, to, FALSE);
        for (int y = 0; y < to.height; y++) {
            const guint8 *row = raw + (gsize)y * (1 + 3 * (gsize)to.width);
            g_assert_cmpint(row[0], ==, 0);
            for (int x = 0; x < to.width; x++) {
                const guint8 *rgb = row + 1 + 3 * x;
                g_assert_cmphex(hf_image_row(want, y)[x] & 0xffffff, ==,
                                (guint32)(rgb[0] << 16 | rgb[1] << 8 | rgb[2]));
            }
        }
    }
}

/* Brightness by hand: 0.299 red + 0.587 green + 0.114 blue, rounded. */
static void test_grey(void)
{
    static const struct {
        guint32 colour;
        guint8 grey;
    } cases[] = {
        {0x000000, 0},   {0xffffff, 255}, {0xff0000, 76},  {0x00ff00, 150}, {0x0000ff, 29},
        {0x808080, 128}, {0xd02010, 83},  {0x10c040, 125}, {0x2030e0, 63},  {0xffe0e020, 202},
    };
    HfSize size = {G_N_ELEMENTS(cases), 2};
    g_autoptr(HfImage) image = hf_image_new(size.width, size.height);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < size.width; x++)
            hf_image_row(image, y)[x] = cases[x].colour;
    g_autoptr(GBytes) bytes = hf_png_encode_grey(image, size, NULL);
    g_autofree guint8 *raw = decode(bytes, size, TRUE);
    for (int x = 0; x < size.width; x++)
        g_assert_cmpint(raw[1 + size.width + 1 + x], ==, cases[x].grey);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/png/pixels", test_pixels);
    g_test_add_func("/png/grey", test_grey);
    return g_test_run();
}
