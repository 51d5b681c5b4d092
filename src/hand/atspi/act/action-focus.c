/* SPDX-License-Identifier: Apache-2.0 */
/* Focuses an element: its window first, since a program reports "focused" even in a background
 * window. */
#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/act/element-input.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "shared/base/error.h"

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

const HfActStrategy hf_act_strategy_focus = {
    .is_done = is_focused,
    .by_atspi = focus_by_atspi,
    .by_input = focus_by_input,
    .seen = "it reports the focus, and its window has the focus",
};
