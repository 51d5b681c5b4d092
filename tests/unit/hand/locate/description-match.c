/* SPDX-License-Identifier: Apache-2.0 */
/* What a description means on a form with rows, labels and buttons, and when an answer is
 * confident.
 */
#include "hand/locate/description-match.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "support/scenes.h"

/* What the screen shows: a dialog with two labelled fields, three people with buttons, boxes to
 * tick, a list and a toolbar. */
static const HfTestTold shown[] = {
    /* 0 */ {-1, HF_ROLE_DIALOG, "Orders", {100, 100, 600, 500}, HF_SOURCE_ACCESS, 0},
    /* 1 */ {0, HF_ROLE_LABEL, "User name:", {120, 120, 90, 20}, HF_SOURCE_ACCESS, 0},
    /* 2 */ {0, HF_ROLE_ENTRY, NULL, {230, 118, 200, 24}, HF_SOURCE_ACCESS, 0},
    /* 3 */ {0, HF_ROLE_LABEL, "City", {120, 160, 90, 20}, HF_SOURCE_ACCESS, 0},
    /* 4 */ {0, HF_ROLE_ENTRY, NULL, {230, 158, 200, 24}, HF_SOURCE_ACCESS, 0},
    /* 5 */ {0, HF_ROLE_LABEL, "Anna", {120, 220, 60, 20}, HF_SOURCE_ACCESS, 0},
    /* 6 */ {0, HF_ROLE_BUTTON, "Delete", {230, 218, 80, 24}, HF_SOURCE_ACCESS, 0},
    /* 7 */ {0, HF_ROLE_LABEL, "Li Wei", {120, 260, 60, 20}, HF_SOURCE_ACCESS, 0},
    /* 8 */ {0, HF_ROLE_BUTTON, "Delete", {230, 258, 80, 24}, HF_SOURCE_ACCESS, 0},
    /* 9 */ {0, HF_ROLE_LABEL, "Tom", {120, 300, 60, 20}, HF_SOURCE_ACCESS, 0},
    /* 10 */ {0, HF_ROLE_BUTTON, "Delete", {230, 298, 80, 24}, HF_SOURCE_ACCESS, 0},
    /* 11 */
    {0,
     HF_ROLE_CHECK_BOX,
     "Remember me",
     {120, 360, 120, 20},
     HF_SOURCE_ACCESS,
     HF_STATE(HF_STATE_CHECKED)},
    /* 12 */ {0, HF_ROLE_CHECK_BOX, "Newsletter", {120, 390, 120, 20}, HF_SOURCE_ACCESS, 0},
    /* 13 */ {0, HF_ROLE_BUTTON, "Save changes", {480, 560, 100, 28}, HF_SOURCE_ACCESS, 0},
    /* 14 */ {0, HF_ROLE_BUTTON, "Cancel", {590, 560, 100, 28}, HF_SOURCE_ACCESS, 0},
    /* 15 */ {0, HF_ROLE_LIST, "Fruit", {450, 120, 200, 80}, HF_SOURCE_ACCESS, 0},
    /* 16 */ {15, HF_ROLE_LIST_ITEM, "Apple", {450, 120, 200, 20}, HF_SOURCE_ACCESS, 0},
    /* 17 */ {15, HF_ROLE_LIST_ITEM, "Banana", {450, 140, 200, 20}, HF_SOURCE_ACCESS, 0},
    /* 18 */ {15, HF_ROLE_LIST_ITEM, "Cherry", {450, 160, 200, 20}, HF_SOURCE_ACCESS, 0},
    /* 19 */ {0, HF_ROLE_BUTTON, "Replace all", {120, 560, 100, 28}, HF_SOURCE_ACCESS, 0},
    /* 20 */ {0, HF_ROLE_LABEL, "Amount", {450, 300, 60, 24}, HF_SOURCE_ACCESS, 0},
    /* 21 */ {0, HF_ROLE_SPIN_BUTTON, NULL, {520, 300, 120, 30}, HF_SOURCE_ACCESS, 0},
    /* 22 */ {0, HF_ROLE_TOOL_BAR, NULL, {450, 400, 200, 30}, HF_SOURCE_ACCESS, 0},
    /* 23 */ {22, HF_ROLE_BUTTON, "Copy", {450, 402, 40, 26}, HF_SOURCE_ACCESS, 0},
    /* 24 */ {22, HF_ROLE_BUTTON, "Paste", {500, 402, 40, 26}, HF_SOURCE_ACCESS, 0},
    /* 25 */ {0, HF_ROLE_BUTTON, "Copy", {300, 560, 60, 28}, HF_SOURCE_ACCESS, 0},
    /* 26 */ {0, HF_ROLE_BUTTON, "Second", {380, 560, 60, 28}, HF_SOURCE_ACCESS, 0},
    /* 27 */ {0, HF_ROLE_MENU, "File", {100, 100, 50, 16}, HF_SOURCE_ACCESS, 0},
    /* 28 */ {0, HF_ROLE_MENU, "Document", {160, 100, 80, 16}, HF_SOURCE_ACCESS, 0},
    {0},
};

/* Which of them is meant, for certain; `unsure`: it comes first, but not for certain; NOTHING:
 * whatever comes first is not for certain. */
