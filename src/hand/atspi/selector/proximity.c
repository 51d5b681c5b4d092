/* SPDX-License-Identifier: Apache-2.0 */
/* The geometry of neighbouring elements. */
#include "hand/atspi/selector/proximity.h"

#include <math.h>

/* Neighbours may overlap a little where frames are drawn. */
#define SLACK_PX 4
/* A label above its field counts as this much further away than one beside it. */
#define BELOW_COST_PX 40
/* Across a corner counts as this much further away. */
#define CORNER_COST_PX 60
/* A label further from its field than this belongs to something else. */
#define LABEL_PX 320

/* Between two spans on one axis; negative by as much as they overlap. */
static int span_gap(int a, int a_length, int b, int b_length)
{
    return MAX(a, b) - MIN(a + a_length, b + b_length);
}

static gboolean overlaps_well(int a, int a_length, int b, int b_length)
{
    return 2 * -span_gap(a, a_length, b, b_length) >= MIN(a_length, b_length);
}

double hf_proximity_gap(HfRect a, HfRect b)
{
    int across = MAX(0, span_gap(a.x, a.width, b.x, b.width));
    int down = MAX(0, span_gap(a.y, a.height, b.y, b.height));
    return hypot(across, down);
}

double hf_proximity_from(HfRect anchor, HfRect rect, HfDirection direction)
{
    gboolean beside = overlaps_well(anchor.y, anchor.height, rect.y, rect.height);
    gboolean stacked = overlaps_well(anchor.x, anchor.width, rect.x, rect.width);
    int gap;
    switch (direction) {
    case HF_DIRECTION_LEFT:
        gap = anchor.x - (rect.x + rect.width);
        return beside && gap >= -SLACK_PX ? MAX(gap, 0) : -1;
    case HF_DIRECTION_RIGHT:
        gap = rect.x - (anchor.x + anchor.width);
        return beside && gap >= -SLACK_PX ? MAX(gap, 0) : -1;
    case HF_DIRECTION_ABOVE:
        gap = anchor.y - (rect.y + rect.height);
        return stacked && gap >= -SLACK_PX ? MAX(gap, 0) : -1;
    case HF_DIRECTION_BELOW:
        gap = rect.y - (anchor.y + anchor.height);
        return stacked && gap >= -SLACK_PX ? MAX(gap, 0) : -1;
    case HF_DIRECTION_ANY:
    case HF_DIRECTION_COUNT:
        break;
    }
    return hf_proximity_gap(anchor, rect);
}

double hf_proximity_label(HfRect label, HfRect field)
{
    double right = hf_proximity_from(label, field, HF_DIRECTION_RIGHT);
    double below = hf_proximity_from(label, field, HF_DIRECTION_BELOW);
    if (right >= 0 && right <= LABEL_PX)
        return right;
    return below >= 0 && below <= LABEL_PX / 4 ? below + BELOW_COST_PX : -1;
}

double hf_proximity_perceived(HfRect anchor, HfRect rect)
{
    double gap = hf_proximity_gap(anchor, rect), label = hf_proximity_label(anchor, rect);
    gboolean beside = overlaps_well(anchor.y, anchor.height, rect.y, rect.height);
    gboolean stacked = overlaps_well(anchor.x, anchor.width, rect.x, rect.width);
    if (!beside && !stacked)
        return gap + CORNER_COST_PX;
    /* To the left or above is a little less likely. */
    return label >= 0 ? MIN(label, gap + 1) : gap + 1;
}
