/* SPDX-License-Identifier: Apache-2.0 */
/* Sends keys to a page through the browser: they arrive even if another window has the keyboard. */
#include "hand/browser/page/dom-key.h"
#include "hand/browser/page/page-action.h"
#include "shared/base/error.h"

static gboolean focus_target(HfTabSession *session, const HfPageAction *action,
                             HfPageTarget *target, GError **error)
{
    HfPageRequest request = hf_page_action_request(action);
    request.operation = "focus";
    request.retarget = TRUE;
    request.writes = action->writes;
    return hf_page_target_act(session, &request, target, error);
}

gboolean hf_page_action_check_focus(HfTabSession *session, GError **error)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(&session->page, error);
    for (guint i = 0; frames && i < frames->len; i++) {
        g_autoptr(json_t) focus = hf_page_frame_ask(&session->page, frames->pdata[i], "focus", NULL,
                                                    i == 0 ? error : NULL);
        if (hf_json_bool(focus, "secure", FALSE)) {
            hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
                    "a password field has the focus; only the owner may type there or allow it; "
                    "nothing was pressed");
            hf_error_suggest(error, "ask the owner to type it");
            hf_error_take_details(error,
                                  json_pack("{s:b, s:b}", "secure", TRUE, "ask_owner", TRUE));
            return FALSE;
        }
        if (!focus && i == 0)
            return FALSE;
    }
    return frames != NULL;
}

static gboolean send_key(HfTabSession *session, guint32 keysym, gboolean down, int modifiers,
                         GError **error)
{
    json_t *event = hf_dom_key_event(keysym, down, modifiers);
    if (!event)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "keys: web pages do not know this key");
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) done =
        hf_cdp_call(session->browser->cdp, session->tab->session, "Input.dispatchKeyEvent", event,
                    &session->deadline, &problem);
    if (done || hf_error_code(problem) == HF_ERROR_DESKTOP_MODAL_BLOCKING ||
        (hf_error_code(problem) == HF_ERROR_DESKTOP_UNAVAILABLE &&
         hf_cdp_is_open(session->browser->cdp)))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

/* Presses in order and always releases in reverse. */
static gboolean send_chord(HfTabSession *session, const GArray *keys, GError **error)
{
    int modifiers = 0;
    guint pressed = 0;
    gboolean done = hf_tab_session_may_act(session, error);
    for (; done && pressed < keys->len; pressed++) {
        guint32 keysym = g_array_index(keys, guint32, pressed);
        modifiers |= hf_dom_key_modifier(keysym);
        done = send_key(session, keysym, TRUE, modifiers, error);
    }
    while (pressed-- > 0) {
        guint32 keysym = g_array_index(keys, guint32, pressed);
        modifiers &= ~hf_dom_key_modifier(keysym);
        done = send_key(session, keysym, FALSE, modifiers, done ? error : NULL) && done;
    }
    return done;
}

json_t *hf_page_action_press(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    if (action->query
            ? !focus_target(session, action, &target, error)
            : action->writes && !action->agreed && !hf_page_action_check_focus(session, error))
        return NULL;
    if (!send_chord(session, action->keys, error))
        return NULL;
    g_autoptr(json_t) after =
        action->query ? hf_page_action_read_after(session, &target, NULL) : NULL;
    hf_tab_session_await_outcome(session);
    gboolean seen = hf_tab_session_has_outcome(session);
    const json_t *before = json_object_get(json_object_get(target.reply, "state"), "value");
    const json_t *value = json_object_get(json_object_get(after, "state"), "value");
    gboolean changed = before && value && !json_equal(before, value);
    json_t *result = hf_page_action_result(action, target.reply);
    hf_page_action_confirm(result, seen || changed,
                           seen      ? "the page has reacted"
                           : changed ? "its value has changed"
                                     : "the keys were sent");
    if (value)
        json_object_set_new(result, "value", json_deep_copy(value));
    return result;
}
