/* SPDX-License-Identifier: Apache-2.0 */
/* Tests picture-hash.c: the bounds of a change are exact, no pixel is missed, and the list stays
 * short. */
#include "hand/pixels/compare/picture-hash.h"

#include <string.h>

#include "shared/image/image.h"
#include "shared/image/rects.h"

#define WIDTH  300 /* ten columns, the last one narrow */
#define HEIGHT 200 /* seven rows, the last one low */

static HfImage *new_picture(int width, int height)
{
    HfImage *image = hf_image_new(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            hf_image_row(image, y)[x] = (guint32)(x * 7 + y * 131);
    return image;
}

/* Changes every pixel of the area in one colour. */
static void change(HfImage *image, HfRect area, guint32 bit)
{
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++)
            hf_image_row(image, y)[x] ^= bit;
}

static char *describe(const GArray *rects)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < rects->len; i++) {
        HfRect rect = g_array_index(rects, HfRect, i);
        g_string_append_printf(text, "%s%d,%d %dx%d", i ? "; " : "", rect.x, rect.y, rect.width,
                               rect.height);
    }
    return g_string_free(text, FALSE);
}

static const struct {
    const char *what;
    HfRect changed[3], ignore[2];
    const char *rects;
    double share;
    gboolean ignored;
} cases[] = {
    {"nothing", {{0}}, {{0}}, "", 0, FALSE},
    {"one pixel", {{70, 10, 1, 1}}, {{0}}, "70,10 1x1", 1.0 / 60000, FALSE},
    {"the first pixel", {{0, 0, 1, 1}}, {{0}}, "0,0 1x1", 1.0 / 60000, FALSE},
    {"the last pixel", {{299, 199, 1, 1}}, {{0}}, "299,199 1x1", 1.0 / 60000, FALSE},
    {"over an edge", {{31, 5, 2, 1}}, {{0}}, "31,5 2x1", 2.0 / 60000, FALSE},
    {"over a corner", {{31, 31, 2, 2}}, {{0}}, "31,31 2x2", 4.0 / 60000, FALSE},
    {"over many tiles", {{17, 43, 201, 77}}, {{0}}, "17,43 201x77", 201 * 77 / 6e4, FALSE},
    {"a caret", {{130, 20, 1, 17}}, {{0}}, "130,20 1x17", 17 / 6e4, FALSE},
    {"a column", {{130, 0, 4, 200}}, {{0}}, "130,0 4x200", 800 / 6e4, FALSE},
    {"a row", {{0, 70, 300, 1}}, {{0}}, "0,70 300x1", 300 / 6e4, FALSE},
    {"close together", {{10, 10, 5, 5}, {25, 10, 5, 5}}, {{0}}, "10,10 20x5", 100 / 6e4, FALSE},
    {"apart in a row", {{0, 0, 1, 1}, {200, 0, 1, 1}}, {{0}}, "0,0 1x1; 200,0 1x1", 2 / 6e4, FALSE},
    {"apart in a column",
     {{0, 0, 9, 9}, {0, 140, 9, 9}},
     {{0}},
     "0,0 9x9; 0,140 9x9",
     162 / 6e4,
     FALSE},
    {"wide above narrow",
     {{0, 0, 300, 32}, {0, 32, 20, 100}},
     {{0}},
     "0,0 300x32; 0,32 20x100",
     11600 / 6e4,
     FALSE},
    {"most of it", {{0, 0, 300, 190}}, {{0}}, "0,0 300x200", 57000 / 6e4, FALSE},
    {"ignored", {{70, 10, 5, 5}}, {{70, 10, 5, 5}}, "", 0, TRUE},
    {"ignored with room", {{70, 10, 5, 5}}, {{60, 0, 40, 40}}, "", 0, TRUE},
    {"ignored over tiles", {{20, 20, 60, 60}}, {{20, 20, 60, 60}}, "", 0, TRUE},
    {"ignored by two", {{20, 20, 60, 60}}, {{20, 20, 30, 60}, {50, 20, 30, 60}}, "", 0, TRUE},
    {"ignored elsewhere", {{70, 10, 5, 5}}, {{0, 100, 50, 50}}, "70,10 5x5", 25 / 6e4, FALSE},
    {"one pixel beyond", {{64, 10, 6, 5}}, {{64, 10, 5, 5}}, "69,10 1x5", 5 / 6e4, FALSE},
    {"ignored and not",
     {{0, 0, 5, 5}, {200, 100, 5, 5}},
     {{0, 0, 40, 40}},
     "200,100 5x5",
     25 / 6e4,
     TRUE},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = new_picture(WIDTH, HEIGHT);
        g_autoptr(GBytes) before = hf_picture_hash_new(image);
        g_autoptr(GArray) ignore = g_array_new(FALSE, FALSE, sizeof(HfRect));
        for (int j = 0; j < 2; j++)
            if (!hf_rect_is_empty(cases[i].ignore[j]))
                g_array_append_val(ignore, cases[i].ignore[j]);
        for (int j = 0; j < 3; j++)
            change(image, cases[i].changed[j], 0x010000);
        g_autoptr(GBytes) now = hf_picture_hash_new(image);
        g_auto(HfPictureHashChange) found = {0};
        g_test_message("%s", cases[i].what);
        g_assert_true(hf_picture_hash_compare(before, now, ignore, &found));
        g_autofree char *text = describe(found.rects);
        g_assert_cmpstr(text, ==, cases[i].rects);
        g_assert_cmpfloat_with_epsilon(found.share, cases[i].share, 1e-9);
        g_assert_cmpint(found.ignored, ==, cases[i].ignored);
    }
}

