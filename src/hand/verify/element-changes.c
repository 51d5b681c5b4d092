/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which changes of elements prove an action. Elements are told apart by their object paths.
 * A change of one that changes by itself, or lies in one that does, proves nothing. */
#include "hand/verify/element-changes.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/toolkit-quirks.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/atspi/tree/tree-difference.h"
#include "hand/verify/verify-limits.h"
#include "shared/base/json.h"

/* For how long an element that changed by itself is expected to do it again: longer after twice. */
#define ONCE_US  (30 * G_USEC_PER_SEC)
#define TWICE_US (150 * G_USEC_PER_SEC)
/* An element that is drawn pressed may shift by less. */
#define MOVED_PX 4
/* A text of nearly the longest length may be cut. */
#define CUT_SLACK 8
/* A blinking caret is at most this wide. */
#define CARET_PX 3

/* States that change whenever an element is used: they prove nothing. */
static const guint64 transient = HF_STATE(HF_STATE_FOCUSED) | HF_STATE(HF_STATE_ACTIVE) |
                                 HF_STATE(HF_STATE_BUSY) | HF_STATE(HF_STATE_PRESSED);
/* States that only an action or its consequence changes. */
static const guint64 chosen = HF_STATE(HF_STATE_CHECKED) | HF_STATE(HF_STATE_SELECTED) |
                              HF_STATE(HF_STATE_EXPANDED) | HF_STATE(HF_STATE_COLLAPSED) |
                              HF_STATE(HF_STATE_INDETERMINATE);

typedef struct Compare {
    HfTreeDifference *difference;
    const HfElementsContext *context;
    GHashTable *self_changing;
    int target; /* in `before`; HF_NODE_NONE: none */
    HfElementsChange *change;
} Compare;

typedef struct SelfChanges {
    gint64 at_us;
    int times;
} SelfChanges;

void hf_elements_change_clear(HfElementsChange *change)
{
    json_decref(change->elements);
    g_free(change->proof.text);
    *change = (HfElementsChange){0};
}

/* ---- what changes by itself ---- */

GHashTable *hf_elements_self_changing_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static char *dup_node_key(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return g_strconcat(hf_tree_get_program(tree, node->program)->bus, node->path, NULL);
}

static void count_self_change(GHashTable *table, char *take_key, int times)
{
    const SelfChanges *known = g_hash_table_lookup(table, take_key);
    SelfChanges changes = {g_get_monotonic_time(), times + (known ? known->times : 0)};
    g_hash_table_replace(table, take_key, g_memdup2(&changes, sizeof changes));
}

/* An element that comes and goes has another object each time: its parent stands for it. */
static void note_parents(GHashTable *table, const HfTree *tree, const GArray *indices)
{
    for (guint i = 0; i < indices->len; i++) {
        int parent = hf_tree_get(tree, g_array_index(indices, int, i))->parent;
        if (parent != HF_NODE_NONE)
            count_self_change(table, dup_node_key(tree, parent), 1);
    }
}

static gboolean is_forgotten(gpointer key, gpointer data, gpointer now_us)
{
    const SelfChanges *changes = data;
    return changes->at_us + (changes->times > 1 ? TWICE_US : ONCE_US) < *(gint64 *)now_us;
}

void hf_elements_note_self_changing(GHashTable *table, HfTree *before, HfTree *now)
{
    gint64 now_us = g_get_monotonic_time();
    g_hash_table_foreach_remove(table, is_forgotten, &now_us);
    g_autoptr(HfTreeDifference) difference = hf_tree_difference_new(before, now);
    for (guint i = 0; i < difference->altered->len; i++)
        count_self_change(
            table, dup_node_key(now, g_array_index(difference->altered, HfAltered, i).now), 1);
    note_parents(table, now, difference->added);
    note_parents(table, before, difference->gone);
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

void hf_elements_note_again(GHashTable *table, HfTree *before, HfTree *meanwhile, HfTree *now)
{
    g_autoptr(GHashTable) once = altered_keys(before, meanwhile);
    g_autoptr(GHashTable) again = altered_keys(meanwhile, now);
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, again);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        if (g_hash_table_contains(once, key))
            count_self_change(table, g_strdup(key), 2);
}

