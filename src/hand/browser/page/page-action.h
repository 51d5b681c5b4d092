/* SPDX-License-Identifier: Apache-2.0 */
/* Actions on an element of a page. */
#pragma once

#include "hand/browser/page/page-target.h"

typedef struct HfPageAction {
    const char *action;
    const char *selector; /* NULL if the action needs none */
    json_t *query;
    gboolean has_nth;
    gint64 nth;
    const char *value;
    const char *to_selector; /* for drag */
    json_t *to;
    char **files;       /* for upload: the user's paths */
    const GArray *keys; /* for press: keysyms */
    gboolean writes;    /* these keys write text */
    const json_t *at;   /* {x, y} inside the element; NULL: its centre */
    double delta_x, delta_y;
    const char *button;
    int modifiers; /* see dom-key.h */
    gboolean agreed;
} HfPageAction;

/* Performs the action, waits for its outcome and reports it: {"action", "element"?, "confirmed",
 * "seen", ...}. VERIFY_FAILED if the effect did not show. */
json_t *hf_page_action_run(HfTabSession *session, const HfPageAction *action, GError **error);

/* FALSE with DESKTOP_CONFIRM_REQUIRED if a password field has the focus in any frame. */
gboolean hf_page_action_check_focus(HfTabSession *session, GError **error);

/* ---- for the files of this folder ---- */

HfPageRequest hf_page_action_request(const HfPageAction *action);
/* What the page reports about the target after an action; NULL, without an error, if it is gone or
 * shows a dialog. */
json_t *hf_page_action_read_after(HfTabSession *session, const HfPageTarget *target,
                                  json_t *take_argument);
json_t *hf_page_action_result(const HfPageAction *action, const json_t *reply);
void hf_page_action_confirm(json_t *result, gboolean confirmed, const char *seen);

/* Clicks an element, until it has seen the click. */
gboolean hf_page_click_element(HfTabSession *session, const HfPageAction *action, int count,
                               HfPageTarget *target, json_t **ret_after, GError **error);

json_t *hf_page_action_hover(HfTabSession *session, const HfPageAction *action, GError **error);
json_t *hf_page_action_scroll(HfTabSession *session, const HfPageAction *action, GError **error);
json_t *hf_page_action_press(HfTabSession *session, const HfPageAction *action, GError **error);
json_t *hf_page_action_drag(HfTabSession *session, const HfPageAction *action, GError **error);
