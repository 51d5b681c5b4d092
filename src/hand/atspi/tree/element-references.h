/* SPDX-License-Identifier: Apache-2.0 */
/* Short names for elements that were shown to a caller: "e12" in the snapshot "s7". A name means
 * one element for as long as it is remembered, also over later snapshots; whether that element is
 * still there is for whoever uses the name to find out (element-fingerprint.h). Any thread may
 * call. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef struct HfReferences HfReferences;

/* `directory`: where the last number is written down, so that the next hand does not use a name
 * again for something else; NULL: nowhere. */
HfReferences *hf_references_new(const char *directory);
void hf_references_free(HfReferences *references);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfReferences, hf_references_free)

/* Keeps a tree; returns the snapshot's number. */
guint hf_references_add_snapshot(HfReferences *references, HfTree *tree);
/* The name of an element of a snapshot: 12 for "e12"; 0 when the snapshot is forgotten. */
guint hf_references_name(HfReferences *references, guint snapshot, int index);
/* The tree of a snapshot, for differences; NULL, with DESKTOP_STALE_SNAPSHOT, when it is gone. */
HfTree *hf_references_dup_tree(HfReferences *references, guint snapshot, GError **error);

typedef struct HfReference {
    HfTree *tree; /* of the snapshot */
    int index;    /* in it */
    guint snapshot;
    gboolean
        expired; /* too old or used too often: not to be acted on, but it is known what it was */
} HfReference;
void hf_reference_clear(HfReference *reference);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfReference, hf_reference_clear)

/* What a name stands for; counts as a use. `snapshot` 0: the newest that has it.
 * DESKTOP_STALE_SNAPSHOT when it is not known, or not any more. */
gboolean hf_references_look_up(HfReferences *references, guint snapshot, guint ref,
                               HfReference *ret_reference, GError **error);

/* Lets go of what is too old. */
void hf_references_trim(HfReferences *references);
/* For tests: as if this much time had passed. */
void hf_references_age(HfReferences *references, gint64 milliseconds);
