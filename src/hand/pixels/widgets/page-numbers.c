/* SPDX-License-Identifier: Apache-2.0 */
/* Two readable numbers give the direction; a box of the same size beside them is the next page.
 * The box with a different ground, which OCR often cannot read, is the current page. */
#include "hand/pixels/widgets/widget-groups.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

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
    const HfDetection *element = hf_grouping_get(work, index);
    return element->role == HF_ROLE_BUTTON && (element->source & HF_SOURCE_PIXELS) &&
           MAX(element->box.width, element->box.height) <= MOST_EDGE;
}

static int number_in_text(const HfGrouping *work, guint index)
{
    const char *text = hf_grouping_get(work, index)->text;
    char *end;
    long number = text && g_ascii_isdigit(*text) ? strtol(text, &end, 10) : 0;
    return number > 0 && number < 10000 && *end == '\0' ? (int)number : 0;
}

/* The nearest box on the right with the same height. */
static int find_next_page_number(const HfGrouping *work, guint count, guint from)
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

/* The number of the first box, if all readable ones count up from it; 0: they do not. */
static int first_number(const HfGrouping *work, const Pages *pages)
{
    int first = 0, known = 0;
    for (guint i = 0; i < pages->count; i++) {
        int number = number_in_text(work, pages->members[i]);
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

/* The only box with a different ground; -1: there is none. */
static int find_current_page(const HfGrouping *work, const Pages *pages)
{
    guint32 grounds[MOST] = {0};
    for (guint i = 0; i < pages->count; i++) {
        HfRect box = hf_grouping_get(work, pages->members[i])->box;
        hf_grouping_pixel(work, box.x + box.width / 2, box.y + 5, &grounds[i]);
    }
    return hf_colours_find_odd(grounds, pages->count);
}

static void name_page_numbers(HfGrouping *work, const Pages *pages, int first)
{
    int current = find_current_page(work, pages);
    for (guint i = 0; i < pages->count; i++) {
        HfDetection *page = hf_grouping_get(work, pages->members[i]);
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

void hf_page_numbers_group(HfGrouping *work)
{
    guint count = work->detected->len;
    for (guint i = 0; i < count; i++) {
        Pages pages = {.count = 0};
        if (!may_be_page(work, i) || hf_grouping_get(work, i)->label)
            continue;
        for (int at = (int)i; at >= 0 && pages.count < MOST;
             at = find_next_page_number(work, count, (guint)at))
            pages.members[pages.count++] = (guint)at;
        int first = pages.count >= LEAST ? first_number(work, &pages) : 0;
        if (first > 0)
            name_page_numbers(work, &pages, first);
    }
}
