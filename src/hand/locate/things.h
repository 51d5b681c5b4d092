/* SPDX-License-Identifier: Apache-2.0 */
/* What shapes and texts of a picture are together: a frame with a text in its middle is a button
 * that is called so, an empty one is a field, a small box with a text on its right can be ticked.
 * Pure. */
#pragma once

#include "hand/locate/join.h"
#include "hand/pixels/shapes/shapes.h"

typedef struct HfThings {
    GArray *seen;    /* of HfSeen, as people read: from left to right in each row */
    GPtrArray *kept; /* what they point to */
    GArray *panels;  /* of HfRect: frames that may hold some of them together */
} HfThings;

/* All in pixels of the screen: texts (HfSeen) that were read in a window, shapes (HfShape) that
 * were found in it, and rows (HfRect) that nobody has read, of which nothing is known. What the
 * texts point to has to last. */
void hf_things_init(HfThings *things, const GArray *texts, const GArray *shapes,
                    const GArray *unread);
void hf_things_clear(HfThings *things);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfThings, hf_things_clear)
