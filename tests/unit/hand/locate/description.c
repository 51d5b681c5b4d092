/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions: how words are understood, what is refused, and that names and synonyms fit. */
#include "hand/locate/description.h"

#include <string.h>

#include "hand/locate/locate-limits.h"
#include "hand/locate/name-match.h"
#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

/* How each is understood. */
static const struct {
    const char *said, *understood;
} cases[] = {
    {"Save", "element 'save'"},
    {"the Save button", "button 'save'"},
    {"button Save", "button 'save'"},
    {"the \"Save as\" button", "button 'save as'"},
    {"保存按钮", "button '保存'"},
    {"请点击“保存”按钮", "button '保存'"},
    {"second Delete button", "button 'delete' ordinal=2"},
    {"the 3rd checkbox", "check box ordinal=3"},
    {"第二个标签页", "tab ordinal=2"},
    {"第 12 个按钮", "button ordinal=12"},
    {"第十二个按钮", "button ordinal=12"},
    {"最后一个菜单", "menu ordinal=-1"},
    {"the field right of User name", "field right of(element 'user name')"},
    {"用户名右边的输入框", "field right of(element '用户名')"},
    {"the field right of 用户名", "field right of(element '用户名')"},
    {"the checkbox below Match case", "check box below(element 'match case')"},
    {"the Better button next to Rating", "button 'better' beside(element 'rating')"},
    {"验证码旁边的刷新按钮", "button '刷新' beside(element '验证码')"},
    {"Delete button in the row of Anna Berg", "button 'delete' in the row of(element 'anna berg')"},
    {"Li Wei 那一行的 Edit 链接", "link 'edit' in the row of(element 'li wei')"},
    {"the last row's Edit link", "link 'edit' in(row ordinal=-1)"},
    {"Tom 的删除按钮", "button '删除' belonging to(element 'tom')"},
    {"the Delete button for Tom", "button 'delete' belonging to(element 'tom')"},
    {"the field for the user name", "field 'user name'"},
    {"the second item of the list", "item ordinal=2 in(list)"},
    {"菜单栏里最后一个菜单", "menu ordinal=-1 in(menu bar)"},
    {"对话框里用户名右边的输入框", "field right of(element '用户名' in(dialog))"},
    {"the field right of Name in the Login dialog",
     "field right of(element 'name' in(dialog 'login'))"},
    {"X in the top right corner of the dialog", "element 'x' position=6 in(dialog)"},
    {"右上角的叉号", "element '叉号' position=6"},
    {"bottom left button", "button position=9"},
    {"the top-right icon", "icon position=6"},
    {"the icon in the top right corner", "icon position=6"},
    {"the button on the right", "button position=2"},
    {"下面的按钮", "button position=8"},
    {"窗口最下面的按钮", "button position=8 in(window)"},
    {"菜单的最后一项", "item ordinal=-1 in(menu)"},
    {"the ticked checkbox", "check box states=1"},
    {"未勾选的复选框", "check box states=2"},
    {"没勾选的摄像头", "element '摄像头' states=2"},
    {"the greyed out button", "button states=8"},
    {"the switch that is enabled", "switch states=4"},
    {"正则表达式复选框", "check box '正则表达式'"},
    {"搜索方向的下拉框", "combo box '搜索方向'"},
    {"写着 Otto 的下拉框", "combo box 'otto'"},
    {"the radio button under Left", "radio button below(element position=1)"},
    {"Sign in button", "button 'sign in'"},
    {"the readme.txt row", "row 'readme.txt'"},
    {"刘强那一行的页数", "element '页数' in the row of(element '刘强')"},
    /* What is not understood says so, so that no answer is confident. */
    {"the \"Save\" thing over yonder", "element 'save', not all of it understood"},
    {"the \"Save\" or \"Open\" button", "button 'save', not all of it understood"},
    {"the button right of the field below the label above Name",
     "button right of(field below(text 'above name', not all of it understood), not all of it "
     "understood), not all of it understood"},
};

static void test_understands(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfDescription) description = hf_description_new(cases[i].said, &error);
        g_assert_no_error(error);
        g_autofree char *text = hf_description_to_text(description);
        if (strcmp(text, cases[i].understood) == 0)
            continue;
        g_test_message("%s is %s and not %s", cases[i].said, text, cases[i].understood);
        g_test_fail();
    }
}

/* The kinds that the code speaks of stand first in the data. */
static void test_kinds_are_in_order(void)
{
    g_assert_cmpstr(hf_element_kind_name(HF_KIND_ANY), ==, "element");
    g_assert_cmpstr(hf_element_kind_name(HF_KIND_TEXT), ==, "text");
    g_assert_cmpstr(hf_element_kind_name(HF_KIND_ICON), ==, "icon");
    g_assert_cmpstr(hf_element_kind_name(HF_KIND_CHECK_BOX), ==, "check box");
}

