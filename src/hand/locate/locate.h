/* SPDX-License-Identifier: Apache-2.0 */
/* From what a caller says of an element to that element as it is now: a reference is found again,
 * a selector is looked for. Either gives one element for certain, or an error that shows what there
 * is instead, with a fresh snapshot to go on with. */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/atspi/selector/selector-match.h"
#include "hand/atspi/tree/element-references.h"

typedef struct HfLocated {
    HfTree *tree;
    int index;
    guint snapshot, ref; /* what to call it from now on */
    gboolean moved;      /* it was found again in another place */
    double score;        /* of a selector; 100 for references */
    char *reasons;       /* lines; NULL: none */
    HfRect part;         /* of a line that was read: the words that were asked for; empty: all */
} HfLocated;
void hf_located_clear(HfLocated *located);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfLocated, hf_located_clear)

/* A selector without a window or a program in `scope` is looked for in the window that has the
 * focus first, and then everywhere; in what programs tell first, and then in what is read from
 * the picture. `scope` may be NULL. DESKTOP_ELEMENT_NOT_FOUND or
 * ELEMENT_AMBIGUOUS with the candidates, DESKTOP_STALE_SNAPSHOT with what comes nearest;
 * DESKTOP_AX_TRAVERSAL_LIMIT when it was not found in what could be read, and there is more. */
gboolean hf_locate(const HfCallContext *context, const HfSelector *selector,
                   const HfTreeScope *scope, const HfDeadline *deadline, HfLocated *ret_located,
                   GError **error);

/* All that a selector could mean, for a caller who chooses. `front_first`: as above; else all of
 * the scope at once. */
typedef struct HfFound {
    HfTree *tree;
    guint snapshot;
    HfMatches *matches;
} HfFound;
void hf_found_clear(HfFound *found);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfFound, hf_found_clear)
gboolean hf_locate_all(const HfCallContext *context, const HfSelector *selector,
                       const HfTreeScope *scope, gboolean front_first, const HfDeadline *deadline,
                       HfFound *ret_found, GError **error);

/* The element as an object with `score` and `reasons`; `values` as in element-json.h. */
json_t *hf_found_to_json(HfDesktop *desktop, const HfFound *found, const HfCandidate *candidate,
                         gboolean values);
json_t *hf_located_to_json(HfDesktop *desktop, const HfLocated *located, gboolean values);

/* The part of an element that can be seen and pointed at: within its window and what it scrolls in.
 * DESKTOP_ELEMENT_NOT_FOUND when there is none. */
gboolean hf_located_get_area(const HfLocated *located, HfRect *ret_area, GError **error);
