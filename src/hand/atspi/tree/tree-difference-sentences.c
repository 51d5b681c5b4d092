/* SPDX-License-Identifier: Apache-2.0 */
/* A difference in words, English or Chinese: what a person would say had happened. One sentence a
 * thing, the most telling first, and a count of the rest. */
#include "hand/atspi/tree/tree-difference.h"

#include <string.h>

#include "hand/atspi/tree/element-fingerprint.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/text/text.h"

#define SENTENCES  8
#define NAME_BYTES 60

/* What can be said, in both languages; %s is the element. */
typedef enum Saying {
    SAY_OPENED,
    SAY_CLOSED,
    SAY_CAME,
    SAY_WENT,
    SAY_VALUE,
    SAY_MOVED,
    SAY_NOTHING,
} Saying;

static const char *const sayings[][2] = {
    [SAY_OPENED] = {"%s opened", "%s已打开"},
    [SAY_CLOSED] = {"%s closed", "%s已关闭"},
    [SAY_CAME] = {"%s appeared", "%s出现了"},
    [SAY_WENT] = {"%s went away", "%s消失了"},
    [SAY_VALUE] = {"%s has another value", "%s的值变了"},
    [SAY_MOVED] = {"%s moved", "%s移动了"},
    [SAY_NOTHING] = {"nothing changed", "没有变化"},
};

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

/* Role words for Chinese sentences; others stay as they are. */
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

typedef struct Speech {
    const HfTreeDifference *difference;
    HfLanguage language;
    GString *text;
    int sentences;
    int told; /* changes that were put into words */
} Speech;

static char *dup_element(const Speech *speech, const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    const char *role = hf_node_role_name(node->role);
    gboolean window = node->parent == HF_NODE_NONE && node->role == HF_ROLE_FRAME;
    g_autofree char *called = hf_node_dup_display_name(tree, index);
    g_autofree char *cut = called ? hf_text_shorten(called, NAME_BYTES) : NULL;
    if (speech->language == HF_LANGUAGE_ENGLISH)
        return g_strdup_printf(cut ? "%s \"%s\"" : "%s", window ? "window" : role, cut);
    for (gsize i = 0; i < G_N_ELEMENTS(chinese_roles); i++)
        if (strcmp(chinese_roles[i].role, role) == 0)
            role = chinese_roles[i].word;
    return g_strdup_printf(cut ? "%s“%s”" : "%s", role, cut);
}

static void end_sentence(Speech *speech)
{
    if (speech->sentences++ > 0)
        g_string_append(speech->text, speech->language == HF_LANGUAGE_ENGLISH ? "; " : "；");
}

/* The formats are the constants above: each has one %s, for the element. */
static void append_element_sentence(Speech *speech, const char *const formats[2],
                                    const HfTree *tree, int index)
{
    speech->told++;
    if (speech->sentences >= SENTENCES || !formats[speech->language])
        return;
    g_autofree char *element = dup_element(speech, tree, index);
    g_auto(GStrv) halves = g_strsplit(formats[speech->language], "%s", 2);
    end_sentence(speech);
    g_string_append_printf(speech->text, "%s%s%s", halves[0], element, halves[1]);
}

static gboolean is_window_or_popup(const HfTree *tree, int index)
{
    const HfNode *node = hf_tree_get(tree, index);
    return hf_node_role_is(node->role, "window") || node->role == HF_ROLE_POPUP_MENU;
}

/* The outermost only: what is in a new window is new with it. */
static gboolean is_outermost(const HfTree *tree, const GArray *indices, guint at)
{
    int parent = hf_tree_get(tree, g_array_index(indices, int, at))->parent;
    for (guint i = 0; i < at && parent != HF_NODE_NONE; i++)
        if (g_array_index(indices, int, i) == parent)
            return FALSE;
    return TRUE;
}

static void say_all(Speech *speech, const HfTree *tree, const GArray *indices, gboolean windows,
                    Saying saying)
{
    for (guint i = 0; i < indices->len && speech->sentences < SENTENCES; i++) {
        int index = g_array_index(indices, int, i);
        if (is_window_or_popup(tree, index) != windows || !hf_tree_is_visible(tree, index) ||
            !hf_element_is_informative(tree, index) || !is_outermost(tree, indices, i))
            continue;
        append_element_sentence(speech, sayings[saying], tree, index);
    }
}

static void say_renamed(Speech *speech, const HfAltered *altered)
{
    const char *before = hf_tree_get(speech->difference->before, altered->before)->name;
    if (!before || !*before || speech->sentences >= SENTENCES)
        return;
    g_autofree char *element = dup_element(speech, speech->difference->now, altered->now);
    g_autofree char *cut = hf_text_shorten(before, NAME_BYTES);
    end_sentence(speech);
    speech->told++;
    if (speech->language == HF_LANGUAGE_ENGLISH)
        g_string_append_printf(speech->text, "%s was \"%s\" before", element, cut);
    else
        g_string_append_printf(speech->text, "%s之前是“%s”", element, cut);
}

static void say_states(Speech *speech, const HfAltered *altered)
{
    for (gsize i = 0; i < G_N_ELEMENTS(changes); i++) {
        gboolean on = hf_states_have(altered->on, changes[i].state);
        if (on || hf_states_have(altered->off, changes[i].state))
            append_element_sentence(speech, on ? changes[i].on : changes[i].off,
                                    speech->difference->now, altered->now);
    }
}

static void say_altered(Speech *speech)
{
    const GArray *altered = speech->difference->altered;
    for (guint i = 0; i < altered->len && speech->sentences < SENTENCES; i++) {
        const HfAltered *one = &g_array_index(altered, HfAltered, i);
        if (!hf_element_is_informative(speech->difference->now, one->now))
            continue;
        if (one->what & HF_ALTERED_NAME)
            say_renamed(speech, one);
        if (one->what & HF_ALTERED_VALUE)
            append_element_sentence(speech, sayings[SAY_VALUE], speech->difference->now, one->now);
        say_states(speech, one);
        if (one->what == HF_ALTERED_BOUNDS && is_window_or_popup(speech->difference->now, one->now))
            append_element_sentence(speech, sayings[SAY_MOVED], speech->difference->now, one->now);
    }
}

static void say_counts(Speech *speech)
{
    int added = (int)speech->difference->added->len, gone = (int)speech->difference->gone->len;
    int altered = (int)speech->difference->altered->len;
    if (added + gone + altered <= speech->told && speech->sentences < SENTENCES)
        return;
    end_sentence(speech);
    if (speech->language == HF_LANGUAGE_ENGLISH)
        g_string_append_printf(speech->text, "in all %d new, %d gone, %d changed elements", added,
                               gone, altered);
    else
        g_string_append_printf(speech->text, "共有 %d 个新元素，%d 个消失，%d 个改变", added, gone,
                               altered);
}

char *hf_tree_difference_to_sentences(const HfTreeDifference *difference, HfLanguage language)
{
    if (hf_tree_difference_is_empty(difference))
        return g_strdup(sayings[SAY_NOTHING][language]);
    Speech speech = {.difference = difference, .language = language, .text = g_string_new("")};
    say_all(&speech, difference->now, difference->added, TRUE, SAY_OPENED);
    say_all(&speech, difference->before, difference->gone, TRUE, SAY_CLOSED);
    say_altered(&speech);
    say_all(&speech, difference->now, difference->added, FALSE, SAY_CAME);
    say_all(&speech, difference->before, difference->gone, FALSE, SAY_WENT);
    say_counts(&speech);
    return g_string_free(speech.text, FALSE);
}
