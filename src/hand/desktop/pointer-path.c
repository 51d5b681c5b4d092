/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of the pointer. Every path ends on its target to the pixel, whatever its shape. */
#include "hand/desktop/pointer-path.h"

#include <math.h>

/* An arc leaves the straight line by up to this part of its length, and never by more pixels. */
#define ARC_BEND      0.15
#define ARC_BEND_MAX  90.0
#define HUMAN_MIN_MS  90.0
#define HUMAN_MAX_MS  900.0
#define HUMAN_STEP_MS 85.0 /* for each doubling of the distance, after Fitts */

typedef struct Vector {
    double x, y;
} Vector;

/* Slow, fast, slow: 0 → 0, 1 → 1, level at both ends. */
static double ease_in_out(double t)
{
    return t * t * (3 - 2 * t);
}

/* The control point of a quadratic curve: beside the middle of the way, on a side by chance. */
static Vector pick_control_point(HfPoint from, HfPoint to, GRand *random)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    if (length == 0)
        return (Vector){from.x, from.y};
    double limit = 2 * fmin(length * ARC_BEND, ARC_BEND_MAX);
    double offset = g_rand_double_range(random, 0.3, 1) * limit;
    if (g_rand_boolean(random))
        offset = -offset;
    return (Vector){(from.x + to.x) / 2.0 - dy / length * offset,
                    (from.y + to.y) / 2.0 + dx / length * offset};
}

static Vector on_curve(HfPoint from, Vector control, HfPoint to, double t)
{
    double a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
    return (Vector){a * from.x + b * control.x + c * to.x, a * from.y + b * control.y + c * to.y};
}

static int round_with_jitter(double value, int jitter, GRand *random)
{
    if (jitter > 0)
        value += g_rand_double_range(random, -jitter, jitter);
    return (int)lround(value);
}

GArray *hf_pointer_path_new(HfPoint from, HfPoint to, gint64 duration_us,
                            const HfPointerPathShape *shape, GRand *random)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(HfPointerPathStep));
    Vector control = {(from.x + to.x) / 2.0, (from.y + to.y) / 2.0};
    if (shape->curve == HF_CURVE_ARC)
        control = pick_control_point(from, to, random);
    gint64 count = MAX(1, duration_us / HF_POINTER_PATH_STEP_US);
    HfPoint last = from;
    for (gint64 i = 1; i < count; i++) {
        double t = (double)i / (double)count;
        Vector at = on_curve(from, control, to, ease_in_out(t));
        HfPoint point = {round_with_jitter(at.x, shape->jitter_px, random),
                         round_with_jitter(at.y, shape->jitter_px, random)};
        if (point.x == last.x && point.y == last.y)
            continue;
        HfPointerPathStep step = {point, (gint64)(t * (double)duration_us)};
        g_array_append_val(path, step);
        last = point;
    }
    HfPointerPathStep end = {to, MAX(0, duration_us)};
    g_array_append_val(path, end);
    return path;
}

gint64 hf_pointer_path_human_duration_us(HfPoint from, HfPoint to)
{
    double distance = hypot((double)to.x - from.x, (double)to.y - from.y);
    if (distance < 1)
        return 0;
    double ms = HUMAN_MIN_MS + HUMAN_STEP_MS * log2(1 + distance / 20);
    return (gint64)(fmin(ms, HUMAN_MAX_MS) * 1000);
}
