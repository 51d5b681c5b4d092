/* SPDX-License-Identifier: Apache-2.0 */
/* How far apart two elements are, as a person sees it: between their edges, and in a direction. */
#pragma once

#include "hand/atspi/selector/selector.h"

/* Pixels between the edges of two rectangles; 0 when they touch or overlap. */
double hf_proximity_gap(HfRect a, HfRect b);
/* The same when `rect` lies in the direction as seen from `anchor`, beside it and not across a
 * corner; negative when it does not. */
double hf_proximity_from(HfRect anchor, HfRect rect, HfDirection direction);
/* How far a label is from a field that it could be the label of: to its right in the same row, or
 * below it, which costs more; negative when it cannot be. */
double hf_proximity_label(HfRect label, HfRect field);
/* How near a person would call it: what is in the same row, or what the anchor could be the label
 * of, is nearer than what is across a corner. */
double hf_proximity_perceived(HfRect anchor, HfRect rect);
