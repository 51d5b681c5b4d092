/* SPDX-License-Identifier: Apache-2.0 */
/* Which commands name a file from elsewhere in a way that may run it. */
#include "desk/guard/policy/tainted-files.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "desk/guard/guard-limits.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

#define KEEP_MS ((gint64)3600 * 1000)

typedef struct Place {
    char *folder, *database, *file;
    HfStore *store;
    HfTaintedFiles *files;
} Place;

static const HfCaller caller = {.kind = HF_CALLER_CLIENT, .token = "1", .name = "one"};

static void begin(Place *place, gconstpointer unused)
{
    place->folder = g_dir_make_tmp("hf-files-XXXXXX", NULL);
    place->database = g_build_filename(place->folder, "handfast.db", NULL);
    place->file = g_build_filename(place->folder, "pay0.sh", NULL);
    g_file_set_contents(place->file, "echo\n", -1, NULL);
    place->store = hf_store_open(place->database, NULL);
    place->files = hf_tainted_files_new(place->store, NULL);
    hf_tainted_files_add(place->files, place->file, &caller, "browser_navigate");
}

static void end(Place *place, gconstpointer unused)
{
    hf_tainted_files_free(place->files);
    hf_store_close(place->store);
    hf_remove_tree(place->folder);
    g_free(place->folder);
    g_free(place->database);
    g_free(place->file);
}

/* %s is the folder. */
static const struct {
    const char *command;
    gboolean found;
} cases[] = {
    {"bash %s/pay0.sh", TRUE},
    {"%s/pay0.sh", TRUE},
    {". %s/pay0.sh", TRUE},
    {"cd %s && ./pay0.sh", TRUE},
    {"cd %s; bash pay0.sh", TRUE},
    {"sh < %s/pay0.sh", TRUE},
    {"cat %s/pay0.sh | sh", TRUE},
    {"bash -c '. %s/pay0.sh'", TRUE},
    {"env -i bash %s/pay0.sh", TRUE},
    {"bash --rcfile=%s/pay0.sh -i", TRUE},
    {"python3 -c 'exec(open(\"%s/pay0.sh\").read())'", TRUE},
    {"cp %s/pay0.sh x", TRUE},
    {"cat %s/pay0.sh > x", TRUE},
    {"bash %s/p\"a\"y0.s''h", TRUE},
    {"bash %s/pay*", TRUE},
    {"cd %s; bash ./$X.sh", TRUE},
    {"bash %s/link", TRUE},
    {"cd %s; bash link", TRUE},
    {"bash %s/hard", TRUE},
    {"bash %s/../$(basename %s)/pay0.sh", TRUE},
    {"cat %s/pay0.sh", FALSE},
    {"head -n 1 %s/pay0.sh | grep x", FALSE},
    {"bash %s/other.sh", FALSE},
    {"bash /elsewhere/pay0.sh", FALSE},
    {"bash xpay0.sh", FALSE},
    {"ls", FALSE},
    {"bash $X", FALSE},
};

static void test_commands(Place *place, gconstpointer unused)
{
    g_autofree char *link_path = g_build_filename(place->folder, "link", NULL),
                    *hard_path = g_build_filename(place->folder, "hard", NULL);
    g_assert_cmpint(symlink(place->file, link_path), ==, 0);
    g_assert_cmpint(link(place->file, hard_path), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) parts = g_strsplit(cases[i].command, "%s", -1);
        g_autofree char *command = g_strjoinv(place->folder, parts);
        g_autoptr(json_t) found = hf_tainted_files_in_command(place->files, command, KEEP_MS);
        g_test_message("%s", command);
        g_assert_true((found != NULL) == cases[i].found);
        if (found)
            g_assert_cmpstr(hf_json_string(found, "file", ""), ==, place->file);
    }
}

static void test_arguments(Place *place, gconstpointer unused)
{
    const char *runs[] = {"bash", place->file, NULL}, *shows[] = {"mousepad", place->file, NULL},
               *pretends[] = {"./mousepad", place->file, NULL};
    g_autoptr(json_t) run = hf_tainted_files_in_arguments(place->files, runs, KEEP_MS);
    g_autoptr(json_t) pretended = hf_tainted_files_in_arguments(place->files, pretends, KEEP_MS);
    g_autoptr(json_t) at = hf_tainted_files_at_path(place->files, place->file, KEEP_MS);
    g_assert_nonnull(run);
    g_assert_nonnull(pretended);
    g_assert_nonnull(at);
    g_assert_null(hf_tainted_files_in_arguments(place->files, shows, KEEP_MS));
    g_assert_null(hf_tainted_files_at_path(place->files, "/etc/hostname", KEEP_MS));
    g_assert_null(hf_tainted_files_at_path(place->files, place->file, -1));
}

/* It lasts, is cleared by caller, and the oldest are forgotten first. */
static void test_lasts(Place *place, gconstpointer unused)
{
    const HfCaller other = {.kind = HF_CALLER_CLIENT, .token = "2", .name = "two"};
    hf_tainted_files_add(place->files, "/second", &other, "file_write");
    hf_tainted_files_free(place->files);
    place->files = hf_tainted_files_new(place->store, NULL);
    g_assert_true(hf_tainted_files_clear(place->files, "token 1", NULL));
    g_autoptr(json_t) left = hf_tainted_files_list(place->files, KEEP_MS);
    g_assert_cmpint(json_array_size(left), ==, 1);
    for (guint i = 0; i < HF_LIMIT_TAINTED_FILES; i++) {
        g_autofree char *path = g_strdup_printf("/file-%u", i);
        hf_tainted_files_add(place->files, path, &other, "file_write");
    }
    g_autoptr(json_t) many = hf_tainted_files_list(place->files, KEEP_MS);
    g_assert_cmpint(json_array_size(many), ==, HF_LIMIT_TAINTED_FILES);
    g_assert_null(hf_tainted_files_at_path(place->files, "/second", KEEP_MS));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/tainted-files/commands", Place, NULL, begin, test_commands, end);
    g_test_add("/tainted-files/arguments", Place, NULL, begin, test_arguments, end);
    g_test_add("/tainted-files/lasts", Place, NULL, begin, test_lasts, end);
    return g_test_run();
}