/* Two red lines in one row of a tile: what is linear in the colours would not see it. */
static void test_every_bit(void)
{
    g_autoptr(HfImage) image = new_picture(WIDTH, HEIGHT);
    g_autoptr(GBytes) before = hf_picture_hash_new(image);
    for (int bit = 0; bit < 24; bit++)
        for (int x = 1; x < HF_PICTURE_HASH_TILE; x++) {
            change(image, (HfRect){0, 9, 1, 1}, 1u << bit);
            change(image, (HfRect){x, 9, 1, 1}, 1u << bit);
            g_autoptr(GBytes) now = hf_picture_hash_new(image);
            g_auto(HfPictureHashChange) found = {0};
            g_assert_true(hf_picture_hash_compare(before, now, NULL, &found));
            g_autofree char *text = describe(found.rects);
            g_autofree char *wanted = g_strdup_printf("0,9 %dx1", x + 1);
            g_assert_cmpstr(text, ==, wanted);
            change(image, (HfRect){0, 9, 1, 1}, 1u << bit);
            change(image, (HfRect){x, 9, 1, 1}, 1u << bit);
        }
}

/* X servers leave rubbish in the fourth byte. */
static void test_unused_byte(void)
{
    g_autoptr(HfImage) image = new_picture(WIDTH, HEIGHT);
    g_autoptr(GBytes) before = hf_picture_hash_new(image);
    change(image, (HfRect){0, 0, WIDTH, HEIGHT}, 0xff000000);
    g_autoptr(GBytes) now = hf_picture_hash_new(image);
    g_assert_true(g_bytes_equal(before, now));
}

static void test_other_sizes(void)
{
    g_autoptr(HfImage) image = new_picture(WIDTH, HEIGHT);
    g_autoptr(HfImage) other = new_picture(WIDTH - 1, HEIGHT);
    g_autoptr(GBytes) before = hf_picture_hash_new(image);
    g_autoptr(GBytes) now = hf_picture_hash_new(other);
    g_auto(HfPictureHashChange) found = {0};
    g_assert_false(hf_picture_hash_compare(before, now, NULL, &found));
}

