/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a tree that a selector means, best first, each with a score and the reasons for
 * it. How an element is called counts for more than all else together, so that one that is close
 * by or enabled never wins over one that has the right name. */
#pragma once

#include "hand/atspi/selector/selector.h"
#include "hand/atspi/tree/tree.h"

typedef struct HfCandidate {
    int index;     /* in the tree */
    double score;  /* from 0 to 100 */
    HfFit fit;     /* of the text that was asked for; SAME when none was */
    char *reasons; /* lines */
} HfCandidate;

typedef struct HfMatches {
    GArray *candidates; /* of HfCandidate, best first */
    int total;          /* that fit, also those beyond HF_LIMIT_CANDIDATES */
    int best;           /* as many at the beginning are equally good */
    GArray *in_order;   /* of int: the indices that nth counts, in reading order */
} HfMatches;

typedef struct HfMatchScope {
    guint32 window; /* only there; 0: anywhere */
    int pid;        /* only of this program; 0: any */
    guint32 active; /* the window that has the focus, whose elements are preferred; 0: unknown */
    /* The element that a reference in the selector means; NULL: there are none here. */
    int (*find_reference)(gpointer data, guint snapshot, guint ref, GError **error);
    gpointer data;
} HfMatchScope;

/* INVALID_PARAMS or LIMIT_EXCEEDED for expressions that take too long; `scope` may be NULL. What
 * only resembles the name is given only when nothing fits, with the fit FUZZY. */
HfMatches *hf_selector_match(const HfTree *tree, const HfSelector *selector,
                             const HfMatchScope *scope, GError **error);
void hf_matches_free(HfMatches *matches);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMatches, hf_matches_free)

typedef enum HfChoice {
    HF_CHOICE_ONE,
    HF_CHOICE_NONE,    /* nothing fits; the candidates are what comes nearest */
    HF_CHOICE_SEVERAL, /* the best are equally good: the caller has to say which */
    HF_CHOICE_TOO_FEW, /* fewer than nth */
} HfChoice;

/* The one element that is meant, never one of several by chance. */
HfChoice hf_matches_choose(const HfMatches *matches, const HfSelector *selector, int *ret_index);
