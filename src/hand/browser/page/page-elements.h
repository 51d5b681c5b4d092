/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of pages in our browsers, for observing the desktop (hand/locate/page-provider.h).
 */
#pragma once

#include "hand/browser/browser.h"
#include "hand/locate/page-provider.h"

/* Reads the pages of these browsers (HfBrowser) in one window, in all windows of a process, or in
 * all (0, 0). Leaves out pages that do not answer in time, whose window or position is uncertain,
 * or whose browser is blocked. NULL: there are none. */
HfPageElements *hf_page_elements_read(const HfCallContext *context, const GPtrArray *browsers,
                                      guint32 window, int pid, const HfDeadline *deadline);

/* Converts page pixels to screen pixels: screen = page * scale + (x, y). Pure. */
typedef struct HfPageViewport {
    double scale, x, y;
} HfPageViewport;
/* Finds the view of that size (in its own pixels) in that window: it spans the window's width and
 * ends at its lower edge, below the browser's toolbar. FALSE if it does not. */
gboolean hf_page_viewport_find(HfRect window, double width, double height, double scale,
                               HfPageViewport *ret_viewport);
HfRect hf_page_viewport_to_screen(const HfPageViewport *viewport, double x, double y, double width,
                                  double height);
