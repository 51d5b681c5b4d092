/* SPDX-License-Identifier: Apache-2.0 */
/* Globs for paths, and ignore files as git reads them. */
#include "hand/files/search/path-glob.h"

#include <string.h>

#include "hand/files/search/ignore.h"

static const struct {
    const char *pattern, *path;
    gboolean fits;
} globs[] = {
    {"a", "a", TRUE},
    {"a", "b", FALSE},
    {"a", "ab", FALSE},
    {"ab", "a", FALSE},
    {"*", "anything", TRUE},
    {"*", "a/b", FALSE},
    {"*.c", "x.c", TRUE},
    {"*.c", "x.cc", FALSE},
    {"*.c", "dir/x.c", FALSE},
    {"a*b*c", "a-b-b-c", TRUE},
    {"a*b*c", "a-b-b-d", FALSE},
    {"**", "a/b/c", TRUE},
    {"**/x", "x", TRUE},
    {"**/x", "a/b/x", TRUE},
    {"**/x", "a/bx", FALSE},
    {"a/**", "a/b", TRUE},
    {"a/**", "a/b/c", TRUE},
    {"a/**", "a", FALSE},
    {"a/**/b", "a/b", TRUE},
    {"a/**/b", "a/x/b", TRUE},
    {"a/**/b", "a/x/y/b", TRUE},
    {"a/**/b", "a/x/y/c", FALSE},
    {"a/**/b/**/c", "a/b/x/b/c", TRUE},
    {"**/node_modules/**", "/p/node_modules/x/y", TRUE},
    {"**/node_modules/**", "/p/node_modules_not/x", FALSE},
    {"/home/u/.ssh/**", "/home/u/.ssh/id_rsa", TRUE},
    {"/home/u/.ssh/**", "/home/u/.sshx/id_rsa", FALSE},
    {"a**b", "a/b", FALSE},
    {"a**b", "axyb", TRUE},
    {"?", "x", TRUE},
    {"?", "é", TRUE},
    {"?", "/", FALSE},
    {"??", "é", FALSE},
    {"[abc]", "b", TRUE},
    {"[!abc]", "b", FALSE},
    {"[!abc]", "d", TRUE},
    {"[^abc]", "d", TRUE},
    {"[a-c]x", "bx", TRUE},
    {"[a-c]x", "dx", FALSE},
    {"[]a]", "]", TRUE},
    {"[!/]", "/", FALSE},
    {"[é-ü]", "ö", TRUE},
    {"[", "[", TRUE},
    {"[a", "[a", TRUE},
    {"\\*", "*", TRUE},
    {"\\*", "x", FALSE},
    {"a\\", "a\\", TRUE},
    {"{a,b}", "a", FALSE},
    {"*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", FALSE},
    {"**/a/**/a/**/b", "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/c", FALSE},
    {"", "", TRUE},
    {"", "a", FALSE},
    {"*", "", TRUE},
};

static void test_globs(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(globs); i++) {
        g_test_message("%s on %s", globs[i].pattern, globs[i].path);
        g_assert_cmpint(hf_path_glob_match_text(globs[i].pattern, globs[i].path), ==,
                        globs[i].fits);
    }
}

static const struct {
    const char *pattern, *path;
    HfGlobFlags flags;
    gboolean fits;
} flagged[] = {
    {"*.{c,h}", "x.h", HF_GLOB_BRACES, TRUE},
    {"*.{c,h}", "x.o", HF_GLOB_BRACES, FALSE},
    {"{a,b{c,d}}e", "bde", HF_GLOB_BRACES, TRUE},
    {"{a,b{c,d}}e", "be", HF_GLOB_BRACES, FALSE},
    {"{a", "{a", HF_GLOB_BRACES, TRUE},
    {"\\{a,b\\}", "{a,b}", HF_GLOB_BRACES, TRUE},
    {"{}x", "x", HF_GLOB_BRACES, TRUE},
    {"/home/u/.ssh/**", "/home/u/.SSH/id", HF_GLOB_FOLD, TRUE},
    {"/home/u/.ssh/**", "/home/u/.ssh/id", HF_GLOB_FOLD, TRUE},
    {"/caf\xc3\xa9/**", "/CAFE\xcc\x81/x", HF_GLOB_FOLD, TRUE}, /* composed and not */
    {"/x\xff/*", "/X\xff/y", HF_GLOB_FOLD, TRUE},               /* no UTF-8 */
    {"/home/u/.ssh/**", "/home/u/ssh/id", HF_GLOB_FOLD, FALSE},
};

static void test_flags(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(flagged); i++) {
        g_test_message("%s on %s", flagged[i].pattern, flagged[i].path);
        g_autoptr(HfPathGlob) glob = hf_path_glob_new(flagged[i].pattern, flagged[i].flags, NULL);
        g_assert_cmpint(hf_path_glob_matches(glob, flagged[i].path), ==, flagged[i].fits);
    }
    g_assert_null(hf_path_glob_new("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", HF_GLOB_BRACES, NULL));
    g_autofree char *endless = g_strnfill(10000, 'a');
    g_assert_null(hf_path_glob_new(endless, HF_GLOB_PLAIN, NULL));
}

static void test_below(void)
{
    g_autoptr(HfPathGlob) glob = hf_path_glob_new("/home/u/.ssh/**", HF_GLOB_FOLD, NULL);
    g_assert_true(hf_path_glob_can_fit_below(glob, "/home/u"));
    g_assert_true(hf_path_glob_can_fit_below(glob, "/home/u/.ssh/x"));
    g_assert_true(hf_path_glob_can_fit_below(glob, "/"));
    g_assert_false(hf_path_glob_can_fit_below(glob, "/home/v"));
}

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
    g_test_add_func("/files/glob/bytes", test_globs);
    g_test_add_func("/files/glob/flags", test_flags);
    g_test_add_func("/files/glob/below", test_below);
    g_test_add_func("/files/ignore/rules", test_ignore);
    g_test_add_func("/files/ignore/nested", test_nested);
    return g_test_run();
}
