/* SPDX-License-Identifier: Apache-2.0 */
/* Look, try by an order, look, try by hand, look. What is wanted is always a state to be reached,
 * never a change to be made twice: so a second way can follow a first that was not seen to work. */
#include "hand/atspi/act/element-action.h"

#include <string.h>

#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/act/element-input.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"

/* How long a program may take until it is seen that it did what it was told. */
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

void hf_element_action_clear(HfElementAction *deed)
{
    g_clear_pointer(&deed->choice, hf_element_free);
    g_clear_pointer(&deed->seen, g_free);
    g_clear_pointer(&deed->before, g_free);
}

gboolean hf_element_action_fail(const HfElementAction *deed, int code, const char *what,
                                GError **error)
{
    g_autofree char *title = hf_element_dup_title(deed->element);
    return hf_fail(error, (HfErrorCode)code, "%s %s", title, what);
}

/* ---- ways that several acts share ---- */

gboolean hf_act_attempt_click(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    HfElement *at = deed->choice ? deed->choice : deed->element;
    *ret_done = hf_element_click(at, HF_BUTTON_LEFT, &deed->point, error);
    deed->pointed |= *ret_done;
    return *ret_done;
}

static gboolean try_action_names(HfElementAction *deed, const char *const *names,
                                 gboolean *ret_done, GError **error)
{
    return hf_element_do_action(deed->element, names, ret_done, error);
}

/* ---- pressing ---- */

/* Fields are clicked: "activate" would be their enter key. */
static gboolean press_by_order(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {"click",  "press",     "activate",      "jump",
                                        "open",   "toggle",    "check",         "uncheck",
                                        "select", "doDefault", "clickAncestor", NULL};
    *ret_done = FALSE;
    if (hf_states_have(deed->element->states, HF_STATE_EDITABLE) ||
        (deed->element->habits->clicks_items &&
         hf_states_have(deed->element->states, HF_STATE_SELECTABLE)))
        return TRUE;
    return try_action_names(deed, names, ret_done, error);
}

/* ---- what is on or off ---- */

static gboolean is_on(const HfElement *element)
{
    return hf_states_have(element->states, HF_STATE_CHECKED) ||
           (element->habits->pressed_is_on && hf_states_have(element->states, HF_STATE_PRESSED));
}

static gboolean has_wanted_check(HfElementAction *deed, gboolean *ret_holds, GError **error)
{
    if (!hf_element_refresh_states(deed->element, error))
        return FALSE;
    *ret_holds = is_on(deed->element) == deed->wanted;
    return TRUE;
}

static gboolean check_by_order(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {"toggle", "click", "check", "uncheck", "press", NULL};
    return try_action_names(deed, names, ret_done, error);
}

/* ---- what can be folded ---- */

static gboolean is_expanded(HfElementAction *deed, gboolean *ret_holds, GError **error)
{
    if (!hf_element_refresh_states(deed->element, error))
        return FALSE;
    *ret_holds = hf_states_have(deed->element->states, HF_STATE_EXPANDED) == deed->wanted;
    return TRUE;
}

/* Not "toggle", which selects in Qt. */
static gboolean expand_by_order(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {
        "expand or contract", "expand", "collapse", "activate", "press", "open", "click", NULL};
    return try_action_names(deed, names, ret_done, error);
}

/* An entry of a tree is selected by a click, and folded by the arrows. */
static gboolean expand_by_hand(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const open[] = {"Right", NULL}, *const close[] = {"Left", NULL};
    if (!hf_act_attempt_click(deed, ret_done, error))
        return FALSE;
    if (!hf_states_have(deed->element->states, HF_STATE_SELECTABLE))
        return TRUE;
    return hf_element_press_keys(deed->element, deed->wanted ? open : close, error);
}

/* ---- what goes up and down ---- */

static gboolean has_value_stepped(HfElementAction *deed, gboolean *ret_holds, GError **error)
{
    double number;
    if (!hf_element_get_number(deed->element, "CurrentValue", &number, error))
        return FALSE;
    *ret_holds = deed->act == HF_ACT_INCREMENT ? number > deed->number : number < deed->number;
    return TRUE;
}

static gboolean step_by_order(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const up[] = {"increase", "increment", NULL};
    static const char *const down[] = {"decrease", "decrement", NULL};
    double step = 0;
    *ret_done = FALSE;
    if (deed->element->habits->steps_by_keys && deed->element->role == HF_ROLE_SPIN_BUTTON)
        return TRUE;
    if (!try_action_names(deed, deed->act == HF_ACT_INCREMENT ? up : down, ret_done, error) ||
        *ret_done)
        return *ret_done;
    if (!hf_element_get_number(deed->element, "MinimumIncrement", &step, NULL) || step <= 0)
        return TRUE;
    if (deed->act == HF_ACT_DECREMENT)
        step = -step;
    *ret_done = hf_element_set(deed->element, HF_ATSPI_VALUE, "CurrentValue",
                               g_variant_new_double(deed->number + step), error);
    return *ret_done;
}

