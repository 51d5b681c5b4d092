/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/tree/tree-difference.c. */
#include "hand/atspi/tree/tree-difference.h"

#include "hand/atspi/tree/states.h"
#include "shared/base/json.h"
#include "shared/tool/param-check.h"
#include "trees.h"

/* Bits of the fixture's usual button: shown, enabled, focusable. */
#define USUAL    "1124075776"
#define DISABLED "1107298304"

static void test_counts(void)
{
    static const struct {
        const char *changes;
        guint added, gone, altered;
        HfAlteration what;
    } cases[] = {
        {"{}", 0, 0, 0, 0},
        {"{\"11\": {\"name\": \"Close\"}}", 0, 0, 1, HF_ALTERED_NAME},
        {"{\"35\": {\"value\": \"x\"}}", 0, 0, 1, HF_ALTERED_VALUE},
        {"{\"11\": {\"states\": " DISABLED "}}", 0, 0, 1, HF_ALTERED_STATES},
        {"{\"11\": {\"bounds\": {\"x\": 1, \"y\": 1, \"width\": 5, \"height\": 5}}}", 0, 0, 1,
         HF_ALTERED_BOUNDS},
        {"{\"11\": null}", 0, 1, 0, 0},
        {"{\"14\": null}", 0, 22, 0, 0},
        /* Made anew under another object: the same if it can be no other. */
        {"{\"11\": {\"path\": \"/new\"}}", 0, 0, 0, 0},
        {"{\"24\": {\"path\": \"/new\"}}", 0, 0, 0, 0},
        {"{\"24\": {\"path\": \"/new\"}, \"28\": {\"path\": \"/newer\"}}", 2, 2, 0, 0},
        {"{\"11\": {\"path\": \"/new\", \"name\": \"Close\"}}", 1, 1, 0, 0},
        {"{\"11\": {\"role\": \"label\"}}", 1, 1, 0, 0},
        /* What was asked and not answered this time is not another one. */
        {"{\"11\": {\"name\": \"\", \"missing\": [\"name\"]}}", 0, 0, 0, 0},
        {"{\"11\": {\"name\": \"Close\", \"missing\": [\"bounds\"]}}", 0, 0, 1, HF_ALTERED_NAME},
        {"{\"11\": {\"bounds\": {}, \"missing\": [\"bounds\"]}}", 0, 0, 0, 0},
        {"{\"11\": {\"bounds\": {}}}", 0, 0, 1, HF_ALTERED_BOUNDS | HF_ALTERED_STATES},
        {"{\"11\": {\"role\": \"label\", \"missing\": [\"role\"]}}", 0, 0, 0, 0},
        {"{\"1\": {\"missing\": [\"children\"]}, \"11\": null}", 0, 0, 0, 0},
        {"{\"14\": {\"missing\": [\"children\"]}, \"11\": null}", 0, 1, 0, 0},
    };
    g_autoptr(HfTree) before = hf_test_tree("forms");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) now = hf_test_tree_changed("forms", cases[i].changes);
        g_autoptr(HfTreeDifference) difference = hf_tree_difference_new(before, now);
        g_assert_cmpuint(difference->added->len, ==, cases[i].added);
        g_assert_cmpuint(difference->gone->len, ==, cases[i].gone);
        g_assert_cmpuint(difference->altered->len, ==, cases[i].altered);
        if (cases[i].altered)
            g_assert_cmpint(g_array_index(difference->altered, HfAltered, 0).what, ==,
                            cases[i].what);
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) json = hf_tree_difference_to_json(difference, &(HfElementStyle){0});
        hf_check_result(hf_tree_difference_fields, json, &error);
        g_assert_no_error(error);
    }
}

static void test_words(void)
{
    static const struct {
        const char *changes;
        gboolean backwards;
        const char *english, *chinese;
    } cases[] = {
        {"{}", FALSE, "nothing changed", "没有变化"},
        {"{\"11\": {\"name\": \"Close\"}}", FALSE, "button \"Close\" was \"Cancel\" before",
         "按钮“Close”之前是“Cancel”"},
        {"{\"11\": {\"states\": " DISABLED "}}", FALSE, "button \"Cancel\" is disabled now",
         "按钮“Cancel”变为禁用"},
        {"{\"11\": {\"states\": " DISABLED "}}", TRUE, "button \"Cancel\" is enabled now",
         "按钮“Cancel”变为可用"},
        {"{\"8\": {\"states\": " USUAL "}}", FALSE,
         "check-box \"Remember me\" is not checked any more", "复选框“Remember me”已取消勾选"},
        {"{\"14\": null}", FALSE,
         "window \"Files\" closed; in all 0 new, 22 gone, 0 changed elements",
         "窗口“Files”已关闭；共有 0 个新元素，22 个消失，0 个改变"},
        {"{\"14\": null}", TRUE,
         "window \"Files\" opened; in all 22 new, 0 gone, 0 changed elements",
         "窗口“Files”已打开；共有 22 个新元素，0 个消失，0 个改变"},
        {"{\"35\": {\"value\": \"x\"}}", FALSE, "text has another value", "文本框的值变了"},
        {"{\"11\": null}", TRUE, "button \"Cancel\" appeared", "按钮“Cancel”出现了"},
    };
    g_autoptr(HfTree) first = hf_test_tree("forms");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) second = hf_test_tree_changed("forms", cases[i].changes);
        g_autoptr(HfTreeDifference) difference = cases[i].backwards
                                                     ? hf_tree_difference_new(second, first)
                                                     : hf_tree_difference_new(first, second);
        g_autofree char *english = hf_tree_difference_to_sentences(difference, HF_LANGUAGE_ENGLISH);
        g_autofree char *chinese = hf_tree_difference_to_sentences(difference, HF_LANGUAGE_CHINESE);
        g_assert_cmpstr(english, ==, cases[i].english);
        g_assert_cmpstr(chinese, ==, cases[i].chinese);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/difference/counts", test_counts);
    g_test_add_func("/difference/words", test_words);
    return g_test_run();
}
