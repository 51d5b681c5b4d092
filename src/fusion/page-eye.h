/* The seam to browsers of our own: what their pages say of themselves, beside what the
 * accessibility bus tells. Browsers are a layer above; they fill it (browser/page-eye.h). */
#pragma once

#include "base/deadline.h"
#include "fusion/join.h"

/* What was seen, in pixels of the screen, and the texts that it points to. */
typedef struct HfPageSights {
    GArray *seen; /* of HfSeen */
    GPtrArray *kept;
} HfPageSights;

HfPageSights *hf_page_sights_new(void);
void hf_page_sights_free(HfPageSights *sights);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPageSights, hf_page_sights_free)

/* Pages in the windows (HfWindow). Never longer than a moment: a page that does not answer is left
 * out. NULL: there is none. */
typedef HfPageSights *(*HfPageEye)(HfDesktop *desktop, const GPtrArray *windows,
                                   const HfDeadline *deadline);
/* Set with the first browser, by any thread. */
void hf_page_eye_set(HfPageEye eye);

/* The tree with what the pages of windows in it say; itself where there is none. `window` and `pid`
 * as in an HfAccessScope. */
HfTree *hf_page_eye_join(HfDesktop *desktop, guint32 window, int pid, HfTree *told,
                         const HfDeadline *deadline);
