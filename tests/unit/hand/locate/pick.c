/* SPDX-License-Identifier: Apache-2.0 */
/* Picking what a description means: on a form with rows, labels and buttons, as programs tell them.
 */
#include "hand/locate/pick.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

/* What the screen shows: a dialog with two labelled fields, three people with buttons, boxes to
 * tick, and tabs. */
static const struct {
    int parent, role;
    const char *name;
    HfRect bounds;
    guint64 states;
} shown[] = {
    /* 0 */ {-1, HF_ROLE_DIALOG, "Orders", {100, 100, 600, 500}, 0},
    /* 1 */ {0, HF_ROLE_LABEL, "User name:", {120, 120, 90, 20}, 0},
    /* 2 */ {0, HF_ROLE_ENTRY, NULL, {230, 118, 200, 24}, 0},
    /* 3 */ {0, HF_ROLE_LABEL, "City", {120, 160, 90, 20}, 0},
    /* 4 */ {0, HF_ROLE_ENTRY, NULL, {230, 158, 200, 24}, 0},
    /* 5 */ {0, HF_ROLE_LABEL, "Anna", {120, 220, 60, 20}, 0},
    /* 6 */ {0, HF_ROLE_BUTTON, "Delete", {230, 218, 80, 24}, 0},
    /* 7 */ {0, HF_ROLE_LABEL, "Li Wei", {120, 260, 60, 20}, 0},
    /* 8 */ {0, HF_ROLE_BUTTON, "Delete", {230, 258, 80, 24}, 0},
    /* 9 */ {0, HF_ROLE_LABEL, "Tom", {120, 300, 60, 20}, 0},
    /* 10 */ {0, HF_ROLE_BUTTON, "Delete", {230, 298, 80, 24}, 0},
    /* 11 */ {0, HF_ROLE_CHECK_BOX, "Remember me", {120, 360, 120, 20}, HF_STATE(HF_STATE_CHECKED)},
    /* 12 */ {0, HF_ROLE_CHECK_BOX, "Newsletter", {120, 390, 120, 20}, 0},
    /* 13 */ {0, HF_ROLE_BUTTON, "Save changes", {480, 560, 100, 28}, 0},
    /* 14 */ {0, HF_ROLE_BUTTON, "Cancel", {590, 560, 100, 28}, 0},
    /* 15 */ {0, HF_ROLE_LIST, "Fruit", {450, 120, 200, 80}, 0},
    /* 16 */ {15, HF_ROLE_LIST_ITEM, "Apple", {450, 120, 200, 20}, 0},
    /* 17 */ {15, HF_ROLE_LIST_ITEM, "Banana", {450, 140, 200, 20}, 0},
    /* 18 */ {15, HF_ROLE_LIST_ITEM, "Cherry", {450, 160, 200, 20}, 0},
    /* 19 */ {0, HF_ROLE_BUTTON, "Replace all", {120, 560, 100, 28}, 0},
    /* 20 */ {0, HF_ROLE_LABEL, "Amount", {450, 300, 60, 24}, 0},
    /* 21 */ {0, HF_ROLE_SPIN_BUTTON, NULL, {520, 300, 120, 30}, 0},
};

static const HfTree *ensure_tree(void)
{
    static HfTree *tree;
    if (tree)
        return tree;
    tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = "gtk"});
    for (gsize i = 0; i < G_N_ELEMENTS(shown); i++) {
        HfNode node = {.role = shown[i].role,
                       .name = shown[i].name,
                       .states = shown[i].states | HF_STATE(HF_STATE_VISIBLE) |
                                 HF_STATE(HF_STATE_SHOWING) | HF_STATE(HF_STATE_ENABLED) |
                                 HF_STATE(HF_STATE_SENSITIVE),
                       .source = HF_SOURCE_ACCESS,
                       .window = 7,
                       .bounds = shown[i].bounds};
        hf_tree_add(tree, shown[i].parent, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

/* Which of them is meant, for certain; `doubtful`: it is found, but not for certain; -1: whatever
 * is found is not for certain. */
static const struct {
    const char *said;
    int meant;
    gboolean doubtful;
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
    {"the ticked checkbox", 11, FALSE},
    {"未勾选的复选框", 12, FALSE},
    {"the checkbox below Remember me", 12, FALSE},
    {"the second item of the list", 17, FALSE},
    {"列表里最后一项", 18, FALSE},
    {"the item between Apple and Cherry", 17, FALSE},
    {"右下角的按钮", 14, FALSE},
    {"bottom left button", 19, FALSE},
    {"delete Tom", 10, FALSE},
    {"删除 Anna", 6, TRUE},
    {"the second item of the right list", 17, FALSE},
    {"the second fruit", 17, TRUE},
    {"列表里最后一种水果", 18, TRUE},
    {"the Banana fruit in the list", 17, TRUE},
    {"the second Delete button from the bottom", 8, FALSE},
    {"the item below Apple", 17, FALSE},
    {"the thing called whatnot below Apple", -1, FALSE},
    {"the last Cancel", -1, FALSE},
    {"the Delete button", -1, FALSE},
    {"the Print button", -1, FALSE},
    {"the Replace button", 19, TRUE},
    {"the Remember me button", 11, TRUE},
    {"the User name checkbox", -1, FALSE},
    {"the password field", -1, FALSE},
};

static void test_picks(void)
{
    HfSceneScope scope = {0};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfDescription) description = hf_description_new(cases[i].said, NULL);
        g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
        const HfPicked *best =
            pick->found->len > 0 ? &g_array_index(pick->found, HfPicked, 0) : NULL;
        int node = best ? hf_scene_get(scene, best->thing)->node : -1;
        g_test_message("%s: %d %.2f %s", cases[i].said, node, best ? best->confidence : 0,
                       pick->confident ? "sure" : "");
        g_assert_cmpint(pick->confident, ==, cases[i].meant >= 0 && !cases[i].doubtful);
        if (cases[i].meant >= 0)
            g_assert_cmpint(node, ==, cases[i].meant);
    }
}

