/* SPDX-License-Identifier: Apache-2.0 */
/* The line is below only one of the texts, about as wide as that text or its tab, in a colour
 * other than the ground, and it does not go on below the others. */
#include "hand/pixels/widgets/widget-groups.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/shapes/flat-areas.h"

#define LEAST_TABS 2
#define MOST_TABS  32
#define ALIGNED_PX 5
#define GAP_PX     140
/* The most distance from a text down to its line, the thickness of the line, and its width in
 * widths of the text. */
#define BELOW_PX 18
#define THICK_PX 5
#define WIDER    4

static gboolean is_tab_underline(const HfGrouping *work, HfPoint at, guint32 colour, HfRect text)
{
    int left = hf_grouping_reach(work, at, (HfPoint){-1, 0}, colour, work->area);
    int right = hf_grouping_reach(work, at, (HfPoint){1, 0}, colour, work->area);
    int thick = 1 + hf_grouping_reach(work, at, (HfPoint){0, 1}, colour, work->area);
    int width = left + right + 1;
    return thick <= THICK_PX && width * 10 >= text.width * 8 && width <= text.width * WIDER &&
           abs(2 * left - width) <= MAX(12, width / 4);
}

static gboolean is_underlined(const HfGrouping *work, guint index)
{
    HfRect text = hf_grouping_get(work, index)->box;
    int x = text.x + text.width / 2, y = text.y + text.height + 1;
    guint32 ground, here;
    if (!hf_grouping_pixel(work, x, y, &ground))
        return FALSE;
    for (int down = 1; down <= BELOW_PX && hf_grouping_pixel(work, x, y + down, &here); down++)
        if (!hf_colours_alike(here, ground))
            return is_tab_underline(work, (HfPoint){x, y + down}, here, text);
    return FALSE;
}

static gboolean is_next_tab(const HfGrouping *work, guint from, guint index, gpointer data)
{
    HfRect a = hf_grouping_get(work, from)->box, b = hf_grouping_get(work, index)->box;
    int gap = MAX(a.x, b.x) - MIN(a.x + a.width, b.x + b.width);
    int off = abs(2 * a.y + a.height - 2 * b.y - b.height);
    return hf_grouping_get(work, index)->role == HF_ROLE_LABEL && off <= 2 * ALIGNED_PX &&
           gap > 0 && gap <= GAP_PX && abs(a.height - b.height) <= MAX(a.height, b.height) / 2;
}

static void make_tabs(HfGrouping *work, guint current, const GArray *members)
{
    int list = hf_grouping_add(work, HF_ROLE_PAGE_TAB_LIST, hf_grouping_box(work, members),
                               hf_grouping_get(work, current)->holder);
    for (guint i = 0; i < members->len; i++) {
        HfDetection *tab = hf_grouping_member(work, members, i);
        tab->role = HF_ROLE_PAGE_TAB;
        tab->holder = list;
    }
    hf_grouping_get(work, current)->states |= HF_STATE(HF_STATE_SELECTED);
}

void hf_tabs_group(HfGrouping *work)
{
    guint count = work->detected->len;
    for (guint i = 0; work->image && i < count; i++) {
        g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
        guint underlined = 0;
        if (hf_grouping_get(work, i)->role != HF_ROLE_LABEL || !is_underlined(work, i))
            continue;
        g_array_append_val(members, i);
        hf_grouping_gather(work, count, members, MOST_TABS, is_next_tab, NULL);
        for (guint k = 0; k < members->len; k++)
            underlined += is_underlined(work, g_array_index(members, guint, k));
        if (members->len >= LEAST_TABS && underlined == 1)
            make_tabs(work, i, members);
    }
}
