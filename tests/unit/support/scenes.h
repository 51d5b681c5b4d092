/* SPDX-License-Identifier: Apache-2.0 */
/* Screens as tables, and what a description means on them. */
#pragma once

#include "hand/locate/description-match.h"

typedef struct HfTestTold {
    int parent, role; /* parent: the number of another line; -1: none */
    const char *name;
    HfRect bounds; /* an empty one ends the table */
    HfSource source;
    guint64 states; /* besides those of all that shows */
} HfTestTold;

/* All of it shows, in one window. */
HfTree *hf_test_tree_of(const HfTestTold *told, const char *toolkit);
/* The node that a description means there; HF_NODE_NONE: nothing. `ret_confident` may be NULL. */
int hf_test_locate(const HfTree *tree, const char *said, gboolean *ret_confident);
