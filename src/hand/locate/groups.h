/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs together in a picture: rows of a list, bars of tools, tabs, cards. Made of what was
 * found in it, by where it lies and what it lies on. Pure. */
#pragma once

#include "hand/locate/things.h"
#include "shared/image/image.h"

/* What is looked at; all in pixels of the screen. */
typedef struct HfGrouping {
    GArray *seen;         /* of HfSeen */
    GPtrArray *kept;      /* what they point to */
    const HfImage *image; /* NULL: only places are known */
    HfRect area;          /* what of the screen the picture shows */
    HfRect window;
} HfGrouping;

/* Adds what holds others to the things, and says of each what it is in. `area`: what of the screen
 * the picture shows; NULL for a picture: only places are known. */
void hf_groups_find(HfThings *things, const HfImage *image, HfRect area, HfRect window);

static inline HfSeen *hf_grouping_get(const HfGrouping *work, guint index)
{
    return &g_array_index(work->seen, HfSeen, index);
}

static inline HfPoint hf_grouping_middle(const HfGrouping *work, guint index)
{
    HfRect box = hf_grouping_get(work, index)->box;
    return (HfPoint){box.x + box.width / 2, box.y + box.height / 2};
}

/* Adds something that holds others, itself in `holder` (an index + 1, or 0); returns index + 1. */
int hf_grouping_add(HfGrouping *work, int role, HfRect box, int holder);
/* All in a box that are in the same holder so far are in `into` from now on. */
void hf_grouping_take(HfGrouping *work, guint count, HfRect box, int holder, int into);
/* Something small to use, such as stands in bars and rows. */
gboolean hf_grouping_is_tool(const HfGrouping *work, guint index);
