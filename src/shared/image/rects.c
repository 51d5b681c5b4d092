/* SPDX-License-Identifier: Apache-2.0 */
/* A rectangle with a hole becomes at most four: above, below, left and right of it. */
#include "shared/image/rects.h"

static void add_nonempty_rect(GArray *rects, int left, int top, int right, int bottom)
{
    HfRect rect = {left, top, right - left, bottom - top};
    if (!hf_rect_is_empty(rect))
        g_array_append_val(rects, rect);
}

void hf_rects_subtract(GArray *rects, HfRect hole)
{
    guint count = rects->len;
    for (guint i = 0; i < count; i++) {
        HfRect rect = g_array_index(rects, HfRect, i);
        HfRect cut = hf_rect_intersect(rect, hole);
        int right = rect.x + rect.width, bottom = rect.y + rect.height;
        if (hf_rect_is_empty(cut)) {
            g_array_append_val(rects, rect);
            continue;
        }
        add_nonempty_rect(rects, rect.x, rect.y, right, cut.y);
        add_nonempty_rect(rects, rect.x, cut.y + cut.height, right, bottom);
        add_nonempty_rect(rects, rect.x, cut.y, cut.x, cut.y + cut.height);
        add_nonempty_rect(rects, cut.x + cut.width, cut.y, right, cut.y + cut.height);
    }
    g_array_remove_range(rects, 0, count);
}

static gboolean is_rect_within(HfRect inner, HfRect outer)
{
    return hf_rect_equal(hf_rect_intersect(inner, outer), inner);
}

void hf_rects_add(GArray *rects, HfRect rect, guint most)
{
    for (guint i = rects->len; i > 0; i--) {
        HfRect other = g_array_index(rects, HfRect, i - 1);
        if (is_rect_within(rect, other))
            return;
        if (is_rect_within(other, rect))
            g_array_remove_index_fast(rects, i - 1);
    }
    g_array_append_val(rects, rect);
    if (rects->len <= most)
        return;
    for (guint i = 1; i < rects->len; i++)
        g_array_index(rects, HfRect, 0) =
            hf_rect_unite(g_array_index(rects, HfRect, 0), g_array_index(rects, HfRect, i));
    g_array_set_size(rects, 1);
}

static gint64 rect_area(HfRect rect)
{
    return (gint64)rect.width * rect.height;
}

/* The area that the common bounds cover beyond the two. */
static gint64 join_cost(HfRect a, HfRect b)
{
    return rect_area(hf_rect_unite(a, b)) - rect_area(a) - rect_area(b) +
           rect_area(hf_rect_intersect(a, b));
}

/* Joins the two whose union costs least, if that is at most `most_cost`. */
static gboolean join_cheapest(GArray *rects, gint64 most_cost)
{
    guint first = 0, second = 0;
    gint64 least = G_MAXINT64;
    for (guint i = 0; i < rects->len; i++)
        for (guint j = i + 1; j < rects->len; j++) {
            gint64 price =
                join_cost(g_array_index(rects, HfRect, i), g_array_index(rects, HfRect, j));
            if (price < least) {
                least = price;
                first = i;
                second = j;
            }
        }
    if (least > most_cost)
        return FALSE;
    g_array_index(rects, HfRect, first) =
        hf_rect_unite(g_array_index(rects, HfRect, first), g_array_index(rects, HfRect, second));
    g_array_remove_index(rects, second);
    return TRUE;
}

void hf_rects_join(GArray *rects, guint most)
{
    while (rects->len > 1 && join_cheapest(rects, 0))
        ;
    while (rects->len > MAX(most, 1) && join_cheapest(rects, G_MAXINT64 - 1))
        ;
}

HfRect hf_rects_bounds(const GArray *rects, int margin, HfRect all)
{
    if (rects->len == 0)
        return (HfRect){0};
    HfRect bounds = g_array_index(rects, HfRect, 0);
    for (guint i = 1; i < rects->len; i++)
        bounds = hf_rect_unite(bounds, g_array_index(rects, HfRect, i));
    HfRect wider = {bounds.x - margin, bounds.y - margin, bounds.width + 2 * margin,
                    bounds.height + 2 * margin};
    return hf_rect_intersect(wider, all);
}
