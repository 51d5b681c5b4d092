/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer of a page. The browser synthesizes its events in the tab's view: the desktop's
 * pointer does not move. */
#include "hand/browser/page/page-action.h"

#include <string.h>

#include "shared/base/error.h"

/* Time limit for a wheel event to scroll something. */
#define WHEEL_MS 600

static json_t *mouse_event(const char *type, const HfPageClick *click, int count)
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

gboolean hf_page_pointer_move(HfTabSession *session, double x, double y, int buttons,
                              GError **error)
{
    HfPageClick click = {.x = x, .y = y, .button = buttons ? "left" : NULL};
    return hf_tab_session_may_act(session, error) &&
           wait_for_mouse_event(
               session, send_mouse_event(session, mouse_event("mouseMoved", &click, 0)), error);
}

gboolean hf_page_pointer_button(HfTabSession *session, const HfPageClick *click, gboolean down,
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
gboolean hf_page_pointer_click(HfTabSession *session, const HfPageClick *click, GError **error)
{
    gint64 ids[5];
    guint count = 0;
    HfPageClick hover = *click;
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
        HfPageClick click = {target->x, target->y, count, action->button ? action->button : "left",
                             action->modifiers};
        if (!hf_page_pointer_click(session, &click, error))
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
        !hf_page_pointer_move(session, target.x, target.y, 0, error))
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
    HfPageClick at = {.x = wheel->x, .y = wheel->y, .modifiers = action->modifiers};
    if (!hf_page_pointer_move(session, at.x, at.y, 0, error))
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
