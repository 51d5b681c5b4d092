/* SPDX-License-Identifier: Apache-2.0 */
/* Ignore files as git reads them. */
#include "hand/files/search/directory-walk.h"

#include <string.h>

static const struct {
    const char *rules, *path; /* below /w */
    gboolean directory, ignored;
} ignores[] = {
    {"*.o\n", "a.o", FALSE, TRUE},
    {"*.o\n", "d/a.o", FALSE, TRUE},
    {"*.o\n!keep.o\n", "d/keep.o", FALSE, FALSE},
    {"!keep.o\n*.o\n", "keep.o", FALSE, TRUE},
    {"build/\n", "build", TRUE, TRUE},
    {"build/\n", "build", FALSE, FALSE},
    {"/build\n", "build", FALSE, TRUE},
    {"/build\n", "d/build", FALSE, FALSE},
    {"d/x\n", "d/x", FALSE, TRUE},
    {"d/x\n", "e/d/x", FALSE, FALSE},
    {"**/x/y\n", "a/b/x/y", FALSE, TRUE},
    {"x/**\n", "x/a/b", FALSE, TRUE},
    {"# comment\n\n", "# comment", FALSE, FALSE},
    {"\\#x\n", "#x", FALSE, TRUE},
    {"\\!x\n", "!x", FALSE, TRUE},
    {"x   \n", "x", FALSE, TRUE},
    {"x\\ \n", "x ", FALSE, TRUE},
    {"x\r\n", "x", FALSE, TRUE},
    {"{a,b}\n", "a", FALSE, FALSE},
    {"a?c\n", "abc", FALSE, TRUE},
    {"[ab]c\n", "bc", FALSE, TRUE},
    {"/\n!\n", "x", FALSE, FALSE},
    {"last", "last", FALSE, TRUE},
};

static void test_ignore(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ignores); i++) {
        g_test_message("%s on %s", ignores[i].rules, ignores[i].path);
        g_autoptr(HfIgnore) ignore =
            hf_ignore_new(ignores[i].rules, strlen(ignores[i].rules), "/w", NULL);
        g_autofree char *path = g_build_filename("/w", ignores[i].path, NULL);
        g_assert_cmpint(hf_ignore_matches(ignore, path, ignores[i].directory), ==,
                        ignores[i].ignored);
    }
}

static void test_nested(void)
{
    g_autoptr(HfIgnore) outer = hf_ignore_new("*.log\n", 6, "/w", NULL);
    g_autoptr(HfIgnore) inner = hf_ignore_new("!important.log\n", 15, "/w/d", outer);
    g_assert_true(hf_ignore_matches(inner, "/w/d/x.log", FALSE));
    g_assert_false(hf_ignore_matches(inner, "/w/d/important.log", FALSE));
    g_assert_true(hf_ignore_matches(outer, "/w/important.log", FALSE));
    g_assert_false(hf_ignore_matches(NULL, "/w/x.log", FALSE));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/files/ignore/rules", test_ignore);
    g_test_add_func("/files/ignore/nested", test_nested);
    return g_test_run();
}
