/* SPDX-License-Identifier: Apache-2.0 */
/* Keys for a page, by the browser: they reach the page also while another window has the keyboard.
 */
#include "hand/browser/page/dom-key.h"
#include "hand/browser/page/page-action.h"
#include "shared/base/error.h"

static gboolean focus_target(HfTabSession *visit, const HfPageAction *deed, HfPageTarget *target,
                             GError **error)
{
    HfPageRequest ask = hf_page_action_request(deed);
    ask.deed = "focus";
    ask.retarget = TRUE;
    ask.writes = deed->writes;
    return hf_page_target_act(visit, &ask, target, error);
}

gboolean hf_page_action_check_focus(HfTabSession *visit, GError **error)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(&visit->page, error);
    for (guint i = 0; frames && i < frames->len; i++) {
        g_autoptr(json_t) focus =
            hf_page_frame_ask(&visit->page, frames->pdata[i], "focus", NULL, i == 0 ? error : NULL);
        if (hf_json_bool(focus, "secure", FALSE)) {
            hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
                    "a password field has the focus: what goes in there is for the owner to type "
                    "or to confirm; nothing was pressed");
            hf_error_suggest(error, "ask the person to type it");
            hf_error_take_details(error,
                                  json_pack("{s:b, s:b}", "secure", TRUE, "ask_owner", TRUE));
            return FALSE;
        }
        if (!focus && i == 0)
            return FALSE;
    }
    return frames != NULL;
}

static gboolean send_key(HfTabSession *visit, guint32 keysym, gboolean down, int modifiers,
                         GError **error)
{
    json_t *event = hf_dom_key_event(keysym, down, modifiers);
    if (!event)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "pages know no such key");
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) done =
        hf_cdp_call(visit->browser->cdp, visit->tab->session, "Input.dispatchKeyEvent", event,
                    &visit->deadline, &problem);
    if (done || hf_error_code(problem) == HF_ERROR_DESKTOP_MODAL_BLOCKING ||
        (hf_error_code(problem) == HF_ERROR_DESKTOP_UNAVAILABLE &&
         hf_cdp_is_open(visit->browser->cdp)))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

/* Down in order, up in reverse, whatever happens. */
static gboolean send_chord(HfTabSession *visit, const GArray *keys, GError **error)
{
    int modifiers = 0;
    guint pressed = 0;
    gboolean done = hf_tab_session_may_act(visit, error);
    for (; done && pressed < keys->len; pressed++) {
        guint32 keysym = g_array_index(keys, guint32, pressed);
        modifiers |= hf_dom_key_modifier(keysym);
        done = send_key(visit, keysym, TRUE, modifiers, error);
    }
    while (pressed-- > 0) {
        guint32 keysym = g_array_index(keys, guint32, pressed);
        modifiers &= ~hf_dom_key_modifier(keysym);
        done = send_key(visit, keysym, FALSE, modifiers, done ? error : NULL) && done;
    }
    return done;
}

json_t *hf_page_action_press(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    if (deed->query ? !focus_target(visit, deed, &target, error)
                    : deed->writes && !deed->agreed && !hf_page_action_check_focus(visit, error))
        return NULL;
    if (!send_chord(visit, deed->keys, error))
        return NULL;
    g_autoptr(json_t) after = deed->query ? hf_page_action_read_after(visit, &target, NULL) : NULL;
    hf_tab_session_await_outcome(visit);
    gboolean seen = hf_tab_session_has_outcome(visit);
    const json_t *before = json_object_get(json_object_get(target.told, "state"), "value");
    const json_t *value = json_object_get(json_object_get(after, "state"), "value");
    gboolean changed = before && value && !json_equal(before, value);
    json_t *result = hf_page_action_result(deed, target.told);
    hf_page_action_confirm(result, seen || changed,
                           seen      ? "the page has gone on"
                           : changed ? "its value has changed"
                                     : "the keys were sent");
    if (value)
        json_object_set_new(result, "value", json_deep_copy(value));
    return result;
}
