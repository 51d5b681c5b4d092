/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes an element in a later tree: by its object, role, name, the names around it, and its
 * position. An ambiguous element is recognized only if no other can be meant. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef enum HfReidentified {
    HF_REIDENTIFIED_SAME,
    HF_REIDENTIFIED_MOVED,   /* the same, in another place */
    HF_REIDENTIFIED_CHANGED, /* its object is now something else */
    HF_REIDENTIFIED_GONE,
} HfReidentified;

/* Its name, or the texts inside an element that people know by those. NULL: none. */
char *hf_node_dup_display_name(const HfTree *tree, int index);

/* A hash of role, name, path, bounds and content; equal if none of them changed. */
guint64 hf_fingerprint(const HfTree *tree, int index);
char *hf_fingerprint_to_text(guint64 fingerprint);
/* Without the bounds: it stays the same while the element moves. */
guint64 hf_fingerprint_identity(const HfTree *tree, int index);

/* Finds an element of an earlier tree. Sets `ret_index` for SAME, MOVED and CHANGED. */
HfReidentified hf_fingerprint_find(const HfTree *before, int index, const HfTree *now,
                                   int *ret_index);
