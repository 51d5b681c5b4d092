/* SPDX-License-Identifier: Apache-2.0 */
/* Panels come first, since widgets in different panels do not belong together. Then come rows,
 * which take what would be tool bars otherwise, and last tool bars and tabs. */
#include "hand/pixels/widgets/widget-groups.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/pixels/shapes/flat-areas.h"

/* A larger widget stands in no tool bar and no row. */
#define TOOL_MOST 64
/* A panel with this percentage of the window groups nothing. */
#define WHOLE_PERCENT 85

int hf_grouping_add(HfGrouping *work, int role, HfRect box, int holder)
{
    HfDetection element = {.box = box,
                           .role = role,
                           .source = HF_SOURCE_PIXELS,
                           .confidence = 0.5,
                           .holder = holder,
                           .holds = TRUE};
    g_array_append_val(work->detected, element);
    return (int)work->detected->len;
}

void hf_grouping_take(HfGrouping *work, guint count, HfRect box, int holder, int into)
{
    for (guint i = 0; i < count; i++) {
        HfDetection *element = hf_grouping_get(work, i);
        if (element->holder == holder && (int)i + 1 != into &&
            hf_rect_contains(box, hf_grouping_middle(work, i)) &&
            element->box.height <= box.height + 4 && element->box.width <= box.width + 4)
            element->holder = into;
    }
}

gboolean hf_grouping_pixel(const HfGrouping *work, int x, int y, guint32 *ret_colour)
{
    int column = x - work->area.x, line = y - work->area.y;
    if (!work->image || column < 0 || line < 0 || column >= work->image->width ||
        line >= work->image->height)
        return FALSE;
    *ret_colour = hf_image_row(work->image, line)[column];
    return TRUE;
}

int hf_grouping_reach(const HfGrouping *work, HfPoint from, HfPoint step, guint32 colour,
                      HfRect limit)
{
    guint32 here;
    int steps = 0;
    for (HfPoint at = {from.x + step.x, from.y + step.y};
         hf_rect_contains(limit, at) && hf_grouping_pixel(work, at.x, at.y, &here) &&
         hf_colours_alike(here, colour);
         at = (HfPoint){at.x + step.x, at.y + step.y})
        steps++;
    return steps;
}

HfDetection *hf_grouping_member(const HfGrouping *work, const GArray *members, guint at)
{
    return hf_grouping_get(work, g_array_index(members, guint, at));
}

HfRect hf_grouping_box(const HfGrouping *work, const GArray *members)
{
    HfRect box = hf_grouping_member(work, members, 0)->box;
    for (guint i = 1; i < members->len; i++)
        box = hf_rect_unite(box, hf_grouping_member(work, members, i)->box);
    return box;
}

void hf_grouping_gather(const HfGrouping *work, guint count, GArray *members, guint most,
                        HfGroupingIsNext is_next, gpointer data)
{
    int holder = hf_grouping_member(work, members, 0)->holder;
    g_autofree gboolean *taken = g_new0(gboolean, count + 1);
    taken[g_array_index(members, guint, 0)] = TRUE;
    for (guint at = 0; at < members->len; at++)
        for (guint i = 0; i < count && members->len < most; i++) {
            if (taken[i] || hf_grouping_get(work, i)->holder != holder ||
                !is_next(work, g_array_index(members, guint, at), i, data))
                continue;
            taken[i] = TRUE;
            g_array_append_val(members, i);
        }
}

int hf_colours_find_odd(const guint32 *colours, guint count)
{
    int odd = -1;
    if (count < 3)
        return -1;
    guint32 usual = hf_colours_alike(colours[0], colours[1]) ? colours[0] : colours[2];
    for (guint i = 0; i < count; i++) {
        if (hf_colours_alike(colours[i], usual))
            continue;
        if (odd >= 0)
            return -1;
        odd = (int)i;
    }
    return odd;
}

gboolean hf_grouping_is_tool(const HfGrouping *work, guint index)
{
    const HfDetection *element = hf_grouping_get(work, index);
    gboolean named = element->text != NULL;
    if (element->holds || MAX(element->box.width, element->box.height) > TOOL_MOST)
        return FALSE;
    return element->role == HF_ROLE_ICON ||
           (!named && (element->role == HF_ROLE_BUTTON || element->role == HF_ROLE_CHECK_BOX ||
                       element->role == HF_ROLE_RADIO_BUTTON));
}

/* ---- panels ---- */

static gint64 area_of_box(HfRect box)
{
    return (gint64)box.width * box.height;
}

static int compare_larger_first(gconstpointer a, gconstpointer b)
{
    gint64 one = area_of_box(*(const HfRect *)a), other = area_of_box(*(const HfRect *)b);
    return (one < other) - (one > other);
}

static gboolean panel_contains(HfRect inner, HfRect outer)
{
    HfRect common = hf_rect_intersect(inner, outer);
    return area_of_box(common) * 10 >= area_of_box(inner) * 9 &&
           area_of_box(inner) * 10 <= area_of_box(outer) * 9;
}

/* The smallest panel around a box; panels are sorted from the largest on. */
static int panel_around(const HfGrouping *work, guint count, HfRect box)
{
    int found = 0;
    for (guint i = count; i < work->detected->len; i++)
        if (panel_contains(box, hf_grouping_get(work, i)->box))
            found = (int)i + 1;
    return found;
}

static void add_panels(HfGrouping *work, const GArray *panels)
{
    guint count = work->detected->len;
    g_autoptr(GArray) sorted = g_array_copy((GArray *)panels);
    g_array_sort(sorted, compare_larger_first);
    for (guint i = 0; i < sorted->len; i++) {
        HfRect box = g_array_index(sorted, HfRect, i);
        guint inside = 0;
        for (guint k = 0; k < count; k++)
            inside += panel_contains(hf_grouping_get(work, k)->box, box);
        if (area_of_box(box) * 100 < area_of_box(work->window) * WHOLE_PERCENT && inside > 1)
            hf_grouping_add(work, HF_ROLE_PANEL, box, panel_around(work, count, box));
    }
    for (guint i = 0; i < count; i++)
        hf_grouping_get(work, i)->holder = panel_around(work, count, hf_grouping_get(work, i)->box);
}

void hf_widget_groups_find(HfWidgets *widgets, const HfImage *image, HfRect area, HfRect window)
{
    HfGrouping work = {widgets->detected, widgets->kept, image, area, window};
    add_panels(&work, widgets->panels);
    hf_page_numbers_group(&work);
    hf_table_rows_group(&work);
    hf_lists_group(&work);
    hf_tabs_group(&work);
    hf_tool_bars_group(&work);
}
