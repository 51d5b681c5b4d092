/* SPDX-License-Identifier: Apache-2.0 */
/* What can be done to an element of a page. */
#pragma once

#include "hand/browser/page/page-target.h"

typedef struct HfPageAction {
    const char *action;
    const char *selector; /* NULL where an action needs none */
    json_t *query;
    gboolean has_nth;
    gint64 nth;
    const char *value;
    const char *to_selector; /* for drag */
    json_t *to;
    char **files;       /* for upload: paths of the user */
    const GArray *keys; /* for press: keysyms */
    gboolean writes;    /* these keys write something */
    const json_t *at;   /* {x, y} within the element; NULL: its middle */
    double delta_x, delta_y;
    const char *button;
    int modifiers; /* see dom-key.h */
    gboolean agreed;
} HfPageAction;

/* Does it, waits for what it sets off, and tells: {"action", "element"?, "confirmed", "seen", ...}.
 * VERIFY_FAILED when what was asked for was not to be seen afterwards. */
json_t *hf_page_action_run(HfTabSession *visit, const HfPageAction *deed, GError **error);

/* FALSE with DESKTOP_CONFIRM_REQUIRED when a password field has the focus, in whatever frame. */
gboolean hf_page_action_check_focus(HfTabSession *visit, GError **error);

/* ---- for the files of this folder ---- */

HfPageRequest hf_page_action_request(const HfPageAction *deed);
/* What the page tells of the target after something was done to it; NULL when it has gone or shows
 * a dialog, which is no error. */
json_t *hf_page_action_read_after(HfTabSession *visit, const HfPageTarget *target,
                                  json_t *take_argument);
json_t *hf_page_action_result(const HfPageAction *deed, const json_t *told);
void hf_page_action_confirm(json_t *result, gboolean confirmed, const char *seen);

/* Pointer events at a point of the tab's view. FALSE with an error only when they cannot have done
 * anything; a dialog that opens in between is none. */
typedef struct HfPageClick {
    double x, y;
    int count;
    const char *button;
    int modifiers;
} HfPageClick;
gboolean hf_page_pointer_move(HfTabSession *visit, double x, double y, int buttons, GError **error);
gboolean hf_page_pointer_button(HfTabSession *visit, const HfPageClick *click, gboolean down,
                                GError **error);
gboolean hf_page_pointer_click(HfTabSession *visit, const HfPageClick *click, GError **error);
/* The same, on an element, until it was seen to arrive there. */
gboolean hf_page_click_element(HfTabSession *visit, const HfPageAction *deed, int count,
                               HfPageTarget *target, json_t **ret_after, GError **error);

json_t *hf_page_action_hover(HfTabSession *visit, const HfPageAction *deed, GError **error);
json_t *hf_page_action_scroll(HfTabSession *visit, const HfPageAction *deed, GError **error);
json_t *hf_page_action_press(HfTabSession *visit, const HfPageAction *deed, GError **error);
json_t *hf_page_action_upload(HfTabSession *visit, const HfPageAction *deed, GError **error);
json_t *hf_page_action_drag(HfTabSession *visit, const HfPageAction *deed, GError **error);
