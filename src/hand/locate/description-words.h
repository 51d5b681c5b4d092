/* SPDX-License-Identifier: Apache-2.0 */
/* The words that descriptions are made of. For description.c alone. */
#pragma once

#include "hand/locate/description.h"

typedef enum HfTermKind {
    HF_TERM_NAME,   /* a word that says nothing by itself */
    HF_TERM_QUOTED, /* a name, for certain */
    HF_TERM_FILLER, /* the, please, called */
    HF_TERM_KIND,   /* HfKind */
    HF_TERM_NTH,    /* number */
    HF_TERM_BACK,   /* from the bottom: the number counts from the end */
    HF_TERM_IS,     /* HfCondition */
    HF_TERM_SPOT,   /* HfSpot */
    HF_TERM_COLOUR, /* HfColour */
    HF_TERM_PART,   /* corner, side: belongs to a spot */
    HF_TERM_TIE,    /* HfTieKind */
    HF_TERM_OF,     /* of, 的, 's */
    HF_TERM_AND,
    HF_TERM_STOP, /* a comma */
} HfTermKind;

typedef struct HfTerm {
    HfTermKind kind;
    int value;
    gboolean after; /* the thing that a tie speaks of stands before it, as in Chinese */
    const char *begin, *end;
} HfTerm;

/* The terms of a folded text, in order; HfTerm, which point into it. */
GArray *hf_terms_new(const char *folded);
