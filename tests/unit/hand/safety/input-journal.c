/* SPDX-License-Identifier: Apache-2.0 */
/* The journal: what is written survives the process, and nothing damaged is believed. */
#include "hand/safety/input-journal.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/error.h"

static char *new_directory(void)
{
    return g_dir_make_tmp("hf-journal-XXXXXX", NULL);
}

static void remove_directory(const char *directory)
{
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir)) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        g_unlink(path);
    }
    g_rmdir(directory);
}

static const HfKeySymbols empty = {{0, 0, 0, 0}, 0, 0, 0, {0}};
static const HfKeySymbols first = {{1, 0, 0, 0}, 1, 2, 2, {0x61, 0x41}};
static const HfKeySymbols second = {{2, 0, 0, 0}, 1, 2, 2, {0x62, 0x42}};
static const HfKeySymbols foreign = {{2, 0, 0, 0}, 1, 2, 2, {0x63, 0x43}};

static void write_and_die(const char *directory)
{
    HfInputJournal *journal = hf_input_journal_open(directory, NULL);
    hf_input_journal_set_server(journal, "server-a");
    hf_input_journal_hold_key(journal, 50);
    hf_input_journal_hold_key(journal, 255);
    hf_input_journal_hold_key(journal, 37);
    hf_input_journal_drop_key(journal, 37);
    hf_input_journal_hold_button(journal, 1);
    hf_input_journal_change_key(journal, 200, &empty, &first);
    hf_input_journal_change_key(journal, 200, &first, &second);
    hf_input_journal_change_key(journal, 201, &empty, &first);
    hf_input_journal_restored_key(journal, 201);
    kill(getpid(), SIGKILL);
}

static void test_survives_kill(void)
{
    g_autofree char *directory = new_directory();
    pid_t child = fork();
    if (child == 0)
        write_and_die(directory);
    int status;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

    g_autoptr(HfInputJournal) journal = hf_input_journal_open(directory, NULL);
    g_assert_cmpstr(hf_input_journal_get_server(journal), ==, "server-a");
    g_assert_true(hf_input_journal_holds_key(journal, 50));
    g_assert_true(hf_input_journal_holds_key(journal, 255));
    g_assert_false(hf_input_journal_holds_key(journal, 37));
    g_assert_true(hf_input_journal_holds_button(journal, 1));
    g_assert_false(hf_input_journal_holds_button(journal, 50));
    HfKeySymbols original = first;
    g_assert_true(hf_input_journal_get_original(journal, 200, &original));
    g_assert_cmpmem(&original, sizeof original, &empty, sizeof empty);
    g_assert_true(hf_input_journal_is_ours(journal, 200, &second));
    g_assert_true(
        hf_input_journal_is_ours(journal, 200, &first)); /* the server may not have got on */
    g_assert_false(hf_input_journal_is_ours(journal, 200, &foreign));
    g_assert_false(hf_input_journal_get_original(journal, 201, &original));
    g_assert_false(hf_input_journal_is_ours(journal, 201, &first));

    hf_input_journal_set_server(journal, "server-b");
    g_assert_false(hf_input_journal_holds_key(journal, 50));
    g_assert_false(hf_input_journal_holds_button(journal, 1));
    g_assert_false(hf_input_journal_get_original(journal, 200, &original));
    remove_directory(directory);
}

static guint count_files(const char *directory)
{
    guint count = 0;
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    while (g_dir_read_name(dir))
        count++;
    return count;
}

/* Each case spoils one byte (or cuts the file) of a journal that holds key 50. */
static void test_damaged(void)
{
    const struct {
        const char *what;
        gssize at, keep;
    } cases[] = {
        {"magic", 0, -1},       {"version", 8, -1},  {"size", 12, -1},
        {"cut short", -1, 100}, {"one byte", -1, 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].what);
        g_autofree char *directory = new_directory();
        HfInputJournal *journal = hf_input_journal_open(directory, NULL);
        hf_input_journal_hold_key(journal, 50);
        hf_input_journal_close(journal);

        g_autofree char *path = g_build_filename(directory, "journal", NULL);
        g_autofree char *content = NULL;
        gsize length;
        g_assert_true(g_file_get_contents(path, &content, &length, NULL));
        if (cases[i].at >= 0)
            content[cases[i].at] ^= 0x20;
        length = cases[i].keep >= 0 ? (gsize)cases[i].keep : length;
        g_assert_true(g_file_set_contents(path, content, (gssize)length, NULL));

        journal = hf_input_journal_open(directory, NULL);
        g_assert_nonnull(journal);
        g_assert_false(hf_input_journal_holds_key(journal, 50));
        g_assert_cmpuint(count_files(directory), ==, 2);
        hf_input_journal_close(journal);
        remove_directory(directory);
    }
}

static void test_private_and_exclusive(void)
{
    g_autofree char *directory = new_directory();
    g_autoptr(HfInputJournal) journal = hf_input_journal_open(directory, NULL);
    g_autofree char *path = g_build_filename(directory, "journal", NULL);
    GStatBuf status;
    g_assert_cmpint(g_stat(path, &status), ==, 0);
    g_assert_cmpint(status.st_mode & 0777, ==, 0600);

    g_autoptr(GError) error = NULL;
    g_assert_null(hf_input_journal_open(directory, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFLICT);
    g_clear_error(&error);
    g_assert_null(hf_input_journal_open("/proc/nonexistent", &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    remove_directory(directory);
}

static void test_in_memory(void)
{
    g_autoptr(HfInputJournal) journal = hf_input_journal_open(NULL, NULL);
    hf_input_journal_hold_button(journal, 3);
    g_assert_true(hf_input_journal_holds_button(journal, 3));
    hf_input_journal_drop_button(journal, 3);
    g_assert_false(hf_input_journal_holds_button(journal, 3));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/journal/survives-kill", test_survives_kill);
    g_test_add_func("/journal/damaged", test_damaged);
    g_test_add_func("/journal/private-and-exclusive", test_private_and_exclusive);
    g_test_add_func("/journal/in-memory", test_in_memory);
    return g_test_run();
}