static void assert_refused(const char *said, HfErrorCode code)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_description_new(said, &error));
    g_assert_cmpint((int)hf_error_code(error), ==, (int)code);
}

static void test_refuses(void)
{
    g_autofree char *longer = g_strnfill(HF_LIMIT_DESCRIPTION_BYTES + 1, 'a');
    assert_refused("", HF_ERROR_INVALID_PARAMS);
    assert_refused("  \t", HF_ERROR_INVALID_PARAMS);
    assert_refused("the a an of", HF_ERROR_INVALID_PARAMS);
    assert_refused("请点击那个", HF_ERROR_INVALID_PARAMS);
    assert_refused("Save \xff\xfe", HF_ERROR_INVALID_PARAMS);
    assert_refused(longer, HF_ERROR_LIMIT_EXCEEDED);
}

/* How well the name of an element fits the words that were said. */
static const struct {
    const char *said, *own;
    HfNameMatchKind kind;
} names[] = {
    {"Save", "Save", HF_NAME_MATCH_SAME},
    {"save", "_Save…", HF_NAME_MATCH_SAME},
    {"保存", "保存(S)", HF_NAME_MATCH_SAME},
    {"dropdown", "Drop-down", HF_NAME_MATCH_SAME},
    {"登录", "登 录", HF_NAME_MATCH_SAME},
    {"tickets", "Ticket", HF_NAME_MATCH_WORDS},
    {"the tickets", "Ticket", HF_NAME_MATCH_WORDS},
    {"提交", "Submit", HF_NAME_MATCH_SYNONYM},
    {"log out", "Sign out", HF_NAME_MATCH_SYNONYM},
    {"保存修改", "Save changes", HF_NAME_MATCH_SYNONYM},
    {"乘号", "*", HF_NAME_MATCH_SYNONYM},
    {"equals", "=", HF_NAME_MATCH_SYNONYM},
    {"Save", "Save as", HF_NAME_MATCH_CONTAINS},
    {"Replace", "Replace all", HF_NAME_MATCH_CONTAINS},
    {"恢复默认", "恢复默认设置", HF_NAME_MATCH_SYNONYM},
    {"Save quickly", "Save", HF_NAME_MATCH_PARTIAL},
    {"Settings", "Seltings", HF_NAME_MATCH_SIMILAR},
    {"Save", "Print", HF_NAME_MATCH_NONE},
    {"Volume", "Count", HF_NAME_MATCH_NONE},
    {"x", "Xylophone", HF_NAME_MATCH_NONE},
    {"B", "b", HF_NAME_MATCH_SAME},
};

static void test_names_fit(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(HfElementName) said = hf_element_name_new(names[i].said);
        g_autoptr(HfElementName) own = hf_element_name_new(names[i].own);
        HfNameMatch match = hf_name_match(said, own);
        g_assert_true(match.score >= 0 && match.score <= 1);
        if (match.kind == names[i].kind)
            continue;
        g_test_message("%s for %s: %d, %.3f", names[i].own, names[i].said, match.kind, match.score);
        g_test_fail();
    }
}

/* A word once in a group, at least two in each, nothing too long to be found, no blanks around. */
static void test_synonyms_are_in_form(void)
{
    g_autoptr(json_t) json = json_loads(hf_data_find("synonyms.json"), 0, NULL);
    json_t *groups = json_object_get(json, "groups"), *group, *word;
    size_t i, k;
    g_assert_true(json_array_size(groups) > 300 && json_array_size(groups) < G_MAXUINT16);
    json_array_foreach (groups, i, group) {
        g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
        g_assert_cmpuint(json_array_size(group), >=, 2);
        json_array_foreach (group, k, word) {
            const char *text = json_string_value(word);
            g_test_message("%s", text);
            g_assert_true(text && *text && g_hash_table_add(seen, (gpointer)text));
            g_auto(GStrv) parts = g_strsplit(text, " ", -1);
            g_assert_cmpuint(g_strv_length(parts), <=, HF_SYNONYM_WORDS);
            for (char **part = parts; *part; part++)
                g_assert_true(**part);
            g_assert_cmpint(g_utf8_strlen(parts[0], -1), <=, 20);
            g_autofree char *folded = hf_text_fold(text);
            g_assert_nonnull(hf_synonyms_find(folded));
        }
    }
    g_assert_true(hf_synonyms_is_stop_word("the"));
    g_assert_false(hf_synonyms_is_stop_word("delete"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/description/understands", test_understands);
    g_test_add_func("/description/kinds", test_kinds_are_in_order);
    g_test_add_func("/description/refuses", test_refuses);
    g_test_add_func("/description/names-fit", test_names_fit);
    g_test_add_func("/description/synonyms", test_synonyms_are_in_form);
    return g_test_run();
}
