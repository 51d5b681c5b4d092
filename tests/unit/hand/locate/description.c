/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions: how words are understood, what is refused, and that names and synonyms fit. */
#include "hand/locate/description.h"

#include <string.h>

#include "hand/locate/locate-limits.h"
#include "hand/locate/synonyms.h"
#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

/* The most likely reading of each. */
static const struct {
    const char *said, *understood;
} cases[] = {
    {"Save", "element 'save'"},
    {"the Save button", "button 'save'"},
    {"button Save", "button 'save'"},
    {"the \"Save as\" button", "button 'save as'"},
    {"保存按钮", "button '保存'"},
    {"请点击“保存”按钮", "button '保存'"},
    {"second Delete button", "button 'delete' nth=2"},
    {"the 3rd checkbox", "check box nth=3"},
    {"第二个标签页", "tab nth=2"},
    {"第 12 个按钮", "button nth=12"},
    {"第十二个按钮", "button nth=12"},
    {"最后一个菜单", "menu nth=-1"},
    {"the second button from the bottom", "button nth=-2"},
    {"the second button from the top", "button nth=2"},
    {"右起第三个图标", "icon nth=-3"},
    {"从左数第二个标签页", "tab nth=2"},
    {"取消和提交中间的按钮", "button between(element '取消')(element '提交')"},
    {"the row below the selected one", "row below(element is=1)"},
    {"the ticked row: its Edit button", "button 'edit' belonging to(row is=4096)"},
    {"the field right of User name", "field right of(element 'user name')"},
    {"用户名右边的输入框", "field right of(element '用户名')"},
    {"the field right of 用户名", "field right of(element '用户名')"},
    {"the checkbox below Match case", "check box below(element 'match case')"},
    {"the Better button next to Rating", "button 'better' beside(element 'rating')"},
    {"验证码旁边的刷新按钮", "button '刷新' beside(element '验证码')"},
    {"Left 和 Right 之间的下拉框", "drop-down between(element 'left')(element 'right')"},
    {"the button between OK and Cancel", "button between(element 'ok')(element 'cancel')"},
    {"Delete button in the row of Anna Berg", "button 'delete' in the row of(element 'anna berg')"},
    {"Li Wei 那一行的 Edit 链接", "link 'edit' in the row of(element 'li wei')"},
    {"the last row's Edit link", "link 'edit' in(row nth=-1)"},
    {"the second item of the list", "item nth=2 in(list)"},
    {"菜单栏里最后一个菜单", "menu nth=-1 in(menu bar)"},
    {"对话框里用户名右边的输入框", "field right of(element '用户名' in(dialog))"},
    {"X in the top right corner of the dialog", "element 'x' at spot=6 of(dialog)"},
    {"右上角的叉号", "element '叉号' spot=6"},
    {"登录框右上角的叉", "element '叉' at spot=6 of(box '登录')"},
    {"bottom left button", "button spot=9"},
    {"the top-right icon", "icon spot=6"},
    {"the button at the far right of the bottom row", "button at spot=2 of(row spot=8)"},
    {"窗口最下面的按钮", "button at spot=8 of(window)"},
    {"底部的搜索框", "box '搜索' spot=8"},
    {"the cross in the top right of the dialog", "element 'cross' at spot=6 of(dialog)"},
    {"字体大小那一行里右边的按钮", "button spot=2 in the row of(element '字体大小')"},
    {"最后一行末尾的图标", "icon at spot=2 of(row nth=-1)"},
    {"the upper of the two switches", "switch spot=4"},
    {"the last of the four buttons", "button nth=-1"},
    {"三个标签里现在打开的那个", "tab is=1"},
    {"两个开关中下面的那个", "switch spot=8"},
    {"the three dots in the title bar", "element 'three dots' in(title bar)"},
    {"the drop-down named Right", "drop-down 'right'"},
    {"Left 和 Right 中间的下拉框", "drop-down between(element 'left')(element 'right')"},
    {"the field right under From", "field below(element 'from')"},
    {"A+ 左边的按钮", "button left of(element 'a+')"},
    {"菜单的最后一项", "item nth=-1 in(menu)"},
    {"刘强那一行的页数", "element '页数' in the row of(element '刘强')"},
    {"“Caption”那一行", "element 'caption'"},
    {"没勾选的摄像头", "element '摄像头' is=2"},
    {"红底白字的按钮", "button red"},
    {"the button in Peter Lane's row", "button in the row of(element 'peter lane')"},
    {"三个按钮中间的那个", "button nth=10000"},
    {"写着 Otto 的下拉框", "drop-down 'otto'"},
    {"第二个没打开的开关", "switch nth=2 is=2"},
    {"the dark green bar", "bar green"},
    {"the vertical slider", "slider is=1024"},
    {"横向的滑条", "slider is=2048"},
    {"选择请假类型的下拉框", "drop-down '选择请假类型'"},
    {"the box in front of Benchmark", "box left of(element 'benchmark')"},
    {"the desktop right of Play", "screen right of(element 'play')"},
    {"the Large button", "button 'large'"},
    {"the ticked checkbox", "check box is=4096"},
    {"未勾选的复选框", "check box is=2"},
    {"the greyed out button", "button is=8"},
    {"the switch that is enabled", "switch is=4"},
    {"the button on the right", "button spot=2"},
    {"下面的按钮", "button spot=8"},
    {"正则表达式复选框", "check box '正则表达式'"},
    {"中文字体那一项", "item '中文字体'"},
    {"Name 列的表头", "header 'name'"},
    {"搜索方向的下拉框", "drop-down '搜索方向'"},
    {"the radio button under Left", "radio button below(element 'left')"},
};

