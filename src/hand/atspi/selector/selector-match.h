/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the elements of a tree that a selector means, best first, each with a score and reasons.
 * The name counts for more than everything else together, so an element that is merely near or
 * enabled never wins over one with the right name. */
#pragma once

#include "hand/atspi/selector/selector.h"
#include "hand/atspi/tree/tree.h"

typedef struct HfCandidate {
    int index;     /* in the tree */
    double score;  /* from 0 to 100 */
    HfFit fit;     /* of the selector's texts; SAME when it has none */
    char *reasons; /* one per line */
} HfCandidate;

typedef struct HfMatches {
    GArray *candidates; /* of HfCandidate, best first */
    int total;          /* also those beyond HF_LIMIT_CANDIDATES */
    int best;           /* how many at the beginning are equally good */
    GArray *in_order;   /* of int: the indices that nth counts, in reading order */
} HfMatches;

typedef struct HfMatchScope {
    guint32 window; /* only in this window; 0: any */
    int pid;        /* only of this program; 0: any */
    guint32 active; /* the focused window, whose elements are preferred; 0: unknown */
    /* Resolves a reference in the selector; NULL: references are not supported. */
    int (*find_reference)(gpointer data, guint snapshot, guint ref, GError **error);
    gpointer data;
} HfMatchScope;

/* INVALID_PARAMS or LIMIT_EXCEEDED for a regular expression that takes too long; `scope` may be
 * NULL. Similar names are candidates only when nothing matches, with the fit FUZZY. */
HfMatches *hf_selector_match(const HfTree *tree, const HfSelector *selector,
                             const HfMatchScope *scope, GError **error);
void hf_matches_free(HfMatches *matches);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMatches, hf_matches_free)

typedef enum HfChoice {
    HF_CHOICE_ONE,
    HF_CHOICE_NONE,    /* nothing matches; the candidates are similar */
    HF_CHOICE_SEVERAL, /* the best are equally good: the caller must say which */
    HF_CHOICE_TOO_FEW, /* fewer than nth */
} HfChoice;

/* The one element that is meant, never a random one of several. */
HfChoice hf_matches_choose(const HfMatches *matches, const HfSelector *selector, int *ret_index);
