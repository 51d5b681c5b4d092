/* SPDX-License-Identifier: Apache-2.0 */
/* The seam to our own browsers: what their pages know about themselves, beside what the
 * accessibility bus reports. Browsers are a layer above and register here
 * (hand/browser/page/page-elements.h). */
#pragma once

#include "hand/locate/tree-merge.h"
#include "shared/base/deadline.h"

typedef struct HfPageElements {
    GArray *detected;   /* of HfDetection, in pixels of the screen */
    GPtrArray *kept;    /* the memory that they point to */
    GPtrArray *windows; /* of HfWindow: where they are */
} HfPageElements;

HfPageElements *hf_page_elements_new(void);
void hf_page_elements_free(HfPageElements *elements);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPageElements, hf_page_elements_free)

/* The pages of one window, of a process, or of all (0, 0), as in an HfTreeScope. It takes a
 * moment at most: a page that does not answer is left out. NULL: there is none. */
typedef HfPageElements *(*HfPageProvider)(const HfCallContext *context, guint32 window, int pid,
                                          const HfDeadline *deadline);
/* Set with the first browser, by any thread. */
void hf_page_provider_set(HfPageProvider provider);

/* The tree with what these pages know; the same tree where there is none. */
HfTree *hf_page_provider_merge(const HfCallContext *context, guint32 window, int pid,
                               HfTree *reported, const HfDeadline *deadline);