static gboolean is_self_changing_node(const Compare *compare, const HfTree *tree, int index)
{
    g_autofree char *key = index == HF_NODE_NONE ? NULL : dup_node_key(tree, index);
    return key && g_hash_table_contains(compare->self_changing, key);
}

static gboolean is_node_drawn_over(const GArray *drawn, const HfNode *node)
{
    gboolean edits = hf_states_have(node->states, HF_STATE_EDITABLE);
    /* Without a place it is unknown whether it was drawn over. */
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

/* An element that was drawn over at another time than right after the action changed by itself. */
static gboolean was_drawn(const Compare *compare, const HfNode *node)
{
    const HfElementsContext *context = compare->context;
    return is_node_drawn_over(context->since, node) ||
           (context->idle && hf_idle_drawing_holds(context->idle, node->bounds));
}

static HfStay required_stay(const Compare *compare, const HfNode *node)
{
    const HfElementsContext *context = compare->context;
    return context->watched && !is_node_drawn_over(context->lately, node) ? HF_STAY_SHORT
                                                                          : HF_STAY_LONG;
}

/* A clock proves nothing, however seldom it changes. */
static gboolean shows_current_time(const char *text)
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

/* A menu closes after any choice, even one that does nothing. */
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

/* The smallest visible one; of equally small ones the innermost. */
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

/* The target element, its parent, or something inside it. */
static gboolean is_target(const Compare *compare, int before)
{
    const HfTree *tree = compare->difference->before;
    int target = compare->target;
    if (target == HF_NODE_NONE || before == HF_NODE_NONE)
        return FALSE;
    return before == target || hf_tree_get(tree, target)->parent == before ||
           (before > target && before < hf_tree_end(tree, target));
}

/* ---- what proves something ---- */

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

/* For a toggle, pressed means what checked means for others. */
static guint64 states_that_count(const HfTree *tree, const HfAltered *altered)
{
    guint64 changed = altered->on | altered->off, counted = changed & ~transient;
    if (is_toggle(tree, altered->now))
        counted |= changed & HF_STATE(HF_STATE_PRESSED);
    return counted;
}

/* A field that was clicked and got the focus: that is what such a click is for. */
static gboolean has_got_focus(const Compare *compare, const HfAltered *altered)
{
    const HfNode *node = hf_tree_get(compare->difference->now, altered->now);
    return compare->context->point && is_target(compare, altered->before) &&
           (altered->on & HF_STATE(HF_STATE_FOCUSED)) &&
           hf_states_have(node->states, HF_STATE_EDITABLE);
}

/* "now checked", "no longer selected": of several states the first, set ones before cleared ones.
 */
static char *describe_states(const HfAltered *altered, guint64 states)
{
    guint64 on = altered->on & states;
    for (int number = 0; number < HF_STATE_COUNT; number++)
        if (hf_states_have(on ? on : states, number))
            return g_strdup_printf("%s %s", on ? "now" : "no longer", hf_state_name(number));
    return g_strdup("in another state");
}

/* Whether the action may have changed it at all. */
static gboolean can_prove(const Compare *compare, const HfAltered *altered, guint64 states)
{
    const HfTree *now = compare->difference->now;
    const HfNode *was = hf_tree_get(compare->difference->before, altered->before);
    const HfNode *is = hf_tree_get(now, altered->now);
    guint32 window = compare->context->window;
    if (is->window != window || was->window != window || is_in_tooltip(now, altered->now) ||
        (is_in_menu(now, altered->now) && !(states & chosen)))
        return FALSE;
    /* The target may have changed late the last time: then it did not change by itself. */
    return (is_target(compare, altered->before) && (states & chosen)) ||
           !(was_drawn(compare, was) || was_drawn(compare, is) ||
             is_self_changing_node(compare, now, altered->now));
}

/* FALSE: it proves nothing. */
static gboolean judge_altered_node(Compare *compare, const HfAltered *altered)
{
    const HfTree *before = compare->difference->before, *now = compare->difference->now;
    const HfNode *was = hf_tree_get(before, altered->before), *is = hf_tree_get(now, altered->now);
    HfEvidenceStrength *proof = &compare->change->proof;
    HfStay stay = MAX(required_stay(compare, was), required_stay(compare, is));
    const char *role = hf_node_role_name(is->role), *name = is->name ? is->name : "";
    guint64 states = states_that_count(now, altered);
    gboolean target = is_target(compare, altered->before);
    if (!can_prove(compare, altered, states))
        return FALSE;
    guint64 strong = states & (chosen | HF_STATE(HF_STATE_PRESSED));
    g_autofree char *state = describe_states(altered, strong ? strong : states);
    if (has_got_focus(compare, altered))
        hf_evidence_strength_raise(proof, HF_STAY_NONE, "the %s '%s' got the focus", role, name);
    else if (strong)
        hf_evidence_strength_raise(proof, target ? HF_STAY_NONE : stay, "the %s '%s' is %s", role,
                                   name, state);
    else if ((altered->what & HF_ALTERED_NAME) && !shows_current_time(is->name))
        hf_evidence_strength_raise(proof, stay, "the %s '%s' changed to '%s'", role,
                                   was->name ? was->name : "", name);
    else if ((altered->what & HF_ALTERED_VALUE) && !shows_current_time(is->value))
        hf_evidence_strength_raise(proof, stay, "the value of the %s '%s' changed", role, name);
    else if (states)
        hf_evidence_strength_raise(proof, stay, "the %s '%s' is %s", role, name, state);
    else if ((altered->what & HF_ALTERED_BOUNDS) && has_node_moved(before, now, altered) &&
             (compare->context->moves || !target))
        hf_evidence_strength_raise(proof, stay, "the %s '%s' moved or changed its size", role,
                                   name);
    else
        return FALSE;
    return TRUE;
}

static gboolean judge_added_or_gone(Compare *compare, HfTree *tree, int index, const char *what)
{
    const HfNode *node = hf_tree_get(tree, index);
    if ((tree == compare->difference->before && is_in_menu(tree, index)) ||
        node->window != compare->context->window || was_drawn(compare, node) ||
        is_self_changing_node(compare, tree, node->parent) || is_in_tooltip(tree, index) ||
        !hf_element_is_informative(tree, index))
        return FALSE;
    hf_evidence_strength_raise(&compare->change->proof, required_stay(compare, node),
                               "the %s '%s' %s", hf_node_role_name(node->role),
                               node->name ? node->name : "", what);
    return TRUE;
}

static void drop_added_or_gone(Compare *compare, HfTree *tree, GArray *indices, const char *what)
{
    for (guint i = indices->len; i > 0; i--)
        if (!judge_added_or_gone(compare, tree, g_array_index(indices, int, i - 1), what))
            g_array_remove_index(indices, i - 1);
}

/* Removes from the difference what proves nothing. */
static void drop_meaningless_changes(Compare *compare)
{
    HfTreeDifference *difference = compare->difference;
    for (guint i = difference->altered->len; i > 0; i--)
        if (!judge_altered_node(compare, &g_array_index(difference->altered, HfAltered, i - 1)))
            g_array_remove_index(difference->altered, i - 1);
    drop_added_or_gone(compare, difference->now, difference->added, "appeared");
    drop_added_or_gone(compare, difference->before, difference->gone, "disappeared");
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
    json_t *json = hf_tree_difference_to_json(difference, &style);
    json_object_del(json, "counts");
    static const char *const lists[] = {"new", "gone", "altered"};
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
        if (json_array_size(json_object_get(json, lists[i])) == 0)
            json_object_del(json, lists[i]);
    if (more > 0)
        json_object_set_new(json, "more", json_integer(more));
    return json;
}

void hf_elements_compare(HfTree *before, HfTree *now, const HfElementsContext *context,
                         GHashTable *self_changing, HfElementsChange *ret_change)
{
    g_autoptr(HfTreeDifference) difference = hf_tree_difference_new(before, now);
    Compare compare = {.difference = difference,
                       .context = context,
                       .self_changing = self_changing,
                       .change = ret_change,
                       .target = context->point ? find_visible_node_at(before, *context->point)
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

/* New lines and tabs are text in a field of many lines, and keys elsewhere. */
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
        return HF_TEXT_PASSWORD;
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
