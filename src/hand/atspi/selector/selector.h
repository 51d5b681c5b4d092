/* SPDX-License-Identifier: Apache-2.0 */
/* Which element a caller means: a reference, or conditions. It has two equivalent forms, a JSON
 * object and a short text; docs/selectors.md has the grammar. Pure data: selector-match.h searches
 * with it. */
#pragma once

#include <jansson.h>

#include "hand/atspi/tree/cell-address.h"
#include "hand/atspi/tree/label-match.h"
#include "shared/base/geometry.h"

typedef enum HfTextOperator {
    HF_TEXT_NO_CONDITION,
    HF_TEXT_LIKE,   /* ranked by how well it matches */
    HF_TEXT_EQUALS, /* except case, width, mnemonics, ellipsis and colon */
    HF_TEXT_CONTAINS,
    HF_TEXT_REGEX,
} HfTextOperator;

/* One condition on a text of an element. Expressions come from callers and texts from programs, so
 * matching is limited in time. */
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

typedef enum HfDirection {
    HF_DIRECTION_ANY,
    HF_DIRECTION_LEFT,
    HF_DIRECTION_RIGHT,
    HF_DIRECTION_ABOVE,
    HF_DIRECTION_BELOW,
    HF_DIRECTION_COUNT,
} HfDirection;

typedef enum HfTristate { HF_TRISTATE_UNSET, HF_TRISTATE_YES, HF_TRISTATE_NO } HfTristate;

/* The texts of an element that can have a condition. */
typedef enum HfTextField {
    HF_FIELD_NAME,
    HF_FIELD_VALUE,
    HF_FIELD_IDENTIFIER,
    HF_FIELD_DESCRIPTION,
    HF_FIELD_TEXT, /* any text that shows on the screen */
    HF_FIELD_COUNT,
} HfTextField;

typedef struct HfSelector HfSelector;
struct HfSelector {
    guint ref, snapshot; /* e12 of s7; ref 0: conditions. snapshot 0: the newest that has it */
    char *role;          /* a word that roles.h knows, in lower case; NULL: any */
    HfTextCondition texts[HF_FIELD_COUNT];
    GPtrArray *path; /* of HfTextCondition: names from outermost to the element; NULL: any */
    HfRect rect;     /* must contain its middle; empty: anywhere */
    HfSelector *near;
    HfDirection direction; /* of the element, seen from `near` */
    int distance;          /* from `near`, in pixels; 0: the default */
    HfSelector *in;        /* its container */
    int nth;               /* from 1, in reading order; 0: there must be one best */
    HfTristate enabled, visible;
    guint64 with_states, without_states;
};

void hf_selector_free(HfSelector *selector);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSelector, hf_selector_free)

/* Parses either form. INVALID_PARAMS says what was expected where; LIMIT_EXCEEDED. */
HfSelector *hf_selector_from_json(const json_t *json, GError **error);
HfSelector *hf_selector_from_text(const char *text, GError **error);
/* The short form, always in the same order: for messages, and for tests that parse it again. */
char *hf_selector_to_text(const HfSelector *selector);

/* Whether the tree must include values for it. */
gboolean hf_selector_needs_values(const HfSelector *selector);
/* The same for identifiers and descriptions. */
gboolean hf_selector_needs_identifiers(const HfSelector *selector);
/* The spreadsheet cell that it names by address: cell "B2". */
HfCellAddress hf_selector_get_cell(const HfSelector *selector);
/* Whether it has no condition at all. */
gboolean hf_selector_is_empty(const HfSelector *selector);

const char *hf_text_field_name(HfTextField field);
