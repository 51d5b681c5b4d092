/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer and the keys of a page. The browser synthesizes the events in the tab's view: the
 * desktop's pointer does not move, and keys arrive even if another window has the keyboard. */
#include "hand/browser/page/page-action.h"

#include <string.h>

#include "hand/browser/page/dom-key.h"
#include "shared/base/error.h"

/* Time limit for a wheel event to scroll something. */
#define WHEEL_MS 600

typedef struct PageClick {
    double x, y;
    int count;
    const char *button;
    int modifiers;
} PageClick;

static json_t *mouse_event(const char *type, const PageClick *click, int count)
{
    gboolean none = !click->button;
    int bit = none                                  ? 0
              : g_str_equal(click->button, "left")  ? 1
              : g_str_equal(click->button, "right") ? 2
                                                    : 4;
    return json_pack("{s:s, s:f, s:f, s:s, s:i, s:i, s:i, s:s}", "type", type, "x", click->x, "y",
                     click->y, "button", none ? "none" : click->button, "buttons",
                     g_str_equal(type, "mouseReleased") ? 0 : bit, "clickCount", count, "modifiers",
                     click->modifiers, "pointerType", "mouse");
}

static gint64 send_mouse_event(HfTabSession *session, json_t *take_event)
{
    return hf_cdp_begin(session->browser->cdp, session->tab->session, "Input.dispatchMouseEvent",
                        take_event);
}

/* After a dialog opened or the page is gone, the event has still arrived. */
static gboolean wait_for_mouse_event(HfTabSession *session, gint64 id, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) done = hf_cdp_finish(session->browser->cdp, id, &session->deadline, &problem);
    if (done || hf_error_code(problem) == HF_ERROR_DESKTOP_MODAL_BLOCKING)
        return TRUE;
    if (hf_error_code(problem) == HF_ERROR_DESKTOP_UNAVAILABLE &&
        hf_cdp_is_open(session->browser->cdp))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

static gboolean move_page_pointer(HfTabSession *session, double x, double y, int buttons,
                                  GError **error)
{
    PageClick click = {.x = x, .y = y, .button = buttons ? "left" : NULL};
    return hf_tab_session_may_act(session, error) &&
           wait_for_mouse_event(
               session, send_mouse_event(session, mouse_event("mouseMoved", &click, 0)), error);
}

static gboolean press_page_button(HfTabSession *session, const PageClick *click, gboolean down,
                                  GError **error)
{
    if (down && !hf_tab_session_may_act(session, error))
        return FALSE;
    return wait_for_mouse_event(
        session,
        send_mouse_event(session, mouse_event(down ? "mousePressed" : "mouseReleased", click, 1)),
        error);
}

/* All events are sent before the first answer is awaited: each answer takes a frame. */
static gboolean click_page_point(HfTabSession *session, const PageClick *click, GError **error)
{
    gint64 ids[5];
    guint count = 0;
    PageClick hover = *click;
    hover.button = NULL;
    if (!hf_tab_session_may_act(session, error))
        return FALSE;
    ids[count++] = send_mouse_event(session, mouse_event("mouseMoved", &hover, 0));
    for (int i = 1; i <= MIN(click->count, 2); i++) {
        ids[count++] = send_mouse_event(session, mouse_event("mousePressed", click, i));
        ids[count++] = send_mouse_event(session, mouse_event("mouseReleased", click, i));
    }
    gboolean done = TRUE;
    for (guint i = 0; i < count; i++)
        done = wait_for_mouse_event(session, ids[i], done ? error : NULL) && done;
    return done;
}

gboolean hf_page_click_element(HfTabSession *session, const HfPageAction *action, int count,
                               HfPageTarget *target, json_t **ret_after, GError **error)
{
    HfPageRequest request = hf_page_action_request(action);
    request.needs = (HfPageNeeds){.visible = TRUE, .stable = TRUE, .enabled = TRUE, .hit = TRUE};
    request.watch_click = TRUE;
    for (;;) {
        if (!hf_page_target_act(session, &request, target, error))
            return FALSE;
        PageClick click = {target->x, target->y, count, action->button ? action->button : "left",
                           action->modifiers};
        if (!click_page_point(session, &click, error))
            return FALSE;
        g_autoptr(json_t) after = hf_page_action_read_after(session, target, NULL);
        if (!json_is_false(json_object_get(after, "hit"))) {
            *ret_after = g_steal_pointer(&after);
            return TRUE;
        }
        /* The element moved away or was covered at the last moment. What was hit did not get the
         * event. */
        if (hf_deadline_left_ms(&session->deadline) < 500)
            return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the click would have hit %s",
                           hf_json_string(after, "by", "something else"));
        hf_page_target_clear(target);
    }
}

