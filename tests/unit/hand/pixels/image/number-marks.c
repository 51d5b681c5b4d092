/* SPDX-License-Identifier: Apache-2.0 */
/* Tests number-marks.c. */
#include "hand/pixels/image/number-marks.h"

#include <string.h>

#define WIDTH  200
#define HEIGHT 100
#define GROUND 0xff101010u
#define PAPER  0xffffffffu

static HfImage *make_ground(void)
{
    HfImage *image = hf_image_new(WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            hf_image_row(image, y)[x] = GROUND;
    return image;
}

static guint count_colour(const HfImage *image, HfRect area, guint32 colour)
{
    guint count = 0;
    for (int y = MAX(area.y, 0); y < MIN(area.y + area.height, HEIGHT); y++)
        for (int x = MAX(area.x, 0); x < MIN(area.x + area.width, WIDTH); x++)
            count += hf_image_row(image, y)[x] == colour;
    return count;
}

/* The number stands above the box, which stays as it was inside. */
static void test_plain(void)
{
    g_autoptr(HfImage) image = make_ground();
    HfNumberMark mark = {{50, 40, 60, 30}, 8};
    hf_image_mark_numbers(image, &mark, 1, 1);
    g_assert_cmpuint(count_colour(image, (HfRect){52, 42, 56, 26}, GROUND), ==, 56 * 26);
    g_assert_cmpuint(hf_image_row(image, 40)[50], !=, GROUND);
    g_assert_cmpuint(hf_image_row(image, 69)[109], !=, GROUND);
    g_assert_cmpuint(count_colour(image, (HfRect){50, 20, 60, 20}, PAPER), ==, 17 * 4);
}

/* Where a number fits: not on another one, never beyond the picture. */
static void test_places(void)
{
    static const struct {
        HfNumberMark marks[2];
        guint paper; /* white pixels: dots of all digits, none hidden */
    } cases[] = {
        {{{{50, 40, 60, 30}, 1}, {{50, 40, 60, 30}, 1}}, 2 * 10 * 4},
        {{{{0, 0, 30, 20}, 1}, {{170, 80, 30, 20}, 1}}, 2 * 10 * 4},
        {{{{-20, -20, 30, 30}, 1}, {{190, 90, 40, 40}, 1}}, 2 * 10 * 4},
        {{{{0, 0, 200, 100}, 1}, {{0, 0, 200, 100}, 1}}, 2 * 10 * 4},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = make_ground();
        hf_image_mark_numbers(image, cases[i].marks, 2, 1);
        g_assert_cmpuint(count_colour(image, (HfRect){0, 0, WIDTH, HEIGHT}, PAPER), ==,
                         cases[i].paper);
    }
}

/* A picture that is shown smaller gets larger numbers; boxes outside harm nothing. */
static void test_sizes(void)
{
    g_autoptr(HfImage) image = make_ground(), large = make_ground();
    HfNumberMark mark = {{50, 60, 60, 30}, 1}, outside = {{500, 500, 10, 10}, 1234567};
    hf_image_mark_numbers(image, &mark, 1, 1);
    hf_image_mark_numbers(large, &mark, 1, 2);
    g_assert_cmpuint(count_colour(large, (HfRect){0, 0, WIDTH, HEIGHT}, PAPER), >,
                     count_colour(image, (HfRect){0, 0, WIDTH, HEIGHT}, PAPER));
    hf_image_mark_numbers(image, &outside, 1, 1);
    hf_image_mark_numbers(image, &outside, 1, 100);
    hf_image_mark_numbers(image, NULL, 0, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/number-marks/plain", test_plain);
    g_test_add_func("/number-marks/places", test_places);
    g_test_add_func("/number-marks/sizes", test_sizes);
    return g_test_run();
}
