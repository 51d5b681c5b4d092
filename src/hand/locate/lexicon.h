/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a description (data/locate-words.json), and how a text is cut into them. Pure. */
#pragma once

#include "hand/locate/description.h"

typedef enum HfTermKind {
    HF_TERM_NAME,     /* a word that means nothing by itself */
    HF_TERM_QUOTED,   /* a name, for certain */
    HF_TERM_FILLER,   /* the, please, called */
    HF_TERM_KIND,     /* HfElementKind */
    HF_TERM_ORDINAL,  /* the number */
    HF_TERM_STATE,    /* HfElementState */
    HF_TERM_POSITION, /* HfPosition */
    HF_TERM_SIDE,     /* corner, side: a part of a position */
    HF_TERM_RELATION, /* HfRelationKind */
    HF_TERM_OF,       /* of, 的, 's */
    HF_TERM_FOR,
    HF_TERM_AND,
    HF_TERM_STOP, /* a comma */
} HfTermKind;

typedef struct HfTerm {
    HfTermKind kind;
    int value;
    gboolean postposition; /* a relation that stands behind its anchor, as in Chinese */
    const char *begin, *end;
} HfTerm;

/* The terms (HfTerm) of a folded text, in order; they point into it. */
GArray *hf_terms_new(const char *folded);

/* Of a language without blanks. */
gboolean hf_term_is_wide(const HfTerm *term);
/* Whether it says nothing by itself. */
gboolean hf_term_is_idle(const HfTerm *term);
