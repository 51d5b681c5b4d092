/* SPDX-License-Identifier: Apache-2.0 */
/* Things below each other at an even pitch: columns of a list, of which rows are made. Pure. */
#pragma once

#include "hand/locate/groups.h"

typedef struct HfStrip {
    GArray *members; /* of guint, from top to bottom */
    double pitch;
    int holder;
    gboolean text; /* of labels; else of tools, boxes and buttons */
} HfStrip;

/* Of at least three each (HfStrip). */
GArray *hf_strips_find(const HfGrouping *work);