static gboolean is_in(const GArray *rects, int x, int y)
{
    for (guint i = 0; i < rects->len; i++)
        if (hf_rect_contains(g_array_index(rects, HfRect, i), (HfPoint){x, y}))
            return TRUE;
    return FALSE;
}

static HfRect random_rect(int width, int height, int most)
{
    HfRect rect = {g_test_rand_int_range(0, width), g_test_rand_int_range(0, height), 0, 0};
    rect.width = g_test_rand_int_range(1, most + 1);
    rect.height = g_test_rand_int_range(1, most + 1);
    return hf_rect_intersect(rect, (HfRect){0, 0, width, height});
}

/* Random changes: each pixel that differs is reported or ignored, and the list stays short. */
static void test_nothing_is_left_out(void)
{
    for (int round = 0; round < 60; round++) {
        int width = g_test_rand_int_range(1, 400), height = g_test_rand_int_range(1, 300);
        g_autoptr(HfImage) image = new_picture(width, height);
        g_autoptr(HfImage) first = new_picture(width, height);
        g_autoptr(GBytes) before = hf_picture_hash_new(image);
        g_autoptr(GArray) ignore = g_array_new(FALSE, FALSE, sizeof(HfRect));
        for (int i = round % 3; i > 0; i--) {
            HfRect hole = random_rect(width, height, 90);
            g_array_append_val(ignore, hole);
        }
        for (int i = 0; i < round * 3; i++)
            change(image, random_rect(width, height, round % 2 ? 1 : 30), 1u << (i % 24));
        g_autoptr(GBytes) now = hf_picture_hash_new(image);
        g_auto(HfPictureHashChange) found = {0};
        g_assert_true(hf_picture_hash_compare(before, now, ignore, &found));
        g_assert_cmpuint(found.rects->len, <=, HF_PICTURE_HASH_RECTS);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                if (hf_image_row(image, y)[x] != hf_image_row(first, y)[x])
                    g_assert_true(is_in(found.rects, x, y) || is_in(ignore, x, y));
        for (guint i = 0; i < found.rects->len; i++) {
            HfRect rect = g_array_index(found.rects, HfRect, i);
            g_assert_true(
                hf_rect_equal(hf_rect_intersect(rect, (HfRect){0, 0, width, height}), rect));
        }
    }
}

static void test_kernels_agree(void)
{
    g_autoptr(HfImage) image = new_picture(HF_PICTURE_HASH_TILE + 3, HF_PICTURE_HASH_TILE);
    for (int width = 1; width <= HF_PICTURE_HASH_TILE; width++)
        for (int height = 1; height <= HF_PICTURE_HASH_TILE; height += 7) {
            HfTileHash one, other;
            hf_tile_hash(image->pixels + 4, (gsize)image->stride, width, height, &one);
            hf_tile_hash_portable(image->pixels + 4, (gsize)image->stride, width, height, &other);
            g_assert_cmpmem(&one, sizeof one, &other, sizeof other);
        }
}

static void test_bounds(void)
{
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    HfRect all = {0, 0, 100, 100}, one = {10, 20, 5, 5}, two = {60, 90, 9, 9};
    g_assert_true(hf_rect_is_empty(hf_rects_bounds(rects, 8, all)));
    g_array_append_val(rects, one);
    g_assert_true(hf_rect_equal(hf_rects_bounds(rects, 0, all), one));
    g_array_append_val(rects, two);
    g_assert_true(hf_rect_equal(hf_rects_bounds(rects, 8, all), (HfRect){2, 12, 75, 88}));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/hash/cases", test_cases);
    g_test_add_func("/hash/every-bit", test_every_bit);
    g_test_add_func("/hash/unused-byte", test_unused_byte);
    g_test_add_func("/hash/other-sizes", test_other_sizes);
    g_test_add_func("/hash/nothing-is-left-out", test_nothing_is_left_out);
    g_test_add_func("/hash/kernels-agree", test_kernels_agree);
    g_test_add_func("/hash/bounds", test_bounds);
    return g_test_run();
}
