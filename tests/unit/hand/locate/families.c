/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs together though nobody tells so: a page that keeps its boxes to itself, and a table
 * of cells without rows. What is asked of them goes through picking, as callers do. */
#include "hand/locate/families.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "support/scenes.h"

#define WEB (HF_SOURCE_ACCESS | HF_SOURCE_DOM)

/* A bar of icons and a field, a path, three cards of the same parts, and page numbers. */
static const HfTestTold page[] = {
    /* 0 */ {-1, HF_ROLE_DOCUMENT_WEB, NULL, {0, 0, 640, 480}, WEB, 0},
    /* 1 */ {0, HF_ROLE_BUTTON, "Upload", {20, 10, 32, 32}, WEB, 0},
    /* 2 */ {0, HF_ROLE_BUTTON, "Copy", {60, 10, 32, 32}, WEB, 0},
    /* 3 */ {0, HF_ROLE_BUTTON, "Print", {100, 10, 32, 32}, WEB, 0},
    /* 4 */ {0, HF_ROLE_LINK, "All", {20, 60, 30, 20}, WEB, 0},
    /* 5 */ {0, HF_ROLE_STATIC, "/", {52, 60, 8, 20}, WEB, 0},
    /* 6 */ {0, HF_ROLE_LINK, "Work", {62, 60, 40, 20}, WEB, 0},
    /* 7 */ {0, HF_ROLE_STATIC, "/ Papers", {104, 60, 60, 20}, WEB, 0},
    /* 8 */ {0, HF_ROLE_HEADING, "Soup", {20, 100, 150, 20}, WEB, 0},
    /* 9 */ {0, HF_ROLE_BUTTON, "Like", {20, 130, 30, 30}, WEB, 0},
    /* 10 */ {0, HF_ROLE_BUTTON, "Share", {60, 130, 30, 30}, WEB, 0},
    /* 11 */ {0, HF_ROLE_HEADING, "Pie", {220, 100, 150, 20}, WEB, 0},
    /* 12 */ {0, HF_ROLE_TOGGLE_BUTTON, "Like", {220, 130, 30, 30}, WEB, 0},
    /* 13 */ {0, HF_ROLE_BUTTON, "Share", {260, 130, 30, 30}, WEB, 0},
    /* 14 */ {0, HF_ROLE_HEADING, "Salad", {420, 100, 150, 20}, WEB, 0},
    /* 15 */ {0, HF_ROLE_BUTTON, "Like", {420, 130, 30, 30}, WEB, 0},
    /* 16 */ {0, HF_ROLE_BUTTON, "Share", {460, 130, 30, 30}, WEB, 0},
    /* 17 */ {0, HF_ROLE_BUTTON, "1", {20, 300, 30, 30}, WEB, 0},
    /* 18 */ {0, HF_ROLE_BUTTON, "2", {60, 300, 30, 30}, WEB, 0},
    /* 19 */ {0, HF_ROLE_BUTTON, "3", {100, 300, 30, 30}, WEB, 0},
    {0},
};

/* Cells below their headers, the first of each line to be ticked. */
static const HfTestTold table[] = {
    /* 0 */ {-1, HF_ROLE_TABLE, NULL, {0, 0, 640, 480}, HF_SOURCE_ACCESS, 0},
    /* 1 */ {0, HF_ROLE_TABLE_CELL, NULL, {10, 40, 30, 20}, HF_SOURCE_ACCESS, 0},
    /* 2 */ {0, HF_ROLE_TABLE_CELL, "60482", {42, 40, 80, 20}, HF_SOURCE_ACCESS, 0},
    /* 3 */ {0, HF_ROLE_TABLE_CELL, "Normal", {124, 40, 80, 20}, HF_SOURCE_ACCESS, 0},
    /* 4 */
    {0, HF_ROLE_TABLE_CELL, NULL, {10, 62, 30, 20}, HF_SOURCE_ACCESS, HF_STATE(HF_STATE_CHECKED)},
    /* 5 */ {0, HF_ROLE_TABLE_CELL, "50214", {42, 62, 80, 20}, HF_SOURCE_ACCESS, 0},
    /* 6 */ {0, HF_ROLE_TABLE_CELL, "Major", {124, 62, 80, 20}, HF_SOURCE_ACCESS, 0},
    /* 7 */ {0, HF_ROLE_TABLE_CELL, NULL, {10, 84, 30, 20}, HF_SOURCE_ACCESS, 0},
    /* 8 */ {0, HF_ROLE_TABLE_CELL, "56355", {42, 84, 80, 20}, HF_SOURCE_ACCESS, 0},
    /* 9 */ {0, HF_ROLE_TABLE_CELL, "Critical", {124, 84, 80, 20}, HF_SOURCE_ACCESS, 0},
    {0},
};

static const struct {
    const HfTestTold *told;
    const char *said;
    int meant;
} cases[] = {
    {page, "the second icon in the toolbar", 2},
    {page, "工具栏最后一个图标", 3},
    {page, "the second card's share button", 13},
    {page, "第三张卡片的点赞按钮", 15},
    {page, "the Like button of Pie", 12},
    {page, "share Soup", 10},
    {page, "Work in the breadcrumb", 6},
    {page, "分页栏最右边的按钮", 19},
    {table, "the checkbox of the third row", 7},
    {table, "the ticked checkbox", 4},
    {table, "the checkbox in the row of 56355", 7},
    {table, "第二行的复选框", 4},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) tree = hf_test_tree_of(cases[i].told, "any");
        g_assert_cmpint(hf_test_pick(tree, cases[i].said), ==, cases[i].meant);
    }
}

static guint count(const HfScene *scene, int role)
{
    guint found = 0;
    for (guint i = 0; i < scene->things->len; i++)
        found += hf_scene_get(scene, (int)i)->grouped && hf_scene_get(scene, (int)i)->role == role;
    return found;
}

static void test_groups(void)
{
    HfSceneScope scope = {0};
    g_autoptr(HfTree) web = hf_test_tree_of(page, "any");
    g_autoptr(HfScene) scene = hf_scene_new(web, &scope);
    g_assert_cmpuint(count(scene, hf_node_role_from_name("article")), ==, 3);
    g_assert_cmpuint(count(scene, HF_ROLE_TOOL_BAR), ==, 3);
    g_autoptr(HfTree) cells = hf_test_tree_of(table, "any");
    g_autoptr(HfScene) rows = hf_scene_new(cells, &scope);
    g_assert_cmpuint(count(rows, HF_ROLE_TABLE_ROW), ==, 3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/families/groups", test_groups);
    g_test_add_func("/families/cases", test_cases);
    return g_test_run();
}
