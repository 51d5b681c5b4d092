/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of rectangles: cut holes, merge, bound. */
#pragma once

#include "shared/base/geometry.h"

/* Cuts the hole out of each rectangle (GArray of HfRect); the results do not overlap. */
void hf_rects_subtract(GArray *rects, HfRect hole);
/* Adds one, unless another contains it, and removes those that it contains. Beyond `most` they
 * become one that covers all. */
void hf_rects_add(GArray *rects, HfRect rect, guint most);
/* Merges them so that they cover the same area, or a little more, with at most `most` rectangles
 * of which none contains another. */
void hf_rects_join(GArray *rects, guint most);
/* The bounds of all, extended by `margin` pixels, within `all`; empty when there are none. */
HfRect hf_rects_bounds(const GArray *rects, int margin, HfRect all);
