/* SPDX-License-Identifier: Apache-2.0 */
/* Elements are known by their objects. A change of one that is restless, or lies in something that
 * is, says nothing. */
#include "hand/verify/element-changes.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/toolkit-quirks.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/atspi/tree/tree-difference.h"
#include "hand/verify/verify-limits.h"
#include "shared/base/json.h"

/* What has changed by itself is expected to do it again: for longer when it has done so twice. */
#define ONCE_US  (30 * G_USEC_PER_SEC)
#define TWICE_US (150 * G_USEC_PER_SEC)
/* What is drawn pressed may shift by less. */
#define MOVED_PX 4
/* A text of nearly the longest length may be a part of a longer one. */
#define CUT_SLACK 8
/* A caret that blinks is no wider. */
#define CARET_PX 3

/* States that change only because something is used: of these, nothing follows. */
static const guint64 passing = HF_STATE(HF_STATE_FOCUSED) | HF_STATE(HF_STATE_ACTIVE) |
                               HF_STATE(HF_STATE_BUSY) | HF_STATE(HF_STATE_PRESSED);
/* States that nothing but an action or its consequence sets. */
static const guint64 decided = HF_STATE(HF_STATE_CHECKED) | HF_STATE(HF_STATE_SELECTED) |
                               HF_STATE(HF_STATE_EXPANDED) | HF_STATE(HF_STATE_COLLAPSED) |
                               HF_STATE(HF_STATE_INDETERMINATE);

typedef struct Compare {
    HfTreeDifference *difference;
    const HfElementsTarget *aim;
    GHashTable *restless;
    int target; /* in `before`; HF_NODE_NONE: none */
    gint64 now_us;
    HfElementsChange *change;
} Compare;

typedef struct Habit {
    gint64 at_us;
    int times;
} Habit;

void hf_elements_change_clear(HfElementsChange *change)
{
    json_decref(change->elements);
    g_free(change->proof.text);
    *change = (HfElementsChange){0};
}

/* ---- what is restless ---- */

GHashTable *hf_elements_self_changing_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static char *dup_node_key(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return g_strconcat(hf_tree_get_program(tree, node->program)->bus, node->path, NULL);
}

static void count_self_change(GHashTable *restless, char *take_key, int times)
{
    const Habit *known = g_hash_table_lookup(restless, take_key);
    Habit habit = {g_get_monotonic_time(), times + (known ? known->times : 0)};
    g_hash_table_replace(restless, take_key, g_memdup2(&habit, sizeof habit));
}

static void note_self_changing_node(GHashTable *restless, const HfTree *tree, int index)
{
    if (index != HF_NODE_NONE)
        count_self_change(restless, dup_node_key(tree, index), 1);
}

static gboolean is_over(gpointer key, gpointer data, gpointer now_us)
{
    const Habit *habit = data;
    return habit->at_us + (habit->times > 1 ? TWICE_US : ONCE_US) < *(gint64 *)now_us;
}

/* What comes and goes has another object each time: it is known by what it is in. */
void hf_elements_note_self_changing(GHashTable *restless, HfTree *before, HfTree *now)
{
    gint64 now_us = g_get_monotonic_time();
    g_hash_table_foreach_remove(restless, is_over, &now_us);
    g_autoptr(HfTreeDifference) difference = hf_tree_difference_new(before, now);
    for (guint i = 0; i < difference->altered->len; i++)
        note_self_changing_node(restless, now,
                                g_array_index(difference->altered, HfAltered, i).now);
    for (guint i = 0; i < difference->added->len; i++)
        note_self_changing_node(restless, now,
                                hf_tree_get(now, g_array_index(difference->added, int, i))->parent);
    for (guint i = 0; i < difference->gone->len; i++)
        note_self_changing_node(
            restless, before, hf_tree_get(before, g_array_index(difference->gone, int, i))->parent);
}

static GHashTable *altered_keys(HfTree *before, HfTree *now)
{
    GHashTable *keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(HfTreeDifference) difference = hf_tree_difference_new(before, now);
    for (guint i = 0; i < difference->altered->len; i++)
        g_hash_table_add(keys,
                         dup_node_key(now, g_array_index(difference->altered, HfAltered, i).now));
    return keys;
}

void hf_elements_note_again(GHashTable *restless, HfTree *before, HfTree *meanwhile, HfTree *now)
{
    g_autoptr(GHashTable) once = altered_keys(before, meanwhile);
    g_autoptr(GHashTable) again = altered_keys(meanwhile, now);
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, again);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        if (g_hash_table_contains(once, key))
            count_self_change(restless, g_strdup(key), 2);
}

