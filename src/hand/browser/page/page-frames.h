/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a tab, and our isolated world in each of them (data/page.js), which answers
 * questions about the page. */
#pragma once

#include "hand/browser/tab.h"

typedef struct HfPageFrame {
    char *id;
    char *session;
    char *url;
} HfPageFrame;

void hf_page_frame_free(HfPageFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPageFrame, hf_page_frame_free)

/* A tab and the connection to it, for the duration of a call. */
typedef struct HfTabConnection {
    HfCdp *cdp;
    HfTab *tab;
    const HfDeadline *deadline;
} HfTabConnection;

HfPageFrame *hf_page_frame_new_main(const HfTabConnection *page);
/* All frames, the main one first. */
GPtrArray *hf_page_frames_list(const HfTabConnection *page, GError **error);

/* Calls hf.NAME(argument) of page.js and returns its reply. DESKTOP_STALE_SNAPSHOT if another
 * document has just replaced this one: ask again. INVALID_PARAMS if the page rejects a
 * selector. */
json_t *hf_page_frame_ask(const HfTabConnection *page, const HfPageFrame *frame, const char *name,
                          json_t *take_argument, GError **error);
/* The CDP object id of the element that was found last (hf.held). */
char *hf_page_frame_dup_held(const HfTabConnection *page, const HfPageFrame *frame, GError **error);
/* Gives page.js access to the frame's closed shadow roots. TRUE if there are any. */
gboolean hf_page_frame_open_shadow_roots(const HfTabConnection *page, const HfPageFrame *frame);
/* The origin of the frame's view in the tab's view. With `at`, a point in the frame:
 * DESKTOP_ELEMENT_NOT_FOUND, with a description, if something covers the frame there. */
typedef struct HfPagePoint {
    double x, y;
} HfPagePoint;
gboolean hf_page_frame_get_offset(const HfTabConnection *page, const HfPageFrame *frame,
                                  const HfPagePoint *at, HfPagePoint *ret_offset, GError **error);