/* Nobody tells of them: they are at the right end of the field. */
static void test_ends_of_a_field_for_numbers(void)
{
    static const struct {
        const char *said;
        int x;
    } ends[] = {{"the plus of Amount", 624}, {"the minus button of Amount", 592}};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &(HfSceneScope){0});
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(HfDescription) description = hf_description_new(ends[i].said, NULL);
        g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
        g_assert_cmpuint(pick->found->len, >, 0);
        HfPoint at = hf_rect_middle(g_array_index(pick->found, HfPicked, 0).box);
        g_assert_cmpint(at.x, ==, ends[i].x);
    }
}

static void test_three_alike_are_three_answers(void)
{
    HfSceneScope scope = {0};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    g_autoptr(HfDescription) description = hf_description_new("the Delete button", NULL);
    g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
    g_assert_cmpuint(pick->found->len, >=, 3);
    for (guint i = 0; i < 3; i++) {
        const HfPicked *each = &g_array_index(pick->found, HfPicked, i);
        g_assert_cmpstr(shown[hf_scene_get(scene, each->thing)->node].name, ==, "Delete");
    }
}

/* Then nothing is claimed; who asked says that the time was over. */
static void test_time_is_over(void)
{
    HfSceneScope scope = {0};
    HfDeadline over = {.at_us = g_get_monotonic_time() - 1};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    g_autoptr(HfDescription) description = hf_description_new("Cancel", NULL);
    scene->deadline = &over;
    g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
    g_assert_cmpuint(pick->found->len, ==, 0);
    g_assert_false(pick->confident);
    over.at_us = G_MAXINT64;
    g_autoptr(HfPick) in_time = hf_scene_pick(scene, description);
    g_assert_true(in_time->confident);
}

static void test_region_and_reasons(void)
{
    HfSceneScope scope = {.region = {100, 240, 600, 40}};
    g_autoptr(HfScene) scene = hf_scene_new(ensure_tree(), &scope);
    g_autoptr(HfDescription) description = hf_description_new("删除按钮", NULL);
    g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
    g_assert_true(pick->confident);
    const HfPicked *best = &g_array_index(pick->found, HfPicked, 0);
    g_autofree char *english = hf_picked_reasons(scene, best, FALSE);
    g_autofree char *chinese = hf_picked_reasons(scene, best, TRUE);
    g_assert_cmpstr(english, ==, "its name 'Delete' means what was said\nit is a button");
    g_assert_cmpstr(chinese, ==, "名称“Delete”与所说的意思相同\n是所说的类型（button）");
}

/* ---- what only the picture tells ---- */

/* Three tabs, a menu of a terminal and its buttons, and two buttons with words of their own. */
static const struct {
    const char *name;
    HfRect bounds;
    guint32 ground, ink;
    int role;
} painted[] = {
    /* 0 */ {"Today", {10, 10, 40, 14}, 0xffffff, 0x202020, HF_ROLE_LABEL},
    /* 1 */ {"Week", {80, 10, 40, 14}, 0x2060c0, 0xffffff, HF_ROLE_LABEL},
    /* 2 */ {"Month", {150, 10, 40, 14}, 0xffffff, 0x202020, HF_ROLE_LABEL},
    /* 3 */ {"1 Check the disks", {300, 100, 120, 14}, 0xc0c0c0, 0x000000, HF_ROLE_LABEL},
    /* 4 */ {"2 Repair", {300, 118, 60, 14}, 0xc0c0c0, 0x000000, HF_ROLE_LABEL},
    /* 5 */ {"3 Restart", {300, 136, 70, 14}, 0x0000a0, 0xffffff, HF_ROLE_LABEL},
    /* 6 */ {"<Enter>", {10, 200, 50, 14}, 0xc0c0c0, 0x000000, HF_ROLE_LABEL},
    /* 7 */ {"<Leave>", {120, 200, 50, 14}, 0xc0c0c0, 0x000000, HF_ROLE_LABEL},
    /* 8 */ {"Export", {10, 250, 80, 30}, 0xe0e0e0, 0x101010, HF_ROLE_BUTTON},
    /* 9 */ {"Publish", {100, 250, 80, 30}, 0xe0e0e0, 0xb0b0b0, HF_ROLE_BUTTON},
};

