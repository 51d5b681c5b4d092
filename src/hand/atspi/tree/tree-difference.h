/* SPDX-License-Identifier: Apache-2.0 */
/* What happened to the elements between two looks: which are new, which are gone, which have
 * changed, in data and in words. */
#pragma once

#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/tree.h"

typedef enum HfAlteration {
    HF_ALTERED_NAME = 1 << 0,
    HF_ALTERED_VALUE = 1 << 1,
    HF_ALTERED_STATES = 1 << 2, /* those that tell something, `hidden` and `disabled` too */
    HF_ALTERED_BOUNDS = 1 << 3,
} HfAlteration;

typedef struct HfAltered {
    int before, now; /* in each tree */
    HfAlteration what;
    guint64 on, off; /* states that came and went; HF_STATE_VISIBLE: whether it can be seen,
                        HF_STATE_SENSITIVE: whether it is enabled */
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
/* Elements that tell something, at most HF_LIMIT_DIFFERENCE of each kind; the counts are of all.
 * `style` names those of now. */
json_t *hf_tree_difference_to_json(const HfTreeDifference *difference, const HfElementStyle *style);

typedef enum HfLanguage { HF_LANGUAGE_ENGLISH, HF_LANGUAGE_CHINESE } HfLanguage;
/* A few short sentences, most telling first: windows, then what was asked to change, then counts.
 */
char *hf_tree_difference_to_sentences(const HfTreeDifference *difference, HfLanguage language);
