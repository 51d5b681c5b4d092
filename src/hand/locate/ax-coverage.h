/* SPDX-License-Identifier: Apache-2.0 */
/* Which places of a window its program reports on the accessibility bus, and which it leaves to the
 * picture. Pure. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef enum HfAxCoverage {
    HF_AX_COVERAGE_NONE,    /* only the picture shows what is there */
    HF_AX_COVERAGE_UNNAMED, /* there is an element without a name */
    HF_AX_COVERAGE_FULL,    /* the text there is reported, or must not be read: that of a field */
} HfAxCoverage;

/* The coverage of a place in a window. `ret_index` is the innermost element there, HF_NODE_NONE
 * when there is none; for UNNAMED, the one without a name. */
HfAxCoverage hf_ax_coverage_at(const HfTree *tree, guint32 window, HfRect place, int *ret_index);

/* The parts (HfRect) of a window that its program paints without reporting what: all of it when it
 * reports nothing, else drawing areas, canvases and empty boxes. `area` is where the window is. */
GArray *hf_ax_coverage_gaps(const HfTree *tree, guint32 window, HfRect area);
