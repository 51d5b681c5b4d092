/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/selector/selector-match.c, match-text.c, proximity.c and
 * label-match.c. */
#include "hand/atspi/selector/selector-match.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "trees.h"

static void test_labels(void)
{
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"Save", "save"},
        {"_Save", "save"},
        {"Save…", "save"},
        {"Save...", "save"},
        {"&Save\tCtrl+S", "save"},
        {"User  name:", "user name"},
        {"保存(_S)", "保存"},
        {"保存(S)...", "保存"},
        {"用户名：", "用户名"},
        {"ＡＢＣ", "abc"},
        {"R&D", "rd"},
        {"CAFÉ", "café"},
        {"f(x)", "f(x)"},
        {"...", "."},
        {"Reload Reload", "reload"},
        {"保存(_S) 保存(S)", "保存"},
        {"", ""},
        {"a\xff", "a\xef\xbf\xbd"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *normal = hf_label_normal(cases[i].text);
        g_assert_cmpstr(normal, ==, cases[i].normal);
    }
}

static void test_fits(void)
{
    static const struct {
        const char *text, *wanted;
        HfFit fit;
    } cases[] = {
        {"Save", "Save", HF_FIT_SAME},
        {"_Save…", "save", HF_FIT_NORMAL},
        {"Save As…", "Save", HF_FIT_PREFIX},
        {"Don't Save", "Save", HF_FIT_WORD},
        {"Saved games", "Save", HF_FIT_CONTAINS},
        {"Open", "Save", HF_FIT_NONE},
        {"Profile", "file", HF_FIT_CONTAINS},
        {"New file", "file", HF_FIT_WORD},
        {"另存为", "存", HF_FIT_WORD},
        {"保存文件", "保存", HF_FIT_PREFIX},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *normal = hf_label_normal(cases[i].wanted);
        g_assert_cmpint(hf_label_fit(cases[i].text, cases[i].wanted, normal), ==, cases[i].fit);
    }
}

static void test_nearness(void)
{
    static const HfRect anchor = {100, 100, 50, 20};
    static const struct {
        HfRect rect;
        HfDirection direction;
        double distance;
    } cases[] = {
        {{160, 100, 50, 20}, HF_DIRECTION_RIGHT, 10}, {{160, 100, 50, 20}, HF_DIRECTION_LEFT, -1},
        {{40, 98, 50, 24}, HF_DIRECTION_LEFT, 10},    {{100, 130, 200, 20}, HF_DIRECTION_BELOW, 10},
        {{100, 70, 50, 20}, HF_DIRECTION_ABOVE, 10},  {{160, 130, 50, 20}, HF_DIRECTION_RIGHT, -1},
        {{153, 124, 5, 5}, HF_DIRECTION_ANY, 5},      {{110, 105, 5, 5}, HF_DIRECTION_ANY, 0},
        {{148, 100, 50, 20}, HF_DIRECTION_RIGHT, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpfloat(hf_proximity_from(anchor, cases[i].rect, cases[i].direction), ==,
                          cases[i].distance);
}

/* Which element of the fixture a selector means: its index, or why none. */
#define NONE    (-100 - HF_CHOICE_NONE)
#define SEVERAL (-100 - HF_CHOICE_SEVERAL)
#define TOO_FEW (-100 - HF_CHOICE_TOO_FEW)

static int find_reference(gpointer data, guint snapshot, guint ref, GError **error)
{
    if (ref != 26 || snapshot)
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "e%u", ref);
    return ref == 26 ? 26 : HF_NODE_NONE;
}

static int choose(const HfTree *tree, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfSelector) selector = hf_selector_from_text(text, &error);
    g_assert_no_error(error);
    HfMatchScope scope = {.find_reference = find_reference};
    g_autoptr(HfMatches) matches = hf_selector_match(tree, selector, &scope, &error);
    g_assert_no_error(error);
    int index = HF_NODE_NONE;
    HfChoice choice = hf_matches_choose(matches, selector, &index);
    return choice == HF_CHOICE_ONE ? index : -100 - (int)choice;
}

