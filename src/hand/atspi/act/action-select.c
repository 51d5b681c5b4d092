/* SPDX-License-Identifier: Apache-2.0 */
/* Selects one of several: entries of lists, trees and drop-down lists, page tabs. The target is the
 * entry itself, or its container together with the entry's name. */
#include <string.h>

#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/act/element-input.h"
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"

#define SELECTION "org.a11y.atspi.Selection"
/* How deep entries may be below their list: GTK 4 puts five boxes in between. */
#define ENTRY_DEPTH 7
/* How long a list may take to drop down. */
#define DROP_MS 1000
/* How long the focus may take to move to the next entry. */
#define STEP_MS 60

/* ---- finding the entry ---- */

static gboolean is_choice_role(int role)
{
    switch (role) {
    case HF_ROLE_LIST_ITEM:
    case HF_ROLE_MENU_ITEM:
    case HF_ROLE_PAGE_TAB:
    case HF_ROLE_TABLE_CELL:
    case HF_ROLE_TABLE_ROW:
    case HF_ROLE_TREE_ITEM:
    case HF_ROLE_LABEL:
        return TRUE;
    default:
        return FALSE;
    }
}

/* Queries the program, since the tree of a closed list has no entries. */
static HfElement *find_choice_below(const HfElement *holder, const char *name, int depth,
                                    GPtrArray *others)
{
    g_auto(GStrv) paths = hf_element_dup_children(holder, NULL);
    for (char **path = paths; path && *path; path++) {
        g_autoptr(HfElement) child = hf_element_new_by_path(holder, *path);
        if (!child)
            continue;
        if (is_choice_role(child->role) && strcmp(child->name, name) == 0)
            return g_steal_pointer(&child);
        if (is_choice_role(child->role) && *child->name && others->len < HF_LIMIT_CANDIDATES)
            g_ptr_array_add(others, g_strdup(child->name));
        HfElement *below =
            depth < ENTRY_DEPTH ? find_choice_below(child, name, depth + 1, others) : NULL;
        if (below && below->role == HF_ROLE_LABEL && is_choice_role(child->role)) {
            hf_element_free(below);
            return g_steal_pointer(&child);
        }
        if (below)
            return below;
    }
    return NULL;
}

static gboolean fail_unknown_choice(const HfElementAction *action, const GPtrArray *others,
                                    GError **error)
{
    g_autofree char *title = hf_element_dup_title(action->element);
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "%s has no entry '%s'", title,
            action->value);
    json_t *entries = json_array();
    for (guint i = 0; i < others->len; i++)
        json_array_append_new(entries, hf_json_text(others->pdata[i]));
    hf_error_take_details(error, json_pack("{s:o}", "entries", entries));
    return FALSE;
}

/* ---- drop-down lists ---- */

static gboolean resolve_choice(HfElementAction *action, GPtrArray *others)
{
    g_ptr_array_set_size(others, 0);
    action->choice = find_choice_below(action->element, action->value, 0, others);
    return action->choice != NULL;
}

/* GTK 4 has a button inside for that. */
static gboolean drop_down(HfElementAction *action, GError **error)
{
    static const char *const names[] = {"press", "open", "ShowMenu", "click", NULL};
    gboolean done = FALSE;
    if (!hf_element_do_action(action->element, names, &done, NULL) || !done) {
        g_auto(GStrv) paths = hf_element_dup_children(action->element, NULL);
        for (char **path = paths; path && *path && !done; path++) {
            g_autoptr(HfElement) child = hf_element_new_by_path(action->element, *path);
            if (child && child->role == HF_ROLE_BUTTON)
                hf_element_do_action(child, names, &done, NULL);
        }
    }
    return done || hf_element_click(action->element, HF_BUTTON_LEFT, &action->point, error);
}

/* ---- checks ---- */

/* The container with the Selection interface, or the drop-down list around it. */
static HfElement *dup_holder(const HfElementAction *action)
{
    if (action->choice != NULL && (action->element->abilities & HF_ABILITY_SELECTION))
        return hf_element_new_by_path(action->element, action->element->path);
    const HfElement *entry = action->choice ? action->choice : action->element;
    for (int index = entry->index; index != HF_NODE_NONE;) {
        const HfNode *node = hf_tree_get(entry->tree, index);
        index = node->parent;
        if (index == HF_NODE_NONE)
            break;
        const HfNode *parent = hf_tree_get(entry->tree, index);
        if (parent->abilities & HF_ABILITY_SELECTION &&
            (parent->role != HF_ROLE_MENU || parent->parent == HF_NODE_NONE ||
             hf_tree_get(entry->tree, parent->parent)->role != HF_ROLE_COMBO_BOX))
            return hf_element_new_at(entry, index);
    }
    return NULL;
}

/* Toolkits report the shown entry of a drop-down list in one of these ways. */
static gboolean shows_value(const HfElementAction *action)
{
    g_autoptr(HfElement) again = hf_element_new_by_path(action->element, action->element->path);
    if (!again || again->role != HF_ROLE_COMBO_BOX || !action->value)
        return FALSE;
    if (strcmp(again->name, action->value) == 0)
        return TRUE;
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(HfElement) label = find_choice_below(again, action->value, 0, others);
    return label && label->role == HF_ROLE_LABEL && others->len <= 1;
}

