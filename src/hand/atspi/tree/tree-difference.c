/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two trees, and describes the difference in English or Chinese. Elements are paired by
 * their objects first. An element that its program recreated under another object is paired by role
 * and name, if that is unambiguous. */
#include "hand/atspi/tree/tree-difference.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

/* States whose changes matter to a person. */
static const guint64 reported_states =
    HF_STATE(HF_STATE_ACTIVE) | HF_STATE(HF_STATE_BUSY) | HF_STATE(HF_STATE_CHECKED) |
    HF_STATE(HF_STATE_COLLAPSED) | HF_STATE(HF_STATE_EDITABLE) | HF_STATE(HF_STATE_EXPANDED) |
    HF_STATE(HF_STATE_FOCUSED) | HF_STATE(HF_STATE_ICONIFIED) | HF_STATE(HF_STATE_MODAL) |
    HF_STATE(HF_STATE_PRESSED) | HF_STATE(HF_STATE_SELECTED) | HF_STATE(HF_STATE_INDETERMINATE) |
    HF_STATE(HF_STATE_INVALID_ENTRY) | HF_STATE(HF_STATE_READ_ONLY);

static guint64 get_compared_states(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    guint64 states = node->states & reported_states;
    if (hf_tree_is_visible(tree, index))
        states |= HF_STATE(HF_STATE_VISIBLE);
    if (hf_states_are_enabled(node->states))
        states |= HF_STATE(HF_STATE_SENSITIVE);
    return states;
}

static gboolean same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* What is missing from one of the trees is not known to have changed. */
static void compare_element(HfTreeDifference *difference, int before, int now)
{
    const HfNode *old = hf_tree_get(difference->before, before);
    const HfNode *new = hf_tree_get(difference->now, now);
    HfMissing missing = old->missing | new->missing;
    gboolean placed = !(missing & HF_MISSING_BOUNDS);
    guint64 known = placed ? ~(guint64)0 : ~HF_STATE(HF_STATE_VISIBLE);
    guint64 old_states = get_compared_states(difference->before, before) & known;
    guint64 new_states = get_compared_states(difference->now, now) & known;
    gboolean same_name = (missing & HF_MISSING_NAME) || same_text(old->name, new->name);
    gboolean same_value = !old->value || !new->value || strcmp(old->value, new->value) == 0;
    HfAltered altered = {before, now, 0, new_states & ~old_states, old_states & ~new_states};
    altered.what = (same_name ? 0 : HF_ALTERED_NAME) | (same_value ? 0 : HF_ALTERED_VALUE) |
                   (old_states == new_states ? 0 : HF_ALTERED_STATES) |
                   (!placed || hf_rect_equal(old->bounds, new->bounds) ? 0 : HF_ALTERED_BOUNDS);
    if (altered.what)
        g_array_append_val(difference->altered, altered);
}

/* Program, window, role and name; NULL for an element without a name. */
static char *dup_element_key(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    if (!called)
        return NULL;
    return g_strdup_printf("%s %u %d %s", hf_tree_get_program(tree, node->program)->bus,
                           node->window, node->role, called);
}

#define SEVERAL GINT_TO_POINTER(-1)

/* Key → index + 1 of the elements without a partner; -1 when several share the key. */
static GHashTable *index_unpaired(const HfTree *tree, const int *partner)
{
    GHashTable *unpaired = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (int i = 0; i < hf_tree_size(tree); i++) {
        char *key = partner[i] == HF_NODE_NONE ? dup_element_key(tree, i) : NULL;
        if (key)
            g_hash_table_replace(unpaired, key,
                                 g_hash_table_contains(unpaired, key) ? SEVERAL
                                                                      : GINT_TO_POINTER(i + 1));
    }
    return unpaired;
}

static void pair_by_object(const HfTreeDifference *difference, int *to_now, int *to_before)
{
    for (int i = 0; i < hf_tree_size(difference->now); i++) {
        const HfNode *node = hf_tree_get(difference->now, i);
        const char *bus = hf_tree_get_program(difference->now, node->program)->bus;
        gboolean has_object = node->path && !hf_node_is_painted(node);
        int other = has_object ? hf_tree_find(difference->before, bus, node->path) : HF_NODE_NONE;
        if (other == HF_NODE_NONE || to_now[other] != HF_NODE_NONE)
            continue;
        const HfNode *old = hf_tree_get(difference->before, other);
        if (old->role != node->role && !((old->missing | node->missing) & HF_MISSING_ROLE))
            continue;
        to_now[other] = i;
        to_before[i] = other;
    }
}