static void test_choice(void)
{
    static const struct {
        const char *text;
        int index;
    } cases[] = {
        {"button \"Cancel\"", 11},
        {"button \"cancel\"", 11},
        {"button \"Save\"", 12},    /* "Save…", disabled: never another one instead */
        {"menu-item \"Save\"", 18}, /* hidden, but not "Save As..." */
        {"menu-item \"Save as\"", 19},
        {"menu-item \"Open\"", 17},
        {"button \"Sign in\"", 9}, /* known by the label inside */
        {"text \"Sign in\"", 10},
        {"\"Sign in\" in window \"Sign in\"", 9},
        {"button \"Delete\"", SEVERAL},
        {"button \"Delete\" nth 1", 24},
        {"button \"Delete\" nth 2", 28},
        {"button \"Delete\" nth 4", TOO_FEW},
        {"button \"Delete\" in row \"Bob\"", 28},
        {"button \"Delete\" near \"Bob\"", 28},
        {"button \"Delete\" near e26", 28},
        {"button right of \"Bob\"", 27},
        {"button \"Delete\" right of \"Carol\"", 32},
        {"button below \"Bob\"", NONE},
        {"button \"Delete all\"", 33},
        {"button \"Delet all\"", NONE},
        {"button \"Frobnicate\"", NONE},
        {"field near \"User name\"", 3},
        {"field \"User name\"", 3},
        {"field \"Password\"", 5},
        {"password near \"Password\"", 5},
        {"combo \"Server\"", 7},
        {"field right of \"User name\" within 20", 3},
        {"field right of \"User name\" within 5", NONE},
        {"check-box \"Remember\"", 8},
        {"check-box checked", 8},
        {"check-box not checked in window \"Sign in\"", NONE},
        {"checkbox \"Remember me\" disabled", NONE},
        {"button disabled", 12},
        {"text~/Total: \\d+/", 13},
        {"~/^Total/", 13},
        {"text \"see you\"", 35},
        {"field value *=\"dear bob\"", 35},
        {"id \"reload-button\"", 34},
        {"path \"File > Open\"", 17},
        {"path \"Files > File > Open...\"", 17},
        {"path \"Sign in > Open\"", NONE},
        {"button \"Delete\" rect 980,190,100,50", 28},
        {"按钮 \"保存\"", 39},
        {"保存", 39},
        {"按钮 \"另存为\"", 40},
        {"输入框 靠近 \"用户名\"", 38},
        {"输入框 \"用户名\"", 38},
        {"帮助中心", 41}, /* the link, not the text in it */
        {"window \"文件管理器\"", 36},
        {"=\"Delete\" nth 3", 32},
        {"button \"Edit\" nth 1", 23},
        {"button in window \"Files\" nth 3", 27}, /* rows are read from the left */
        {"check-box \"Bold\" nth 2", 47},         /* "Italic" on its right has a name of its own */
        {"check-box \"Italic\" nth 1", 45},
        {"check-box \"Italic\" nth 3", TOO_FEW},
    };
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        if (choose(tree, cases[i].text) != cases[i].index)
            g_error("%s: %d, not %d", cases[i].text, choose(tree, cases[i].text), cases[i].index);
}

static void test_reasons(void)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"field \"Password\"", "the label beside it, 'Password:', equals except for"},
        {"button \"Sign in\"", "a text inside it, '_Sign in', equals except for"},
        {"button \"Save\"", "it is disabled"},
        {"menu-item \"Save\"", "it is not visible"},
        {"button \"Cancel\"", "it is in the active window"},
        {"field near \"User name\"", "10 px from what"},
        {"button \"Cancle\"", "resembles 'Cancle'"},
        {"~/^Total/", "its name matches '^Total'"},
    };
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfSelector) selector = hf_selector_from_text(cases[i].text, NULL);
        g_autoptr(HfMatches) matches = hf_selector_match(tree, selector, NULL, NULL);
        g_assert_cmpint(matches->total, >, 0);
        const HfCandidate *best = &g_array_index(matches->candidates, HfCandidate, 0);
        if (!strstr(best->reasons, cases[i].reason))
            g_error("%s: %s", cases[i].text, best->reasons);
        g_assert_cmpfloat(best->score, <=, 100);
    }
}

