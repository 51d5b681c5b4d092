/* What belongs together though nobody tells so: a page that keeps its boxes to itself, and a table
 * of cells without rows. What is asked of them goes through picking, as callers do. */
#include "fusion/families.h"

#include <string.h>

#include "access/roles.h"
#include "access/states.h"
#include "fusion/pick.h"

typedef struct Told {
    int role;
    const char *name;
    HfRect bounds;
    guint64 states;
} Told;

#define SHOWN                                                                                      \
    (HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING) | HF_STATE(HF_STATE_ENABLED) |        \
     HF_STATE(HF_STATE_SENSITIVE))

/* A bar of icons and a field, a path, three cards of the same parts, and page numbers. */
static const Told page[] = {
    /* 1 */ {HF_ROLE_BUTTON, "Upload", {20, 10, 32, 32}, 0},
    /* 2 */ {HF_ROLE_BUTTON, "Copy", {60, 10, 32, 32}, 0},
    /* 3 */ {HF_ROLE_BUTTON, "Print", {100, 10, 32, 32}, 0},
    /* 4 */ {HF_ROLE_LINK, "All", {20, 60, 30, 20}, 0},
    /* 5 */ {HF_ROLE_STATIC, "/", {52, 60, 8, 20}, 0},
    /* 6 */ {HF_ROLE_LINK, "Work", {62, 60, 40, 20}, 0},
    /* 7 */ {HF_ROLE_STATIC, "/ Papers", {104, 60, 60, 20}, 0},
    /* 8 */ {HF_ROLE_HEADING, "Soup", {20, 100, 150, 20}, 0},
    /* 9 */ {HF_ROLE_BUTTON, "Like", {20, 130, 30, 30}, 0},
    /* 10 */ {HF_ROLE_BUTTON, "Share", {60, 130, 30, 30}, 0},
    /* 11 */ {HF_ROLE_HEADING, "Pie", {220, 100, 150, 20}, 0},
    /* 12 */ {HF_ROLE_TOGGLE_BUTTON, "Like", {220, 130, 30, 30}, 0},
    /* 13 */ {HF_ROLE_BUTTON, "Share", {260, 130, 30, 30}, 0},
    /* 14 */ {HF_ROLE_HEADING, "Salad", {420, 100, 150, 20}, 0},
    /* 15 */ {HF_ROLE_BUTTON, "Like", {420, 130, 30, 30}, 0},
    /* 16 */ {HF_ROLE_BUTTON, "Share", {460, 130, 30, 30}, 0},
    /* 17 */ {HF_ROLE_BUTTON, "1", {20, 300, 30, 30}, 0},
    /* 18 */ {HF_ROLE_BUTTON, "2", {60, 300, 30, 30}, 0},
    /* 19 */ {HF_ROLE_BUTTON, "3", {100, 300, 30, 30}, 0},
    {0},
};

/* Cells below their headers, the first of each line to be ticked. */
static const Told table[] = {
    /* 1 */ {HF_ROLE_TABLE_CELL, NULL, {10, 40, 30, 20}, 0},
    /* 2 */ {HF_ROLE_TABLE_CELL, "60482", {42, 40, 80, 20}, 0},
    /* 3 */ {HF_ROLE_TABLE_CELL, "Normal", {124, 40, 80, 20}, 0},
    /* 4 */ {HF_ROLE_TABLE_CELL, NULL, {10, 62, 30, 20}, HF_STATE(HF_STATE_CHECKED)},
    /* 5 */ {HF_ROLE_TABLE_CELL, "50214", {42, 62, 80, 20}, 0},
    /* 6 */ {HF_ROLE_TABLE_CELL, "Major", {124, 62, 80, 20}, 0},
    /* 7 */ {HF_ROLE_TABLE_CELL, NULL, {10, 84, 30, 20}, 0},
    /* 8 */ {HF_ROLE_TABLE_CELL, "56355", {42, 84, 80, 20}, 0},
    /* 9 */ {HF_ROLE_TABLE_CELL, "Critical", {124, 84, 80, 20}, 0},
    {0},
};

static HfTree *tree_of(const Told *told, int root, HfSource source)
{
    HfTree *tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = "any"});
    HfNode all = {
        .role = root, .states = SHOWN, .source = source, .window = 7, .bounds = {0, 0, 640, 480}};
    hf_tree_add(tree, HF_NODE_NONE, &all);
    for (; told->bounds.width; told++) {
        HfNode node = {.role = told->role,
                       .name = told->name,
                       .states = SHOWN | told->states,
                       .source = source,
                       .window = 7,
                       .bounds = told->bounds};
        hf_tree_add(tree, 0, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

static const struct {
    const Told *told;
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
        gboolean web = cases[i].told == page;
        g_autoptr(HfTree) tree = tree_of(cases[i].told, web ? HF_ROLE_DOCUMENT_WEB : HF_ROLE_TABLE,
                                         web ? HF_SOURCE_ACCESS | HF_SOURCE_DOM : HF_SOURCE_ACCESS);
        HfSceneScope scope = {0};
        g_autoptr(HfScene) scene = hf_scene_new(tree, &scope);
        g_autoptr(HfDescription) description = hf_description_new(cases[i].said, NULL);
        g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
        const HfPicked *best =
            pick->found->len > 0 ? &g_array_index(pick->found, HfPicked, 0) : NULL;
        int node = best ? hf_scene_get(scene, best->thing)->node : HF_NODE_NONE;
        g_test_message("%s: %d", cases[i].said, node);
        g_assert_cmpint(node, ==, cases[i].meant);
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
    g_autoptr(HfTree) web = tree_of(page, HF_ROLE_DOCUMENT_WEB, HF_SOURCE_ACCESS | HF_SOURCE_DOM);
    g_autoptr(HfScene) scene = hf_scene_new(web, &scope);
    g_assert_cmpuint(count(scene, hf_node_role_from_name("article")), ==, 3);
    g_assert_cmpuint(count(scene, HF_ROLE_TOOL_BAR), ==, 3);
    g_autoptr(HfTree) cells = tree_of(table, HF_ROLE_TABLE, HF_SOURCE_ACCESS);
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
