/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the shapes of text-line.c: how a line is cut, and which shapes are the same. */
#include <string.h>

#include "hand/pixels/text/text-line.h"

#define ROWS 8

/* Rows of a line: '#' is ink, '+' is faint, anything else is ground. */
static HfTextLine *line_of(const char *const rows[ROWS])
{
    HfTextLine *line = g_new(HfTextLine, 1);
    int width = (int)strlen(rows[0]);
    *line = (HfTextLine){width, ROWS, g_malloc((gsize)width * ROWS)};
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < width; x++)
            line->grey[y * width + x] = rows[y][x] == '#' ? 0 : rows[y][x] == '+' ? 200 : 255;
    return line;
}

static const char *const words[ROWS] = {
    "....#..........##......", /* a d, a thing that is cut in two, a comma, an apostrophe, a d */
    "....#..........##.....#", "..###+##.##...........#", ".#..#+##.##.........###",
    ".#..#+##.##........#..#", "..###.##.##........#..#", "............##......###",
    "............##.........",
};

static void test_cut(void)
{
    g_autoptr(HfTextLine) line = line_of(words);
    g_auto(HfTextShapes) shapes = {0};
    hf_text_shapes_find(&shapes, line);
    static const HfTextShape wanted[] = {{1, 0, 5, 6},   {6, 2, 8, 6},   {9, 2, 11, 6},
                                         {12, 6, 14, 8}, {15, 0, 17, 2}, {19, 1, 23, 7}};
    g_assert_cmpuint(shapes.list->len, ==, G_N_ELEMENTS(wanted));
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
        g_assert_cmpmem(hf_text_shape(&shapes, i), sizeof wanted[i], &wanted[i], sizeof wanted[i]);
    g_assert_cmpint(shapes.baseline, ==, 6);
    g_assert_cmpint(shapes.median_height, ==, 4);
    HfRect both = hf_text_shapes_box(&shapes, 1, 3);
    g_assert_true(hf_rect_equal(both, (HfRect){6, 2, 5, 4}));
}

static void test_looks(void)
{
    static const struct {
        const char *what;
        guint a, a_end, b, b_end;
        gboolean same;
    } cases[] = {
        {"the same letter, lower and elsewhere", 0, 1, 5, 6, TRUE},
        {"two strokes", 1, 2, 2, 3, TRUE},
        {"a comma and an apostrophe", 3, 4, 4, 5, FALSE},
        {"a part and the whole", 1, 2, 1, 3, FALSE},
        {"different letters", 0, 1, 1, 2, FALSE},
    };
    g_autoptr(HfTextLine) line = line_of(words);
    g_auto(HfTextShapes) shapes = {0};
    hf_text_shapes_find(&shapes, line);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint64 a = hf_text_shapes_hash(&shapes, cases[i].a, cases[i].a_end, 1);
        guint64 b = hf_text_shapes_hash(&shapes, cases[i].b, cases[i].b_end, 1);
        g_test_message("%s", cases[i].what);
        g_assert_true((a == b) == cases[i].same);
        g_assert_cmpuint(a, !=, hf_text_shapes_hash(&shapes, cases[i].a, cases[i].a_end, 2));
    }
}

static void test_empty(void)
{
    static const char *const nothing[ROWS] = {"..", "..", "..", "..", "..", "..", "..", ".."};
    g_autoptr(HfTextLine) line = line_of(nothing);
    g_auto(HfTextShapes) shapes = {0};
    hf_text_shapes_find(&shapes, line);
    g_assert_cmpuint(shapes.list->len, ==, 0);
    g_assert_cmpint(shapes.median_height, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text-shapes/cut", test_cut);
    g_test_add_func("/text-shapes/looks", test_looks);
    g_test_add_func("/text-shapes/empty", test_empty);
    return g_test_run();
}
