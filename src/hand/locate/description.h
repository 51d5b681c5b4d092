/* SPDX-License-Identifier: Apache-2.0 */
/* A description of an element in words, understood in one way: its name, kind, ordinal, state and
 * position, and its relation to another element, which is described in turn. Words that mean
 * something may also be the exact name of an element ("the Second tab"). Pure. */
#pragma once

#include <glib.h>

#include "hand/locate/name-match.h"

/* What people tell apart: a button, a field. The kinds are in data/locate-words.json, in this order
 * and after it; the code speaks of these alone. */
typedef enum HfElementKind {
    HF_KIND_ANY,
    HF_KIND_TEXT,
    HF_KIND_ICON,
    HF_KIND_CHECK_BOX,
} HfElementKind;

typedef enum HfKindMatch {
    HF_KIND_MATCH_OTHER,
    HF_KIND_MATCH_SIMILAR, /* people may call the role so */
    HF_KIND_MATCH_EXACT,
} HfKindMatch;

/* "button", "check box": for reasons. */
const char *hf_element_kind_name(HfElementKind kind);
HfKindMatch hf_element_kind_match(HfElementKind kind, int role);
/* Whether it holds other elements, so that "of" it means inside. */
gboolean hf_element_kind_is_container(HfElementKind kind);

/* A side of an area; two at once are a corner. In the order of the relations below. */
typedef enum HfPosition {
    HF_POSITION_LEFT = 1 << 0,
    HF_POSITION_RIGHT = 1 << 1,
    HF_POSITION_TOP = 1 << 2,
    HF_POSITION_BOTTOM = 1 << 3,
    HF_POSITION_MIDDLE = 1 << 4,
} HfPosition;

/* The first ones are in the order of HfDirection. */
typedef enum HfRelationKind {
    HF_RELATION_NONE,
    HF_RELATION_LEFT,
    HF_RELATION_RIGHT,
    HF_RELATION_ABOVE,
    HF_RELATION_BELOW,
    HF_RELATION_BESIDE,
    HF_RELATION_IN,
    HF_RELATION_ROW, /* in the same row */
    HF_RELATION_OF,  /* it belongs to it: in its row, or next to it */
    HF_RELATION_COUNT,
} HfRelationKind;

typedef enum HfElementState {
    HF_ELEMENT_CHECKED = 1 << 0, /* or selected */
    HF_ELEMENT_UNCHECKED = 1 << 1,
    HF_ELEMENT_ENABLED = 1 << 2,
    HF_ELEMENT_DISABLED = 1 << 3,
    HF_ELEMENT_STATE_END = 1 << 4,
} HfElementState;

typedef struct HfDescription HfDescription;
struct HfDescription {
    HfElementName *name; /* NULL: none was said */
    HfElementKind kind;
    int ordinal; /* from 1 on in reading order, or from the end: -1 is the last; 0: unsaid */
    HfPosition position; /* in its window, or in the anchor of IN and OF; 0: unsaid */
    guint states;        /* HfElementState */
    gboolean incomplete; /* a part of the words was not understood */
    HfRelationKind relation;
    HfDescription *anchor;
    /* All words as one name, and all but the kind; NULL where that is `name` itself. */
    HfElementName *whole, *without_kind;
};

/* INVALID_PARAMS when it is not UTF-8 or says nothing; LIMIT_EXCEEDED when it is too long. */
HfDescription *hf_description_new(const char *text, GError **error);
void hf_description_free(HfDescription *description);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDescription, hf_description_free)

/* How it was understood, in short: for answers and tests. */
char *hf_description_to_text(const HfDescription *description);