static gboolean is_known_self_changing(const Compare *compare, const HfTree *tree, int index)
{
    g_autofree char *key = dup_node_key(tree, index);
    return g_hash_table_contains(compare->restless, key);
}

/* Itself, or for one that came or went what it is in. */
static gboolean is_self_changing_node(const Compare *compare, const HfTree *tree, int index,
                                      gboolean itself)
{
    int parent = hf_tree_get(tree, index)->parent;
    return itself ? is_known_self_changing(compare, tree, index)
                  : parent != HF_NODE_NONE && is_known_self_changing(compare, tree, parent);
}

static gboolean is_node_drawn_over(const GArray *drawn, const HfNode *node)
{
    gboolean edits = hf_states_have(node->states, HF_STATE_EDITABLE);
    /* Of one without a place it cannot be known. */
    if (drawn && drawn->len > 0 && hf_rect_is_empty(node->bounds))
        return TRUE;
    for (guint i = 0; drawn && i < drawn->len; i++) {
        HfRect rect = g_array_index(drawn, HfRect, i);
        if (!(edits && rect.width <= CARET_PX) &&
            !hf_rect_is_empty(hf_rect_intersect(rect, node->bounds)))
            return TRUE;
    }
    return FALSE;
}

/* What was drawn there at another time than in the action's wake was not the action's doing. */
static gboolean was_drawn(const Compare *compare, const HfNode *node)
{
    return is_node_drawn_over(compare->aim->since, node) ||
           (compare->aim->places && hf_idle_drawing_holds(compare->aim->places, node->bounds));
}

static HfStay required_stay(const Compare *compare, const HfNode *node)
{
    const HfElementsTarget *aim = compare->aim;
    return aim->watched && !is_node_drawn_over(aim->lately, node) ? HF_STAY_SHORT : HF_STAY_LONG;
}

