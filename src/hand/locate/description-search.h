/* SPDX-License-Identifier: Apache-2.0 */
/* Searches a desktop or a picture for the element that a description means. */
#pragma once

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/desktop/screen.h"
#include "hand/locate/description-match.h"

typedef struct HfDescriptionSearch {
    HfTree *tree;
    HfScene *scene;
    HfDescriptionMatch *match;
    HfTruncation truncated; /* why not all was looked at; then the match is not confident */
    gboolean unsure;        /* it would be, if that were all */
} HfDescriptionSearch;
void hf_description_search_clear(HfDescriptionSearch *search);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfDescriptionSearch, hf_description_search_clear)

typedef struct HfDescriptionScope {
    HfTreeScope access;
    gboolean front_first; /* the front window, and everything only if it is not clear there */
    HfRect region;        /* only there; empty: anywhere */
} HfDescriptionScope;

gboolean hf_description_search(const HfCallContext *call, const HfDescription *description,
                               const HfDescriptionScope *scope, const HfDeadline *deadline,
                               HfDescriptionSearch *ret_search, GError **error);
/* In a given picture: by what is written and drawn on it. */
gboolean hf_description_search_image(const HfImage *image, const HfDescription *description,
                                     HfRect region, const HfDeadline *deadline,
                                     HfDescriptionSearch *ret_search, GError **error);
