/* SPDX-License-Identifier: Apache-2.0 */
/* Points and rectangles in physical pixels of a desktop, origin top left. */
#pragma once

#include <glib.h>

typedef struct HfPoint {
    int x, y;
} HfPoint;

typedef struct HfSize {
    int width, height;
} HfSize;

typedef struct HfRect {
    int x, y, width, height;
} HfRect;

static inline gboolean hf_rect_contains(HfRect rect, HfPoint point)
{
    return point.x >= rect.x && point.y >= rect.y && point.x - rect.x < rect.width &&
           point.y - rect.y < rect.height;
}

/* The common part of two rectangles; width and height are 0 when there is none. */
static inline HfRect hf_rect_intersect(HfRect a, HfRect b)
{
    int left = MAX(a.x, b.x), top = MAX(a.y, b.y);
    int right = MIN(a.x + a.width, b.x + b.width), bottom = MIN(a.y + a.height, b.y + b.height);
    if (right <= left || bottom <= top)
        return (HfRect){left, top, 0, 0};
    return (HfRect){left, top, right - left, bottom - top};
}

/* The bounds of both. */
static inline HfRect hf_rect_unite(HfRect a, HfRect b)
{
    int left = MIN(a.x, b.x), top = MIN(a.y, b.y);
    return (HfRect){left, top, MAX(a.x + a.width, b.x + b.width) - left,
                    MAX(a.y + a.height, b.y + b.height) - top};
}

static inline gboolean hf_rect_is_empty(HfRect rect)
{
    return rect.width <= 0 || rect.height <= 0;
}

static inline gboolean hf_rect_equal(HfRect a, HfRect b)
{
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}
