/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/read/stacked-pages.c: which page of several shows. */
#include "hand/atspi/read/stacked-pages.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"

#define SEEN   (HF_STATE(HF_STATE_VISIBLE))
#define CHOSEN (SEEN | HF_STATE(HF_STATE_SELECTED))

/* A window with a row of tabs above a stack of three pages; the last was never shown. Each page has
 * one button, the first a password field as well. */
typedef struct Stand {
    const char *toolkit;
    guint64 tabs[4]; /* their states; 0: no more */
    HfRect pages[3];
    gboolean shows[3]; /* what is expected */
} Stand;

static const HfRect whole = {0, 0, 400, 300}, stack_box = {0, 40, 400, 260}, none = {0, 0, 0, 0};

static int add(HfTree *tree, int parent, int role, HfRect bounds, guint64 states)
{
    HfNode node = {
        .role = role, .bounds = bounds, .states = states, .source = HF_SOURCE_ACCESS, .path = "/a"};
    return hf_tree_add(tree, parent, &node);
}

static HfTree *make_tree(const Stand *stand, const char **ret_names)
{
    HfTree *tree = hf_tree_new();
    HfTreeProgram program = {.bus = ":1.1", .name = "p", .toolkit = stand->toolkit, .version = ""};
    hf_tree_add_program(tree, &program);
    int frame = add(tree, HF_NODE_NONE, HF_ROLE_FRAME, whole, SEEN);
    int bar = add(tree, frame, HF_ROLE_PANEL, (HfRect){0, 0, 400, 40}, SEEN);
    int tabs = add(tree, bar, HF_ROLE_PAGE_TAB_LIST, (HfRect){0, 0, 300, 40}, SEEN);
    for (int i = 0; i < 4 && stand->tabs[i]; i++)
        add(tree, tabs, HF_ROLE_PAGE_TAB, (HfRect){100 * i, 0, 100, 40}, stand->tabs[i]);
    int stack = add(tree, frame, HF_ROLE_PANEL, stack_box, SEEN);
    for (int i = 0; i < 3; i++) {
        int page = add(tree, stack, HF_ROLE_PANEL, stand->pages[i], SEEN);
        HfNode button = {.role = HF_ROLE_BUTTON,
                         .name = ret_names[i],
                         .bounds = {10, 60, 50, 20},
                         .states = SEEN,
                         .source = HF_SOURCE_ACCESS,
                         .path = "/b"};
        hf_tree_add(tree, page, &button);
        HfNode secret = {.role = HF_ROLE_PASSWORD_TEXT,
                         .bounds = {10, 90, 50, 20},
                         .states = SEEN,
                         .secure = TRUE,
                         .source = HF_SOURCE_ACCESS,
                         .path = "/c"};
        hf_tree_add(tree, page, &secret);
    }
    hf_stacked_pages_hide(tree);
    hf_tree_finish(tree);
    return tree;
}

static void check(const Stand *stand, int number)
{
    const char *names[] = {"one", "two", "three"};
    g_autoptr(HfTree) tree = make_tree(stand, names);
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        for (int page = 0; page < 3; page++)
            if (g_strcmp0(node->name, names[page]) == 0 &&
                hf_tree_is_visible(tree, i) != stand->shows[page])
                g_error("case %d: page %d", number, page);
        g_assert_true(!node->secure || hf_tree_is_visible(tree, i));
    }
}

static void test_pages(void)
{
    const Stand cases[] = {
        /* the second one shows, and the first keeps its place */
        {"GTK", {SEEN, CHOSEN, SEEN}, {stack_box, stack_box, none}, {FALSE, TRUE, FALSE}},
        {"GTK", {CHOSEN, SEEN, SEEN}, {stack_box, stack_box, none}, {TRUE, FALSE, FALSE}},
        /* it was laid out when the window was smaller */
        {"GTK", {SEEN, CHOSEN, SEEN}, {{0, 40, 360, 200}, stack_box, none}, {FALSE, TRUE, FALSE}},
        /* as many tabs as pages, of which one is chosen; else they have nothing to do with it */
        {"GTK", {SEEN, CHOSEN}, {stack_box, stack_box, none}, {TRUE, TRUE, TRUE}},
        {"GTK", {SEEN, CHOSEN, SEEN, SEEN}, {stack_box, stack_box, none}, {TRUE, TRUE, TRUE}},
        {"GTK", {CHOSEN, CHOSEN, SEEN}, {stack_box, stack_box, none}, {TRUE, TRUE, TRUE}},
        {"GTK", {SEEN, SEEN, SEEN}, {stack_box, stack_box, none}, {TRUE, TRUE, TRUE}},
        /* the chosen page is not there */
        {"GTK", {SEEN, SEEN, CHOSEN}, {stack_box, stack_box, none}, {TRUE, TRUE, TRUE}},
        /* side by side is no stack */
        {"GTK",
         {SEEN, CHOSEN, SEEN},
         {{0, 40, 200, 260}, {200, 40, 200, 260}, none},
         {TRUE, TRUE, TRUE}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        check(&cases[i], (int)i);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-stacks/pages", test_pages);
    return g_test_run();
}
