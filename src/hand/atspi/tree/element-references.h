/* SPDX-License-Identifier: Apache-2.0 */
/* References to elements that were shown to a caller: "e12" in the snapshot "s7". A reference means
 * one element for as long as it is remembered, also in later snapshots. Its user must check whether
 * that element still exists (element-fingerprint.h). Any thread may call. */
#pragma once

#include "hand/atspi/tree/tree.h"

typedef struct HfReferences HfReferences;

/* `directory` stores the last number, so that a later hand never reuses a reference for another
 * element; NULL: not stored. */
HfReferences *hf_references_new(const char *directory);
void hf_references_free(HfReferences *references);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfReferences, hf_references_free)

/* Remembers a tree; returns the snapshot's number. */
guint hf_references_add_snapshot(HfReferences *references, HfTree *tree);
/* The reference of an element: 12 for "e12"; 0 when the snapshot is forgotten. */
guint hf_references_name(HfReferences *references, guint snapshot, int index);
/* The tree of a snapshot; NULL, with DESKTOP_STALE_SNAPSHOT, when it is forgotten. */
HfTree *hf_references_dup_tree(HfReferences *references, guint snapshot, GError **error);

typedef struct HfReference {
    HfTree *tree; /* of the snapshot */
    int index;    /* in it */
    guint snapshot;
    gboolean expired; /* too old or used too often to act on, but still known */
} HfReference;
void hf_reference_clear(HfReference *reference);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfReference, hf_reference_clear)

/* Resolves a reference; counts as a use. `snapshot` 0: the newest that has it.
 * DESKTOP_STALE_SNAPSHOT when it is unknown or forgotten. */
gboolean hf_references_look_up(HfReferences *references, guint snapshot, guint ref,
                               HfReference *ret_reference, GError **error);

/* Forgets what is too old. */
void hf_references_trim(HfReferences *references);
/* For tests: as if this much time had passed. */
void hf_references_age(HfReferences *references, gint64 milliseconds);
