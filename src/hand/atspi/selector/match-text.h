/* SPDX-License-Identifier: Apache-2.0 */
/* By which of its texts an element fits: its own name, the label beside it, what it contains. */
#pragma once

#include "hand/atspi/selector/selector-match.h"
#include "hand/atspi/tree/roles.h"

/* Which text it was; later ones count a little less. */
typedef enum HfFitBy {
    HF_FIT_BY_NAME,
    HF_FIT_BY_VALUE,
    HF_FIT_BY_DESCRIPTION,
    HF_FIT_BY_CONTENT, /* a label inside of it */
    HF_FIT_BY_LABEL,   /* a label beside it */
    HF_FIT_BY_COUNT,
} HfFitBy;

typedef struct HfTextFit {
    HfFit fit;
    HfFitBy by;
    int label; /* the node whose text fits, if not its own; else HF_NODE_NONE */
} HfTextFit;

/* The names of labels that fit a condition, each with the field that it belongs to; those that are
 * found until then. */
typedef struct HfFieldLabels HfFieldLabels;
HfFieldLabels *hf_field_labels_new(const HfTree *tree, const HfTextCondition *condition,
                                   gint64 until, GError **error);
void hf_field_labels_free(HfFieldLabels *labels);

/* `labels` NULL: those beside it do not count. */
HfTextFit hf_match_name(const HfTree *tree, int index, const HfTextCondition *condition,
                        const HfFieldLabels *labels, GError **error);
/* Any text of it that can be read on the screen. */
HfTextFit hf_match_shown(const HfTree *tree, int index, const HfTextCondition *condition,
                         GError **error);
const char *hf_fit_by_words(HfFitBy by);
