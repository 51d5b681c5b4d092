/* SPDX-License-Identifier: Apache-2.0 */
/* Check, try by an accessibility call, check, try by input, check. The goal is always a state to
 * reach, never a change to repeat: so a second attempt may follow a first that was not seen to
 * work.
 */
#include "hand/atspi/act/element-action.h"

#include <string.h>

#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/act/element-input.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "shared/base/error.h"

/* ---- focusing: the window first, since a program reports "focused" even in the background ---- */

/* How many elements the tab key may pass. */
#define STEPS   64
#define STEP_MS 200

static gboolean window_has_focus(const HfElement *element)
{
    if (!element->window)
        return TRUE;
    g_autoptr(GPtrArray) windows = hf_windows_list(element->desktop, NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    return focused && focused->id == element->window;
}

static gboolean is_focused(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    if (!hf_element_refresh_states(action->element, error))
        return FALSE;
    *ret_holds = hf_states_have(action->element->states, HF_STATE_FOCUSED) &&
                 window_has_focus(action->element);
    return TRUE;
}

static gboolean focus_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    *ret_done = FALSE;
    if (!action->element->quirks->grabs_focus)
        return hf_element_raise(action->element, error);
    return hf_element_raise(action->element, error) &&
           hf_element_invoke(action->element, HF_ATSPI_COMPONENT, "GrabFocus", NULL, ret_done,
                             error);
}

/* ---- by the tab key ---- */

static gboolean test_focused(HfElement *element, gpointer data, gboolean *ret_holds, GError **error)
{
    return is_focused(data, ret_holds, error);
}

/* Tab or shift+tab, whichever is nearer. In a multi-line text, tab alone is a character. */
static const char *const *choose_keys(const HfElement *element, gboolean *back)
{
    static const char *const next[] = {"Tab", NULL}, *const last[] = {"shift", "Tab", NULL};
    static const char *const over[] = {"ctrl", "Tab", NULL};
    static const char *const over_back[] = {"ctrl", "shift", "Tab", NULL};
    int focused = hf_tree_size(element->tree) - 1;
    while (focused >= 0 &&
           !hf_states_have(hf_tree_get(element->tree, focused)->states, HF_STATE_FOCUSED))
        focused--;
    if (focused < 0)
        return *back ? last : next;
    if (element->index != HF_NODE_NONE)
        *back = element->index < focused;
    if (hf_states_have(hf_tree_get(element->tree, focused)->states, HF_STATE_MULTI_LINE))
        return *back ? over_back : over;
    return *back ? last : next;
}

static gboolean focus_by_tab(HfElementAction *action, gboolean *ret_done, GError **error)
{
    gboolean back = FALSE;
    for (int i = 0; i < STEPS && !*ret_done; i++) {
        if (!hf_element_reread(action->element, error) ||
            !hf_element_press_keys(action->element, choose_keys(action->element, &back), error) ||
            !hf_element_wait(action->element, test_focused, action, STEP_MS / 4, ret_done, error))
            return FALSE;
    }
    return TRUE;
}

/* A click into a text only places the caret; on anything else it would do more. */
static gboolean focus_by_input(HfElementAction *action, gboolean *ret_done, GError **error)
{
    *ret_done = FALSE;
    if (!hf_states_have(action->element->states, HF_STATE_FOCUSABLE))
        return hf_element_action_fail(action, HF_ERROR_PRECONDITION_FAILED, "cannot be focused",
                                      error);
    if (hf_states_have(action->element->states, HF_STATE_EDITABLE))
        return hf_act_attempt_click(action, ret_done, error);
    return hf_element_raise(action->element, error) && focus_by_tab(action, ret_done, error);
}

gboolean hf_act_attempt_focus(HfElementAction *action, gboolean *ret_done, GError **error)
{
    gboolean asked = FALSE;
    if (!is_focused(action, ret_done, error) || *ret_done)
        return *ret_done;
    if (!focus_by_atspi(action, &asked, NULL))
        asked = FALSE;
    if (asked && !hf_element_wait(action->element, test_focused, action, STEP_MS, ret_done, error))
        return FALSE;
    return *ret_done ||
           (focus_by_input(action, &asked, error) &&
            hf_element_wait(action->element, test_focused, action, STEP_MS, ret_done, error));
}

static const HfActStrategy focus_strategy = {
    .is_done = is_focused,
    .by_atspi = focus_by_atspi,
    .by_input = focus_by_input,
    .seen = "it reports the focus, and its window has the focus",
};

/* How long a program may take until the outcome is seen. */
#define SEEN_MS 1000

