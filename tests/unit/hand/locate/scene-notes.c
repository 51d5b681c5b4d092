/* SPDX-License-Identifier: Apache-2.0 */
/* What is noted of a scene beyond what is told: cards of one size, headers above a painted table,
 * switches that are told as boxes to tick, and what shows a colour. Asked through picking, as
 * callers do. */
#include "hand/atspi/tree/roles.h"
#include "support/scenes.h"

#define PAINTED (HF_SOURCE_OCR | HF_SOURCE_PIXELS)

/* Four products, the last of which is sold out, and a basket with one of them. */
static const HfTestTold shop[] = {
    /* 0 */ {-1, HF_ROLE_FRAME, "Shop", {0, 0, 800, 600}, HF_SOURCE_ACCESS},
    /* 1 */ {0, HF_ROLE_SECTION, NULL, {10, 10, 200, 150}, HF_SOURCE_ACCESS},
    /* 2 */ {1, HF_ROLE_HEADING, "Fern", {20, 80, 100, 20}, HF_SOURCE_ACCESS},
    /* 3 */ {1, HF_ROLE_BUTTON, "Add to cart", {20, 120, 90, 22}, HF_SOURCE_ACCESS},
    /* 4 */ {0, HF_ROLE_SECTION, NULL, {220, 10, 200, 150}, HF_SOURCE_ACCESS},
    /* 5 */ {4, HF_ROLE_HEADING, "Cactus", {230, 80, 100, 20}, HF_SOURCE_ACCESS},
    /* 6 */ {4, HF_ROLE_BUTTON, "Add to cart", {230, 120, 90, 22}, HF_SOURCE_ACCESS},
    /* 7 */ {0, HF_ROLE_SECTION, NULL, {10, 170, 200, 150}, HF_SOURCE_ACCESS},
    /* 8 */ {7, HF_ROLE_HEADING, "Rake", {20, 240, 100, 20}, HF_SOURCE_ACCESS},
    /* 9 */ {7, HF_ROLE_BUTTON, "Add to cart", {20, 280, 90, 22}, HF_SOURCE_ACCESS},
    /* 10 */ {0, HF_ROLE_SECTION, NULL, {220, 170, 200, 150}, HF_SOURCE_ACCESS},
    /* 11 */ {10, HF_ROLE_HEADING, "Pot", {230, 240, 100, 20}, HF_SOURCE_ACCESS},
    /* 12 */ {10, HF_ROLE_BUTTON, "Sold out", {230, 280, 90, 22}, HF_SOURCE_ACCESS},
    /* 13 */ {0, HF_ROLE_STATIC, "Your basket", {500, 20, 100, 20}, HF_SOURCE_ACCESS},
    /* 14 */ {0, HF_ROLE_STATIC, "Rake", {500, 60, 50, 20}, HF_SOURCE_ACCESS},
    /* 15 */ {0, HF_ROLE_BUTTON, "−", {640, 58, 24, 24}, HF_SOURCE_ACCESS},
    /* 16 */ {0, HF_ROLE_STATIC, "Fern", {500, 100, 50, 20}, HF_SOURCE_ACCESS},
    /* 17 */ {0, HF_ROLE_BUTTON, "−", {640, 98, 24, 24}, HF_SOURCE_ACCESS},
    {0},
};

/* A table of which only the headers are told, as buttons. */
static const HfTestTold people[] = {
    /* 0 */ {-1, HF_ROLE_FRAME, "People", {0, 0, 400, 300}, HF_SOURCE_ACCESS},
    /* 1 */ {0, HF_ROLE_BUTTON, "Name", {12, 10, 60, 24}, HF_SOURCE_ACCESS},
    /* 2 */ {0, HF_ROLE_BUTTON, "Nick", {120, 10, 60, 24}, HF_SOURCE_ACCESS},
    /* 3 */ {0, HF_ROLE_TABLE, NULL, {10, 36, 250, 60}, PAINTED},
    /* 4 */ {3, HF_ROLE_TABLE_ROW, NULL, {10, 38, 250, 18}, PAINTED},
    /* 5 */ {4, HF_ROLE_LABEL, "Otto", {10, 40, 40, 14}, PAINTED},
    /* 6 */ {4, HF_ROLE_LABEL, "chaotic", {118, 40, 60, 14}, PAINTED},
    /* 7 */ {3, HF_ROLE_TABLE_ROW, NULL, {10, 58, 250, 18}, PAINTED},
    /* 8 */ {7, HF_ROLE_LABEL, "Orville", {10, 60, 50, 14}, PAINTED},
    /* 9 */ {7, HF_ROLE_LABEL, "Redenbacher", {118, 60, 90, 14}, PAINTED},
    {0},
};

/* GTK 4 says of a switch that it is a box to tick. */
static const HfTestTold boxes[] = {
    /* 0 */ {-1, HF_ROLE_FRAME, "Boxes", {0, 0, 400, 300}, HF_SOURCE_ACCESS},
    /* 1 */ {0, HF_ROLE_CHECK_BOX, "Wrap", {10, 10, 100, 16}, HF_SOURCE_ACCESS},
    /* 2 */ {0, HF_ROLE_CHECK_BOX, NULL, {200, 20, 48, 24}, HF_SOURCE_ACCESS},
    /* 3 */ {0, HF_ROLE_CHECK_BOX, NULL, {200, 60, 48, 24}, HF_SOURCE_ACCESS},
    /* 4 */ {0, HF_ROLE_CHECK_BOX, "Ruler", {10, 200, 100, 16}, HF_SOURCE_ACCESS},
    /* 5 */
    {0, HF_ROLE_IMAGE, "Red 19%, Green 41%, Blue 63%", {10, 240, 90, 20}, HF_SOURCE_ACCESS, 0},
    {0},
};

static const struct {
    const HfTestTold *told;
    const char *said;
    int meant;
} cases[] = {
    {shop, "the Add to cart button of Cactus", 6},
    {shop, "Cactus 那张卡片上的加入购物车", 6},
    {shop, "the button in the third card", 9},
    {shop, "右下角那张卡片里的按钮", 12},
    {shop, "the minus in the row of Rake", 15},
    {shop, "Rake in the basket", 14},
    {people, "Orville's nick", 9},
    {people, "the header of the Name column", 1},
    {people, "Otto 的 Nick", 6},
    {boxes, "the lower switch", 3},
    {boxes, "上面那个开关", 2},
    {boxes, "最下面的复选框", 4},
    {boxes, "pick a colour", 5},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) tree = hf_test_tree_of(cases[i].told, "GTK");
        g_assert_cmpint(hf_test_pick(tree, cases[i].said), ==, cases[i].meant);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/scene-notes/cases", test_cases);
    return g_test_run();
}
