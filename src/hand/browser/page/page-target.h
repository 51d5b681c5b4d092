/* SPDX-License-Identifier: Apache-2.0 */
/* The element that a call names: found in any frame of the page, and awaited until it can be acted
 * on. */
#pragma once

#include "hand/browser/page/tab-session.h"

/* What has to hold before the action; see data/page.js. */
typedef struct HfPageNeeds {
    gboolean visible, stable, enabled, editable, hit;
} HfPageNeeds;

typedef struct HfPageRequest {
    json_t *query;        /* see page-query.h; borrowed */
    const char *selector; /* as the caller wrote it */
    gint64 nth;           /* which match, from 0; with `has_nth` */
    gboolean has_nth;
    HfPageNeeds needs;
    const char *operation; /* performed in the page at once: fill, select, focus, scroll; or NULL */
    const char *value;     /* for fill and select */
    gboolean writes;       /* the action writes text */
    gboolean agreed;       /* the owner has agreed to that */
    gboolean watch_click;  /* a click follows: page.js watches its events */
    gboolean retarget;     /* a label stands for its control */
    const json_t *at;      /* {x, y} inside the element; NULL: its centre */
} HfPageRequest;

typedef struct HfPageTarget {
    HfPageFrame *frame;
    json_t *reply;      /* of page.js: {at: "ready" | "done", element, state, ...} */
    double x, y;        /* in the tab's view */
    HfPagePoint offset; /* origin of the frame's view there */
} HfPageTarget;

void hf_page_target_clear(HfPageTarget *target);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfPageTarget, hf_page_target_clear)

/* Finds the element and, if the request says so, performs an operation on it.
 * DESKTOP_ELEMENT_NOT_FOUND if nothing matches in time, ELEMENT_AMBIGUOUS with candidates if
 * several do, DESKTOP_TIMEOUT with the reason if it could not be acted on, DESKTOP_CONFIRM_REQUIRED
 * for a password field without the owner's consent. */
gboolean hf_page_target_act(HfTabSession *session, const HfPageRequest *request,
                            HfPageTarget *ret_target, GError **error);
/* Reads without waiting: hf.NAME(argument) of the frame that contains the element. NULL with
 * DESKTOP_ELEMENT_NOT_FOUND or ELEMENT_AMBIGUOUS. */
json_t *hf_page_target_extract(HfTabSession *session, const char *name,
                               const HfPageRequest *request, json_t *take_argument,
                               HfPageFrame **ret_frame, GError **error);
