/* SPDX-License-Identifier: Apache-2.0 */
/* The distance between two elements as a person sees it: between edges, and in a direction. */
#pragma once

#include "hand/atspi/selector/selector.h"

/* Pixels between the edges; 0 when they touch or overlap. */
double hf_proximity_gap(HfRect a, HfRect b);
/* The same if `rect` lies in that direction from `anchor`, and not across a corner; else negative.
 */
double hf_proximity_from(HfRect anchor, HfRect rect, HfDirection direction);
/* The distance of a label from a field to its right in the same row, or below it, which costs more;
 * negative when it cannot be the field's label. */
double hf_proximity_label(HfRect label, HfRect field);
/* The distance that a person perceives: an element in the same row, or one that the anchor could
 * label, is nearer than one across a corner. */
double hf_proximity_perceived(HfRect anchor, HfRect rect);