static const char *const act_names[HF_ACT_COUNT] = {
    [HF_ACT_PRESS] = "press",
    [HF_ACT_TOGGLE] = "toggle",
    [HF_ACT_CHECK] = "check",
    [HF_ACT_UNCHECK] = "uncheck",
    [HF_ACT_SET_VALUE] = "set_value",
    [HF_ACT_SELECT] = "select",
    [HF_ACT_EXPAND] = "expand",
    [HF_ACT_COLLAPSE] = "collapse",
    [HF_ACT_SCROLL_INTO_VIEW] = "scroll_into_view",
    [HF_ACT_INCREMENT] = "increment",
    [HF_ACT_DECREMENT] = "decrement",
    [HF_ACT_SHOW_MENU] = "show_menu",
    [HF_ACT_FOCUS] = "focus",
};

const char *hf_act_name(HfAct act)
{
    return act_names[act];
}

const char *hf_act_method_name(HfActMethod way)
{
    static const char *const names[] = {"structure", "structure", "pixels"};
    return names[way];
}

void hf_element_action_clear(HfElementAction *action)
{
    g_clear_pointer(&action->choice, hf_element_free);
    g_clear_pointer(&action->seen, g_free);
    g_clear_pointer(&action->before, g_free);
}

gboolean hf_element_action_fail(const HfElementAction *action, int code, const char *what,
                                GError **error)
{
    g_autofree char *title = hf_element_dup_title(action->element);
    return hf_fail(error, (HfErrorCode)code, "%s %s", title, what);
}

/* ---- shared by several acts ---- */

gboolean hf_act_attempt_click(HfElementAction *action, gboolean *ret_done, GError **error)
{
    HfElement *at = action->choice ? action->choice : action->element;
    *ret_done = hf_element_click(at, HF_BUTTON_LEFT, &action->point, error);
    action->pointed |= *ret_done;
    return *ret_done;
}

/* ---- pressing ---- */

/* A field is clicked: its "activate" is the enter key. */
static gboolean press_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {"click",  "press",     "activate",      "jump",
                                        "open",   "toggle",    "check",         "uncheck",
                                        "select", "doDefault", "clickAncestor", NULL};
    *ret_done = FALSE;
    if (hf_states_have(action->element->states, HF_STATE_EDITABLE) ||
        (action->element->quirks->clicks_items &&
         hf_states_have(action->element->states, HF_STATE_SELECTABLE)))
        return TRUE;
    return hf_element_do_action(action->element, names, ret_done, error);
}

/* ---- check and toggle ---- */

static gboolean is_on(const HfElement *element)
{
    return hf_states_have(element->states, HF_STATE_CHECKED) ||
           (element->quirks->pressed_is_on && hf_states_have(element->states, HF_STATE_PRESSED));
}

static gboolean has_wanted_check(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    if (!hf_element_refresh_states(action->element, error))
        return FALSE;
    *ret_holds = is_on(action->element) == action->wanted;
    return TRUE;
}

static gboolean check_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {"toggle", "click", "check", "uncheck", "press", NULL};
    return hf_element_do_action(action->element, names, ret_done, error);
}

/* ---- expand and collapse ---- */

static gboolean is_expanded(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    if (!hf_element_refresh_states(action->element, error))
        return FALSE;
    *ret_holds = hf_states_have(action->element->states, HF_STATE_EXPANDED) == action->wanted;
    return TRUE;
}

/* Not "toggle", which selects in Qt. */
static gboolean expand_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {
        "expand or contract", "expand", "collapse", "activate", "press", "open", "click", NULL};
    return hf_element_do_action(action->element, names, ret_done, error);
}

/* A click selects a tree item, and the arrow keys expand or collapse it. */
static gboolean expand_by_input(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const open[] = {"Right", NULL}, *const close[] = {"Left", NULL};
    if (!hf_act_attempt_click(action, ret_done, error))
        return FALSE;
    if (!hf_states_have(action->element->states, HF_STATE_SELECTABLE))
        return TRUE;
    return hf_element_press_keys(action->element, action->wanted ? open : close, error);
}

/* ---- increment and decrement ---- */

static gboolean has_value_stepped(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    double number;
    if (!hf_element_get_number(action->element, "CurrentValue", &number, error))
        return FALSE;
    *ret_holds =
        action->act == HF_ACT_INCREMENT ? number > action->number : number < action->number;
    return TRUE;
}

