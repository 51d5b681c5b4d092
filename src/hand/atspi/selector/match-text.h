/* SPDX-License-Identifier: Apache-2.0 */
/* By which of its texts an element fits: its own name, the label beside it, what it contains. */
#pragma once

#include "hand/atspi/selector/selector-match.h"

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
HfFieldLabels *hf_field_labels_new(const HfTree *tree, const HfTextCondition *test, gint64 until,
                                   GError **error);
void hf_field_labels_free(HfFieldLabels *labels);

/* Whether such an element is nothing but text. */
gboolean hf_node_shows_text(int role);
/* Whether people know such an element by the label beside it, or by the text inside of it. */
gboolean hf_node_takes_label(int role);
gboolean hf_node_known_by_content(int role);
/* Its name; NULL when it has none, or only the class of its widget as GTK 4 gives it. */
const char *hf_node_label(const HfNode *node);
/* `labels` NULL: those beside it do not count. */
HfTextFit hf_match_name(const HfTree *tree, int index, const HfTextCondition *test,
                        const HfFieldLabels *labels, GError **error);
/* Any text of it that can be read on the screen. */
HfTextFit hf_match_shown(const HfTree *tree, int index, const HfTextCondition *test,
                         GError **error);
const char *hf_fit_by_words(HfFitBy by);
