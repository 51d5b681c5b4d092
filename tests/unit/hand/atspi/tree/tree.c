/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/tree/tree.c, roles.c and states.c. */
#include "hand/atspi/tree/tree.h"

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/json.h"

#include "trees.h"

static const guint64 shown = HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING);

static int add(HfTree *tree, int parent, int role, const char *name)
{
    g_autofree char *path = g_strdup_printf("/%d", hf_tree_size(tree));
    HfNode node = {.role = role,
                   .name = name,
                   .path = path,
                   .states = shown,
                   .source = HF_SOURCE_ACCESS,
                   .bounds = {1, 2, 3, 4}};
    return hf_tree_add(tree, parent, &node);
}

/* Added as answers come in: level by level. */
static HfTree *make_tree(void)
{
    HfTree *tree = hf_tree_new();
    hf_tree_add_program(
        tree, &(HfTreeProgram){.bus = ":1.2", .name = "editor", .toolkit = "gtk", .pid = 7});
    int first = add(tree, HF_NODE_NONE, HF_ROLE_FRAME, "first");
    int second = add(tree, HF_NODE_NONE, HF_ROLE_FRAME, "second");
    int panel = add(tree, first, HF_ROLE_PANEL, "panel");
    add(tree, second, HF_ROLE_BUTTON, "ok");
    add(tree, first, HF_ROLE_LABEL, "label");
    add(tree, panel, HF_ROLE_ENTRY, "entry");
    hf_tree_finish(tree);
    return tree;
}

static void test_order(void)
{
    static const struct {
        const char *name;
        int parent, first_child, next_sibling, depth, end;
    } cases[] = {
        {"first", -1, 1, -1, 0, 4}, {"panel", 0, 2, 3, 1, 3},    {"entry", 1, -1, -1, 2, 3},
        {"label", 0, -1, -1, 1, 4}, {"second", -1, 5, -1, 0, 6}, {"ok", 4, -1, -1, 1, 6},
    };
    g_autoptr(HfTree) tree = make_tree();
    g_assert_cmpint(hf_tree_size(tree), ==, G_N_ELEMENTS(cases));
    for (int i = 0; i < (int)G_N_ELEMENTS(cases); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        g_assert_cmpstr(node->name, ==, cases[i].name);
        g_assert_cmpint(node->parent, ==, cases[i].parent);
        g_assert_cmpint(node->first_child, ==, cases[i].first_child);
        g_assert_cmpint(node->next_sibling, ==, cases[i].next_sibling);
        g_assert_cmpint(node->depth, ==, cases[i].depth);
        g_assert_cmpint(hf_tree_end(tree, i), ==, cases[i].end);
        g_assert_cmpint(hf_tree_find(tree, ":1.2", node->path), ==, i);
    }
    g_assert_cmpint(hf_tree_find(tree, ":1.3", "/0"), ==, HF_NODE_NONE);
}

static void test_json(void)
{
    g_autoptr(HfTree) tree = make_tree();
    g_autoptr(json_t) json = hf_test_tree_to_json(tree);
    g_autoptr(HfTree) again = hf_test_tree_from_json(json, NULL);
    g_autoptr(json_t) same = hf_test_tree_to_json(again);
    g_assert_true(json_equal(json, same));
}

static void test_wrong_json(void)
{
    static const char *const wrong[] = {
        "{\"programs\": [{}], \"nodes\": [{\"role\": \"nonsense\"}]}",
        "{\"programs\": [{}], \"nodes\": [{\"role\": \"button\", \"parent\": 0}]}",
        "{\"programs\": [{}], \"nodes\": [{\"role\": \"button\", \"parent\": -2}]}",
        "{\"programs\": [], \"nodes\": [{\"role\": \"button\"}]}",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(json_t) json = json_loads(wrong[i], 0, NULL);
        g_autoptr(GError) error = NULL;
        g_assert_null(hf_test_tree_from_json(json, &error));
        g_assert_nonnull(error);
    }
}

static void test_visible(void)
{
    static const struct {
        const char *toolkit;
        guint64 states;
        HfRect bounds;
        gboolean visible;
    } cases[] = {
        {"gtk", shown, {0, 0, 1, 1}, TRUE},
        {"gtk", HF_STATE(HF_STATE_VISIBLE), {0, 0, 1, 1}, FALSE},
        {"GTK", HF_STATE(HF_STATE_VISIBLE), {0, 0, 1, 1}, TRUE},
        {"gtk", shown, {0, 0, 0, 1}, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTree) tree = hf_tree_new();
        hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = cases[i].toolkit});
        hf_tree_add(tree, HF_NODE_NONE,
                    &(HfNode){.states = cases[i].states,
                              .bounds = cases[i].bounds,
                              .source = HF_SOURCE_ACCESS});
        hf_tree_finish(tree);
        g_assert_cmpint(hf_tree_is_visible(tree, 0), ==, cases[i].visible);
    }
}

static void test_words(void)
{
    static const struct {
        const char *word;
        int role;
        gboolean fits;
    } cases[] = {
        {"button", HF_ROLE_BUTTON, TRUE},        {"push button", HF_ROLE_BUTTON, TRUE},
        {"Button", HF_ROLE_TOGGLE_BUTTON, TRUE}, {"field", HF_ROLE_ENTRY, TRUE},
        {"field", HF_ROLE_BUTTON, FALSE},        {"check_box", HF_ROLE_CHECK_BOX, TRUE},
        {"按钮", HF_ROLE_BUTTON, TRUE},          {"label", HF_ROLE_LABEL, TRUE},
        {"nonsense", HF_ROLE_LABEL, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpint(hf_node_role_is(cases[i].role, cases[i].word), ==, cases[i].fits);
    g_assert_false(hf_node_role_known("nonsense"));
    g_assert_true(hf_node_role_known("viewport"));
}

static void test_names(void)
{
    for (int role = 0; role < HF_ROLE_COUNT; role++)
        g_assert_cmpint(hf_node_role_from_name(hf_node_role_name(role)), ==, role);
    for (int state = 0; state < HF_STATE_COUNT; state++)
        g_assert_cmpint(hf_state_from_name(hf_state_name(state)), ==, state);
    g_assert_cmpstr(hf_node_role_name(9999), ==, "unknown");
    g_assert_null(hf_state_name(-1));
}

/* As GTK 3, GTK 4 and LibreOffice's sheets say it, and what is disabled. */
static void test_enabled(void)
{
    g_assert_true(hf_states_are_enabled(HF_STATE(HF_STATE_SENSITIVE) | HF_STATE(HF_STATE_ENABLED)));
    g_assert_true(hf_states_are_enabled(HF_STATE(HF_STATE_SENSITIVE)));
    g_assert_true(hf_states_are_enabled(HF_STATE(HF_STATE_ENABLED)));
    g_assert_false(hf_states_are_enabled(shown));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-tree/order", test_order);
    g_test_add_func("/access-tree/json", test_json);
    g_test_add_func("/access-tree/wrong-json", test_wrong_json);
    g_test_add_func("/access-tree/visible", test_visible);
    g_test_add_func("/access-tree/words", test_words);
    g_test_add_func("/access-tree/names", test_names);
    g_test_add_func("/access-tree/enabled", test_enabled);
    return g_test_run();
}