/* A painted element has no object: it is whatever was at its place before. `named`: with the same
 * name. Otherwise a text that changed is still the same element, and a line that has grown longer
 * still begins at the same place. */
static void pair_by_place(const HfTreeDifference *difference, gboolean named, int *to_now,
                          int *to_before)
{
    for (int i = 0; i < hf_tree_size(difference->now); i++) {
        const HfNode *node = hf_tree_get(difference->now, i);
        if (!hf_node_is_painted(node) || to_before[i] != HF_NODE_NONE)
            continue;
        for (int k = 0; k < hf_tree_size(difference->before); k++) {
            const HfNode *old = hf_tree_get(difference->before, k);
            if (to_now[k] != HF_NODE_NONE || !hf_node_is_painted(old) ||
                old->window != node->window || old->role != node->role)
                continue;
            gboolean same =
                named ? hf_rect_equal(old->bounds, node->bounds) && same_text(old->name, node->name)
                      : abs(old->bounds.x - node->bounds.x) <= 2 &&
                            abs(old->bounds.y - node->bounds.y) <= 2;
            if (!same)
                continue;
            to_now[k] = i;
            to_before[i] = k;
            break;
        }
    }
}

static void pair_by_name(const HfTreeDifference *difference, int *to_now, int *to_before)
{
    g_autoptr(GHashTable) old = index_unpaired(difference->before, to_now);
    g_autoptr(GHashTable) new = index_unpaired(difference->now, to_before);
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, new);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        gpointer other = g_hash_table_lookup(old, key);
        if (!other || other == SEVERAL || value == SEVERAL)
            continue;
        to_now[GPOINTER_TO_INT(other) - 1] = GPOINTER_TO_INT(value) - 1;
        to_before[GPOINTER_TO_INT(value) - 1] = GPOINTER_TO_INT(other) - 1;
    }
}

/* Whether it may be in the other tree too, because the children of its container are missing there.
 */
static gboolean may_be_in(const HfTree *tree, int index, const int *partner, const HfTree *other)
{
    for (int at = hf_tree_get(tree, index)->parent; at != HF_NODE_NONE;
         at = hf_tree_get(tree, at)->parent)
        if (partner[at] != HF_NODE_NONE)
            return (hf_tree_get(other, partner[at])->missing & HF_MISSING_CHILDREN) != 0;
    return FALSE;
}

static int *new_partners(const HfTree *tree)
{
    int *partners = g_new(int, hf_tree_size(tree) + 1);
    for (int i = 0; i < hf_tree_size(tree); i++)
        partners[i] = HF_NODE_NONE;
    return partners;
}

HfTreeDifference *hf_tree_difference_new(HfTree *before, HfTree *now)
{
    HfTreeDifference *difference = g_new0(HfTreeDifference, 1);
    *difference = (HfTreeDifference){
        hf_tree_ref(before), hf_tree_ref(now), g_array_new(FALSE, FALSE, sizeof(int)),
        g_array_new(FALSE, FALSE, sizeof(int)), g_array_new(FALSE, FALSE, sizeof(HfAltered))};
    if (before == now)
        return difference;
    g_autofree int *to_now = new_partners(before);
    g_autofree int *to_before = new_partners(now);
    pair_by_object(difference, to_now, to_before);
    pair_by_place(difference, TRUE, to_now, to_before);
    pair_by_name(difference, to_now, to_before);
    pair_by_place(difference, FALSE, to_now, to_before);
    for (int i = 0; i < hf_tree_size(now); i++)
        if (to_before[i] != HF_NODE_NONE)
            compare_element(difference, to_before[i], i);
        else if (!may_be_in(now, i, to_before, before))
            g_array_append_val(difference->added, i);
    for (int i = 0; i < hf_tree_size(before); i++)
        if (to_now[i] == HF_NODE_NONE && !may_be_in(before, i, to_now, now))
            g_array_append_val(difference->gone, i);
    return difference;
}

void hf_tree_difference_free(HfTreeDifference *difference)
{
    if (!difference)
        return;
    hf_tree_unref(difference->before);
    hf_tree_unref(difference->now);
    g_array_unref(difference->added);
    g_array_unref(difference->gone);
    g_array_unref(difference->altered);
    g_free(difference);
}

