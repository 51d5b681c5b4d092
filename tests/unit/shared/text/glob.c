/* SPDX-License-Identifier: Apache-2.0 */
/* Globs for names and for paths. */
#include "shared/text/glob.h"

static const struct {
    const char *pattern, *text;
    gboolean fits;
} names[] = {
    {"xterm", "XTerm", TRUE},
    {"xterm", "xterms", FALSE},
    {"*term", "gnome-terminal", FALSE},
    {"*term*", "gnome-terminal", TRUE},
    {"*.example.org", "www.EXAMPLE.org", TRUE},
    {"*", "a/b", TRUE}, /* a slash is nothing special in a name */
    {"a?c", "a/c", TRUE},
    {"a**c", "a/b/c", TRUE},
    {"[ab]", "a", FALSE},
    {"[ab]", "[AB]", TRUE},
    {"\\*", "\\x", TRUE},
    {"??", "é", TRUE}, /* bytes */
    {"É", "é", FALSE}, /* only ASCII letters ignore case */
    {"a*b*c", "a-b-b-c", TRUE},
    {"*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", FALSE},
    {"", "", TRUE},
    {"", "a", FALSE},
    {"*", "", TRUE},
    {"?", "", FALSE},
};

static void test_names(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_test_message("%s on %s", names[i].pattern, names[i].text);
        g_assert_cmpint(hf_glob_matches(names[i].pattern, names[i].text), ==, names[i].fits);
    }
    g_assert_false(hf_glob_matches("*", NULL));
}

static const struct {
    const char *pattern, *path;
    gboolean fits;
} paths[] = {
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

static void test_paths(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_test_message("%s on %s", paths[i].pattern, paths[i].path);
        g_assert_cmpint(hf_path_glob_match_text(paths[i].pattern, paths[i].path), ==,
                        paths[i].fits);
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text/glob/names", test_names);
    g_test_add_func("/text/glob/paths", test_paths);
    g_test_add_func("/text/glob/flags", test_flags);
    g_test_add_func("/text/glob/below", test_below);
    return g_test_run();
}
