/* SPDX-License-Identifier: Apache-2.0 */
/* The element that a call means: found in any frame of the page, and waited for until it can be
 * acted on. */
#pragma once

#include "hand/browser/page/tab-session.h"

/* What must be so before it is acted on; see data/page.js. */
typedef struct HfPageNeeds {
    gboolean visible, stable, enabled, editable, hit;
} HfPageNeeds;

typedef struct HfPageRequest {
    json_t *query;        /* see page-query.h; borrowed */
    const char *selector; /* as the caller wrote it */
    gint64 nth;           /* of several, from 0 on; with `has_nth` */
    gboolean has_nth;
    HfPageNeeds needs;
    const char *deed;  /* done in the page at once: fill, select, focus, scroll; NULL: none */
    const char *value; /* for fill and select */
    gboolean writes;   /* something is to be written into it */
    gboolean agreed;   /* the owner has agreed to that */
    gboolean aim;      /* a pointer comes: its events are watched in the page */
    gboolean retarget; /* a label stands for what it labels */
    const json_t *at;  /* {x, y} within the element; NULL: its middle */
} HfPageRequest;

typedef struct HfPageTarget {
    HfPageFrame *frame;
    json_t *told;       /* what page.js said: {at: "ready" | "done", element, state, ...} */
    double x, y;        /* in the view of the tab */
    HfPagePoint offset; /* where the frame's view begins there */
} HfPageTarget;

void hf_page_target_clear(HfPageTarget *target);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPageTarget, hf_page_target_clear)

/* DESKTOP_ELEMENT_NOT_FOUND when nothing fits until the time is up, ELEMENT_AMBIGUOUS with the
 * candidates when several do, DESKTOP_TIMEOUT when it could not be acted on, with why;
 * DESKTOP_CONFIRM_REQUIRED for a password field that the owner has not agreed to. */
gboolean hf_page_target_act(HfTabSession *visit, const HfPageRequest *ask, HfPageTarget *ret_target,
                            GError **error);
/* hf.NAME(argument) of the frame that the target is in; see hf_page_frame_ask. */
json_t *hf_page_target_ask(HfTabSession *visit, const HfPageTarget *target, const char *name,
                           json_t *take_argument, GError **error);
/* The same for reading, which does not wait: hf.NAME(argument) of the frame that holds the element.
 * NULL with DESKTOP_ELEMENT_NOT_FOUND or ELEMENT_AMBIGUOUS. */
json_t *hf_page_target_extract(HfTabSession *visit, const char *name, const HfPageRequest *ask,
                               json_t *take_argument, HfPageFrame **ret_frame, GError **error);