gboolean hf_tree_difference_is_empty(const HfTreeDifference *difference)
{
    return difference->added->len + difference->gone->len + difference->altered->len == 0;
}

static const HfParam element_form = {.type = HF_TYPE_OBJECT, .fields = hf_element_fields};
static const HfParam word = {.type = HF_TYPE_STRING};
static const HfParam altered_fields[] = {
    HF_REQUIRED("element", HF_TYPE_OBJECT, "As it is now", .fields = hf_element_fields),
    HF_REQUIRED("what", HF_TYPE_ARRAY, "What changed: name, value, states, bounds", .items = &word),
    HF_OPTIONAL("name_before", HF_TYPE_STRING, "Its name before, if that changed"),
    HF_OPTIONAL("on", HF_TYPE_ARRAY, "States that it has now", .items = &word),
    HF_OPTIONAL("off", HF_TYPE_ARRAY, "States that it had", .items = &word),
    {0},
};
static const HfParam altered_form = {.type = HF_TYPE_OBJECT, .fields = altered_fields};
static const HfParam count_fields[] = {
    HF_REQUIRED("new", HF_TYPE_INTEGER, "Elements that are new"),
    HF_REQUIRED("gone", HF_TYPE_INTEGER, "Elements that are gone"),
    HF_REQUIRED("altered", HF_TYPE_INTEGER, "That have changed"),
    {0},
};
const HfParam hf_tree_difference_fields[] = {
    HF_REQUIRED("new", HF_TYPE_ARRAY, "Elements that were not there before",
                .items = &element_form),
    HF_REQUIRED("gone", HF_TYPE_ARRAY, "Elements that are no longer there, as they were",
                .items = &element_form),
    HF_REQUIRED("altered", HF_TYPE_ARRAY, "Elements that have changed", .items = &altered_form),
    HF_REQUIRED("counts", HF_TYPE_OBJECT, "Of all, also of those that are not listed",
                .fields = count_fields),
    {0},
};

static json_t *elements_to_array(const HfTree *tree, const GArray *indices,
                                 const HfElementStyle *style)
{
    json_t *elements = json_array();
    for (guint i = 0; i < indices->len && json_array_size(elements) < HF_LIMIT_DIFFERENCE; i++) {
        int index = g_array_index(indices, int, i);
        if (hf_element_is_informative(tree, index))
            json_array_append_new(elements, hf_element_to_json(tree, index, style));
    }
    return elements;
}

static json_t *what_of(HfAlteration what)
{
    static const char *const names[] = {"name", "value", "states", "bounds"};
    json_t *array = json_array();
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (what & (1u << i))
            json_array_append_new(array, json_string(names[i]));
    return array;
}

static json_t *altered_to_json(const HfTreeDifference *difference, const HfAltered *altered,
                               const HfElementStyle *style)
{
    const HfNode *before = hf_tree_get(difference->before, altered->before);
    json_t *object =
        json_pack("{s:o, s:o}", "element", hf_element_to_json(difference->now, altered->now, style),
                  "what", what_of(altered->what));
    if ((altered->what & HF_ALTERED_NAME) && before->name)
        json_object_set_new(object, "name_before", hf_json_text(before->name));
    if (altered->on)
        json_object_set_new(object, "on", hf_states_to_json(altered->on));
    if (altered->off)
        json_object_set_new(object, "off", hf_states_to_json(altered->off));
    return object;
}

json_t *hf_tree_difference_to_json(const HfTreeDifference *difference, const HfElementStyle *style)
{
    HfElementStyle nameless = *style;
    nameless.name = NULL;
    json_t *altered = json_array();
    for (guint i = 0;
         i < difference->altered->len && json_array_size(altered) < HF_LIMIT_DIFFERENCE; i++) {
        const HfAltered *one = &g_array_index(difference->altered, HfAltered, i);
        if (hf_element_is_informative(difference->now, one->now))
            json_array_append_new(altered, altered_to_json(difference, one, style));
    }
    return json_pack("{s:o, s:o, s:o, s:{s:i, s:i, s:i}}", "new",
                     elements_to_array(difference->now, difference->added, style), "gone",
                     elements_to_array(difference->before, difference->gone, &nameless), "altered",
                     altered, "counts", "new", (int)difference->added->len, "gone",
                     (int)difference->gone->len, "altered", (int)difference->altered->len);
}

/* ---- sentences ---- */

#define SENTENCES  8
#define NAME_BYTES 60

