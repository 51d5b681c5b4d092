/* SPDX-License-Identifier: Apache-2.0 */
/* Dragging, by both ways that pages know: as the browser's own drag and drop, which it hands over
 * to us, or by a pointer that moves with its button down. */
#include "hand/browser/page/page-action.h"
#include "shared/base/error.h"

#define STEPS 6
/* How long the browser may take to hand over what is dragged. */
#define HAND_OVER_MS 500

static gboolean is_drag_intercepted(gpointer data)
{
    const HfTab *tab = data;
    return tab->drag != NULL || tab->gone;
}

static json_t *take_intercepted_drag(HfTabSession *visit)
{
    hf_cdp_lock(visit->browser->cdp);
    json_t *drag = g_steal_pointer(&visit->tab->drag);
    hf_cdp_unlock(visit->browser->cdp);
    return drag;
}

static gboolean drag_event(HfTabSession *visit, const char *type, const HfPageTarget *to,
                           const json_t *data, GError **error)
{
    g_autoptr(json_t) done = hf_cdp_call(
        visit->browser->cdp, visit->tab->session, "Input.dispatchDragEvent",
        json_pack("{s:s, s:f, s:f, s:O}", "type", type, "x", to->x, "y", to->y, "data", data),
        &visit->deadline, error);
    return done != NULL;
}

static gboolean drop_on_target(HfTabSession *visit, const HfPageTarget *to, const json_t *data,
                               GError **error)
{
    return drag_event(visit, "dragEnter", to, data, error) &&
           drag_event(visit, "dragOver", to, data, error) &&
           drag_event(visit, "drop", to, data, error);
}

static gboolean started_drag(HfTabSession *visit, const HfPageTarget *from)
{
    g_autoptr(json_t) told = hf_page_action_read_after(visit, from, json_pack("{s:b}", "keep", 1));
    size_t index;
    json_t *seen;
    json_array_foreach (json_object_get(told, "seen"), index, seen)
        if (g_str_equal(json_string_value(seen), "dragstart"))
            return TRUE;
    return FALSE;
}

static gboolean move_pointer_to_target(HfTabSession *visit, const HfPageTarget *from,
                                       const HfPageTarget *to, GError **error)
{
    for (int i = 1; i <= STEPS; i++)
        if (!hf_page_pointer_move(visit, from->x + (to->x - from->x) * i / STEPS,
                                  from->y + (to->y - from->y) * i / STEPS, 1, error))
            return FALSE;
    return TRUE;
}

/* With the button down. */
static gboolean drag_to_target(HfTabSession *visit, const HfPageTarget *from,
                               const HfPageTarget *to, gboolean *ret_native, GError **error)
{
    double step = to->x > from->x ? 8 : -8;
    if (!hf_page_pointer_move(visit, from->x + step / 2, from->y + 2, 1, error) ||
        !hf_page_pointer_move(visit, from->x + step, from->y + 5, 1, error))
        return FALSE;
    *ret_native = started_drag(visit, from);
    if (!*ret_native)
        return move_pointer_to_target(visit, from, to, error);
    HfDeadline limit = hf_deadline_within_ms(&visit->deadline, HAND_OVER_MS);
    hf_cdp_wait_for(visit->browser->cdp, is_drag_intercepted, visit->tab, &limit, NULL);
    g_autoptr(json_t) data = take_intercepted_drag(visit);
    if (!data)
        return move_pointer_to_target(visit, from, to, error);
    return drop_on_target(visit, to, data, error);
}

static gboolean press_and_drag(HfTabSession *visit, const HfPageTarget *from,
                               const HfPageTarget *to, gboolean *ret_native, GError **error)
{
    HfPageClick down = {from->x, from->y, 1, "left", 0}, up = {to->x, to->y, 1, "left", 0};
    json_decref(take_intercepted_drag(visit));
    if (!hf_page_pointer_move(visit, from->x, from->y, 0, error) ||
        !hf_page_pointer_button(visit, &down, TRUE, error))
        return FALSE;
    gboolean done = drag_to_target(visit, from, to, ret_native, error);
    return hf_page_pointer_button(visit, &up, FALSE, done ? error : NULL) && done;
}

static void set_drag_interception(HfTabSession *visit, gboolean on)
{
    g_autoptr(json_t) done =
        hf_cdp_call(visit->browser->cdp, visit->tab->session, "Input.setInterceptDrags",
                    json_pack("{s:b}", "enabled", on), &visit->deadline, NULL);
}

json_t *hf_page_action_drag(HfTabSession *visit, const HfPageAction *deed, GError **error)
{
    g_auto(HfPageTarget) from = {0}, to = {0}, again = {0};
    HfPageRequest ask = hf_page_action_request(deed), goal = ask;
    ask.needs = goal.needs = (HfPageNeeds){.visible = TRUE, .stable = TRUE, .hit = TRUE};
    ask.aim = TRUE;
    goal.query = deed->to;
    goal.selector = deed->to_selector;
    goal.has_nth = FALSE;
    goal.at = NULL;
    /* The source last: what was scrolled for the goal would have moved it. */
    if (!hf_page_target_act(visit, &goal, &to, error) ||
        !hf_page_target_act(visit, &ask, &from, error))
        return NULL;
    goal.needs = (HfPageNeeds){.visible = TRUE, .hit = TRUE};
    if (!hf_page_target_act(visit, &goal, &again, error))
        return NULL;
    gboolean native = FALSE;
    set_drag_interception(visit, TRUE);
    gboolean done = press_and_drag(visit, &from, &again, &native, error);
    set_drag_interception(visit, FALSE);
    if (!done)
        return NULL;
    g_autoptr(json_t) after = hf_page_action_read_after(visit, &from, NULL);
    hf_tab_session_await_outcome(visit);
    json_t *result = hf_page_action_result(deed, from.told);
    json_object_set_new(result, "to", json_deep_copy(json_object_get(again.told, "element")));
    if (hf_json_bool(after, "changed", FALSE))
        json_object_set_new(result, "page_changed", json_true());
    hf_page_action_confirm(result, FALSE,
                           native ? "it was dropped there" : "the pointer has dragged it there");
    return result;
}
