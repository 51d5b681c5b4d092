/* SPDX-License-Identifier: Apache-2.0 */
/* Which text of an element matches: its name, the label beside it, or a text inside it. */
#pragma once

#include "hand/atspi/selector/selector-match.h"
#include "hand/atspi/tree/roles.h"

/* Later ones count a little less. */
typedef enum HfFitBy {
    HF_FIT_BY_NAME,
    HF_FIT_BY_VALUE,
    HF_FIT_BY_DESCRIPTION,
    HF_FIT_BY_CONTENT, /* a label inside */
    HF_FIT_BY_LABEL,   /* a label beside it */
    HF_FIT_BY_COUNT,
} HfFitBy;

typedef struct HfTextFit {
    HfFit fit;
    HfFitBy by;
    int label; /* the other node whose text matches, or HF_NODE_NONE */
} HfTextFit;

/* The labels that match a condition, each with its field; those found before `until`. */
typedef struct HfFieldLabels HfFieldLabels;
HfFieldLabels *hf_field_labels_new(const HfTree *tree, const HfTextCondition *condition,
                                   gint64 until, GError **error);
void hf_field_labels_free(HfFieldLabels *labels);

/* `labels` NULL: labels beside it do not count. */
HfTextFit hf_match_name(const HfTree *tree, int index, const HfTextCondition *condition,
                        const HfFieldLabels *labels, GError **error);
/* Matches any text of it that shows on the screen. */
HfTextFit hf_match_shown(const HfTree *tree, int index, const HfTextCondition *condition,
                         GError **error);
const char *hf_fit_by_words(HfFitBy by);
