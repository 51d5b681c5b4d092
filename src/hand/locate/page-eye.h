/* SPDX-License-Identifier: Apache-2.0 */
/* The seam to browsers of our own: what their pages say of themselves, beside what the
 * accessibility bus tells. Browsers are a layer above; they fill it
 * (hand/browser/page/page-elements.h). */
#pragma once

#include "hand/locate/join.h"
#include "shared/base/deadline.h"

/* What was seen, in pixels of the screen, and what that points to. */
typedef struct HfPageSights {
    GArray *seen;       /* of HfSeen */
    GPtrArray *kept;    /* texts */
    GPtrArray *windows; /* of HfWindow: where it was seen */
} HfPageSights;

HfPageSights *hf_page_sights_new(void);
void hf_page_sights_free(HfPageSights *sights);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPageSights, hf_page_sights_free)

/* The pages of one window, of all of a process, or of all (0, 0), as in an HfTreeScope. Never
 * longer than a moment: a page that does not answer is left out. NULL: there is none. */
typedef HfPageSights *(*HfPageEye)(const HfCallContext *context, guint32 window, int pid,
                                   const HfDeadline *deadline);
/* Set with the first browser, by any thread. */
void hf_page_eye_set(HfPageEye eye);

/* The tree with what these pages say; itself where there is none. */
HfTree *hf_page_eye_join(const HfCallContext *context, guint32 window, int pid, HfTree *told,
                         const HfDeadline *deadline);
