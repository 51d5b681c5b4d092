/* SPDX-License-Identifier: Apache-2.0 */
/* Panels come first, since widgets in different panels do not belong together. Then come rows,
 * which take what would be tool bars otherwise, and last tool bars and tabs. Tables and lists are
 * in column-groups.c.
 *
 * A tool bar with its own ground reaches as far as that; on the ground of the window it is as large
 * as its tools. A check box in a tool bar is an icon that looks like one: a floppy, two sheets.
 *
 * The line of a tab is below only one of the texts, about as wide as that text or its tab, in a
 * colour other than the ground, and it does not go on below the others.
 *
 * Two readable page numbers give the direction; a box of the same size beside them is the next
 * page. The box with a different ground, which OCR often cannot read, is the current page. */
#include "hand/pixels/widgets/widget-groups.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
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

/* ---- tool bars ---- */

#define LEAST_TOOLS      3
#define TOOLS_ALIGNED_PX 6
/* The gap between tools, in edges of the larger one. */
#define GAP 2.5
/* The ground of a tool bar is no thicker, in heights of its tools. */
#define THICK 3
#define SPACE 4

/* How far tabs and page numbers may be out of line. */
#define ALIGNED_PX 5

/* A small widget, such as stands in tool bars and rows. */
static gboolean is_tool_widget(const HfGrouping *work, guint index)
{
    const HfDetection *element = hf_grouping_get(work, index);
    gboolean named = element->text != NULL;
    if (element->holds || MAX(element->box.width, element->box.height) > TOOL_MOST)
        return FALSE;
    return element->role == HF_ROLE_ICON ||
           (!named && (element->role == HF_ROLE_BUTTON || element->role == HF_ROLE_CHECK_BOX ||
                       element->role == HF_ROLE_RADIO_BUTTON));
}

/* How many steps in a direction the colour reaches within `limit`. */
static int measure_reach(const HfGrouping *work, HfPoint from, HfPoint step, guint32 colour,
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
    return off <= 2 * TOOLS_ALIGNED_PX && gap >= -2 && gap <= GAP * edge &&
           edge * 10 <= small * 18 &&
           (is_tool_widget(work, index) || is_misread_tool(hf_grouping_get(work, index)));
}

/* The even ground before the first tool, as far as it reaches in the window; the box of the tools
 * when that is not a bar. */
static HfRect ground_of_bar(const HfGrouping *work, HfRect box, gboolean vertical)
{
    HfRect own = {box.x - SPACE, box.y - SPACE, box.width + 2 * SPACE, box.height + 2 * SPACE};
    HfRect limit = hf_rect_intersect(work->area, work->window);
    HfPoint corner = {own.x, own.y};
    guint32 colour;
    if (!hf_rect_contains(limit, corner) || !hf_grouping_pixel(work, corner.x, corner.y, &colour))
        return own;
    int left = measure_reach(work, corner, (HfPoint){-1, 0}, colour, limit);
    int right = measure_reach(work, corner, (HfPoint){1, 0}, colour, limit);
    int up = measure_reach(work, corner, (HfPoint){0, -1}, colour, limit);
    int down = measure_reach(work, corner, (HfPoint){0, 1}, colour, limit);
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
        tools += is_tool_widget(work, g_array_index(members, guint, i));
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

/* Three or more icons side by side or below each other, with all on their ground. */
static void group_tool_bars(HfGrouping *work)
{
    guint count = work->detected->len;
    for (guint i = 0; i < count; i++) {
        int holder = hf_grouping_get(work, i)->holder;
        int role = holder ? hf_grouping_get(work, (guint)holder - 1)->role : HF_ROLE_PANEL;
        if (role == HF_ROLE_PANEL && is_tool_widget(work, i) && !try_bar(work, count, i, FALSE))
            try_bar(work, count, i, TRUE);
    }
}

/* ---- tabs ---- */

#define LEAST_TABS 2
#define MOST_TABS  32
#define TAB_GAP_PX 140
/* The most distance from a text down to its line, the thickness of the line, and its width in
 * widths of the text. */
#define BELOW_PX 18
#define THICK_PX 5
#define WIDER    4

static gboolean is_tab_underline(const HfGrouping *work, HfPoint at, guint32 colour, HfRect text)
{
    int left = measure_reach(work, at, (HfPoint){-1, 0}, colour, work->area);
    int right = measure_reach(work, at, (HfPoint){1, 0}, colour, work->area);
    int thick = 1 + measure_reach(work, at, (HfPoint){0, 1}, colour, work->area);
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
           gap > 0 && gap <= TAB_GAP_PX && abs(a.height - b.height) <= MAX(a.height, b.height) / 2;
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

/* Texts side by side without frames, of which one is underlined. */
static void group_underlined_tabs(HfGrouping *work)
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

/* ---- page numbers ---- */

#define LEAST_PAGES 3
#define MOST_PAGES  20
#define MOST_EDGE   56
#define PAGE_GAP_PX 28

typedef struct Pages {
    guint members[MOST_PAGES]; /* from left to right */
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
    int found = -1, least = PAGE_GAP_PX + 1;
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
    guint32 grounds[MOST_PAGES] = {0};
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

/* An unreadable number gets the value that it must have. */
static void group_page_numbers(HfGrouping *work)
{
    guint count = work->detected->len;
    for (guint i = 0; i < count; i++) {
        Pages pages = {.count = 0};
        if (!may_be_page(work, i) || hf_grouping_get(work, i)->label)
            continue;
        for (int at = (int)i; at >= 0 && pages.count < MOST_PAGES;
             at = find_next_page_number(work, count, (guint)at))
            pages.members[pages.count++] = (guint)at;
        int first = pages.count >= LEAST_PAGES ? first_number(work, &pages) : 0;
        if (first > 0)
            name_page_numbers(work, &pages, first);
    }
}

/* ---- all groups ---- */

void hf_widget_groups_find(HfWidgets *widgets, const HfImage *image, HfRect area, HfRect window)
{
    HfGrouping work = {widgets->detected, widgets->kept, image, area, window};
    add_panels(&work, widgets->panels);
    group_page_numbers(&work);
    hf_table_rows_group(&work);
    hf_lists_group(&work);
    group_underlined_tabs(&work);
    group_tool_bars(&work);
}
