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

/* ---- shared with column-groups.c ---- */

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

/* Tables with their rows: columns side by side that keep step. */
void hf_table_rows_group(HfGrouping *work);
/* Lists and menus: texts below each other, of which one is highlighted. */
void hf_lists_group(HfGrouping *work);
