/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of the pointer: they end where they should, in time, without leaving their bounds. */
#include "hand/desktop/pointer.h"

#include <glib.h>
#include <math.h>

typedef struct Case {
    HfPoint from, to;
    gint64 duration_us;
    HfPointerPathShape shape;
} Case;

static const Case cases[] = {
    {{0, 0}, {0, 0}, 0, {HF_CURVE_LINE, 0}},
    {{0, 0}, {0, 0}, 100000, {HF_CURVE_ARC, 3}},
    {{10, 10}, {11, 10}, 100000, {HF_CURVE_LINE, 0}},
    {{0, 0}, {1279, 799}, 100000, {HF_CURVE_LINE, 0}},
    {{1279, 799}, {0, 0}, 500000, {HF_CURVE_LINE, 0}},
    {{1279, 0}, {0, 799}, 500000, {HF_CURVE_ARC, 0}},
    {{100, 100}, {700, 400}, 300000, {HF_CURVE_ARC, 5}},
    {{100, 100}, {700, 400}, 300000, {HF_CURVE_LINE, 20}},
    {{5, 5}, {900, 5}, 1, {HF_CURVE_LINE, 0}},
    {{5, 5}, {900, 5}, HF_POINTER_PATH_STEP_US * 2, {HF_CURVE_LINE, 0}},
    {{0, 0}, {16383, 16383}, 60000000, {HF_CURVE_ARC, 50}},
};

/* How far a point lies from the straight line between the ends. */
static double distance_from_line(const Case *test, HfPoint point)
{
    double dx = test->to.x - test->from.x, dy = test->to.y - test->from.y, length = hypot(dx, dy);
    double px = point.x - test->from.x, py = point.y - test->from.y;
    return length == 0 ? hypot(px, py) : fabs(dx * py - dy * px) / length;
}

static void check_path(const Case *test, guint32 seed)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    g_autoptr(GArray) path =
        hf_pointer_path_new(test->from, test->to, test->duration_us, &test->shape, random);
    g_assert_cmpuint(path->len, >=, 1);
    g_assert_cmpuint(path->len, <=, MAX(1, test->duration_us / HF_POINTER_PATH_STEP_US));
    gint64 before = 0;
    double allowed = test->shape.curve == HF_CURVE_ARC ? 91 : 0;
    allowed += test->shape.jitter_px * M_SQRT2 + 1;
    for (guint i = 0; i < path->len; i++) {
        const HfPointerPathStep *step = &g_array_index(path, HfPointerPathStep, i);
        g_assert_cmpint(step->at_us, >=, before);
        g_assert_cmpfloat(distance_from_line(test, step->point), <=, allowed);
        before = step->at_us;
    }
    const HfPointerPathStep *end = &g_array_index(path, HfPointerPathStep, path->len - 1);
    g_assert_cmpint(end->point.x, ==, test->to.x);
    g_assert_cmpint(end->point.y, ==, test->to.y);
    g_assert_cmpint(end->at_us, ==, test->duration_us);
}

static void test_table(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint32 seed = 0; seed < 50; seed++)
            check_path(&cases[i], seed);
}

/* A toolkit starts a drag after some pixels: there must be steps between the ends. */
static void test_has_steps_between(void)
{
    HfPointerPathShape line = {HF_CURVE_LINE, 0};
    g_autoptr(GArray) path =
        hf_pointer_path_new((HfPoint){0, 0}, (HfPoint){300, 0}, 80000, &line, NULL);
    g_assert_cmpuint(path->len, ==, 10);
    int before = 0;
    for (guint i = 0; i < path->len; i++) {
        HfPoint point = g_array_index(path, HfPointerPathStep, i).point;
        g_assert_cmpint(point.x, >, before);
        g_assert_cmpint(point.y, ==, 0);
        before = point.x;
    }
}

static void test_arc_bends(void)
{
    HfPointerPathShape arc = {HF_CURVE_ARC, 0};
    Case test = {{0, 300}, {600, 300}, 400000, arc};
    gboolean above = FALSE, below = FALSE;
    for (guint32 seed = 0; seed < 50; seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        g_autoptr(GArray) path =
            hf_pointer_path_new(test.from, test.to, test.duration_us, &arc, random);
        HfPoint middle = g_array_index(path, HfPointerPathStep, path->len / 2).point;
        g_assert_cmpfloat(distance_from_line(&test, middle), >, 15);
        above |= middle.y < 300;
        below |= middle.y > 300;
    }
    g_assert_true(above && below);
}

static void test_human_duration(void)
{
    static const struct {
        HfPoint to;
        gint64 min_ms, max_ms;
    } table[] = {
        {{0, 0}, 0, 0},          {{1, 0}, 90, 110},          {{200, 0}, 300, 450},
        {{1500, 800}, 500, 900}, {{16000, 16000}, 800, 900},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        gint64 ms = hf_pointer_path_human_duration_us((HfPoint){0, 0}, table[i].to) / 1000;
        g_assert_cmpint(ms, >=, table[i].min_ms);
        g_assert_cmpint(ms, <=, table[i].max_ms);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/path/table", test_table);
    g_test_add_func("/path/has-steps-between", test_has_steps_between);
    g_test_add_func("/path/arc-bends", test_arc_bends);
    g_test_add_func("/path/human-duration", test_human_duration);
    return g_test_run();
}