static gboolean says_selected(const HfElementAction *action)
{
    const HfElement *entry = action->choice ? action->choice : action->element;
    g_autoptr(HfElement) holder = dup_holder(action);
    int place = holder ? hf_element_get_place_in_parent(entry) : -1;
    gboolean yes = FALSE;
    if (place < 0)
        return FALSE;
    g_autoptr(GVariant) reply = hf_element_query(holder, SELECTION, "IsChildSelected",
                                                 g_variant_new("(i)", place), "(b)", NULL);
    if (reply)
        g_variant_get(reply, "(b)", &yes);
    return yes;
}

static gboolean is_selected(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    HfElement *entry = action->choice ? action->choice : action->element;
    gboolean there = hf_element_refresh_states(entry, action->value ? NULL : error);
    gboolean tab_in_front = entry->role == HF_ROLE_PAGE_TAB &&
                            entry->quirks->tab_in_front_is_focused &&
                            hf_states_have(entry->states, HF_STATE_FOCUSED);
    *ret_holds = shows_value(action);
    if (there && (!action->value || action->choice))
        *ret_holds = *ret_holds || hf_states_have(entry->states, HF_STATE_SELECTED) ||
                     tab_in_front || says_selected(action);
    return there || action->value;
}

/* ---- attempts ---- */

static gboolean select_by_atspi(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const select[] = {"select", NULL}, *const tab[] = {"press", NULL};
    HfElement *entry = action->choice ? action->choice : action->element;
    *ret_done = FALSE;
    if (!hf_element_do_action(entry, entry->role == HF_ROLE_PAGE_TAB ? tab : select, ret_done,
                              NULL))
        *ret_done = FALSE;
    if (*ret_done)
        return TRUE;
    g_autoptr(HfElement) holder = dup_holder(action);
    int place = holder ? hf_element_get_place_in_parent(entry) : -1;
    return place < 0 || hf_element_invoke(holder, SELECTION, "SelectChild",
                                          g_variant_new("(i)", place), ret_done, error);
}

/* Whether the entry is there to be clicked. */
static gboolean has_dropped(HfElement *element, gpointer data, gboolean *ret_holds, GError **error)
{
    HfElementAction *action = data;
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    *ret_holds =
        (action->choice || resolve_choice(action, others)) &&
        (action->element->quirks->popups_by_keys || hf_element_has_popped_up(action->choice));
    return hf_deadline_check(element->deadline, error);
}

/* Goes down from entry to entry until the wanted one has the focus. */
static gboolean move_focus_to_entry(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const first[] = {"Home", NULL}, *const next[] = {"Down", NULL};
    static const char *const take[] = {"Return", NULL};
    for (int i = 0; i < HF_LIMIT_CHOICES; i++) {
        gboolean there = FALSE;
        if (!hf_element_press_keys(action->element, i == 0 ? first : next, error) ||
            !hf_element_wait(action->choice, hf_element_is_focused, NULL, STEP_MS, &there, error))
            return FALSE;
        *ret_done = there;
        if (there)
            return hf_element_press_keys(action->element, take, error);
    }
    return hf_element_action_fail(action, HF_ERROR_VERIFY_FAILED,
                                  "does not move to the entry by the arrow keys", error);
}

static gboolean pick_dropped_choice(HfElementAction *action, gboolean *ret_done, GError **error)
{
    gboolean dropped = FALSE;
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    if (!hf_element_wait(action->element, has_dropped, action, DROP_MS, &dropped, error))
        return FALSE;
    if (!action->choice && !resolve_choice(action, others))
        return fail_unknown_choice(action, others, error);
    return action->element->quirks->popups_by_keys ? move_focus_to_entry(action, ret_done, error)
                                                   : hf_act_attempt_click(action, ret_done, error);
}

/* Closes the list again on failure. */
static gboolean drop_and_click(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const escape[] = {"Escape", NULL};
    if (!hf_element_raise(action->element, error) || !drop_down(action, error))
        return FALSE;
    if (pick_dropped_choice(action, ret_done, error))
        return TRUE;
    hf_element_press_keys(action->element, escape, NULL);
    return FALSE;
}

static const HfActStrategy to_select = {
    .is_done = is_selected,
    .by_atspi = select_by_atspi,
    .by_input = hf_act_attempt_click,
    .seen = "its selection was read back",
};

gboolean hf_act_strategy_for_select(HfElementAction *action, HfActStrategy *ret_strategy,
                                    GError **error)
{
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    gboolean drops = action->element->role == HF_ROLE_COMBO_BOX;
    *ret_strategy = to_select;
    if (action->element->quirks->clicks_items && action->element->role != HF_ROLE_PAGE_TAB)
        ret_strategy->by_atspi = NULL;
    if (drops && !action->value)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "value: give the entry to select");
    if (drops)
        ret_strategy->by_input = drop_and_click;
    if (!action->value || resolve_choice(action, others))
        return TRUE;
    ret_strategy->by_atspi = NULL; /* some lists have entries only while they are open */
    return drops || fail_unknown_choice(action, others, error);
}
