/* SPDX-License-Identifier: Apache-2.0 */
/* A tool bar with its own ground reaches as far as that; on the ground of the window it is as
 * large as its tools. A check box in a tool bar is an icon that looks like one: a floppy, two
 * sheets. */
#include "hand/pixels/widgets/widget-groups.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"

#define LEAST_TOOLS 3
#define ALIGNED_PX  6
/* The gap between tools, in edges of the larger one. */
#define GAP 2.5
/* The ground of a tool bar is no thicker, in heights of its tools. */
#define THICK 3
#define SPACE 4

static int start_along(HfRect box, gboolean down)
{
    return down ? box.y : box.x;
}

static int length_along(HfRect box, gboolean down)
{
    return down ? box.height : box.width;
}

/* An icon may have been read as a letter. Digits are page numbers. */
static gboolean is_misread_tool(const HfDetection *element)
{
    int edge = MAX(element->box.width, element->box.height);
    return element->role == HF_ROLE_LABEL && element->text &&
           g_utf8_strlen(element->text, -1) == 1 &&
           !g_unichar_isdigit(g_utf8_get_char(element->text)) && edge >= 10 && edge <= 40 &&
           MIN(element->box.width, element->box.height) * 2 >= edge;
}

/* `data`: whether the bar is vertical. */
static gboolean is_next_tool(const HfGrouping *work, guint from, guint index, gpointer data)
{
    gboolean down = *(const gboolean *)data;
    HfRect a = hf_grouping_get(work, from)->box, b = hf_grouping_get(work, index)->box;
    int gap = MAX(start_along(a, down), start_along(b, down)) -
              MIN(start_along(a, down) + length_along(a, down),
                  start_along(b, down) + length_along(b, down));
    int off = abs(2 * start_along(a, !down) + length_along(a, !down) - 2 * start_along(b, !down) -
                  length_along(b, !down));
    int edge = MAX(MAX(a.width, a.height), MAX(b.width, b.height));
    int small = MIN(MAX(a.width, a.height), MAX(b.width, b.height));
    return off <= 2 * ALIGNED_PX && gap >= -2 && gap <= GAP * edge && edge * 10 <= small * 18 &&
           (hf_grouping_is_tool(work, index) || is_misread_tool(hf_grouping_get(work, index)));
}

/* The even ground before the first tool, as far as it reaches in the window; the box of the tools
 * when that is no bar. */
static HfRect ground_of_bar(const HfGrouping *work, HfRect box, gboolean vertical)
{
    HfRect own = {box.x - SPACE, box.y - SPACE, box.width + 2 * SPACE, box.height + 2 * SPACE};
    HfRect limit = hf_rect_intersect(work->area, work->window);
    HfPoint corner = {own.x, own.y};
    guint32 colour;
    if (!hf_rect_contains(limit, corner) || !hf_grouping_pixel(work, corner.x, corner.y, &colour))
        return own;
    int left = hf_grouping_reach(work, corner, (HfPoint){-1, 0}, colour, limit);
    int right = hf_grouping_reach(work, corner, (HfPoint){1, 0}, colour, limit);
    int up = hf_grouping_reach(work, corner, (HfPoint){0, -1}, colour, limit);
    int down = hf_grouping_reach(work, corner, (HfPoint){0, 1}, colour, limit);
    HfRect ground = {corner.x - left, corner.y - up, left + right + 1, up + down + 1};
    int thin = vertical ? box.width : box.height;
    gboolean bar = length_along(ground, !vertical) <= THICK * MAX(thin, 16) &&
                   length_along(ground, vertical) >= length_along(box, vertical);
    return bar ? ground : own;
}

/* A misread text labels nothing. */
static void forget_misread_text(HfGrouping *work, HfDetection *element)
{
    for (guint i = 0; i < work->detected->len; i++) {
        HfDetection *other = hf_grouping_get(work, i);
        other->label = other->label == element->text ? NULL : other->label;
    }
    element->text = NULL;
    element->part_count = 0;
    element->source = HF_SOURCE_PIXELS;
}

static gboolean try_bar(HfGrouping *work, guint count, guint first, gboolean down)
{
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
    guint tools = 0;
    g_array_append_val(members, first);
    hf_grouping_gather(work, count, members, G_MAXUINT, is_next_tool, &down);
    for (guint i = 0; i < members->len; i++)
        tools += hf_grouping_is_tool(work, g_array_index(members, guint, i));
    if (members->len < LEAST_TOOLS || tools < LEAST_TOOLS - 1)
        return FALSE;
    int holder = hf_grouping_get(work, first)->holder;
    HfRect box = ground_of_bar(work, hf_grouping_box(work, members), down);
    int bar = hf_grouping_add(work, HF_ROLE_TOOL_BAR, box, holder);
    hf_grouping_take(work, count, box, holder, bar);
    for (guint i = 0; i < members->len; i++) {
        HfDetection *element = hf_grouping_member(work, members, i);
        if (element->role == HF_ROLE_BUTTON)
            continue;
        if (element->role == HF_ROLE_LABEL)
            forget_misread_text(work, element);
        element->role = HF_ROLE_ICON;
        element->states = 0;
    }
    return TRUE;
}

void hf_tool_bars_group(HfGrouping *work)
{
    guint count = work->detected->len;
    for (guint i = 0; i < count; i++) {
        int holder = hf_grouping_get(work, i)->holder;
        int role = holder ? hf_grouping_get(work, (guint)holder - 1)->role : HF_ROLE_PANEL;
        if (role == HF_ROLE_PANEL && hf_grouping_is_tool(work, i) &&
            !try_bar(work, count, i, FALSE))
            try_bar(work, count, i, TRUE);
    }
}