#define NOTHING (-1)
static const struct {
    const char *said;
    int meant;
    gboolean unsure;
} cases[] = {
    {"Cancel", 14, FALSE},
    {"取消按钮", 14, FALSE},
    {"保存修改", 13, FALSE},
    {"the field right of User name", 2, FALSE},
    {"用户名输入框", 2, FALSE},
    {"the field below User name", 4, FALSE},
    {"城市右边的输入框", 4, FALSE},
    {"second Delete button", 8, FALSE},
    {"最后一个删除按钮", 10, FALSE},
    {"Delete button in the row of Anna", 6, FALSE},
    {"Li Wei 那一行的删除按钮", 8, FALSE},
    {"Tom 的删除按钮", 10, FALSE},
    {"the Delete button for Tom", 10, FALSE},
    {"Tom's Delete button", 10, FALSE},
    {"the ticked checkbox", 11, FALSE},
    {"未勾选的复选框", 12, FALSE},
    {"the checkbox below Remember me", 12, FALSE},
    {"the second item of the list", 17, FALSE},
    {"列表里最后一项", 18, FALSE},
    {"the item below Apple", 17, FALSE},
    {"右下角的按钮", 14, FALSE},
    {"bottom left button", 19, FALSE},
    {"the Copy button in the toolbar", 23, FALSE},
    {"the button right of Copy in the toolbar", 24, FALSE},
    {"the Second button", 26, FALSE},
    /* a synonym is no rival of what is called exactly so */
    {"the File menu", 27, FALSE},
    {"the Document menu", 28, FALSE},
    /* several fit as well */
    {"the Delete button", NOTHING, FALSE},
    {"the Copy button", NOTHING, FALSE},
    {"the button next to Delete", NOTHING, FALSE},
    /* nothing is called so */
    {"the Print button", NOTHING, FALSE},
    {"the password field", NOTHING, FALSE},
    {"x", NOTHING, FALSE},
    /* a name with more words */
    {"the Replace button", 19, TRUE},
    /* another role than was said */
    {"the Remember me button", 11, TRUE},
    {"the User name checkbox", NOTHING, FALSE},
    /* a part of the sentence is not fulfilled, or was not understood */
    {"the thing called whatnot below Apple", NOTHING, FALSE},
    {"the \"Cancel\" button of the wizard", NOTHING, FALSE},
    {"the \"Cancel\" thing over there yonder", 14, TRUE},
    {"the Cancel button right of Tom", NOTHING, FALSE},
    {"the unticked Remember me checkbox", NOTHING, FALSE},
    {"the Cancel button at the top left", NOTHING, FALSE},
    {"the red Cancel button", 14, TRUE},
    {"the fifth Delete button", NOTHING, FALSE},
    {"the last Cancel", NOTHING, FALSE},
};

static const HfTree *ensure_tree(void)
{
    static HfTree *tree;
    if (!tree)
        tree = hf_test_tree_of(shown, "gtk");
    return tree;
}

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        gboolean confident;
        int node = hf_test_locate(ensure_tree(), cases[i].said, &confident);
        gboolean sure = cases[i].meant >= 0 && !cases[i].unsure;
        if (confident == sure && (cases[i].meant < 0 || node == cases[i].meant))
            continue;
        g_test_message("wrong: %s", cases[i].said);
        g_test_fail();
    }
}

static void test_three_alike_are_three_answers(void)
{
    HfSceneScope scope = {0};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    g_autoptr(HfDescription) description = hf_description_new("the Delete button", NULL);
    g_autoptr(HfDescriptionMatch) match = hf_description_match(scene, description);
    g_assert_cmpuint(match->found->len, >=, 3);
    for (guint i = 0; i < 3; i++) {
        const HfCandidateElement *each = &g_array_index(match->found, HfCandidateElement, i);
        g_assert_cmpstr(shown[hf_scene_get(scene, each->element)->node].name, ==, "Delete");
    }
}

/* Then there is no answer; the caller says that the time was over. */
static void test_time_is_over(void)
{
    HfSceneScope scope = {0};
    HfDeadline over = {.at_us = g_get_monotonic_time() - 1};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    g_autoptr(HfDescription) description = hf_description_new("Cancel", NULL);
    scene->deadline = &over;
    g_autoptr(HfDescriptionMatch) match = hf_description_match(scene, description);
    g_assert_cmpuint(match->found->len, ==, 0);
    g_assert_false(match->confident);
    over.at_us = G_MAXINT64;
    g_autoptr(HfDescriptionMatch) in_time = hf_description_match(scene, description);
    g_assert_true(in_time->confident);
}

static void test_region_and_reasons(void)
{
    HfSceneScope scope = {.region = {100, 240, 600, 40}};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    g_autoptr(HfDescription) description = hf_description_new("删除按钮", NULL);
    g_autoptr(HfDescriptionMatch) match = hf_description_match(scene, description);
    g_assert_true(match->confident);
    const HfCandidateElement *best = &g_array_index(match->found, HfCandidateElement, 0);
    g_autofree char *english = hf_candidate_reasons(scene, description, best, FALSE);
    g_autofree char *chinese = hf_candidate_reasons(scene, description, best, TRUE);
    g_assert_cmpstr(english, ==, "its name 'Delete' means what was said\nit is a button");
    g_assert_cmpstr(chinese, ==, "名称“Delete”与所说的意思相同\n是所说的类型（button）");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/description-match/cases", test_cases);
    g_test_add_func("/description-match/alike", test_three_alike_are_three_answers);
    g_test_add_func("/description-match/region", test_region_and_reasons);
    g_test_add_func("/description-match/time-is-over", test_time_is_over);
    return g_test_run();
}
