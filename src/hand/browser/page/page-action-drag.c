/* SPDX-License-Identifier: Apache-2.0 */
/* Drags in both ways that pages support: native drag and drop, which the browser hands over to us,
 * or a pointer that moves with its button down. */
#include "hand/browser/page/page-action.h"
#include "shared/base/error.h"

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
    size_t index;
    json_t *seen;
    json_array_foreach (json_object_get(reply, "seen"), index, seen)
        if (g_str_equal(json_string_value(seen), "dragstart"))
            return TRUE;
    return FALSE;
}

static gboolean move_pointer_to_target(HfTabSession *session, const HfPageTarget *from,
                                       const HfPageTarget *to, GError **error)
{
    for (int i = 1; i <= STEPS; i++)
        if (!hf_page_pointer_move(session, from->x + (to->x - from->x) * i / STEPS,
                                  from->y + (to->y - from->y) * i / STEPS, 1, error))
            return FALSE;
    return TRUE;
}

/* The button is down already. */
static gboolean drag_to_target(HfTabSession *session, const HfPageTarget *from,
                               const HfPageTarget *to, gboolean *ret_native, GError **error)
{
    double step = to->x > from->x ? 8 : -8;
    if (!hf_page_pointer_move(session, from->x + step / 2, from->y + 2, 1, error) ||
        !hf_page_pointer_move(session, from->x + step, from->y + 5, 1, error))
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
    HfPageClick down = {from->x, from->y, 1, "left", 0}, up = {to->x, to->y, 1, "left", 0};
    json_decref(take_intercepted_drag(session));
    if (!hf_page_pointer_move(session, from->x, from->y, 0, error) ||
        !hf_page_pointer_button(session, &down, TRUE, error))
        return FALSE;
    gboolean done = drag_to_target(session, from, to, ret_native, error);
    return hf_page_pointer_button(session, &up, FALSE, done ? error : NULL) && done;
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
