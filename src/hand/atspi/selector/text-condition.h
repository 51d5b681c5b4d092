/* SPDX-License-Identifier: Apache-2.0 */
/* One condition on a text of an element: like, equal, contains, or a regular expression.
 * Expressions come from callers and texts from programs, so matching is limited in time. */
#pragma once

#include "hand/atspi/tree/label-match.h"

typedef enum HfTextOperator {
    HF_TEXT_NO_CONDITION,
    HF_TEXT_LIKE,   /* ranked by how well it matches */
    HF_TEXT_EQUALS, /* except case, width, mnemonics, ellipsis and colon */
    HF_TEXT_CONTAINS,
    HF_TEXT_REGEX,
} HfTextOperator;

typedef struct HfTextCondition {
    HfTextOperator how;
    char *text, *normal;
    GRegex *regex;
} HfTextCondition;

/* `where` names the parameter in errors. INVALID_PARAMS for an empty text or an invalid expression;
 * LIMIT_EXCEEDED for one that is too long. */
gboolean hf_text_condition_init(HfTextCondition *condition, HfTextOperator how, const char *text,
                                const char *where, GError **error);
void hf_text_condition_clear(HfTextCondition *condition);

/* NONE for a NULL text. Sets the error when the expression takes too long; nothing matches after
 * that. */
HfFit hf_text_condition_fit(const HfTextCondition *condition, const char *text, GError **error);