static void test_scope(void)
{
    static const struct {
        HfMatchScope scope;
        int total;
    } cases[] = {
        {{.window = 1}, 3}, {{.window = 2}, 8}, {{.window = 3}, 2}, {{.pid = 200}, 2}, {{0}, 13}};
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    g_autoptr(HfSelector) selector = hf_selector_from_text("button", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfMatches) matches = hf_selector_match(tree, selector, &cases[i].scope, NULL);
        g_assert_cmpint(matches->total, ==, cases[i].total);
    }
}

static void test_unknown_reference(void)
{
    g_autoptr(HfTree) tree = hf_test_tree("forms");
    g_autoptr(HfSelector) selector = hf_selector_from_text("button near e99", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_selector_match(tree, selector, NULL, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    g_clear_error(&error);
    HfMatchScope scope = {.find_reference = find_reference};
    g_assert_null(hf_selector_match(tree, selector, &scope, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_STALE_SNAPSHOT);
}

/* A tree as large as is ever read: buttons in rows, all with long names. */
static HfTree *make_large(void)
{
    HfTree *tree = hf_tree_new();
    hf_tree_add_program(tree, &(HfTreeProgram){.toolkit = "gtk"});
    HfNode node = {.role = HF_ROLE_FRAME,
                   .states = HF_STATE(HF_STATE_VISIBLE) | HF_STATE(HF_STATE_SHOWING),
                   .source = HF_SOURCE_ACCESS,
                   .bounds = {0, 0, 1000, 1000}};
    int root = hf_tree_add(tree, HF_NODE_NONE, &node);
    for (int i = 0; i < 20000; i++) {
        g_autofree char *name = g_strdup_printf("aaaaaaaaaaaaaaaaaaaaaaaa %d!", i);
        node.role = i % 2 ? HF_ROLE_BUTTON : HF_ROLE_LABEL;
        node.name = name;
        node.bounds = (HfRect){i % 100 * 10, i / 100 * 5, 9, 4};
        hf_tree_add(tree, root, &node);
    }
    hf_tree_finish(tree);
    return tree;
}

static void test_large(void)
{
    static const char *const texts[] = {"button \"aaaaaaaaaaaaaaaaaaaaaaaa 7!\"",
                                        "button",
                                        "field \"aaa\"",
                                        "button near \"aaaaaaaaaaaaaaaaaaaaaaaa 8!\"",
                                        "~/^(a|b|ab|aab)*[^a]* 19999!$/",
                                        "~/(a+a+)+!/"};
    g_autoptr(HfTree) tree = make_large();
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfSelector) selector = hf_selector_from_text(texts[i], NULL);
        gint64 begin = g_get_monotonic_time();
        g_autoptr(HfMatches) matches = hf_selector_match(tree, selector, NULL, &error);
        gint64 taken = (g_get_monotonic_time() - begin) / 1000;
        g_test_message("%s: %" G_GINT64_FORMAT " ms, %d", texts[i], taken,
                       matches ? matches->total : -1);
        g_assert_cmpint(taken, <, 6 * HF_LIMIT_SELECTOR_MS);
        if (matches)
            g_assert_cmpuint(matches->candidates->len, <=, HF_LIMIT_CANDIDATES);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/match/labels", test_labels);
    g_test_add_func("/match/fits", test_fits);
    g_test_add_func("/match/nearness", test_nearness);
    g_test_add_func("/match/choice", test_choice);
    g_test_add_func("/match/reasons", test_reasons);
    g_test_add_func("/match/scope", test_scope);
    g_test_add_func("/match/unknown-reference", test_unknown_reference);
    g_test_add_func("/match/large", test_large);
    return g_test_run();
}
