/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts of a picture have changed: never too few, and no more than the tiles around them. */
#include "hand/pixels/compare/tile-changes.h"

#include <string.h>

#include "shared/image/image.h"

#define WIDTH  300 /* five columns, the last one narrow */
#define HEIGHT 200 /* four rows, the last one low */

static HfImage *new_picture(void)
{
    HfImage *image = hf_image_new(WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            hf_image_row(image, y)[x] = (guint32)(x * 7 + y * 131);
    return image;
}

/* Changes every pixel of the area by one in one colour. */
static void change(HfImage *image, HfRect area)
{
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++)
            hf_image_row(image, y)[x] ^= 0x010000;
}

static char *describe(const GArray *parts)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < parts->len; i++) {
        HfRect part = g_array_index(parts, HfRect, i);
        g_string_append_printf(text, "%s%d,%d %dx%d", i ? "; " : "", part.x, part.y, part.width,
                               part.height);
    }
    return g_string_free(text, FALSE);
}

static const struct {
    const char *what;
    HfRect changed[2];
    const char *parts;
} cases[] = {
    {"nothing", {{0}}, ""},
    {"one pixel", {{70, 10, 1, 1}}, "64,0 64x64"},
    {"the last pixel", {{299, 199, 1, 1}}, "256,192 44x8"},
    {"over an edge", {{63, 5, 2, 1}}, "0,0 128x64"},
    {"over a corner", {{63, 63, 2, 2}}, "0,0 128x128"},
    {"a column", {{130, 0, 4, 200}}, "128,0 64x200"},
    {"a row", {{0, 70, 300, 1}}, "0,64 300x64"},
    {"two apart in a row", {{0, 0, 1, 1}, {200, 0, 1, 1}}, "0,0 64x64; 192,0 64x64"},
    {"two apart in a column", {{0, 0, 1, 1}, {0, 140, 1, 1}}, "0,0 64x64; 0,128 64x64"},
    {"steps do not join", {{0, 0, 1, 1}, {0, 70, 100, 1}}, "0,0 64x64; 0,64 128x64"},
    {"most of it", {{0, 0, 300, 180}}, "0,0 300x200"},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTiles) tiles = hf_tiles_new();
        g_autoptr(HfImage) image = new_picture();
        g_autoptr(GArray) first = hf_tiles_compare(tiles, image);
        g_autofree char *whole = describe(first);
        g_assert_cmpstr(whole, ==, "0,0 300x200");
        change(image, cases[i].changed[0]);
        change(image, cases[i].changed[1]);
        g_autoptr(GArray) parts = hf_tiles_compare(tiles, image);
        g_autofree char *text = describe(parts);
        g_test_message("%s", cases[i].what);
        g_assert_cmpstr(text, ==, cases[i].parts);
        g_autoptr(GArray) again = hf_tiles_compare(tiles, image);
        g_assert_cmpuint(again->len, ==, 0);
    }
}

/* X servers leave rubbish in the fourth byte. */
static void test_unused_byte(void)
{
    g_autoptr(HfTiles) tiles = hf_tiles_new();
    g_autoptr(HfImage) image = new_picture();
    g_array_unref(hf_tiles_compare(tiles, image));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            hf_image_row(image, y)[x] |= 0xff000000;
    g_autoptr(GArray) parts = hf_tiles_compare(tiles, image);
    g_assert_cmpuint(parts->len, ==, 0);
}

static void test_forgotten_and_resized(void)
{
    g_autoptr(HfTiles) tiles = hf_tiles_new();
    g_autoptr(HfImage) image = new_picture();
    g_autoptr(HfImage) small = hf_image_new(10, 10);
    memset(small->pixels, 0, (gsize)small->stride * 10);
    g_array_unref(hf_tiles_compare(tiles, image));
    hf_tiles_forget(tiles);
    g_autoptr(GArray) again = hf_tiles_compare(tiles, image);
    g_autofree char *all = describe(again);
    g_assert_cmpstr(all, ==, "0,0 300x200");
    g_autoptr(GArray) other = hf_tiles_compare(tiles, small);
    g_autofree char *little = describe(other);
    g_assert_cmpstr(little, ==, "0,0 10x10");
    g_autoptr(GArray) back = hf_tiles_compare(tiles, image);
    g_assert_cmpuint(back->len, ==, 1);
}

/* Every single pixel counts, whichever it is and whichever colour. */
static void test_every_pixel(void)
{
    g_autoptr(HfTiles) tiles = hf_tiles_new();
    g_autoptr(HfImage) image = new_picture();
    g_array_unref(hf_tiles_compare(tiles, image));
    for (int i = 0; i < WIDTH * HEIGHT; i += 7) {
        int x = i % WIDTH, y = i / WIDTH;
        hf_image_row(image, y)[x] ^= 1u << (i % 24);
        g_autoptr(GArray) parts = hf_tiles_compare(tiles, image);
        g_assert_cmpuint(parts->len, ==, 1);
        HfRect part = g_array_index(parts, HfRect, 0);
        g_assert_cmpint(part.x, ==, x / HF_TILE * HF_TILE);
        g_assert_cmpint(part.y, ==, y / HF_TILE * HF_TILE);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tiles/cases", test_cases);
    g_test_add_func("/tiles/unused-byte", test_unused_byte);
    g_test_add_func("/tiles/forgotten-and-resized", test_forgotten_and_resized);
    g_test_add_func("/tiles/every-pixel", test_every_pixel);
    return g_test_run();
}
