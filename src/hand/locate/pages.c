/* SPDX-License-Identifier: Apache-2.0 */
/* Two that follow each other say which way they count; one of the same size beside them is the
 * next. The one on a ground of its own, which is mostly the one that could not be read, is the page
 * that shows. */
#include "hand/locate/pages.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/shapes/flat-areas.h"

#define LEAST      3
#define MOST       20
#define MOST_EDGE  56
#define ALIGNED_PX 5
#define GAP_PX     28

typedef struct Pages {
    guint members[MOST]; /* from left to right */
    guint count;
} Pages;

static gboolean may_be_page(const HfGrouping *work, guint index)
{
    const HfSeen *seen = hf_grouping_get(work, index);
    return seen->role == HF_ROLE_BUTTON && (seen->source & HF_SOURCE_PIXELS) &&
           MAX(seen->box.width, seen->box.height) <= MOST_EDGE;
}

static int number_of(const HfGrouping *work, guint index)
{
    const char *text = hf_grouping_get(work, index)->text;
    char *end;
    long number = text && g_ascii_isdigit(*text) ? strtol(text, &end, 10) : 0;
    return number > 0 && number < 10000 && *end == '\0' ? (int)number : 0;
}

/* The nearest to the right, of the same height. */
static int find_next(const HfGrouping *work, guint count, guint from)
{
    HfRect own = hf_grouping_get(work, from)->box;
    int found = -1, least = GAP_PX + 1;
    for (guint i = 0; i < count; i++) {
        HfRect box = hf_grouping_get(work, i)->box;
        int gap = box.x - own.x - own.width;
        if (i == from || !may_be_page(work, i) || gap < 0 || gap >= least ||
            abs(box.y - own.y) > ALIGNED_PX || abs(box.height - own.height) > ALIGNED_PX ||
            hf_grouping_get(work, i)->holder != hf_grouping_get(work, from)->holder)
            continue;
        found = (int)i;
        least = gap;
    }
    return found;
}

static void gather(const HfGrouping *work, guint count, guint first, Pages *pages)
{
    pages->count = 0;
    for (int at = (int)first; at >= 0 && pages->count < MOST;
         at = find_next(work, count, (guint)at))
        pages->members[pages->count++] = (guint)at;
}

/* The number of the first, if all that can be read count up from it; 0: they do not. */
static int first_number(const HfGrouping *work, const Pages *pages)
{
    int first = 0, known = 0;
    for (guint i = 0; i < pages->count; i++) {
        int number = number_of(work, pages->members[i]);
        if (!number) {
            if (hf_grouping_get(work, pages->members[i])->text)
                return 0;
            continue;
        }
        if (known++ && number - (int)i != first)
            return 0;
        first = number - (int)i;
    }
    return known >= 2 ? first : 0;
}

static guint32 ground_of(const HfGrouping *work, guint index)
{
    HfRect box = hf_grouping_get(work, index)->box;
    int x = box.x + box.width / 2 - work->area.x, y = box.y + 5 - work->area.y;
    gboolean in =
        work->image && x >= 0 && y >= 0 && x < work->image->width && y < work->image->height;
    return in ? hf_image_row(work->image, y)[x] : 0;
}

/* The only one whose ground is not that of the others; -1: none is. */
static int find_current(const HfGrouping *work, const Pages *pages)
{
    for (guint i = 0; i < pages->count; i++) {
        guint others = 0, alike = 0, base = i == 0 ? 1 : 0;
        guint32 usual = ground_of(work, pages->members[base]);
        for (guint k = 0; k < pages->count; k++) {
            others += k != i;
            alike += k != i && hf_colours_alike(ground_of(work, pages->members[k]), usual);
        }
        if (alike == others && !hf_colours_alike(ground_of(work, pages->members[i]), usual))
            return (int)i;
    }
    return -1;
}

static void name_pages(HfGrouping *work, const Pages *pages, int first)
{
    int current = find_current(work, pages);
    for (guint i = 0; i < pages->count; i++) {
        HfSeen *page = hf_grouping_get(work, pages->members[i]);
        char *number = g_strdup_printf("%d", first + (int)i);
        char *label = g_strdup_printf("page %d", first + (int)i);
        g_ptr_array_add(work->kept, number);
        g_ptr_array_add(work->kept, label);
        page->text = number;
        page->label = label;
        if ((int)i == current)
            page->states |= HF_STATE(HF_STATE_SELECTED);
    }
}

void hf_pages_group(HfGrouping *work)
{
    guint count = work->seen->len;
    for (guint i = 0; i < count; i++) {
        Pages pages;
        if (!may_be_page(work, i) || hf_grouping_get(work, i)->label)
            continue;
        gather(work, count, i, &pages);
        int first = pages.count >= LEAST ? first_number(work, &pages) : 0;
        if (first > 0)
            name_pages(work, &pages, first);
    }
}
