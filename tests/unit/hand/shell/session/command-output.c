/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of an output: its beginning and end, how much it was, and the rest in a file. */
#include "hand/shell/session/command-output.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/remove-tree.h"

static char *folder_path;
static int folder;

static const struct {
    gsize limit;
    const char *pieces[6]; /* as they come */
    const char *text;
    gboolean truncated;
} cases[] = {
    {100, {NULL}, "", FALSE},
    {100, {"abc"}, "abc", FALSE},
    {100, {"abc", "", "def"}, "abcdef", FALSE},
    {8, {"abcdefgh"}, "abcdefgh", FALSE},
    {8, {"abcd", "efgh"}, "abcdefgh", FALSE},
    {8, {"a", "b", "c", "defgh"}, "abcdefgh", FALSE},
    {8, {"abcdefghi"}, "abcd\n[... 1 bytes left out ...]\nfghi", TRUE},
    {8, {"abcdefgh", "i"}, "abcd\n[... 1 bytes left out ...]\nfghi", TRUE},
    {8, {"abcdefghijklmnopq", "rs"}, "abcd\n[... 11 bytes left out ...]\npqrs", TRUE},
    {7, {"abcdefgh"}, "abc\n[... 1 bytes left out ...]\nefgh", TRUE},
    {100, {"a\377b"}, "a\357\277\275b", FALSE},
    {100, {"\303", "\244"}, "\303\244", FALSE}, /* a letter in two pieces */
    {100, {"\303"}, "\357\277\275", FALSE},
    /* Letters are not cut in two where something is left out. */
    {8,
     {"\344\270\255\344\270\255\344\270\255\344\270\255"},
     "\344\270\255\n[... 6 bytes left out ...]\n\344\270\255",
     TRUE},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf("case-%zu", i);
        g_autoptr(HfCommandOutput) output = hf_command_output_new(cases[i].limit, folder, name);
        GString *all = g_string_new(NULL);
        for (gsize j = 0; cases[i].pieces[j]; j++) {
            hf_command_output_add(output, cases[i].pieces[j], strlen(cases[i].pieces[j]));
            g_string_append(all, cases[i].pieces[j]);
        }
        g_autofree char *whole = g_string_free(all, FALSE);
        g_autoptr(json_t) text = hf_command_output_to_text(output);
        g_assert_cmpstr(json_string_value(text), ==, cases[i].text);
        g_assert_cmpuint(hf_command_output_total(output), ==, strlen(whole));
        g_assert_true(hf_command_output_is_truncated(output) == cases[i].truncated);
        g_assert_cmpstr(hf_command_output_get_spill(output), ==, cases[i].truncated ? name : NULL);
        if (!cases[i].truncated)
            continue;
        g_autofree char *path = g_build_filename(folder_path, name, NULL), *spilled = NULL;
        g_assert_true(g_file_get_contents(path, &spilled, NULL, NULL));
        g_assert_cmpstr(spilled, ==, whole);
        struct stat info;
        g_assert_true(stat(path, &info) == 0 && (info.st_mode & 0777) == 0600);
    }
}

static void test_drop_last(void)
{
    static const struct {
        const char *before, *after;
    } ends[] = {{"", ""},
                {"\n", ""},
                {"a", "a"},
                {"a\n\n", "a\n"},
                {"abc\n", "abc"},
                {"abcd\n", "abcd"},
                {"abcdefg\n", "abcdefg"},
                {"abcdefgh", "abcdefgh"}};
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(HfCommandOutput) output = hf_command_output_new(8, folder, "drop");
        hf_command_output_add(output, ends[i].before, strlen(ends[i].before));
        hf_command_output_drop_last(output, '\n');
        g_autoptr(json_t) text = hf_command_output_to_text(output);
        g_assert_cmpstr(json_string_value(text), ==, ends[i].after);
        g_assert_cmpuint(hf_command_output_total(output), ==, strlen(ends[i].after));
    }
    /* What is in a file already stays as it is. */
    g_autoptr(HfCommandOutput) output = hf_command_output_new(8, folder, "drop-long");
    hf_command_output_add(output, "abcdefgh\n", 9);
    hf_command_output_drop_last(output, '\n');
    g_assert_cmpuint(hf_command_output_total(output), ==, 9);
}

static void test_nul(void)
{
    g_autoptr(HfCommandOutput) output = hf_command_output_new(100, -1, "none");
    hf_command_output_add(output, "a\0b", 3);
    g_autoptr(json_t) text = hf_command_output_to_text(output),
                      base64 = hf_command_output_to_base64(output);
    g_assert_cmpstr(json_string_value(text), ==, "a\357\277\275b");
    g_assert_cmpstr(json_string_value(base64), ==, "YQBi");
}

/* A name that is taken, by a link to somewhere else, is left alone. */
static void test_links(void)
{
    g_autofree char *victim = g_build_filename(folder_path, "victim", NULL), *kept = NULL;
    g_autofree char *link = g_build_filename(folder_path, "taken", NULL);
    g_assert_true(g_file_set_contents(victim, "mine", -1, NULL));
    g_assert_cmpint(symlink(victim, link), ==, 0);
    g_autoptr(HfCommandOutput) output = hf_command_output_new(4, folder, "taken");
    hf_command_output_add(output, "abcdefgh", 8);
    g_assert_null(hf_command_output_get_spill(output));
    g_assert_true(g_file_get_contents(victim, &kept, NULL, NULL));
    g_assert_cmpstr(kept, ==, "mine");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    folder_path = g_dir_make_tmp("hf-output-XXXXXX", NULL);
    folder = open(folder_path, O_RDONLY | O_DIRECTORY);
    g_test_add_func("/shell/output/cases", test_cases);
    g_test_add_func("/shell/output/nul", test_nul);
    g_test_add_func("/shell/output/drop-last", test_drop_last);
    g_test_add_func("/shell/output/links", test_links);
    int status = g_test_run();
    close(folder);
    hf_remove_tree(folder_path);
    g_free(folder_path);
    return status;
}
