/* SPDX-License-Identifier: Apache-2.0 */
/* What programs made with Chromium are told as they start. */
#include "hand/apps/launch-flags.h"

#include <unistd.h>

#include "shared/base/remove-tree.h"

static char *folder;

static void touch(const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *parent = g_path_get_dirname(path);
    g_mkdir_with_parents(parent, 0700);
    g_assert_true(g_file_set_contents(path, "", 0, NULL));
}

static const struct {
    const char *program; /* in the folder, or absolute */
    const char *arguments, *becomes;
} cases[] = {
    {"/usr/bin/chromium", "", "--force-renderer-accessibility"},
    {"/usr/bin/chromium", "http://a b", "--force-renderer-accessibility http://a b"},
    {"/opt/google/google-chrome-stable", "--x", "--force-renderer-accessibility --x"},
    {"/usr/bin/chromium", "--force-renderer-accessibility", "--force-renderer-accessibility"},
    {"/usr/bin/chromium", "--force-renderer-accessibility=complete",
     "--force-renderer-accessibility=complete"},
    {"/usr/bin/chromium", "a --disable-renderer-accessibility",
     "a --disable-renderer-accessibility"},
    {"/usr/bin/chromium", "--headless=new", "--headless=new"},
    {"/usr/bin/mousepad", "chromium", "chromium"},
    {"/usr/bin/no-such-program", "", ""},
    {"notes/notes", "", "--force-renderer-accessibility"},          /* Electron: beside it */
    {"editor/bin/editor", "f", "--force-renderer-accessibility f"}, /* its script: below it */
    {"link", "", "--force-renderer-accessibility"},                 /* and by a link to it */
    {"plain/plain", "f", "f"},
};

static void test_cases(void)
{
    folder = g_dir_make_tmp("handfast-flags-XXXXXX", NULL);
    touch("notes/notes");
    touch("notes/chrome_100_percent.pak");
    touch("editor/bin/editor");
    touch("editor/chrome_100_percent.pak");
    touch("plain/plain");
    g_autofree char *target = g_build_filename(folder, "notes/notes", NULL);
    g_autofree char *link = g_build_filename(folder, "link", NULL);
    g_assert_cmpint(symlink(target, link), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_path_is_absolute(cases[i].program)
                                    ? g_strdup(cases[i].program)
                                    : g_build_filename(folder, cases[i].program, NULL);
        g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
        g_auto(GStrv) given = g_strsplit(cases[i].arguments, " ", -1);
        g_strv_builder_add(builder, path);
        g_strv_builder_addv(builder, (const char **)given);
        char **arguments = g_strv_builder_end(builder);
        hf_launch_flags_add(&arguments);
        g_assert_cmpstr(arguments[0], ==, path);
        g_autofree char *joined = g_strjoinv(" ", arguments + 1);
        g_assert_cmpstr(joined, ==, cases[i].becomes);
        g_strfreev(arguments);
    }
    hf_remove_tree(folder);
    g_free(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch-flags/cases", test_cases);
    return g_test_run();
}
