/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves what a caller says about an element to that element as it is now: a reference is found
 * again, a selector is searched for. The result is one element for certain, or an error that
 * shows the alternatives with a fresh snapshot. */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/atspi/selector/selector-match.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/element-references.h"

typedef struct HfResolvedElement {
    HfTree *tree;
    int index;
    guint snapshot, ref; /* its reference from now on */
    gboolean moved;      /* it was found again in another place */
    double score;        /* of a selector; 100 for references */
    char *reasons;       /* lines; NULL: none */
    HfRect part;         /* the words that were asked for, in a line that was read; empty: all */
} HfResolvedElement;
void hf_resolved_element_clear(HfResolvedElement *located);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfResolvedElement, hf_resolved_element_clear)

/* A selector without a window or a program in `scope` (which may be NULL) is searched for in the
 * focused window first and then everywhere; among what programs report, then in the picture. Errors
 * hold the nearest elements; DESKTOP_AX_TRAVERSAL_LIMIT: not everything could be read. */
gboolean hf_element_resolve(const HfCallContext *context, const HfSelector *selector,
                            const HfTreeScope *scope, const HfDeadline *deadline,
                            HfResolvedElement *ret_located, GError **error);

/* Everything that fits a selector, for a caller who chooses. `front_first`: as above; else the
 * whole scope at once. */
typedef struct HfFoundElements {
    HfTree *tree;
    guint snapshot;
    HfMatches *matches;
} HfFoundElements;
void hf_found_elements_clear(HfFoundElements *found);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfFoundElements, hf_found_elements_clear)
gboolean hf_element_find_all(const HfCallContext *context, const HfSelector *selector,
                             const HfTreeScope *scope, gboolean front_first,
                             const HfDeadline *deadline, HfFoundElements *ret_found,
                             GError **error);

/* The element as an object with `score` and `reasons`; `values` as in element-json.h. */
json_t *hf_found_element_to_json(HfDesktop *desktop, const HfFoundElements *found,
                                 const HfCandidate *candidate, gboolean values);
json_t *hf_resolved_element_to_json(HfDesktop *desktop, const HfResolvedElement *located,
                                    gboolean values);

/* The part of an element that is visible and can be clicked: within its window and the areas that
 * it scrolls in. DESKTOP_ELEMENT_NOT_FOUND when there is none. */
gboolean hf_resolved_element_get_area(const HfResolvedElement *located, HfRect *ret_area,
                                      GError **error);

/* Whether what is outside of such an element is not visible. */
gboolean hf_role_clips_children(int role);

/* ---- element-resolver-error.c: each error shows the alternatives ---- */

/* No element, or several: with the candidates, each with a reference. `cut`: not everything was
 * read. */
gboolean hf_element_fail_choice(HfDesktop *desktop, const HfSelector *selector,
                                HfFoundElements *found, HfChoice choice, gboolean cut,
                                GError **error);
/* A reference that was not found where not everything was read. */
gboolean hf_element_fail_unknown(guint ref, const HfTree *now, GError **error);
/* A reference that is stale: what the element was, what became of it, the nearest elements, and a
 * new list of its window. `now` NULL: that window is gone. */
gboolean hf_element_fail_stale(HfDesktop *desktop, guint ref, const HfReference *reference,
                               HfTree *now, HfReidentified again, int index, GError **error);

/* Empty when they are the whole line, or cannot be placed. */
HfRect hf_text_span_find(const HfNode *node, const HfTextCondition *test);
