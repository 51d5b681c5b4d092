/* SPDX-License-Identifier: Apache-2.0 */
/* Which frame of a page holds the element that is meant. What fits is counted over all of them, in
 * their order in the page, the page itself first: a selector names one element of the page, not of
 * the frame that happens to be asked first. */
#pragma once

#include "hand/browser/page/page-target.h"

typedef struct HfPageFrameChoice {
    HfPageFrame *frame; /* the one to ask; NULL: none fits, or too many do */
    gboolean has_nth;   /* `nth` says which of those in this frame */
    gint64 nth;
    guint count;        /* how many fit in all */
    json_t *candidates; /* of all frames, the first few */
} HfPageFrameChoice;

void hf_page_frame_choice_clear(HfPageFrameChoice *choice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPageFrameChoice, hf_page_frame_choice_clear)

/* FALSE only when the page itself could not be asked; see hf_page_frame_ask. Frames that go
 * meanwhile or do not answer soon have nothing that fits. */
gboolean hf_page_frame_choose(const HfTabConnection *page, const HfPageRequest *ask,
                              HfPageFrameChoice *ret_choice, GError **error);