static gboolean step_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const up[] = {"increase", "increment", NULL};
    static const char *const down[] = {"decrease", "decrement", NULL};
    double step = 0;
    *ret_done = FALSE;
    if (action->element->quirks->steps_by_keys && action->element->role == HF_ROLE_SPIN_BUTTON)
        return TRUE;
    if (!hf_element_do_action(action->element, action->act == HF_ACT_INCREMENT ? up : down,
                              ret_done, error) ||
        *ret_done)
        return *ret_done;
    if (!hf_element_get_number(action->element, "MinimumIncrement", &step, NULL) || step <= 0)
        return TRUE;
    if (action->act == HF_ACT_DECREMENT)
        step = -step;
    *ret_done = hf_element_set(action->element, HF_ATSPI_VALUE, "CurrentValue",
                               g_variant_new_double(action->number + step), error);
    return *ret_done;
}

static gboolean step_by_input(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const up[] = {"Up", NULL}, *const down[] = {"Down", NULL};
    static const char *const right[] = {"Right", NULL}, *const left[] = {"Left", NULL};
    gboolean more = action->act == HF_ACT_INCREMENT;
    const char *const *keys =
        action->element->role == HF_ROLE_SLIDER ? (more ? right : left) : (more ? up : down);
    if (!hf_act_attempt_focus(action, ret_done, error) || !*ret_done)
        return *ret_done;
    return hf_element_press_keys(action->element, keys, error);
}

/* ---- menus ---- */

static gboolean show_menu_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {"showContextMenu", "ShowMenu", NULL};
    return hf_element_do_action(action->element, names, ret_done, error);
}

static gboolean show_menu_by_input(HfElementAction *action, gboolean *ret_done, GError **error)
{
    *ret_done = hf_element_click(action->element, HF_BUTTON_RIGHT, &action->point, error);
    action->pointed |= *ret_done;
    return *ret_done;
}

/* ---- strategies ---- */

static const HfActStrategy press = {
    .by_atspi = press_by_atspi,
    .by_input = hf_act_attempt_click,
};
static const HfActStrategy check = {
    .is_done = has_wanted_check,
    .by_atspi = check_by_atspi,
    .by_input = hf_act_attempt_click,
    .seen = "its state was read back",
};
static const HfActStrategy expand = {
    .is_done = is_expanded,
    .by_atspi = expand_by_atspi,
    .by_input = expand_by_input,
    .seen = "its state was read back",
};
static const HfActStrategy step = {
    .is_done = has_value_stepped,
    .by_atspi = step_by_atspi,
    .by_input = step_by_input,
    .seen = "its number was read back",
};
static const HfActStrategy show_menu = {
    .by_atspi = show_menu_by_atspi,
    .by_input = show_menu_by_input,
};

static gboolean choose_strategy(HfElementAction *action, HfActStrategy *ret_strategy,
                                GError **error)
{
    action->wanted = TRUE;
    switch (action->act) {
    case HF_ACT_TOGGLE:
        action->wanted = !is_on(action->element);
        *ret_strategy = check;
        return TRUE;
    case HF_ACT_CHECK:
    case HF_ACT_UNCHECK:
        action->wanted = action->act == HF_ACT_CHECK;
        *ret_strategy = check;
        return TRUE;
    case HF_ACT_EXPAND:
    case HF_ACT_COLLAPSE:
        action->wanted = action->act == HF_ACT_EXPAND;
        *ret_strategy = expand;
        return TRUE;
    case HF_ACT_SET_VALUE:
        return hf_act_strategy_for_set(action, ret_strategy, error);
    case HF_ACT_SELECT:
        return hf_act_strategy_for_select(action, ret_strategy, error);
    case HF_ACT_SCROLL_INTO_VIEW:
        *ret_strategy = hf_act_strategy_scroll;
        return TRUE;
    case HF_ACT_INCREMENT:
    case HF_ACT_DECREMENT:
        *ret_strategy = step;
        if (!(action->element->abilities & HF_ABILITY_VALUE))
            return hf_element_action_fail(action, HF_ERROR_UNSUPPORTED, "has no number", error);
        return hf_element_get_number(action->element, "CurrentValue", &action->number, error);
    case HF_ACT_FOCUS:
        *ret_strategy = focus_strategy;
        return TRUE;
    case HF_ACT_SHOW_MENU:
        *ret_strategy = show_menu;
        return TRUE;
    case HF_ACT_PRESS:
    case HF_ACT_COUNT:
        break;
    }
    *ret_strategy = press;
    return TRUE;
}

/* ---- running ---- */

typedef struct Looking {
    HfElementAction *action;
    HfActCheck is_done;
} Looking;

static gboolean check_action_done(HfElement *element, gpointer data, gboolean *ret_holds,
                                  GError **error)
{
    const Looking *looking = data;
    return looking->is_done(looking->action, ret_holds, error);
}