json_t *hf_page_action_hover(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest request = hf_page_action_request(action);
    request.needs = (HfPageNeeds){.visible = TRUE, .stable = TRUE, .hit = TRUE};
    if (!hf_page_target_act(session, &request, &target, error) ||
        !move_page_pointer(session, target.x, target.y, 0, error))
        return NULL;
    g_autoptr(json_t) after = hf_page_action_read_after(session, &target, NULL);
    gboolean over = hf_json_bool(json_object_get(after, "state"), "hovered", FALSE);
    json_t *result = hf_page_action_result(action, target.reply);
    hf_page_action_confirm(result, over,
                           over ? "the pointer is on it" : "the pointer was moved there");
    return result;
}

/* ---- scrolling ---- */

typedef struct Wheel {
    HfPageFrame *frame;
    double x, y;
    json_t *before;
    gboolean held;
} Wheel;

static void wheel_clear(Wheel *wheel)
{
    hf_page_frame_free(wheel->frame);
    json_decref(wheel->before);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Wheel, wheel_clear)

static json_t *read_scroll_offsets(HfTabSession *session, const Wheel *wheel)
{
    return hf_page_frame_ask(&session->page, wheel->frame, "scrolled",
                             json_pack("{s:b}", "held", wheel->held), NULL);
}

static gboolean send_wheel_event(HfTabSession *session, const HfPageAction *action, Wheel *wheel,
                                 GError **error)
{
    wheel->before = read_scroll_offsets(session, wheel);
    PageClick at = {.x = wheel->x, .y = wheel->y, .modifiers = action->modifiers};
    if (!move_page_pointer(session, at.x, at.y, 0, error))
        return FALSE;
    json_t *event = mouse_event("mouseWheel", &at, 0);
    json_object_set_new(event, "deltaX", json_real(action->delta_x));
    json_object_set_new(event, "deltaY", json_real(action->delta_y));
    return wait_for_mouse_event(session, send_mouse_event(session, event), error);
}

static json_t *report_scroll(HfTabSession *session, const HfPageAction *action, const Wheel *wheel,
                             const json_t *reply)
{
    HfDeadline limit = hf_deadline_within_ms(&session->deadline, WHEEL_MS);
    gboolean moved = FALSE;
    while (!moved && hf_deadline_pause(&limit, 16 * 1000, NULL)) {
        g_autoptr(json_t) now = read_scroll_offsets(session, wheel);
        moved = now && wheel->before && !json_equal(now, wheel->before);
    }
    json_t *result = hf_page_action_result(action, reply);
    json_object_set_new(result, "moved", json_boolean(moved));
    hf_page_action_confirm(result, moved, moved ? "it has scrolled" : "nothing has scrolled");
    return result;
}

static json_t *scroll_page(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(Wheel) wheel = {.frame = hf_page_frame_new_main(&session->page)};
    g_autoptr(json_t) view = hf_page_frame_ask(&session->page, wheel.frame, "view", NULL, error);
    if (!view)
        return NULL;
    wheel.x = hf_json_number(view, "width", 0) / 2;
    wheel.y = hf_json_number(view, "height", 0) / 2;
    return send_wheel_event(session, action, &wheel, error)
               ? report_scroll(session, action, &wheel, NULL)
               : NULL;
}

static json_t *scroll_element(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) target = {0};
    HfPageRequest request = hf_page_action_request(action);
    gboolean wheels = action->delta_x != 0 || action->delta_y != 0;
    request.needs = (HfPageNeeds){.stable = TRUE, .visible = wheels, .hit = wheels};
    request.operation = wheels ? NULL : "scroll";
    if (!hf_tab_session_may_act(session, error) ||
        !hf_page_target_act(session, &request, &target, error))
        return NULL;
    if (wheels) {
        g_auto(Wheel) wheel = {g_steal_pointer(&target.frame), target.x, target.y, NULL, TRUE};
        return send_wheel_event(session, action, &wheel, error)
                   ? report_scroll(session, action, &wheel, target.reply)
                   : NULL;
    }
    if (!hf_json_bool(target.reply, "in_view", FALSE))
        return hf_fail(error, HF_ERROR_VERIFY_FAILED, "the element did not come into view"), NULL;
    json_t *result = hf_page_action_result(action, target.reply);
    hf_page_action_confirm(result, TRUE, "it is in view");
    return result;
}

json_t *hf_page_action_scroll(HfTabSession *session, const HfPageAction *action, GError **error)
{
    return action->query ? scroll_element(session, action, error)
                         : scroll_page(session, action, error);
}

/* ---- dragging ----
 *
 * In both ways that pages support: native drag and drop, which the browser hands over to us, or a
 * pointer that moves with its button down. */

#define STEPS 6
/* Time limit for the browser to hand over the dragged data. */
#define INTERCEPT_MS 500

static gboolean is_drag_intercepted(gpointer data)
{
    const HfTab *tab = data;
    return tab->drag != NULL || tab->gone;
}

static json_t *take_intercepted_drag(HfTabSession *session)
{
    hf_cdp_lock(session->browser->cdp);
    json_t *drag = g_steal_pointer(&session->tab->drag);
    hf_cdp_unlock(session->browser->cdp);
    return drag;
}

