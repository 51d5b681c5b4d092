/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of rectangles, counted pixel by pixel on a small field. */
#include "shared/image/rects.h"

#include <string.h>

#define SIDE 24

static void paint(char *field, HfRect rect, char value)
{
    for (int y = MAX(0, rect.y); y < MIN(SIDE, rect.y + rect.height); y++)
        for (int x = MAX(0, rect.x); x < MIN(SIDE, rect.x + rect.width); x++)
            field[y * SIDE + x] = value;
}

static const struct {
    HfRect rect, holes[3];
    guint count;
} cases[] = {
    {{2, 2, 10, 10}, {{20, 20, 3, 3}}, 1},     /* elsewhere */
    {{2, 2, 10, 10}, {{12, 2, 5, 10}}, 1},     /* beside it */
    {{2, 2, 10, 10}, {{4, 4, 3, 3}}, 1},       /* in the middle */
    {{2, 2, 10, 10}, {{0, 0, 6, 6}}, 1},       /* over a corner */
    {{2, 2, 10, 10}, {{0, 4, SIDE, 3}}, 1},    /* right across */
    {{2, 2, 10, 10}, {{0, 0, SIDE, SIDE}}, 1}, /* all over it */
    {{2, 2, 10, 10}, {{2, 2, 10, 10}}, 1},     /* the same */
    {{0, 0, SIDE, SIDE}, {{1, 1, 5, 5}, {3, 3, 9, 9}, {0, 20, 24, 2}}, 3},
    {{0, 0, SIDE, SIDE}, {{5, 5, 0, 9}, {5, 5, 9, 0}}, 2}, /* empty holes */
    {{5, 5, 0, 0}, {{0, 0, 9, 9}}, 1},                     /* nothing there */
};

static void test_subtract(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        char expected[SIDE * SIDE] = {0}, got[SIDE * SIDE] = {0};
        g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_array_append_val(rects, cases[i].rect);
        paint(expected, cases[i].rect, 1);
        for (guint k = 0; k < cases[i].count; k++) {
            hf_rects_subtract(rects, cases[i].holes[k]);
            paint(expected, cases[i].holes[k], 0);
        }
        guint area = 0, left = 0;
        for (guint k = 0; k < rects->len; k++) {
            HfRect rect = g_array_index(rects, HfRect, k);
            paint(got, rect, 1);
            area += (guint)(rect.width * rect.height);
        }
        for (int at = 0; at < SIDE * SIDE; at++)
            left += (guint)got[at];
        g_test_message("case %zu", i);
        g_assert_cmpmem(got, sizeof got, expected, sizeof expected);
        g_assert_cmpuint(area, ==, left); /* none overlaps another */
    }
}

static const struct {
    HfRect rects[6];
    guint count, most, left;
} join_cases[] = {
    {{{0, 0, 4, 4}}, 1, 3, 1},
    {{{0, 0, 4, 4}, {0, 0, 4, 4}, {1, 1, 2, 2}}, 3, 3, 1},    /* the same, and within */
    {{{0, 0, 4, 4}, {4, 0, 4, 4}}, 2, 3, 1},                  /* side by side */
    {{{0, 0, 4, 4}, {10, 10, 4, 4}}, 2, 3, 2},                /* apart */
    {{{0, 0, 4, 4}, {5, 0, 4, 4}, {18, 18, 4, 4}}, 3, 2, 2},  /* the near ones */
    {{{0, 0, 4, 4}, {10, 10, 4, 4}, {20, 0, 4, 4}}, 3, 1, 1}, /* all */
};

/* Whatever was covered stays covered. */
static void check_covers(const HfRect *rects, guint count, const GArray *joined)
{
    char expected[SIDE * SIDE] = {0}, got[SIDE * SIDE] = {0};
    for (guint i = 0; i < count; i++)
        paint(expected, rects[i], 1);
    for (guint i = 0; i < joined->len; i++)
        paint(got, g_array_index(joined, HfRect, i), 1);
    for (int i = 0; i < SIDE * SIDE; i++)
        g_assert_cmpint(got[i], >=, expected[i]);
}

static void test_join(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(join_cases); i++) {
        g_test_message("%zu", i);
        g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_array_append_vals(rects, join_cases[i].rects, join_cases[i].count);
        hf_rects_join(rects, join_cases[i].most);
        g_assert_cmpuint(rects->len, ==, join_cases[i].left);
        check_covers(join_cases[i].rects, join_cases[i].count, rects);
    }
}

static void test_add(void)
{
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    HfRect all[5] = {{0, 0, 2, 2}, {0, 0, 1, 1}, {4, 4, 2, 2}, {4, 4, 3, 3}, {9, 0, 2, 2}};
    const guint lengths[5] = {1, 1, 2, 2, 1};
    for (guint i = 0; i < 5; i++) {
        hf_rects_add(rects, all[i], 2);
        g_assert_cmpuint(rects->len, ==, lengths[i]);
        check_covers(all, i + 1, rects);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rects/subtract", test_subtract);
    g_test_add_func("/rects/join", test_join);
    g_test_add_func("/rects/add", test_add);
    return g_test_run();
}
