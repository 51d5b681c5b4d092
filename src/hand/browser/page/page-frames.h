/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a tab and the world of ours in each of them (data/page.js), where questions about
 * the page are answered. */
#pragma once

#include "hand/browser/tab.h"

typedef struct HfPageFrame {
    char *id;
    char *session;
    char *url;
} HfPageFrame;

void hf_page_frame_free(HfPageFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPageFrame, hf_page_frame_free)

/* A tab and the line to it, as long as a call works on it. */
typedef struct HfTabConnection {
    HfCdp *cdp;
    HfTab *tab;
    const HfDeadline *deadline;
} HfTabConnection;

HfPageFrame *hf_page_frame_new_main(const HfTabConnection *page);
/* All of them, the main one first. */
GPtrArray *hf_page_frames_list(const HfTabConnection *page, GError **error);

/* hf.NAME(argument) of page.js, and what it answers. DESKTOP_STALE_SNAPSHOT when the document has
 * just been replaced by another: ask again. INVALID_PARAMS when the page cannot read a selector. */
json_t *hf_page_frame_ask(const HfTabConnection *page, const HfPageFrame *frame, const char *name,
                          json_t *take_argument, GError **error);
/* The element that was found last (hf.held), by the browser's own name. */
char *hf_page_frame_dup_held(const HfTabConnection *page, const HfPageFrame *frame, GError **error);
/* Shows page.js the shadow roots of the frame that pages cannot look into. TRUE: there are any. */
gboolean hf_page_frame_open_shadow_roots(const HfTabConnection *page, const HfPageFrame *frame);
/* Where the frame's view begins in that of the tab. `at`: a point of it, and
 * DESKTOP_ELEMENT_NOT_FOUND, with what it is, when something lies on the frame there. */
typedef struct HfPagePoint {
    double x, y;
} HfPagePoint;
gboolean hf_page_frame_get_offset(const HfTabConnection *page, const HfPageFrame *frame,
                                  const HfPagePoint *at, HfPagePoint *ret_offset, GError **error);
