/* SPDX-License-Identifier: Apache-2.0 */
/* A box in the wanted state is not clicked: that would undo it. */
#include "hand/locate/painted-toggle.h"

#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/fused-tree.h"
#include "shared/base/error.h"

/* How long its program may take to repaint it. */
#define SEEN_MS 2000

gboolean hf_painted_toggle_applies(const HfElementAction *action)
{
    gboolean ticks = action->act == HF_ACT_TOGGLE || action->act == HF_ACT_CHECK ||
                     action->act == HF_ACT_UNCHECK;
    return ticks && hf_element_is_painted(action->element) &&
           (action->element->role == HF_ROLE_CHECK_BOX ||
            action->element->role == HF_ROLE_RADIO_BUTTON ||
            action->element->role == HF_ROLE_SWITCH);
}

/* Reads its state again. FALSE only when the call must end; a box that is not found for a moment
 * keeps its state. */
static gboolean refresh_painted_element(HfElement *element, GError **error)
{
    HfFusedScope scope = {.access = {.window = element->window}, .pixels = HF_PIXELS_ALWAYS};
    g_autoptr(HfTree) now = hf_fused_tree_read(element->context, &scope, element->deadline, error);
    int index;
    if (!now)
        return FALSE;
    HfReidentified again = hf_fingerprint_find(element->tree, element->index, now, &index);
    if (again == HF_REIDENTIFIED_SAME || again == HF_REIDENTIFIED_MOVED) {
        element->states = hf_tree_get(now, index)->states;
        hf_tree_unref(element->tree);
        element->tree = g_steal_pointer(&now);
        element->index = index;
    }
    return TRUE;
}

static gboolean is_in_wanted_state(const HfElementAction *action)
{
    return hf_states_have(action->element->states, HF_STATE_CHECKED) == action->wanted;
}

static gboolean is_wanted_state_shown(HfElement *element, gpointer data, gboolean *ret_holds,
                                      GError **error)
{
    if (!refresh_painted_element(element, error))
        return FALSE;
    *ret_holds = is_in_wanted_state(data);
    return TRUE;
}

gboolean hf_painted_toggle_do(HfElementAction *action, GError **error)
{
    gboolean done;
    action->wanted = action->act == HF_ACT_TOGGLE
                         ? !hf_states_have(action->element->states, HF_STATE_CHECKED)
                         : action->act == HF_ACT_CHECK;
    if (is_in_wanted_state(action)) {
        action->way = HF_ACT_METHOD_NONE;
        action->confirmed = TRUE;
        action->seen = g_strdup("it was so already");
        return TRUE;
    }
    action->way = HF_ACT_METHOD_PIXELS;
    if (!hf_act_attempt_click(action, &done, error) ||
        !hf_element_wait(action->element, is_wanted_state_shown, action, SEEN_MS,
                         &action->confirmed, error))
        return FALSE;
    if (!action->confirmed)
        return hf_element_action_fail(action, HF_ERROR_VERIFY_FAILED,
                                      "was clicked, but its picture does not show it", error);
    action->seen = g_strdup("its picture");
    return TRUE;
}