static void test_understands(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfDescription) description = hf_description_new(cases[i].said, &error);
        g_assert_no_error(error);
        g_autofree char *text = hf_reading_to_text(description->readings->pdata[0]);
        g_test_message("%s", cases[i].said);
        g_assert_cmpstr(text, ==, cases[i].understood);
    }
}

static gboolean has_reading(const char *said, const char *wanted)
{
    g_autoptr(HfDescription) description = hf_description_new(said, NULL);
    for (guint i = 0; i < description->readings->len; i++) {
        g_autofree char *text = hf_reading_to_text(description->readings->pdata[i]);
        if (strcmp(text, wanted) == 0)
            return TRUE;
    }
    return FALSE;
}

/* Words that could mean something may be a name, too. */
static void test_reads_in_several_ways(void)
{
    g_assert_true(has_reading("the Second tab", "tab nth=2"));
    g_assert_true(has_reading("the Second tab", "tab 'second'"));
    g_assert_true(has_reading("Sign in button", "button 'sign in'"));
    g_assert_true(has_reading("link button", "element 'link button'"));
    g_assert_true(has_reading("Insert row above", "element 'insert row above'"));
    g_assert_true(has_reading("the Disabled button", "button 'disabled'"));
    g_assert_true(has_reading("底部的搜索框", "field spot=8"));
    g_assert_true(has_reading("删除买菜", "element '删除' belonging to(element '买菜')"));
    g_assert_true(
        has_reading("delete report.pdf", "element 'delete' belonging to(element 'report.pdf')"));
    g_assert_true(has_reading("侧边栏选中的项目", "item is=1 in(side bar)"));
    g_assert_true(has_reading("the last category", "item nth=-1"));
    g_assert_true(has_reading("选中的位置", "item is=1"));
    g_assert_false(has_reading("the last 'category'", "item nth=-1"));
    g_assert_true(has_reading("close the window", "element 'close'"));
    g_assert_true(has_reading("关闭搜索栏", "element '关闭'"));
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

/* How well what something is called fits what was said. */
static const struct {
    const char *said, *own;
    double least, most;
} names[] = {
    {"Save", "Save", 1, 1},
    {"save", "_Save…", 1, 1},
    {"保存", "保存(S)", 1, 1},
    {"dropdown", "Drop-down", 0.98, 1},
    {"提交", "Submit", 0.9, 0.95},
    {"log out", "Sign out", 0.9, 0.95},
    {"保存修改", "Save changes", 0.9, 0.95},
    {"forgot password", "忘记密码？", 0.9, 0.95},
    {"乘号", "*", 0.9, 0.95},
    {"equals", "=", 0.9, 0.95},
    {"tickets", "Ticket", 0.9, 1},
    {"discard the changes", "Discard changes", 0.85, 1},
    {"恢复默认", "恢复默认设置", 0.6, 0.95},
    {"去付款", "Checkout", 0.9, 0.95},
    {"copy the link", "Copy link", 0.8, 1},
    {"寄到武汉", "武汉市洪山区", 0.2, 0.5},
    {"song Waterloo", "Waterloo", 0.6, 0.8},
    {"新建文件夹", "新建", 0.2, 0.75},
    {"Save", "Save as", 0.3, 0.75},
    {"Replace", "Replace all", 0.4, 0.75},
    {"reload the page", "Reload", 0.7, 0.85},
    {"Settings", "Seltings", 0.6, 0.75},
    {"安装", "加装", 0.3, 0.5},
    {"Save", "Print", 0, 0},
    {"Volume", "Count", 0, 0},
};

static void test_names_fit(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(HfName) said = hf_name_new(names[i].said), own = hf_name_new(names[i].own);
        double score = hf_name_fit(said, own).score;
        g_test_message("%s for %s: %.3f", names[i].own, names[i].said, score);
        g_assert_cmpfloat(score, >=, names[i].least);
        g_assert_cmpfloat(score, <=, names[i].most);
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
    g_assert_true(hf_synonyms_is_weak("the"));
    g_assert_false(hf_synonyms_is_weak("delete"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/description/understands", test_understands);
    g_test_add_func("/description/reads-in-several-ways", test_reads_in_several_ways);
    g_test_add_func("/description/refuses", test_refuses);
    g_test_add_func("/description/names-fit", test_names_fit);
    g_test_add_func("/description/synonyms", test_synonyms_are_in_form);
    return g_test_run();
}
