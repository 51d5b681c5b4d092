/* SPDX-License-Identifier: Apache-2.0 */
/* What programs tell of the places in their windows, and where they leave it to the picture. Pure:
 * nothing is asked or looked at. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef enum HfTold {
    HF_TOLD_NOTHING,  /* only the picture says what is there */
    HF_TOLD_NAMELESS, /* there is something to be used, which nobody calls anything */
    HF_TOLD_ALL, /* what stands there can be had exactly, or must not be read: a field's text */
} HfTold;

/* What is told of a place in a window. `ret_index` is the innermost element there, HF_NODE_NONE
 * when there is none; for NAMELESS, the one without a name. */
HfTold hf_told_at(const HfTree *tree, guint32 window, HfRect place, int *ret_index);

/* The parts (HfRect) of the window that its program paints without telling what: all of it when it
 * tells nothing, else drawing areas, canvases and bare boxes. `area` is where the window is. */
GArray *hf_told_blind(const HfTree *tree, guint32 window, HfRect area);

/* Whether the window is in the tree at all. */
gboolean hf_told_has_window(const HfTree *tree, guint32 window);
