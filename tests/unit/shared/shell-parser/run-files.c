/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a text runs or sources, as a table: all of `names` must be found, and in `others` is
 * what must not. */
#include "shared/shell-parser/run-files.h"

static const struct {
    const char *text, *names, *directories, *others;
} rows[] = {
    {"bash /p/t.sh", "/p/t.sh bash", "", ""},
    {"/p/t.sh a", "/p/t.sh", "", "a"},
    {". ./t.sh", "./t.sh", "", ""},
    {"source t.sh x", "t.sh", "", "x"},
    {"sh < t.sh", "t.sh", "", ""},
    {"cat t.sh | bash", "t.sh", "", ""},
    {"python3 t.py data", "t.py", "", "data"},
    {"python3.11 -u t.py", "t.py", "", ""},
    {"bash --rcfile rc -i", "rc", "", ""},
    {"bash --rcfile=rc t.sh", "rc t.sh", "", ""},
    {"env A=1 nice bash -e t.sh", "t.sh", "", ""},
    {"bash -c '. t.sh'", "t.sh", "", ""},
    {"cd /p && bash t.sh", "t.sh", "/p", ""},
    {"bash ~/t.sh", "~/t.sh", "", ""},
    {"bash $HOME/t.sh", "~/t.sh", "", ""},
    {"make -C below", "Makefile", "below", ""},
    {"make -f other", "other", "", ""},
    {"for f in a b; do bash t.sh $f; done", "t.sh", "", ""},
    {"echo $(bash t.sh)", "t.sh", "", ""},
    {"bash $UNKNOWN/t.sh", "bash", "", ""},
    {"grep x notes.txt", "grep", "", "notes.txt"},
    {"cp a b", "cp", "", "a b"},
};

static void check_words(const GPtrArray *found, const char *words, gboolean wanted)
{
    g_auto(GStrv) list = g_strsplit(words, " ", -1);
    for (char **word = list; *word; word++)
        if (**word) {
            g_test_message("  %s", *word);
            g_assert_cmpint(
                g_ptr_array_find_with_equal_func((GPtrArray *)found, *word, g_str_equal, NULL), ==,
                wanted);
        }
}

static void test_run_files(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(HfScript) script = hf_script_read(rows[i].text);
        g_autoptr(HfRunFiles) files = hf_run_files_of_script(script);
        g_test_message("%s", rows[i].text);
        check_words(files->names, rows[i].names, TRUE);
        check_words(files->names, rows[i].others, FALSE);
        check_words(files->directories, rows[i].directories, TRUE);
    }
}

static void test_started_without_a_shell(void)
{
    static const char *const arguments[] = {"/usr/bin/bash", "a file.sh", NULL};
    g_autoptr(HfScript) script = hf_script_read_arguments(arguments);
    g_autoptr(HfRunFiles) files = hf_run_files_of_script(script);
    g_assert_true(g_ptr_array_find_with_equal_func(files->names, "a file.sh", g_str_equal, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/run-files/table", test_run_files);
    g_test_add_func("/run-files/without-a-shell", test_started_without_a_shell);
    return g_test_run();
}
