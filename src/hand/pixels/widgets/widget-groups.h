/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of detected widgets: table rows, tool bars, tabs, lists, panels. Found by where widgets
 * lie and by the ground that they lie on. Pure. */
#pragma once

#include "hand/pixels/widgets/widgets.h"
#include "shared/image/image.h"

/* All in pixels of the screen. */
typedef struct HfGrouping {
    GArray *detected;     /* of HfDetection */
    GPtrArray *kept;      /* the memory that they point to */
    const HfImage *image; /* NULL: only places are known */
    HfRect area;          /* the part of the screen that the picture shows */
    HfRect window;
} HfGrouping;

/* Adds the groups to the widgets, and notes of each widget which group it is in. `area` is the part
 * of the screen that the picture shows; without a picture only places are known. */
void hf_widget_groups_find(HfWidgets *widgets, const HfImage *image, HfRect area, HfRect window);

/* ---- the parts of it ---- */

static inline HfDetection *hf_grouping_get(const HfGrouping *work, guint index)
{
    return &g_array_index(work->detected, HfDetection, index);
}

static inline HfPoint hf_grouping_middle(const HfGrouping *work, guint index)
{
    return hf_rect_middle(hf_grouping_get(work, index)->box);
}

/* Where its text begins, which may be further in than its box. */
static inline int hf_detection_text_left(const HfDetection *widget)
{
    return widget->part_count > 0 ? widget->parts[0].bounds.x : widget->box.x;
}

/* The colour at a point of the screen; FALSE: the picture does not show it. */
gboolean hf_grouping_pixel(const HfGrouping *work, int x, int y, guint32 *ret_colour);
/* How many steps in a direction the colour reaches within `limit`. */
int hf_grouping_reach(const HfGrouping *work, HfPoint from, HfPoint step, guint32 colour,
                      HfRect limit);
/* Members are arrays of guint. */
HfDetection *hf_grouping_member(const HfGrouping *work, const GArray *members, guint at);
/* The box around all members. */
HfRect hf_grouping_box(const HfGrouping *work, const GArray *members);
typedef gboolean (*HfGroupingIsNext)(const HfGrouping *work, guint from, guint index,
                                     gpointer data);
/* Adds all that can be reached from the first member by going from neighbour to neighbour in the
 * same holder, `most` in all. */
void hf_grouping_gather(const HfGrouping *work, guint count, GArray *members, guint most,
                        HfGroupingIsNext is_next, gpointer data);
/* Which of the colours is the only one that differs from all others; -1: none is. */
int hf_colours_find_odd(const guint32 *colours, guint count);
/* Adds a group, itself in `holder` (an index + 1, or 0); returns index + 1. */
int hf_grouping_add(HfGrouping *work, int role, HfRect box, int holder);
/* All in a box that are in the same holder so far are in `into` from now on. */
void hf_grouping_take(HfGrouping *work, guint count, HfRect box, int holder, int into);
/* A small widget, such as stands in tool bars and rows. */
gboolean hf_grouping_is_tool(const HfGrouping *work, guint index);

/* Widgets below each other at an even pitch. */
typedef struct HfEvenColumn {
    GArray *members; /* of guint, from top to bottom */
    double pitch;
    int holder;
    gboolean text; /* of labels; else of tools, boxes and buttons */
} HfEvenColumn;

/* Of at least three members each (HfEvenColumn). */
GArray *hf_even_columns_find(const HfGrouping *work);

/* Tables with their rows: columns side by side that keep step. */
void hf_table_rows_group(HfGrouping *work);
/* Tool bars: three or more icons side by side or below each other, with all that is on their
 * ground.
 */
void hf_tool_bars_group(HfGrouping *work);
/* Lists and menus by the entry that is highlighted: texts below each other, one on another ground.
 */
void hf_lists_group(HfGrouping *work);
/* Tabs without frames: texts side by side, of which one is underlined. */
void hf_tabs_group(HfGrouping *work);
/* Numbers of pages side by side, as below a list. One that could not be read gets the number that
 * it must have. */
void hf_page_numbers_group(HfGrouping *work);