static gboolean drag_event(HfTabSession *session, const char *type, const HfPageTarget *to,
                           const json_t *data, GError **error)
{
    g_autoptr(json_t) done = hf_cdp_call(
        session->browser->cdp, session->tab->session, "Input.dispatchDragEvent",
        json_pack("{s:s, s:f, s:f, s:O}", "type", type, "x", to->x, "y", to->y, "data", data),
        &session->deadline, error);
    return done != NULL;
}

static gboolean started_drag(HfTabSession *session, const HfPageTarget *from)
{
    g_autoptr(json_t) reply =
        hf_page_action_read_after(session, from, json_pack("{s:b}", "keep", 1));
    hf_json_each (seen, json_object_get(reply, "seen"))
        if (g_str_equal(json_string_value(seen), "dragstart"))
            return TRUE;
    return FALSE;
}

static gboolean move_pointer_to_target(HfTabSession *session, const HfPageTarget *from,
                                       const HfPageTarget *to, GError **error)
{
    for (int i = 1; i <= STEPS; i++)
        if (!move_page_pointer(session, from->x + (to->x - from->x) * i / STEPS,
                               from->y + (to->y - from->y) * i / STEPS, 1, error))
            return FALSE;
    return TRUE;
}

/* The button is down already. */
static gboolean drag_to_target(HfTabSession *session, const HfPageTarget *from,
                               const HfPageTarget *to, gboolean *ret_native, GError **error)
{
    double step = to->x > from->x ? 8 : -8;
    if (!move_page_pointer(session, from->x + step / 2, from->y + 2, 1, error) ||
        !move_page_pointer(session, from->x + step, from->y + 5, 1, error))
        return FALSE;
    *ret_native = started_drag(session, from);
    if (!*ret_native)
        return move_pointer_to_target(session, from, to, error);
    HfDeadline limit = hf_deadline_within_ms(&session->deadline, INTERCEPT_MS);
    hf_cdp_wait_for(session->browser->cdp, is_drag_intercepted, session->tab, &limit, NULL);
    g_autoptr(json_t) data = take_intercepted_drag(session);
    if (!data)
        return move_pointer_to_target(session, from, to, error);
    return drag_event(session, "dragEnter", to, data, error) &&
           drag_event(session, "dragOver", to, data, error) &&
           drag_event(session, "drop", to, data, error);
}

static gboolean press_and_drag(HfTabSession *session, const HfPageTarget *from,
                               const HfPageTarget *to, gboolean *ret_native, GError **error)
{
    PageClick down = {from->x, from->y, 1, "left", 0}, up = {to->x, to->y, 1, "left", 0};
    json_decref(take_intercepted_drag(session));
    if (!move_page_pointer(session, from->x, from->y, 0, error) ||
        !press_page_button(session, &down, TRUE, error))
        return FALSE;
    gboolean done = drag_to_target(session, from, to, ret_native, error);
    return press_page_button(session, &up, FALSE, done ? error : NULL) && done;
}

static void set_drag_interception(HfTabSession *session, gboolean on)
{
    g_autoptr(json_t) done =
        hf_cdp_call(session->browser->cdp, session->tab->session, "Input.setInterceptDrags",
                    json_pack("{s:b}", "enabled", on), &session->deadline, NULL);
}

json_t *hf_page_action_drag(HfTabSession *session, const HfPageAction *action, GError **error)
{
    g_auto(HfPageTarget) from = {0}, to = {0}, again = {0};
    HfPageRequest request = hf_page_action_request(action), goal = request;
    request.needs = goal.needs = (HfPageNeeds){.visible = TRUE, .stable = TRUE, .hit = TRUE};
    request.watch_click = TRUE;
    goal.query = action->to;
    goal.selector = action->to_selector;
    goal.has_nth = FALSE;
    goal.at = NULL;
    /* The source comes last, because scrolling to the goal would have moved it. */
    if (!hf_page_target_act(session, &goal, &to, error) ||
        !hf_page_target_act(session, &request, &from, error))
        return NULL;
    goal.needs = (HfPageNeeds){.visible = TRUE, .hit = TRUE};
    if (!hf_page_target_act(session, &goal, &again, error))
        return NULL;
    gboolean native = FALSE;
    set_drag_interception(session, TRUE);
    gboolean done = press_and_drag(session, &from, &again, &native, error);
    set_drag_interception(session, FALSE);
    if (!done)
        return NULL;
    g_autoptr(json_t) after = hf_page_action_read_after(session, &from, NULL);
    hf_tab_session_await_outcome(session);
    json_t *result = hf_page_action_result(action, from.reply);
    json_object_set_new(result, "to", json_deep_copy(json_object_get(again.reply, "element")));
    if (hf_json_bool(after, "changed", FALSE))
        json_object_set_new(result, "page_changed", json_true());
    hf_page_action_confirm(result, FALSE,
                           native ? "it was dropped there" : "the pointer dragged it there");
    return result;
}

/* ---- keys ---- */

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
