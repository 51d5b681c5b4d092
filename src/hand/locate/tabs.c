/* SPDX-License-Identifier: Apache-2.0 */
/* The line is below one of the texts only, about as wide as that or its tab, and of a colour that
 * is neither the ground's nor goes on below the others. */
#include "hand/locate/tabs.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/shapes/flat-areas.h"

#define LEAST_TABS 2
#define MOST_TABS  32
#define ALIGNED_PX 5
#define GAP_PX     140
/* How far below a text its line is at most, how thick, and how much wider than it. */
#define BELOW_PX 18
#define THICK_PX 5
#define WIDER    4

typedef struct Row {
    guint members[MOST_TABS];
    guint count;
} Row;

static gboolean pixel_at(const HfGrouping *work, int x, int y, guint32 *ret_colour)
{
    int column = x - work->area.x, line = y - work->area.y;
    if (column < 0 || line < 0 || column >= work->image->width || line >= work->image->height)
        return FALSE;
    *ret_colour = hf_image_row(work->image, line)[column];
    return TRUE;
}

/* How far from the middle the colour goes, to both sides. */
static int run_at(const HfGrouping *work, HfPoint middle, guint32 colour, int *ret_left)
{
    int left = 0, right = 0;
    guint32 here;
    while (pixel_at(work, middle.x - left - 1, middle.y, &here) && hf_colours_alike(here, colour))
        left++;
    while (pixel_at(work, middle.x + right + 1, middle.y, &here) && hf_colours_alike(here, colour))
        right++;
    *ret_left = left;
    return left + right + 1;
}

static gboolean is_line(const HfGrouping *work, HfPoint at, guint32 colour, HfRect text)
{
    int left, width = run_at(work, at, colour, &left), thick = 1;
    guint32 here;
    while (thick <= THICK_PX && pixel_at(work, at.x, at.y + thick, &here) &&
           hf_colours_alike(here, colour))
        thick++;
    return thick <= THICK_PX && width * 10 >= text.width * 8 && width <= text.width * WIDER &&
           abs(2 * left - width) <= MAX(12, width / 4);
}

static gboolean is_underlined(const HfGrouping *work, guint index)
{
    HfRect text = hf_grouping_get(work, index)->box;
    int x = text.x + text.width / 2, y = text.y + text.height + 1;
    guint32 ground, here;
    if (!pixel_at(work, x, y, &ground))
        return FALSE;
    for (int down = 1; down <= BELOW_PX && pixel_at(work, x, y + down, &here); down++)
        if (!hf_colours_alike(here, ground))
            return is_line(work, (HfPoint){x, y + down}, here, text);
    return FALSE;
}

static gboolean is_next(HfRect a, HfRect b)
{
    int gap = MAX(a.x, b.x) - MIN(a.x + a.width, b.x + b.width);
    int off = abs(2 * a.y + a.height - 2 * b.y - b.height);
    return off <= 2 * ALIGNED_PX && gap > 0 && gap <= GAP_PX &&
           abs(a.height - b.height) <= MAX(a.height, b.height) / 2;
}

static gboolean has_member(const Row *row, guint index)
{
    for (guint i = 0; i < row->count; i++)
        if (row->members[i] == index)
            return TRUE;
    return FALSE;
}

static void gather(const HfGrouping *work, guint count, guint first, Row *row)
{
    row->members[0] = first;
    row->count = 1;
    for (guint at = 0; at < row->count; at++)
        for (guint i = 0; i < count && row->count < MOST_TABS; i++) {
            const HfSeen *seen = hf_grouping_get(work, i);
            if (seen->role == HF_ROLE_LABEL &&
                seen->holder == hf_grouping_get(work, first)->holder && !has_member(row, i) &&
                is_next(hf_grouping_get(work, row->members[at])->box, seen->box))
                row->members[row->count++] = i;
        }
}

static void make_tabs(HfGrouping *work, guint current, const Row *row)
{
    HfRect box = hf_grouping_get(work, current)->box;
    int holder = hf_grouping_get(work, current)->holder;
    for (guint i = 0; i < row->count; i++)
        box = hf_rect_unite(box, hf_grouping_get(work, row->members[i])->box);
    int list = hf_grouping_add(work, HF_ROLE_PAGE_TAB_LIST, box, holder);
    for (guint i = 0; i < row->count; i++) {
        HfSeen *tab = hf_grouping_get(work, row->members[i]);
        tab->role = HF_ROLE_PAGE_TAB;
        tab->holder = list;
        if (row->members[i] == current)
            tab->states |= HF_STATE(HF_STATE_SELECTED);
    }
}

void hf_tabs_group(HfGrouping *work)
{
    guint count = work->seen->len;
    for (guint i = 0; work->image && i < count; i++) {
        Row row;
        if (hf_grouping_get(work, i)->role != HF_ROLE_LABEL || !is_underlined(work, i))
            continue;
        gather(work, count, i, &row);
        guint underlined = 0;
        for (guint k = 0; k < row.count; k++)
            underlined += is_underlined(work, row.members[k]);
        if (row.count >= LEAST_TABS && underlined == 1)
            make_tabs(work, i, &row);
    }
}
