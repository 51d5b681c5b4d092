/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/act/element-input.c: what of an element can be seen, by what its program
 * tells. And of toolkit-quirks.c: every toolkit has a row, and what is unknown is tried the usual
 * way. */
#include "hand/atspi/act/element-input.h"

#include "hand/atspi/tree/roles.h"

typedef struct Case {
    const char *about, *toolkit;
    struct {
        int role;
        HfRect bounds;
    } chain[4]; /* from the window to the element; role 0 ends it */
    HfRect expected;
} Case;

static const Case cases[] = {
    {"all of it",
     "gtk",
     {{HF_ROLE_FRAME, {0, 0, 400, 300}}, {HF_ROLE_BUTTON, {10, 20, 80, 30}}},
     {10, 20, 80, 30}},
    {"cut at the edge of what scrolls",
     "gtk",
     {{HF_ROLE_FRAME, {0, 0, 400, 300}},
      {HF_ROLE_SCROLL_PANE, {0, 0, 400, 100}},
      {HF_ROLE_BUTTON, {10, 90, 80, 30}}},
     {10, 90, 80, 10}},
    {"a box that does not scroll cuts nothing",
     "gtk",
     {{HF_ROLE_FRAME, {0, 0, 400, 300}},
      {HF_ROLE_PANEL, {0, 0, 400, 100}},
      {HF_ROLE_BUTTON, {10, 90, 80, 30}}},
     {10, 90, 80, 30}},
    {"but in GTK 4 any box may",
     "GTK",
     {{HF_ROLE_FRAME, {0, 0, 400, 300}},
      {HF_ROLE_PANEL, {0, 0, 400, 100}},
      {HF_ROLE_BUTTON, {10, 90, 80, 30}}},
     {10, 90, 80, 10}},
    {"scrolled out of sight",
     "Qt",
     {{HF_ROLE_FRAME, {0, 0, 400, 300}},
      {HF_ROLE_FILLER, {0, 0, 400, 300}},
      {HF_ROLE_BUTTON, {10, 1900, 80, 30}}},
     {10, 1900, 0, 0}},
    {"a box without a place cuts nothing",
     "Qt",
     {{HF_ROLE_FRAME, {0, 0, 400, 300}},
      {HF_ROLE_FILLER, {0, 0, 0, 0}},
      {HF_ROLE_BUTTON, {10, 20, 80, 30}}},
     {10, 20, 80, 30}},
    {"what pops up lies outside of what it belongs to",
     "Qt",
     {{HF_ROLE_FRAME, {0, 0, 400, 300}},
      {HF_ROLE_COMBO_BOX, {10, 280, 100, 20}},
      {HF_ROLE_LIST_ITEM, {10, 310, 100, 20}}},
     {10, 310, 100, 20}},
};

static void test_visible(gconstpointer data)
{
    const Case *test = data;
    g_autoptr(HfTree) tree = hf_tree_new();
    HfTreeProgram program = {.bus = ":1.1", .name = "p", .toolkit = test->toolkit, .version = ""};
    int parent = HF_NODE_NONE, owner = hf_tree_add_program(tree, &program);
    for (gsize i = 0; i < G_N_ELEMENTS(test->chain) && test->chain[i].role; i++) {
        g_autofree char *path = g_strdup_printf("/%zu", i);
        HfNode node = {.program = owner,
                       .path = path,
                       .role = test->chain[i].role,
                       .bounds = test->chain[i].bounds};
        parent = hf_tree_add(tree, parent, &node);
    }
    hf_tree_finish(tree);
    HfElement element = {
        .tree = tree,
        .index = hf_tree_size(tree) - 1,
        .quirks = hf_toolkit_quirks_find(test->toolkit),
    };
    HfRect visible = hf_element_get_visible(&element);
    g_assert_cmpint(visible.width, ==, test->expected.width);
    g_assert_cmpint(visible.height, ==, test->expected.height);
    if (visible.width > 0)
        g_assert_true(hf_rect_equal(visible, test->expected));
}

static void test_habits(void)
{
    g_assert_false(hf_toolkit_quirks_find("GTK")->grabs_focus);
    g_assert_true(hf_toolkit_quirks_find("gtk")->grabs_focus);
    g_assert_true(hf_toolkit_quirks_find("Qt")->clicks_items);
    g_assert_false(hf_toolkit_quirks_find("Qt")->pressed_is_on);
    g_assert_true(hf_toolkit_quirks_find("of another kind")->grabs_focus);
    g_assert_false(hf_toolkit_quirks_find("of another kind")->pressed_is_on);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/access-reach/visible/%zu", i);
        g_test_message("%s", cases[i].about);
        g_test_add_data_func(path, &cases[i], test_visible);
    }
    g_test_add_func("/access-reach/quirks", test_habits);
    return g_test_run();
}
