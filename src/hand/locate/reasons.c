/* SPDX-License-Identifier: Apache-2.0 */
/* Why a thing was chosen, in words that a person or a model can check. */
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/locate/pick.h"

typedef struct Reasons {
    GString *text;
    gboolean chinese;
} Reasons;

/* One reason in both languages; {1} and {2} are filled in. */
typedef struct Form {
    const char *english, *chinese;
} Form;

static const Form name_forms[HF_NAME_HOW_COUNT] = {
    [HF_NAME_OTHER] = {"{2} '{1}'", "{2}“{1}”"},
    [HF_NAME_LIKE] = {"{2} '{1}' is spelt almost as said", "{2}“{1}”与所说的写法相近"},
    [HF_NAME_SHARES] = {"{2} '{1}' has some of the words said", "{2}“{1}”含有所说的部分词语"},
    [HF_NAME_HAS] = {"{2} '{1}' contains what was said", "{2}“{1}”包含所说的内容"},
    [HF_NAME_MEANS] = {"{2} '{1}' means what was said", "{2}“{1}”与所说的意思相同"},
    [HF_NAME_WORDS] = {"{2} '{1}' has the words said", "{2}“{1}”就是所说的词语"},
    [HF_NAME_SAME] = {"{2} '{1}' is what was said", "{2}“{1}”与所说的一致"},
};

static const Form text_forms[HF_TEXT_OF_COUNT] = {
    [HF_TEXT_OF_NAME] = {"its name", "名称"},
    [HF_TEXT_OF_DESCRIPTION] = {"its description", "说明"},
    [HF_TEXT_OF_VALUE] = {"its value", "内容"},
    [HF_TEXT_OF_LABEL] = {"the label beside it", "旁边的标签"},
    [HF_TEXT_OF_COLUMN] = {"the header of its column", "所在列的表头"},
    [HF_TEXT_OF_LOOKS] = {"its picture", "图形"},
    [HF_TEXT_OF_CONTENTS] = {"what is in it:", "其中的"},
};

static const Form tie_forms[HF_TIE_COUNT] = {
    [HF_TIE_LEFT] = {"it is left of {1}", "位于{1}左边"},
    [HF_TIE_RIGHT] = {"it is right of {1}", "位于{1}右边"},
    [HF_TIE_ABOVE] = {"it is above {1}", "位于{1}上方"},
    [HF_TIE_BELOW] = {"it is below {1}", "位于{1}下方"},
    [HF_TIE_BESIDE] = {"it is next to {1}", "位于{1}旁边"},
    [HF_TIE_BETWEEN] = {"it is between {1} and another", "位于{1}与另一个之间"},
    [HF_TIE_IN] = {"it is in {1}", "位于{1}里"},
    [HF_TIE_ROW] = {"it is in the row of {1}", "与{1}在同一行"},
    [HF_TIE_OF] = {"it belongs to {1}", "属于{1}"},
    [HF_TIE_COLUMN] = {"it is in the column of {1}", "与{1}在同一列"},
};

static const char *in_language(const Reasons *reasons, Form form)
{
    return reasons->chinese ? form.chinese : form.english;
}

static void add(Reasons *reasons, Form form, const char *first, const char *second)
{
    if (reasons->text->len > 0)
        g_string_append_c(reasons->text, '\n');
    for (const char *at = in_language(reasons, form); *at; at++) {
        if (g_str_has_prefix(at, "{1}") || g_str_has_prefix(at, "{2}")) {
            g_string_append(reasons->text, at[1] == '1' ? first : second);
            at += 2;
        } else
            g_string_append_c(reasons->text, *at);
    }
}

static void add_name(Reasons *reasons, const HfThing *thing, const HfMark *mark)
{
    if (mark->text < thing->text_count)
        add(reasons, name_forms[mark->how], thing->texts[mark->text].name->text,
            in_language(reasons, text_forms[mark->of]));
}

static char *dup_with_article(const Reasons *reasons, const char *word)
{
    if (reasons->chinese)
        return g_strdup(word);
    return g_strconcat(strchr("aeiou", *word) ? "an " : "a ", word, NULL);
}

static void add_kind(Reasons *reasons, const HfThing *thing, const HfMark *mark)
{
    static const Form fits = {"it is {1}", "是所说的类型（{1}）"};
    static const Form near = {"it is {1}, which may be called {2}", "是{1}，可以称为{2}"};
    static const Form other = {"it is {1}, and not {2}", "是{1}，而不是{2}"};
    g_autofree char *role = dup_with_article(reasons, hf_node_role_name(thing->role));
    g_autofree char *said = dup_with_article(reasons, hf_kind_name(mark->reading->kind));
    add(reasons, mark->kind >= 1 ? fits : mark->kind > 0.5 ? near : other, role, said);
}

static char *dup_called(const HfThing *thing)
{
    if (thing->text_count == 0)
        return g_strdup(hf_node_role_name(thing->role));
    return g_strdup_printf("%s '%s'", hf_node_role_name(thing->role), thing->texts[0].name->text);
}

static void add_ties(Reasons *reasons, const HfScene *scene, const HfMark *mark)
{
    static const Form spot = {"it is at the place that was said", "在所说的位置"};
    for (int i = 0; i < mark->reading->tie_count; i++) {
        HfTieKind kind = mark->reading->ties[i].kind;
        if (kind == HF_TIE_SPOT)
            add(reasons, spot, "", "");
        if (mark->anchors[i] < 0 || kind == HF_TIE_SPOT)
            continue;
        g_autofree char *called = dup_called(hf_scene_get(scene, mark->anchors[i]));
        add(reasons, tie_forms[kind], called, "");
    }
    if (mark->reading->spot)
        add(reasons, spot, "", "");
}

static void add_count(Reasons *reasons, const HfMark *mark)
{
    static const Form nth = {"it is number {1} of {2} such", "是{2}个中的第{1}个"};
    int number = mark->reading->nth == HF_NTH_MIDDLE ? mark->group / 2 + 1 : mark->reading->nth;
    g_autofree char *which = g_strdup_printf("%d", number > 0 ? number : mark->group + 1 + number);
    g_autofree char *all = g_strdup_printf("%d", mark->group);
    add(reasons, nth, which, all);
}

char *hf_picked_reasons(const HfScene *scene, const HfPicked *picked, gboolean chinese)
{
    static const Form behind = {"it is not in the window in front", "不在最前面的窗口里"};
    static const Form colour = {"it has that colour", "颜色相符"};
    static const Form states = {"its state fits", "状态相符"};
    Reasons reasons = {g_string_new(""), chinese};
    const HfThing *thing = hf_scene_get(scene, picked->thing);
    const HfMark *mark = &picked->mark;
    if (mark->reading->name)
        add_name(&reasons, thing, mark);
    if (mark->reading->kind != HF_KIND_ANY)
        add_kind(&reasons, thing, mark);
    add_ties(&reasons, scene, mark);
    if (mark->reading->colour)
        add(&reasons, colour, "", "");
    if (mark->reading->is)
        add(&reasons, states, "", "");
    if (mark->reading->nth)
        add_count(&reasons, mark);
    if (thing->behind)
        add(&reasons, behind, "", "");
    return g_string_free(reasons.text, FALSE);
}