static void fill(HfImage *image, HfRect box, guint32 colour)
{
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++)
            hf_image_row(image, y)[x] = colour;
}

/* A stroke stands for the letters. */
static HfImage *paint(void)
{
    HfImage *image = hf_image_new(500, 300);
    fill(image, (HfRect){0, 0, 500, 300}, 0xffffff);
    for (gsize i = 0; i < G_N_ELEMENTS(painted); i++) {
        HfRect box = painted[i].bounds;
        fill(image, (HfRect){box.x - 2, box.y - 2, box.width + 4, box.height + 4},
             painted[i].ground);
        fill(image, (HfRect){box.x + 4, box.y + 6, box.width - 8, 2}, painted[i].ink);
    }
    return image;
}

static HfTree *tree_of_painted(void)
{
    HfTree *tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = "none"});
    for (gsize i = 0; i < G_N_ELEMENTS(painted); i++) {
        HfNode node = {.role = painted[i].role,
                       .name = painted[i].name,
                       .states = HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING),
                       .source = HF_SOURCE_OCR,
                       .confidence = 1,
                       .window = 7,
                       .bounds = painted[i].bounds};
        hf_tree_add(tree, HF_NODE_NONE, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

static const struct {
    const char *said;
    int meant;
} seen[] = {
    {"the last tab", 2},          {"the current tab", 1},       {"选中的标签", 1},
    {"the highlighted entry", 5}, {"the greyed out button", 9}, {"the second button", 7},
    {"第三个菜单项", 5},
};

static void test_picks_by_colours(void)
{
    g_autoptr(HfImage) image = paint();
    g_autoptr(HfTree) tree = tree_of_painted();
    HfSceneScope scope = {.picture = image, .picture_area = {0, 0, 500, 300}};
    g_autoptr(HfScene) scene = hf_scene_new(tree, &scope);
    for (gsize i = 0; i < G_N_ELEMENTS(seen); i++) {
        g_autoptr(HfDescription) description = hf_description_new(seen[i].said, NULL);
        g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
        g_test_message("%s", seen[i].said);
        g_assert_cmpuint(pick->found->len, >, 0);
        const HfPicked *best = &g_array_index(pick->found, HfPicked, 0);
        g_test_message("%d %.2f", best->thing, best->confidence);
        g_assert_cmpint(hf_scene_get(scene, best->thing)->node, ==, seen[i].meant);
    }
}

/* A folder that was read as a letter: of which the reader was sure, or not. */
static const struct {
    double read;
    int role;
} folders[] = {{0.7, HF_ROLE_ICON}, {0.95, HF_ROLE_LABEL}};

static void test_letters_that_are_drawings(void)
{
    g_autoptr(HfImage) image = hf_image_new(100, 60);
    fill(image, (HfRect){0, 0, 100, 60}, 0xffffff);
    fill(image, (HfRect){40, 20, 8, 3}, 0x303030);
    fill(image, (HfRect){40, 23, 20, 12}, 0x303030);
    HfSceneScope scope = {.picture = image, .picture_area = {0, 0, 100, 60}};
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autoptr(HfTree) tree = hf_tree_new();
        HfNodePart letter = {.end = 3, .bounds = {40, 28, 20, 3}};
        HfNode node = {.role = HF_ROLE_LABEL,
                       .name = "一",
                       .parts = &letter,
                       .part_count = 1,
                       .states = HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING),
                       .source = HF_SOURCE_OCR,
                       .confidence = folders[i].read,
                       .window = 7,
                       .bounds = {40, 20, 20, 15}};
        hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = "none"});
        hf_tree_add(tree, HF_NODE_NONE, &node);
        hf_tree_finish(tree);
        g_autoptr(HfScene) scene = hf_scene_new(tree, &scope);
        g_autoptr(HfDescription) description = hf_description_new("文件夹", NULL);
        g_autoptr(HfPick) pick = hf_scene_pick(scene, description);
        g_assert_cmpuint(pick->found->len, ==, 1);
        g_assert_cmpint(hf_scene_get(scene, 0)->role, ==, folders[i].role);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pick/ends", test_ends_of_a_field_for_numbers);
    g_test_add_func("/pick/picks", test_picks);
    g_test_add_func("/pick/colours", test_picks_by_colours);
    g_test_add_func("/pick/drawings", test_letters_that_are_drawings);
    g_test_add_func("/pick/alike", test_three_alike_are_three_answers);
    g_test_add_func("/pick/region", test_region_and_reasons);
    g_test_add_func("/pick/time-is-over", test_time_is_over);
    return g_test_run();
}
