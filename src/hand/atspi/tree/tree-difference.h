/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two trees: which elements are new, gone or changed, as data and in sentences. */
#pragma once

#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/tree.h"

typedef enum HfAlteration {
    HF_ALTERED_NAME = 1 << 0,
    HF_ALTERED_VALUE = 1 << 1,
    HF_ALTERED_STATES = 1 << 2, /* those that matter, with `hidden` and `disabled` */
    HF_ALTERED_BOUNDS = 1 << 3,
} HfAlteration;

typedef struct HfAltered {
    int before, now; /* in each tree */
    HfAlteration what;
    guint64 on, off; /* states that were set and cleared. HF_STATE_VISIBLE means visible,
                        HF_STATE_SENSITIVE enabled, in any toolkit */
} HfAltered;

typedef struct HfTreeDifference {
    HfTree *before, *now;
    GArray *added;   /* of int, in `now` */
    GArray *gone;    /* of int, in `before` */
    GArray *altered; /* of HfAltered */
} HfTreeDifference;

HfTreeDifference *hf_tree_difference_new(HfTree *before, HfTree *now);
void hf_tree_difference_free(HfTreeDifference *difference);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTreeDifference, hf_tree_difference_free)
gboolean hf_tree_difference_is_empty(const HfTreeDifference *difference);

/* Members of the object that `to_json` makes: {new, gone, altered, counts}. */
extern const HfParam hf_tree_difference_fields[];
/* Informative elements, at most HF_LIMIT_DIFFERENCE of each kind; the counts are of all. `style`
 * gives references to those of `now`. */
json_t *hf_tree_difference_to_json(const HfTreeDifference *difference, const HfElementStyle *style);

typedef enum HfLanguage { HF_LANGUAGE_ENGLISH, HF_LANGUAGE_CHINESE } HfLanguage;
/* A few short sentences, the most important first: windows, then changes, then counts. */
char *hf_tree_difference_to_sentences(const HfTreeDifference *difference, HfLanguage language);