/* In both languages; %s is the element. */
static const char *const opened[2] = {"%s opened", "%s已打开"};
static const char *const closed[2] = {"%s closed", "%s已关闭"};
static const char *const appeared[2] = {"%s appeared", "%s出现了"};
static const char *const disappeared[2] = {"%s went away", "%s消失了"};
static const char *const value_changed[2] = {"%s has another value", "%s的值变了"};
static const char *const moved[2] = {"%s moved", "%s移动了"};
static const char *const nothing_changed[2] = {"nothing changed", "没有变化"};

static const struct {
    int state;
    const char *on[2], *off[2];
} changes[] = {
    {HF_STATE_CHECKED,
     {"%s is checked", "%s已勾选"},
     {"%s is not checked any more", "%s已取消勾选"}},
    {HF_STATE_SELECTED,
     {"%s is selected", "%s已选中"},
     {"%s is not selected any more", "%s不再选中"}},
    {HF_STATE_EXPANDED, {"%s is expanded", "%s已展开"}, {"%s is collapsed", "%s已折叠"}},
    {HF_STATE_PRESSED, {"%s is pressed", "%s已按下"}, {"%s is not pressed any more", "%s已弹起"}},
    {HF_STATE_SENSITIVE, {"%s is enabled now", "%s变为可用"}, {"%s is disabled now", "%s变为禁用"}},
    {HF_STATE_VISIBLE, {"%s can be seen now", "%s变为可见"}, {"%s is hidden now", "%s被隐藏"}},
    {HF_STATE_FOCUSED, {"%s has the focus", "%s获得焦点"}, {NULL, NULL}},
    {HF_STATE_ACTIVE, {"%s is active", "%s处于活动状态"}, {NULL, NULL}},
    {HF_STATE_BUSY, {"%s is busy", "%s忙碌中"}, {"%s is not busy any more", "%s不再忙碌"}},
    {HF_STATE_INVALID_ENTRY,
     {"%s has a wrong entry", "%s的内容无效"},
     {"%s is right now", "%s的内容有效"}},
};

/* Role words for Chinese sentences; other roles keep their English name. */
static const struct {
    const char *role, *word;
} chinese_roles[] = {
    {"button", "按钮"},      {"toggle-button", "按钮"}, {"check-box", "复选框"},
    {"entry", "输入框"},     {"text", "文本框"},        {"label", "标签"},
    {"frame", "窗口"},       {"window", "窗口"},        {"dialog", "对话框"},
    {"alert", "提示框"},     {"menu", "菜单"},          {"menu-item", "菜单项"},
    {"list-item", "列表项"}, {"page-tab", "标签页"},    {"combo-box", "下拉框"},
    {"link", "链接"},        {"table-cell", "单元格"},  {"radio-button", "单选按钮"},
    {"switch", "开关"},      {"slider", "滑块"},
};

typedef struct Summary {
    const HfTreeDifference *difference;
    HfLanguage language;
    GString *text;
    int sentences;
    int reported; /* changes that were put into words */
} Summary;

static char *dup_element_phrase(const Summary *summary, const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    const char *role = hf_node_role_name(node->role);
    gboolean window = node->parent == HF_NODE_NONE && node->role == HF_ROLE_FRAME;
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    g_autofree char *cut = called ? hf_text_shorten(called, NAME_BYTES) : NULL;
    if (summary->language == HF_LANGUAGE_ENGLISH)
        return g_strdup_printf(cut ? "%s \"%s\"" : "%s", window ? "window" : role, cut);
    for (gsize i = 0; i < G_N_ELEMENTS(chinese_roles); i++)
        if (strcmp(chinese_roles[i].role, role) == 0)
            role = chinese_roles[i].word;
    return g_strdup_printf(cut ? "%s“%s”" : "%s", role, cut);
}

static void separate_sentence(Summary *summary)
{
    if (summary->sentences++ > 0)
        g_string_append(summary->text, summary->language == HF_LANGUAGE_ENGLISH ? "; " : "；");
}

/* The formats are the constants above: each has one %s, for the element. */
static void append_element_sentence(Summary *summary, const char *const formats[2],
                                    const HfTree *tree, int index)
{
    summary->reported++;
    if (summary->sentences >= SENTENCES || !formats[summary->language])
        return;
    g_autofree char *element = dup_element_phrase(summary, tree, index);
    g_auto(GStrv) halves = g_strsplit(formats[summary->language], "%s", 2);
    separate_sentence(summary);
    g_string_append_printf(summary->text, "%s%s%s", halves[0], element, halves[1]);
}

