/* SPDX-License-Identifier: Apache-2.0 */
/* Where a bar has a ground of its own, it reaches as far as that; on the ground of its window it is
 * as large as its tools. What was taken for a box to tick is a tool in a bar: a floppy, two sheets.
 */
#include "hand/locate/bars.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/pixels/shapes/flat-areas.h"

#define LEAST_TOOLS 3
#define ALIGNED_PX  6
/* From one tool to the next, as so many of the larger one's edges. */
#define GAP 2.5
/* The ground of a bar is no thicker, as so many of its tools. */
#define THICK 3
#define SPACE 4

/* Along a bar and across it: the same for bars that go down. */
typedef struct Line {
    gboolean down;
    GArray *members; /* of guint */
    HfRect box;
} Line;

static int along(HfRect box, gboolean down)
{
    return down ? box.y : box.x;
}

static int length(HfRect box, gboolean down)
{
    return down ? box.height : box.width;
}

static gboolean is_next(HfRect a, HfRect b, gboolean down)
{
    int gap = MAX(along(a, down), along(b, down)) -
              MIN(along(a, down) + length(a, down), along(b, down) + length(b, down));
    int off = abs(2 * along(a, !down) + length(a, !down) - 2 * along(b, !down) - length(b, !down));
    int edge = MAX(MAX(a.width, a.height), MAX(b.width, b.height));
    int small = MIN(MAX(a.width, a.height), MAX(b.width, b.height));
    return off <= 2 * ALIGNED_PX && gap >= -2 && gap <= GAP * edge && edge * 10 <= small * 18;
}

/* A drawing may have been read as a letter. Digits are pages. */
static gboolean is_misread(const HfGrouping *work, guint index)
{
    const HfSeen *seen = hf_grouping_get(work, index);
    int edge = MAX(seen->box.width, seen->box.height);
    return seen->role == HF_ROLE_LABEL && seen->text && g_utf8_strlen(seen->text, -1) == 1 &&
           !g_unichar_isdigit(g_utf8_get_char(seen->text)) && edge >= 10 && edge <= 40 &&
           MIN(seen->box.width, seen->box.height) * 2 >= edge;
}

static gboolean has_member(const GArray *members, guint index)
{
    for (guint i = 0; i < members->len; i++)
        if (g_array_index(members, guint, i) == index)
            return TRUE;
    return FALSE;
}

static void gather(const HfGrouping *work, guint count, guint first, Line *line)
{
    int holder = hf_grouping_get(work, first)->holder;
    g_array_append_val(line->members, first);
    line->box = hf_grouping_get(work, first)->box;
    for (guint at = 0; at < line->members->len; at++) {
        HfRect from = hf_grouping_get(work, g_array_index(line->members, guint, at))->box;
        for (guint i = 0; i < count; i++) {
            HfRect box = hf_grouping_get(work, i)->box;
            if (hf_grouping_get(work, i)->holder != holder ||
                (!hf_grouping_is_tool(work, i) && !is_misread(work, i)) ||
                !is_next(from, box, line->down) || has_member(line->members, i))
                continue;
            g_array_append_val(line->members, i);
            line->box = hf_rect_unite(line->box, box);
        }
    }
}

/* ---- its ground ---- */

static gboolean pixel_at(const HfGrouping *work, int x, int y, guint32 *ret_colour)
{
    if (!work->image || !hf_rect_contains(work->area, (HfPoint){x, y}) ||
        !hf_rect_contains(work->window, (HfPoint){x, y}) ||
        x - work->area.x >= work->image->width || y - work->area.y >= work->image->height)
        return FALSE;
    *ret_colour = hf_image_row(work->image, y - work->area.y)[x - work->area.x];
    return TRUE;
}

/* How far the colour goes that way. */
static int reach(const HfGrouping *work, HfPoint from, int across, int down, guint32 colour)
{
    guint32 here;
    int steps = 0;
    while (pixel_at(work, from.x + across * (steps + 1), from.y + down * (steps + 1), &here) &&
           hf_colours_alike(here, colour))
        steps++;
    return steps;
}

/* The even ground before the first tool, as far as it goes; its own box when that is no bar. */
static HfRect ground_of(const HfGrouping *work, const Line *line)
{
    HfRect box = line->box;
    HfRect own = {box.x - SPACE, box.y - SPACE, box.width + 2 * SPACE, box.height + 2 * SPACE};
    HfPoint corner = {own.x, own.y};
    guint32 colour;
    if (!pixel_at(work, corner.x, corner.y, &colour))
        return own;
    int left = reach(work, corner, -1, 0, colour), right = reach(work, corner, 1, 0, colour);
    int up = reach(work, corner, 0, -1, colour), down = reach(work, corner, 0, 1, colour);
    HfRect ground = {corner.x - left, corner.y - up, left + right + 1, up + down + 1};
    int thin = line->down ? box.width : box.height;
    gboolean bar = length(ground, !line->down) <= THICK * MAX(thin, 16) &&
                   length(ground, line->down) >= length(box, line->down);
    return bar ? ground : own;
}

/* What is no text is no label of anything either. */
static void forget_text(HfGrouping *work, HfSeen *seen)
{
    for (guint i = 0; i < work->seen->len; i++) {
        HfSeen *other = hf_grouping_get(work, i);
        other->label = other->label == seen->text ? NULL : other->label;
    }
    seen->text = NULL;
    seen->part_count = 0;
    seen->source = HF_SOURCE_PIXELS;
}

static void add_bar(HfGrouping *work, guint count, const Line *line)
{
    int holder = hf_grouping_get(work, g_array_index(line->members, guint, 0))->holder;
    HfRect box = ground_of(work, line);
    int bar = hf_grouping_add(work, HF_ROLE_TOOL_BAR, box, holder);
    hf_grouping_take(work, count, box, holder, bar);
    for (guint i = 0; i < line->members->len; i++) {
        HfSeen *seen = hf_grouping_get(work, g_array_index(line->members, guint, i));
        if (seen->role == HF_ROLE_BUTTON)
            continue;
        if (seen->role == HF_ROLE_LABEL)
            forget_text(work, seen);
        seen->role = HF_ROLE_ICON;
        seen->states = 0;
    }
}

static guint count_tools(const HfGrouping *work, const GArray *members)
{
    guint count = 0;
    for (guint i = 0; i < members->len; i++)
        count += hf_grouping_is_tool(work, g_array_index(members, guint, i));
    return count;
}

static gboolean try_bar(HfGrouping *work, guint count, guint first, gboolean down)
{
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
    Line line = {down, members, {0, 0, 0, 0}};
    gather(work, count, first, &line);
    if (members->len < LEAST_TOOLS || count_tools(work, members) < LEAST_TOOLS - 1)
        return FALSE;
    add_bar(work, count, &line);
    return TRUE;
}

static gboolean is_free(const HfGrouping *work, guint index)
{
    int holder = hf_grouping_get(work, index)->holder;
    int role = holder ? hf_grouping_get(work, (guint)holder - 1)->role : HF_ROLE_PANEL;
    return role == HF_ROLE_PANEL && hf_grouping_is_tool(work, index);
}

void hf_bars_group(HfGrouping *work)
{
    guint count = work->seen->len;
    for (guint i = 0; i < count; i++)
        if (is_free(work, i) && !try_bar(work, count, i, FALSE))
            try_bar(work, count, i, TRUE);
}
