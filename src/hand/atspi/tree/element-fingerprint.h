/* SPDX-License-Identifier: Apache-2.0 */
/* Knowing an element again in a later tree: by its object, role, name, the names around it, and
 * where it was. An element that cannot be told from others is known again only with certainty. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef enum HfReidentified {
    HF_REIDENTIFIED_SAME,
    HF_REIDENTIFIED_MOVED,   /* it is the same, in another place */
    HF_REIDENTIFIED_CHANGED, /* there is something in its stead, which has become something else */
    HF_REIDENTIFIED_GONE,
} HfReidentified;

/* What it is called: its name, else the texts inside of what is known by them. NULL: nothing. */
char *hf_node_dup_display_name(const HfTree *tree, int index);
/* The texts around it that tell it from others that look alike: those of its row. 0: there are
 * none. */
guint64 hf_node_hash_surroundings(const HfTree *tree, int index);

/* Of role, name, path, place and what is in it; equal ones mean that nothing of that changed. */
guint64 hf_fingerprint(const HfTree *tree, int index);
char *hf_fingerprint_to_text(guint64 fingerprint);
/* Without the place: the same element keeps it while it is moved. */
guint64 hf_fingerprint_identity(const HfTree *tree, int index);

/* Where the element of an earlier tree is now. `ret_index` is set for SAME, MOVED and CHANGED. */
HfReidentified hf_fingerprint_find(const HfTree *before, int index, const HfTree *now,
                                   int *ret_index);