/* A clock, however seldom it changes. */
static gboolean tells_time(const char *text)
{
    static const char *const forms[] = {"%H:%M", "%I:%M", "%k:%M", "%l:%M"};
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    for (gsize i = 0; text && i < G_N_ELEMENTS(forms); i++) {
        g_autofree char *time = g_date_time_format(now, forms[i]);
        if (strstr(text, g_strchug(time)))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_in_tooltip(const HfTree *tree, int index)
{
    for (int at = index; at != HF_NODE_NONE; at = hf_tree_get(tree, at)->parent)
        if (hf_tree_get(tree, at)->role == HF_ROLE_TOOL_TIP)
            return TRUE;
    return FALSE;
}

/* A menu closes after any choice, also one that does nothing. */
static gboolean is_in_menu(const HfTree *tree, int index)
{
    for (int at = index; at != HF_NODE_NONE; at = hf_tree_get(tree, at)->parent) {
        int role = hf_tree_get(tree, at)->role;
        if (role == HF_ROLE_MENU || role == HF_ROLE_POPUP_MENU || role == HF_ROLE_MENU_ITEM)
            return TRUE;
    }
    return FALSE;
}

/* ---- what was acted on ---- */

/* The smallest that a person sees there; of equal ones the innermost. */
static int find_visible_node_at(const HfTree *tree, HfPoint point)
{
    int found = HF_NODE_NONE;
    gint64 least = G_MAXINT64;
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        gint64 area = (gint64)node->bounds.width * node->bounds.height;
        if (area <= least && hf_rect_contains(node->bounds, point) && hf_tree_is_visible(tree, i)) {
            found = i;
            least = area;
        }
    }
    return found;
}

/* The element, or something that it lies in or that lies in it. */
static gboolean is_target(const Compare *compare, int before)
{
    const HfTree *tree = compare->difference->before;
    int target = compare->target;
    if (target == HF_NODE_NONE || before == HF_NODE_NONE)
        return FALSE;
    return before == target || hf_tree_get(tree, target)->parent == before ||
           (before > target && before < hf_tree_end(tree, target));
}

/* ---- what counts ---- */

static const char *get_node_name(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return node->name ? node->name : "";
}

static const char *get_node_role_name(const HfTree *tree, int index)
{
    return hf_node_role_name(hf_tree_get(tree, index)->role);
}

static gboolean has_node_moved(const HfTree *before, const HfTree *now, const HfAltered *altered)
{
    HfRect was = hf_tree_get(before, altered->before)->bounds;
    HfRect is = hf_tree_get(now, altered->now)->bounds;
    return ABS(was.x - is.x) >= MOVED_PX || ABS(was.y - is.y) >= MOVED_PX ||
           ABS(was.width - is.width) >= MOVED_PX || ABS(was.height - is.height) >= MOVED_PX;
}

static gboolean is_toggle(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    const HfTreeProgram *program = hf_tree_get_program(tree, node->program);
    return node->role == HF_ROLE_TOGGLE_BUTTON ||
           (node->role == HF_ROLE_BUTTON &&
            hf_toolkit_traits_find(program->toolkit, program->name)->pressed_is_set);
}

/* A toggle is pressed in as others are checked. */
static guint64 states_that_count(const HfTree *tree, const HfAltered *altered)
{
    guint64 changed = altered->on | altered->off, counted = changed & ~passing;
    if (is_toggle(tree, altered->now))
        counted |= changed & HF_STATE(HF_STATE_PRESSED);
    return counted;
}

static gboolean has_got_keyboard(const Compare *compare, const HfAltered *altered)
{
    const HfNode *node = hf_tree_get(compare->difference->now, altered->now);
    return compare->aim->point && is_target(compare, altered->before) &&
           (altered->on & HF_STATE(HF_STATE_FOCUSED)) &&
           hf_states_have(node->states, HF_STATE_EDITABLE);
}

/* FALSE: it says nothing. */
static gboolean weigh_altered_node(Compare *compare, const HfAltered *altered)
{
    const HfTree *before = compare->difference->before, *now = compare->difference->now;
    const HfNode *was = hf_tree_get(before, altered->before), *is = hf_tree_get(now, altered->now);
    HfStay stay = MAX(required_stay(compare, was), required_stay(compare, is));
    const char *role = get_node_role_name(now, altered->now),
               *name = get_node_name(now, altered->now);
    guint64 states = states_that_count(now, altered);
    gboolean closes = is_in_menu(now, altered->now) && !(states & decided);
    /* What was acted on may have changed late the last time: that is no habit of its own. */
    gboolean own = is_target(compare, altered->before) && (states & decided);
    gboolean drawn = was_drawn(compare, was) || was_drawn(compare, is);
    if (is->window != compare->aim->window || was->window != compare->aim->window ||
        (!own && (drawn || is_self_changing_node(compare, now, altered->now, TRUE))) ||
        is_in_tooltip(now, altered->now) || closes)
        return FALSE;
    if (has_got_keyboard(compare, altered))
        hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NOT,
                                   "the %s '%s' has got the keyboard", role, name);
    else if (states & (decided | HF_STATE(HF_STATE_PRESSED)))
        hf_evidence_strength_raise(
            &compare->change->proof, is_target(compare, altered->before) ? HF_STAY_NOT : stay,
            "the %s '%s' is %s", role, name, altered->on & states ? "set now" : "not set any more");
    else if ((altered->what & HF_ALTERED_NAME) && !tells_time(is->name))
        hf_evidence_strength_raise(&compare->change->proof, stay, "the %s '%s' became '%s'", role,
                                   get_node_name(before, altered->before), name);
    else if ((altered->what & HF_ALTERED_VALUE) && !tells_time(is->value))
        hf_evidence_strength_raise(&compare->change->proof, stay, "the %s '%s' has another value",
                                   role, name);
    else if (states)
        hf_evidence_strength_raise(&compare->change->proof, stay, "the %s '%s' is in another state",
                                   role, name);
    else if ((altered->what & HF_ALTERED_BOUNDS) && has_node_moved(before, now, altered) &&
             (compare->aim->moves || !is_target(compare, altered->before)))
        hf_evidence_strength_raise(&compare->change->proof, stay, "the %s '%s' is at another place",
                                   role, name);
    else
        return FALSE;
    return TRUE;
}

static gboolean weigh_added_or_gone(Compare *compare, HfTree *tree, int index, const char *what)
{
    if (tree == compare->difference->before && is_in_menu(tree, index))
        return FALSE;
    const HfNode *node = hf_tree_get(tree, index);
    if (node->window != compare->aim->window || was_drawn(compare, node) ||
        is_self_changing_node(compare, tree, index, FALSE) || is_in_tooltip(tree, index) ||
        !hf_element_is_informative(tree, index))
        return FALSE;
    hf_evidence_strength_raise(&compare->change->proof, required_stay(compare, node),
                               "the %s '%s' %s", get_node_role_name(tree, index),
                               get_node_name(tree, index), what);
    return TRUE;
}