static gboolean wait_for_outcome(HfElementAction *action, const HfActStrategy *strategy,
                                 int most_ms, GError **error)
{
    Looking looking = {action, strategy->is_done};
    action->confirmed = FALSE;
    return !strategy->is_done || hf_element_wait(action->element, check_action_done, &looking,
                                                 most_ms, &action->confirmed, error);
}

static gboolean try_method(HfElementAction *action, const HfActStrategy *strategy, HfActMethod way,
                           gboolean *ret_tried, GError **error)
{
    g_autoptr(GError) failure = NULL;
    gboolean done = FALSE;
    HfActAttempt attempt = way == HF_ACT_METHOD_STRUCTURE ? strategy->by_atspi : strategy->by_input;
    if (!attempt)
        return TRUE;
    if (!attempt(action, &done, &failure)) {
        if (way == HF_ACT_METHOD_STRUCTURE && hf_error_code(failure) == HF_ERROR_UNSUPPORTED)
            return TRUE; /* input may still work */
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    if (!done)
        return TRUE;
    *ret_tried = TRUE;
    action->way = way;
    return wait_for_outcome(action, strategy, SEEN_MS, error);
}

/* A program whose window is covered may be slow (Chromium is). Its window is raised and checked
 * again first: acting once more by input could undo the first attempt. */
static gboolean recheck_in_front(HfElementAction *action, const HfActStrategy *strategy,
                                 GError **error)
{
    if (action->confirmed || !strategy->is_done || !strategy->by_input)
        return TRUE;
    return hf_element_raise(action->element, error) &&
           wait_for_outcome(action, strategy, SEEN_MS, error);
}

static gboolean try_methods(HfElementAction *action, const HfActStrategy *strategy, GError **error)
{
    gboolean tried = FALSE;
    for (HfActMethod way = HF_ACT_METHOD_STRUCTURE; way <= HF_ACT_METHOD_PIXELS; way++) {
        if (!try_method(action, strategy, way, &tried, error) ||
            (way == HF_ACT_METHOD_STRUCTURE && tried && !recheck_in_front(action, strategy, error)))
            return FALSE;
        if (action->confirmed || (tried && !strategy->is_done))
            return TRUE;
    }
    g_autofree char *what =
        g_strdup_printf("was asked to %s, but did not do so", hf_act_name(action->act));
    return tried ? hf_element_action_fail(action, HF_ERROR_VERIFY_FAILED, what, error)
                 : hf_element_action_fail(action, HF_ERROR_UNSUPPORTED, "does not support this",
                                          error);
}

/* Toolkits accept calls to a disabled element, and do nothing. */
static gboolean check_usable(HfElementAction *action, GError **error)
{
    guint64 states;
    if (!hf_element_refresh_states(action->element, error))
        return FALSE;
    states = action->element->states;
    if (hf_states_have(states, HF_STATE_DEFUNCT))
        return hf_element_action_fail(action, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "no longer exists",
                                      error);
    if (!hf_states_are_enabled(states) && action->act != HF_ACT_SCROLL_INTO_VIEW)
        return hf_element_action_fail(action, HF_ERROR_PRECONDITION_FAILED, "is disabled", error);
    return TRUE;
}

/* A painted element takes pointer and keys only, and nothing can be read back. */
static gboolean act_on_painted(HfElementAction *action, GError **error)
{
    gboolean done;
    action->way = HF_ACT_METHOD_PIXELS;
    switch (action->act) {
    case HF_ACT_PRESS:
    case HF_ACT_FOCUS:
        return hf_act_attempt_click(action, &done, error);
    case HF_ACT_SHOW_MENU:
        return show_menu_by_input(action, &done, error);
    default:
        return hf_element_fail_painted(action->element, error);
    }
}

gboolean hf_element_action_run(HfElementAction *action, GError **error)
{
    HfActStrategy strategy;
    if (hf_element_is_painted(action->element))
        return act_on_painted(action, error);
    if (!check_usable(action, error) || !choose_strategy(action, &strategy, error))
        return FALSE;
    if (action->act != HF_ACT_TOGGLE && action->act != HF_ACT_INCREMENT &&
        action->act != HF_ACT_DECREMENT && !wait_for_outcome(action, &strategy, 0, error))
        return FALSE;
    if (!action->confirmed && !try_methods(action, &strategy, error))
        return FALSE;
    if (action->confirmed)
        action->seen =
            g_strdup(action->way == HF_ACT_METHOD_NONE ? "it was so already" : strategy.seen);
    return TRUE;
}
