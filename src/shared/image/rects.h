/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of an area when others lie on top of it. */
#pragma once

#include "shared/base/geometry.h"

/* Takes the hole out of each rectangle (GArray of HfRect); what is left does not overlap. */
void hf_rects_subtract(GArray *rects, HfRect hole);
/* Adds one, unless it lies within another; those within it go. From more than `most` on there is
 * one that covers all. */
void hf_rects_add(GArray *rects, HfRect rect, guint most);
/* Makes fewer of them that cover the same and, where that is not enough, a little more: none lies
 * within another, and there are at most `most`. */
void hf_rects_join(GArray *rects, guint most);
/* The bounds of all of them, with `margin` pixels around, within `all`; empty when there are none.
 */
HfRect hf_rects_bounds(const GArray *rects, int margin, HfRect all);