/* Up and down for spin buttons, right and left for sliders: "up" does either. */
static gboolean step_by_hand(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const up[] = {"Up", NULL}, *const down[] = {"Down", NULL};
    static const char *const right[] = {"Right", NULL}, *const left[] = {"Left", NULL};
    gboolean more = deed->act == HF_ACT_INCREMENT;
    const char *const *keys =
        deed->element->role == HF_ROLE_SLIDER ? (more ? right : left) : (more ? up : down);
    if (!hf_act_attempt_focus(deed, ret_done, error) || !*ret_done)
        return *ret_done;
    return hf_element_press_keys(deed->element, keys, error);
}

/* ---- menus ---- */

static gboolean show_menu_by_order(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const names[] = {"showContextMenu", "ShowMenu", NULL};
    return try_action_names(deed, names, ret_done, error);
}

static gboolean show_menu_by_hand(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    *ret_done = hf_element_click(deed->element, HF_BUTTON_RIGHT, &deed->point, error);
    deed->pointed |= *ret_done;
    return *ret_done;
}

/* ---- which ways ---- */

static const HfActStrategy press = {
    .by_order = press_by_order,
    .by_hand = hf_act_attempt_click,
};
static const HfActStrategy check = {
    .is_done = has_wanted_check,
    .by_order = check_by_order,
    .by_hand = hf_act_attempt_click,
    .seen = "its state was read back",
};
static const HfActStrategy expand = {
    .is_done = is_expanded,
    .by_order = expand_by_order,
    .by_hand = expand_by_hand,
    .seen = "its state was read back",
};
static const HfActStrategy step = {
    .is_done = has_value_stepped,
    .by_order = step_by_order,
    .by_hand = step_by_hand,
    .seen = "its number was read back",
};
static const HfActStrategy show_menu = {
    .by_order = show_menu_by_order,
    .by_hand = show_menu_by_hand,
};

static gboolean prepare_step(HfElementAction *deed, GError **error)
{
    if (!(deed->element->abilities & HF_ABILITY_VALUE))
        return hf_element_action_fail(deed, HF_ERROR_UNSUPPORTED, "has no number", error);
    return hf_element_get_number(deed->element, "CurrentValue", &deed->number, error);
}

static gboolean find_ways(HfElementAction *deed, HfActStrategy *ret_ways, GError **error)
{
    deed->wanted = TRUE;
    switch (deed->act) {
    case HF_ACT_TOGGLE:
        deed->wanted = !is_on(deed->element);
        *ret_ways = check;
        return TRUE;
    case HF_ACT_CHECK:
    case HF_ACT_UNCHECK:
        deed->wanted = deed->act == HF_ACT_CHECK;
        *ret_ways = check;
        return TRUE;
    case HF_ACT_EXPAND:
    case HF_ACT_COLLAPSE:
        deed->wanted = deed->act == HF_ACT_EXPAND;
        *ret_ways = expand;
        return TRUE;
    case HF_ACT_SET_VALUE:
        return hf_act_strategy_for_set(deed, ret_ways, error);
    case HF_ACT_SELECT:
        return hf_act_strategy_for_select(deed, ret_ways, error);
    case HF_ACT_SCROLL_INTO_VIEW:
        *ret_ways = hf_act_strategy_scroll;
        return TRUE;
    case HF_ACT_INCREMENT:
    case HF_ACT_DECREMENT:
        *ret_ways = step;
        return prepare_step(deed, error);
    case HF_ACT_FOCUS:
        *ret_ways = hf_act_strategy_focus;
        return TRUE;
    case HF_ACT_SHOW_MENU:
        *ret_ways = show_menu;
        return TRUE;
    case HF_ACT_PRESS:
    case HF_ACT_COUNT:
        break;
    }
    *ret_ways = press;
    return TRUE;
}

/* ---- doing it ---- */

typedef struct Looking {
    HfElementAction *deed;
    HfActCheck is_done;
} Looking;

static gboolean check_action_done(HfElement *element, gpointer data, gboolean *ret_holds,
                                  GError **error)
{
    const Looking *looking = data;
    return looking->is_done(looking->deed, ret_holds, error);
}

