/* SPDX-License-Identifier: Apache-2.0 */
/* What pages in browsers of ours say of themselves, for looks at the desktop
 * (hand/locate/page-eye.h).
 */
#pragma once

#include "hand/browser/browser.h"
#include "hand/locate/page-eye.h"

/* What the pages of these browsers (HfBrowser) say, in one window, in all of a process, or in all
 * (0, 0). Nothing of one that does not answer in time, when it is not certain which page a window
 * shows or where it lies, and when its browser may not be there. NULL: none of them is asked. */
HfPageSights *hf_page_elements_read(const HfCallContext *context, const GPtrArray *browsers,
                                    guint32 window, int pid, const HfDeadline *deadline);

/* From pixels of a page's view to those of the screen: screen = page * scale + (x, y). Pure. */
typedef struct HfPageViewport {
    double scale, x, y;
} HfPageViewport;
/* Of a view of that size (in its own pixels) in that window: it reaches from side to side and down
 * to the lower edge, below what the browser shows of its own. FALSE when it does not. */
gboolean hf_page_viewport_find(HfRect window, double width, double height, double scale,
                               HfPageViewport *ret_spot);
HfRect hf_page_viewport_to_screen(const HfPageViewport *spot, double x, double y, double width,
                                  double height);
