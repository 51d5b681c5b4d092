/* SPDX-License-Identifier: Apache-2.0 */
/* Panels first: what is in different ones does not belong together. Then rows, which take what
 * would be bars otherwise, and last bars and tabs. */
#include "hand/locate/groups.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/locate/bars.h"
#include "hand/locate/lists.h"
#include "hand/locate/pages.h"
#include "hand/locate/rows.h"
#include "hand/locate/tabs.h"

/* Larger is nothing that stands in a bar or a row. */
#define TOOL_MOST 64
/* A panel that is nearly all of a window holds nothing together, in hundredth. */
#define WHOLE_PERCENT 85

int hf_grouping_add(HfGrouping *work, int role, HfRect box, int holder)
{
    HfSeen seen = {.box = box,
                   .role = role,
                   .source = HF_SOURCE_PIXELS,
                   .confidence = 0.5,
                   .holder = holder,
                   .holds = TRUE};
    g_array_append_val(work->seen, seen);
    return (int)work->seen->len;
}

void hf_grouping_take(HfGrouping *work, guint count, HfRect box, int holder, int into)
{
    for (guint i = 0; i < count; i++) {
        HfSeen *seen = hf_grouping_get(work, i);
        if (seen->holder == holder && (int)i + 1 != into &&
            hf_rect_contains(box, hf_grouping_middle(work, i)) &&
            seen->box.height <= box.height + 4 && seen->box.width <= box.width + 4)
            seen->holder = into;
    }
}

gboolean hf_grouping_is_tool(const HfGrouping *work, guint index)
{
    const HfSeen *seen = hf_grouping_get(work, index);
    gboolean named = seen->text != NULL;
    if (seen->holds || MAX(seen->box.width, seen->box.height) > TOOL_MOST)
        return FALSE;
    return seen->role == HF_ROLE_ICON ||
           (!named && (seen->role == HF_ROLE_BUTTON || seen->role == HF_ROLE_CHECK_BOX ||
                       seen->role == HF_ROLE_RADIO_BUTTON));
}

/* ---- panels ---- */

static gint64 extent(HfRect box)
{
    return (gint64)box.width * box.height;
}

static int larger_first(gconstpointer a, gconstpointer b)
{
    gint64 one = extent(*(const HfRect *)a), other = extent(*(const HfRect *)b);
    return (one < other) - (one > other);
}

static gboolean lies_in(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return extent(common) * 10 >= extent(inner) * 9 && extent(inner) * 10 <= extent(outer) * 9;
}

/* The smallest panel around it; they come from the largest to the smallest. */
static int panel_around(const HfGrouping *work, guint count, HfRect box)
{
    int found = 0;
    for (guint i = count; i < work->seen->len; i++)
        if (lies_in(box, hf_grouping_get(work, i)->box))
            found = (int)i + 1;
    return found;
}

static guint count_inside(const HfGrouping *work, guint count, HfRect box)
{
    guint inside = 0;
    for (guint i = 0; i < count; i++)
        inside += lies_in(hf_grouping_get(work, i)->box, box);
    return inside;
}

static void add_panels(HfGrouping *work, const GArray *panels)
{
    guint count = work->seen->len;
    g_autoptr(GArray) sorted = g_array_copy((GArray *)panels);
    g_array_sort(sorted, larger_first);
    for (guint i = 0; i < sorted->len; i++) {
        HfRect box = g_array_index(sorted, HfRect, i);
        if (extent(box) * 100 < extent(work->window) * WHOLE_PERCENT &&
            count_inside(work, count, box) > 1)
            hf_grouping_add(work, HF_ROLE_PANEL, box, panel_around(work, count, box));
    }
    for (guint i = 0; i < count; i++)
        hf_grouping_get(work, i)->holder = panel_around(work, count, hf_grouping_get(work, i)->box);
}

void hf_groups_find(HfThings *things, const HfImage *image, HfRect area, HfRect window)
{
    HfGrouping work = {things->seen, things->kept, image, area, window};
    add_panels(&work, things->panels);
    hf_pages_group(&work);
    hf_rows_group(&work);
    hf_lists_group(&work);
    hf_tabs_group(&work);
    hf_bars_group(&work);
}