static gboolean wait_for_outcome(HfElementAction *deed, const HfActStrategy *ways, int most_ms,
                                 GError **error)
{
    Looking looking = {deed, ways->is_done};
    deed->confirmed = FALSE;
    return !ways->is_done || hf_element_wait(deed->element, check_action_done, &looking, most_ms,
                                             &deed->confirmed, error);
}

/* Whether the program's refusal leaves the way by hand open. */
static gboolean allows_pointer_fallback(const GError *error)
{
    HfErrorCode code = hf_error_code(error);
    return code == HF_ERROR_UNSUPPORTED;
}

static gboolean try_method(HfElementAction *deed, const HfActStrategy *ways, HfActMethod way,
                           gboolean *ret_tried, GError **error)
{
    g_autoptr(GError) failure = NULL;
    gboolean done = FALSE;
    HfActAttempt way_to = way == HF_ACT_METHOD_STRUCTURE ? ways->by_order : ways->by_hand;
    if (!way_to)
        return TRUE;
    if (!way_to(deed, &done, &failure)) {
        if (way == HF_ACT_METHOD_STRUCTURE && allows_pointer_fallback(failure))
            return TRUE;
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    if (!done)
        return TRUE;
    *ret_tried = TRUE;
    deed->way = way;
    return wait_for_outcome(deed, ways, SEEN_MS, error);
}

/* A program whose window is covered may take its time (Chromium does): what it was told must not be
 * undone by doing it once more by hand. */
static gboolean recheck_in_front(HfElementAction *deed, const HfActStrategy *ways, GError **error)
{
    if (deed->confirmed || !ways->is_done || !ways->by_hand)
        return TRUE;
    return hf_element_raise(deed->element, error) && wait_for_outcome(deed, ways, SEEN_MS, error);
}

static gboolean do_it(HfElementAction *deed, const HfActStrategy *ways, GError **error)
{
    gboolean tried = FALSE;
    for (HfActMethod way = HF_ACT_METHOD_STRUCTURE; way <= HF_ACT_METHOD_PIXELS; way++) {
        if (!try_method(deed, ways, way, &tried, error) ||
            (way == HF_ACT_METHOD_STRUCTURE && tried && !recheck_in_front(deed, ways, error)))
            return FALSE;
        if (deed->confirmed || (tried && !ways->is_done))
            return TRUE;
    }
    g_autofree char *what =
        g_strdup_printf("was told to %s, but it was not seen to be so", hf_act_name(deed->act));
    return tried ? hf_element_action_fail(deed, HF_ERROR_VERIFY_FAILED, what, error)
                 : hf_element_action_fail(deed, HF_ERROR_UNSUPPORTED, "cannot do that here", error);
}

/* Toolkits say "yes" to orders for what is disabled, and do nothing. */
static gboolean check_usable(HfElementAction *deed, GError **error)
{
    guint64 states;
    if (!hf_element_refresh_states(deed->element, error))
        return FALSE;
    states = deed->element->states;
    if (hf_states_have(states, HF_STATE_DEFUNCT))
        return hf_element_action_fail(deed, HF_ERROR_DESKTOP_STALE_SNAPSHOT,
                                      "is not there any more", error);
    if (!hf_states_are_enabled(states) && deed->act != HF_ACT_SCROLL_INTO_VIEW)
        return hf_element_action_fail(deed, HF_ERROR_PRECONDITION_FAILED, "is disabled", error);
    return TRUE;
}

/* There is nobody to be told, and nothing to be read back. */
static gboolean act_on_picture(HfElementAction *deed, GError **error)
{
    gboolean done;
    deed->way = HF_ACT_METHOD_PIXELS;
    switch (deed->act) {
    case HF_ACT_PRESS:
    case HF_ACT_FOCUS:
        return hf_act_attempt_click(deed, &done, error);
    case HF_ACT_SHOW_MENU:
        return show_menu_by_hand(deed, &done, error);
    default:
        return hf_element_fail_painted(deed->element, error);
    }
}

gboolean hf_element_action_run(HfElementAction *deed, GError **error)
{
    HfActStrategy ways;
    if (hf_element_is_painted(deed->element))
        return act_on_picture(deed, error);
    if (!check_usable(deed, error) || !find_ways(deed, &ways, error))
        return FALSE;
    if (deed->act != HF_ACT_TOGGLE && deed->act != HF_ACT_INCREMENT &&
        deed->act != HF_ACT_DECREMENT && !wait_for_outcome(deed, &ways, 0, error))
        return FALSE;
    if (!deed->confirmed && !do_it(deed, &ways, error))
        return FALSE;
    if (deed->confirmed)
        deed->seen = g_strdup(deed->way == HF_ACT_METHOD_NONE ? "it was so already" : ways.seen);
    return TRUE;
}