static gboolean is_window_or_popup(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return hf_node_role_is(node->role, "window") || node->role == HF_ROLE_POPUP_MENU;
}

/* The content of a new window is new with it, and need not be listed. */
static gboolean is_outermost(const HfTree *tree, const GArray *indices, guint at)
{
    int parent = hf_tree_get(tree, g_array_index(indices, int, at))->parent;
    for (guint i = 0; i < at && parent != HF_NODE_NONE; i++)
        if (g_array_index(indices, int, i) == parent)
            return FALSE;
    return TRUE;
}

static void summarize_elements(Summary *summary, const HfTree *tree, const GArray *indices,
                               gboolean windows, const char *const formats[2])
{
    for (guint i = 0; i < indices->len && summary->sentences < SENTENCES; i++) {
        int index = g_array_index(indices, int, i);
        if (is_window_or_popup(tree, index) != windows || !hf_tree_is_visible(tree, index) ||
            !hf_element_is_informative(tree, index) || !is_outermost(tree, indices, i))
            continue;
        append_element_sentence(summary, formats, tree, index);
    }
}

static void append_renamed(Summary *summary, const HfAltered *altered)
{
    const char *before = hf_tree_get(summary->difference->before, altered->before)->name;
    if (!before || !*before || summary->sentences >= SENTENCES)
        return;
    g_autofree char *element = dup_element_phrase(summary, summary->difference->now, altered->now);
    g_autofree char *cut = hf_text_shorten(before, NAME_BYTES);
    separate_sentence(summary);
    summary->reported++;
    if (summary->language == HF_LANGUAGE_ENGLISH)
        g_string_append_printf(summary->text, "%s was \"%s\" before", element, cut);
    else
        g_string_append_printf(summary->text, "%s之前是“%s”", element, cut);
}

static void append_state_changes(Summary *summary, const HfAltered *altered)
{
    for (gsize i = 0; i < G_N_ELEMENTS(changes); i++) {
        gboolean on = hf_states_have(altered->on, changes[i].state);
        if (on || hf_states_have(altered->off, changes[i].state))
            append_element_sentence(summary, on ? changes[i].on : changes[i].off,
                                    summary->difference->now, altered->now);
    }
}

static void summarize_altered(Summary *summary)
{
    const GArray *altered = summary->difference->altered;
    for (guint i = 0; i < altered->len && summary->sentences < SENTENCES; i++) {
        const HfAltered *one = &g_array_index(altered, HfAltered, i);
        if (!hf_element_is_informative(summary->difference->now, one->now))
            continue;
        if (one->what & HF_ALTERED_NAME)
            append_renamed(summary, one);
        if (one->what & HF_ALTERED_VALUE)
            append_element_sentence(summary, value_changed, summary->difference->now, one->now);
        append_state_changes(summary, one);
        if (one->what == HF_ALTERED_BOUNDS &&
            is_window_or_popup(summary->difference->now, one->now))
            append_element_sentence(summary, moved, summary->difference->now, one->now);
    }
}

static void append_counts(Summary *summary)
{
    int added = (int)summary->difference->added->len, gone = (int)summary->difference->gone->len;
    int altered = (int)summary->difference->altered->len;
    if (added + gone + altered <= summary->reported && summary->sentences < SENTENCES)
        return;
    separate_sentence(summary);
    if (summary->language == HF_LANGUAGE_ENGLISH)
        g_string_append_printf(summary->text, "in all %d new, %d gone, %d changed elements", added,
                               gone, altered);
    else
        g_string_append_printf(summary->text, "共有 %d 个新元素，%d 个消失，%d 个改变", added, gone,
                               altered);
}

char *hf_tree_difference_to_sentences(const HfTreeDifference *difference, HfLanguage language)
{
    if (hf_tree_difference_is_empty(difference))
        return g_strdup(nothing_changed[language]);
    Summary summary = {.difference = difference, .language = language, .text = g_string_new("")};
    summarize_elements(&summary, difference->now, difference->added, TRUE, opened);
    summarize_elements(&summary, difference->before, difference->gone, TRUE, closed);
    summarize_altered(&summary);
    summarize_elements(&summary, difference->now, difference->added, FALSE, appeared);
    summarize_elements(&summary, difference->before, difference->gone, FALSE, disappeared);
    append_counts(&summary);
    return g_string_free(summary.text, FALSE);
}
