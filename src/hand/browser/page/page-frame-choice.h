/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the frame that contains the requested element. Matches are counted in all frames, in page
 * order with the main frame first: a selector names an element of the page, not of whichever frame
 * is asked first. */
#pragma once

#include "hand/browser/page/page-target.h"

typedef struct HfPageFrameChoice {
    HfPageFrame *frame; /* the frame to request; NULL: no match, or too many */
    gboolean has_nth;   /* `nth` counts inside this frame */
    gint64 nth;
    guint count;        /* matches in all frames */
    json_t *candidates; /* the first few of all frames */
} HfPageFrameChoice;

void hf_page_frame_choice_clear(HfPageFrameChoice *choice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPageFrameChoice, hf_page_frame_choice_clear)

/* FALSE only if the page itself could not be asked; see hf_page_frame_ask. A frame that disappears
 * or does not answer soon has no matches. */
gboolean hf_page_frame_choose(const HfTabConnection *page, const HfPageRequest *request,
                              HfPageFrameChoice *ret_choice, GError **error);
