/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing one of several: entries of lists, trees and drop-down lists, page tabs. The target is
 * the entry, or what holds it together with the entry's name. */
#include <string.h>

#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/act/element-input.h"
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"

#define SELECTION "org.a11y.atspi.Selection"
/* How deep below a list its entries are: GTK 4 puts five boxes between. */
#define ENTRY_DEPTH 7
/* How long a list may take to drop down. */
#define DROP_MS 1000
/* And the focus to get from one entry to the next. */
#define STEP_MS 60

/* ---- finding the entry ---- */

/* Its own name, or that of the label that is all it has. */
static gboolean entry_has_name(const HfElement *entry, const char *name)
{
    return strcmp(entry->name, name) == 0;
}

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

/* Asked live, since lists that are folded show none of their entries. */
static HfElement *find_choice_below(const HfElement *holder, const char *name, int depth,
                                    GPtrArray *others)
{
    g_auto(GStrv) paths = hf_element_dup_children(holder, NULL);
    for (char **path = paths; path && *path; path++) {
        g_autoptr(HfElement) child = hf_element_new_by_path(holder, *path);
        if (!child)
            continue;
        if (is_choice_role(child->role) && entry_has_name(child, name))
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

static gboolean fail_unknown_choice(const HfElementAction *deed, const GPtrArray *others,
                                    GError **error)
{
    g_autofree char *title = hf_element_dup_title(deed->element);
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "%s has no entry '%s'", title, deed->value);
    json_t *entries = json_array();
    for (guint i = 0; i < others->len; i++)
        json_array_append_new(entries, hf_json_text(others->pdata[i]));
    hf_error_take_details(error, json_pack("{s:o}", "entries", entries));
    return FALSE;
}

/* ---- lists that drop down ---- */

static gboolean resolve_choice(HfElementAction *deed, GPtrArray *others)
{
    g_ptr_array_set_size(others, 0);
    deed->choice = find_choice_below(deed->element, deed->value, 0, others);
    return deed->choice != NULL;
}

/* GTK 4 keeps a button inside of it for that. */
static gboolean drop_down(HfElementAction *deed, GError **error)
{
    static const char *const names[] = {"press", "open", "ShowMenu", "click", NULL};
    gboolean done = FALSE;
    if (!hf_element_do_action(deed->element, names, &done, NULL) || !done) {
        g_auto(GStrv) paths = hf_element_dup_children(deed->element, NULL);
        for (char **path = paths; path && *path && !done; path++) {
            g_autoptr(HfElement) child = hf_element_new_by_path(deed->element, *path);
            if (child && child->role == HF_ROLE_BUTTON)
                hf_element_do_action(child, names, &done, NULL);
        }
    }
    return done || hf_element_click(deed->element, HF_BUTTON_LEFT, &deed->point, error);
}

static void fold_again(HfElementAction *deed)
{
    static const char *const keys[] = {"Escape", NULL};
    hf_element_press_keys(deed->element, keys, NULL);
}

/* ---- done? ---- */

/* The selection of what the entry is in, or of the drop-down list around that. */
static HfElement *dup_holder(const HfElementAction *deed)
{
    if (deed->choice != NULL && (deed->element->abilities & HF_ABILITY_SELECTION))
        return hf_element_new_by_path(deed->element, deed->element->path);
    const HfElement *entry = deed->choice ? deed->choice : deed->element;
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

static gboolean is_in_front(const HfElement *entry)
{
    if (hf_states_have(entry->states, HF_STATE_SELECTED))
        return TRUE;
    return entry->role == HF_ROLE_PAGE_TAB && entry->habits->tab_in_front_is_focused &&
           hf_states_have(entry->states, HF_STATE_FOCUSED);
}

/* A drop-down list says what it shows in one of these ways. */
static gboolean shows_value(const HfElementAction *deed)
{
    g_autoptr(HfElement) again = hf_element_new_by_path(deed->element, deed->element->path);
    if (!again || again->role != HF_ROLE_COMBO_BOX || !deed->value)
        return FALSE;
    if (strcmp(again->name, deed->value) == 0)
        return TRUE;
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(HfElement) label = find_choice_below(again, deed->value, 0, others);
    return label && label->role == HF_ROLE_LABEL && others->len <= 1;
}

static gboolean says_selected(const HfElementAction *deed)
{
    const HfElement *entry = deed->choice ? deed->choice : deed->element;
    g_autoptr(HfElement) holder = dup_holder(deed);
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

static gboolean is_selected(HfElementAction *deed, gboolean *ret_holds, GError **error)
{
    HfElement *entry = deed->choice ? deed->choice : deed->element;
    gboolean there = hf_element_refresh_states(entry, deed->value ? NULL : error);
    *ret_holds = shows_value(deed);
    if (there && (!deed->value || deed->choice))
        *ret_holds = *ret_holds || is_in_front(entry) || says_selected(deed);
    return there || deed->value;
}

/* ---- ways ---- */

static gboolean select_by_order(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const select[] = {"select", NULL}, *const tab[] = {"press", NULL};
    HfElement *entry = deed->choice ? deed->choice : deed->element;
    *ret_done = FALSE;
    if (!hf_element_do_action(entry, entry->role == HF_ROLE_PAGE_TAB ? tab : select, ret_done,
                              NULL))
        *ret_done = FALSE;
    if (*ret_done)
        return TRUE;
    g_autoptr(HfElement) holder = dup_holder(deed);
    int place = holder ? hf_element_get_place_in_parent(entry) : -1;
    return place < 0 || hf_element_invoke(holder, SELECTION, "SelectChild",
                                          g_variant_new("(i)", place), ret_done, error);
}

/* Whether the entry that is meant is there to be clicked. */
static gboolean has_dropped(HfElement *element, gpointer data, gboolean *ret_holds, GError **error)
{
    HfElementAction *deed = data;
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    *ret_holds = (deed->choice || resolve_choice(deed, others)) &&
                 (deed->element->habits->popups_by_keys || hf_element_has_popped_up(deed->choice));
    return hf_deadline_check(element->deadline, error);
}

/* Down from entry to entry until the one that is meant has the focus. */
static gboolean go_to_entry(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    static const char *const first[] = {"Home", NULL}, *const next[] = {"Down", NULL};
    static const char *const take[] = {"Return", NULL};
    for (int i = 0; i < HF_LIMIT_CHOICES; i++) {
        gboolean there = FALSE;
        if (!hf_element_press_keys(deed->element, i == 0 ? first : next, error) ||
            !hf_element_wait(deed->choice, hf_element_is_focused, NULL, STEP_MS, &there, error))
            return FALSE;
        *ret_done = there;
        if (there)
            return hf_element_press_keys(deed->element, take, error);
    }
    return hf_element_action_fail(deed, HF_ERROR_VERIFY_FAILED, "does not come to that entry",
                                  error);
}

static gboolean pick_dropped_choice(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    gboolean dropped = FALSE;
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    if (!hf_element_wait(deed->element, has_dropped, deed, DROP_MS, &dropped, error))
        return FALSE;
    if (!deed->choice && !resolve_choice(deed, others))
        return fail_unknown_choice(deed, others, error);
    return deed->element->habits->popups_by_keys ? go_to_entry(deed, ret_done, error)
                                                 : hf_act_attempt_click(deed, ret_done, error);
}

/* What was opened for nothing is folded again. */
static gboolean drop_and_click(HfElementAction *deed, gboolean *ret_done, GError **error)
{
    if (!hf_element_raise(deed->element, error) || !drop_down(deed, error))
        return FALSE;
    if (pick_dropped_choice(deed, ret_done, error))
        return TRUE;
    fold_again(deed);
    return FALSE;
}

static const HfActStrategy to_select = {
    .is_done = is_selected,
    .by_order = select_by_order,
    .by_hand = hf_act_attempt_click,
    .seen = "it was seen to be selected",
};

gboolean hf_act_strategy_for_select(HfElementAction *deed, HfActStrategy *ret_ways, GError **error)
{
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    gboolean drops = deed->element->role == HF_ROLE_COMBO_BOX;
    *ret_ways = to_select;
    if (deed->element->habits->clicks_items && deed->element->role != HF_ROLE_PAGE_TAB)
        ret_ways->by_order = NULL;
    if (drops && !deed->value)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "value: which entry is to be selected?");
    if (drops)
        ret_ways->by_hand = drop_and_click;
    if (!deed->value || resolve_choice(deed, others))
        return TRUE;
    ret_ways->by_order = NULL; /* some have entries only while they are open */
    return drops || fail_unknown_choice(deed, others, error);
}
