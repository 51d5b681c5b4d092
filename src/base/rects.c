/* A rectangle with a hole is at most four: above, below, left and right of it. */
#include "base/rects.h"

static void add(GArray *rects, int left, int top, int right, int bottom)
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
        add(rects, rect.x, rect.y, right, cut.y);
        add(rects, rect.x, cut.y + cut.height, right, bottom);
        add(rects, rect.x, cut.y, cut.x, cut.y + cut.height);
        add(rects, cut.x + cut.width, cut.y, right, cut.y + cut.height);
    }
    g_array_remove_range(rects, 0, count);
}