/* Takes out of the difference what says nothing. */
static void drop_meaningless_changes(Compare *compare)
{
    HfTreeDifference *difference = compare->difference;
    for (guint i = difference->altered->len; i > 0; i--)
        if (!weigh_altered_node(compare, &g_array_index(difference->altered, HfAltered, i - 1)))
            g_array_remove_index(difference->altered, i - 1);
    for (guint i = difference->added->len; i > 0; i--)
        if (!weigh_added_or_gone(compare, difference->now,
                                 g_array_index(difference->added, int, i - 1), "has come"))
            g_array_remove_index(difference->added, i - 1);
    for (guint i = difference->gone->len; i > 0; i--)
        if (!weigh_added_or_gone(compare, difference->before,
                                 g_array_index(difference->gone, int, i - 1), "has gone"))
            g_array_remove_index(difference->gone, i - 1);
}

static guint truncate_element_list(GArray *list)
{
    guint more = list->len > HF_LIMIT_EFFECT_ELEMENTS ? list->len - HF_LIMIT_EFFECT_ELEMENTS : 0;
    g_array_set_size(list, list->len - more);
    return more;
}

static json_t *element_changes_to_json(HfTreeDifference *difference)
{
    guint more = truncate_element_list(difference->added) +
                 truncate_element_list(difference->gone) +
                 truncate_element_list(difference->altered);
    HfElementStyle style = {0};
    json_t *told = hf_tree_difference_to_json(difference, &style);
    json_object_del(told, "counts");
    static const char *const lists[] = {"new", "gone", "altered"};
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
        if (json_array_size(json_object_get(told, lists[i])) == 0)
            json_object_del(told, lists[i]);
    if (more > 0)
        json_object_set_new(told, "more", json_integer(more));
    return told;
}

void hf_elements_compare(HfTree *before, HfTree *now, const HfElementsTarget *aim,
                         GHashTable *restless, HfElementsChange *ret_change)
{
    g_autoptr(HfTreeDifference) difference = hf_tree_difference_new(before, now);
    Compare compare = {.difference = difference,
                       .aim = aim,
                       .restless = restless,
                       .change = ret_change,
                       .target = aim->point ? find_visible_node_at(before, *aim->point)
                                            : hf_tree_find_focused(before)};
    *ret_change = (HfElementsChange){0};
    drop_meaningless_changes(&compare);
    if (!hf_tree_difference_is_empty(difference))
        ret_change->elements = element_changes_to_json(difference);
}

/* ---- text ---- */

static guint count_occurrences(const char *text, const char *part)
{
    guint count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

static const char *value_before(const HfTree *before, const HfTree *now, int field)
{
    const HfNode *node = hf_tree_get(now, field);
    int was = hf_tree_find(before, hf_tree_get_program(now, node->program)->bus, node->path);
    return was == HF_NODE_NONE ? NULL : hf_tree_get(before, was)->value;
}

HfTextSeen hf_elements_text_unread(const char *text)
{
    gsize length = strlen(text);
    return length > 0 && strchr("\r\n\x1b", text[length - 1]) ? HF_TEXT_UNKNOWN : HF_TEXT_UNSEEN;
}

/* Lines and tabs are text where many lines are held, and keys elsewhere. */
static gboolean has_keys(const HfNode *field, const char *text)
{
    gboolean many = hf_states_have(field->states, HF_STATE_MULTI_LINE);
    return strpbrk(text, many ? "\b\x1b" : "\t\b\r\n\x1b") != NULL;
}

HfTextSeen hf_elements_find_text(const HfTree *before, const HfTree *now, const char *text)
{
    int field = hf_tree_find_focused(now);
    const HfNode *node = field == HF_NODE_NONE ? NULL : hf_tree_get(now, field);
    if (node && node->secure)
        return HF_TEXT_SECURE;
    gboolean cut =
        node && node->value && strlen(node->value) + CUT_SLACK >= HF_LIMIT_ELEMENT_TEXT_BYTES;
    if (!node || !node->value || cut || !hf_states_have(node->states, HF_STATE_EDITABLE) ||
        has_keys(node, text))
        return hf_elements_text_unread(text);
    const char *was = value_before(before, now, field);
    if (!was)
        return hf_elements_text_unread(text);
    if (count_occurrences(node->value, text) > count_occurrences(was, text))
        return HF_TEXT_ARRIVED;
    return strpbrk(text, "\t\r\n") ? hf_elements_text_unread(text) : HF_TEXT_MISSING;
}
