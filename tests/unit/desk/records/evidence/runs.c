/* SPDX-License-Identifier: Apache-2.0 */
/* Names of runs stay in their directory and do not meet; folders are private; the oldest go first;
 * nothing in a page's data can end its element. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/records/evidence/run-export.h"
#include "desk/records/evidence/run-folder.h"
#include "desk/records/evidence/run-prune.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

#define DAY_MS (24 * 3600 * 1000LL)

static const struct {
    const char *id, *name; /* NULL: marked */
} names[] = {
    {"invoice-2026", "invoice-2026"},
    {"r_0123456789abcdef", "r_0123456789abcdef"},
    {"con.part", "con.part"},
    {"..", NULL},
    {"../x", NULL},
    {"../../../../etc/passwd", NULL},
    {"/etc/passwd", NULL},
    {".", NULL},
    {".hidden", NULL},
    {"-rf", NULL},
    {"a/b", NULL},
    {"a b", NULL},
    {"", NULL},
    {"a\nb", NULL},
    {"x-0123456789ab", NULL}, /* looks as if it were marked */
    {"你好", NULL},
    {"😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀", NULL},
    {"\xff\xfe", NULL},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL},
};

static void test_names(void)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        char *name = hf_run_dup_name(names[i].id);
        g_test_message("'%s' → '%s'", names[i].id, name);
        if (names[i].name)
            g_assert_cmpstr(name, ==, names[i].name);
        else
            g_assert_cmpstr(name, !=, names[i].id);
        g_assert_null(strchr(name, '/'));
        g_assert_true(name[0] != '.' && name[0] != '-' && name[0] != 0);
        g_assert_cmpuint(strlen(name), <=, 64);
        g_assert_true(g_utf8_validate(name, -1, NULL));
        g_assert_true(g_hash_table_add(seen, name));
    }
    /* Nobody can call a run by another's name. */
    g_autofree char *marked = hf_run_dup_name("a/b"), *copied = hf_run_dup_name(marked);
    g_assert_cmpstr(marked, !=, copied);
}

static char *new_root(void)
{
    g_autofree char *above = g_dir_make_tmp("hf-runs-XXXXXX", NULL);
    return g_build_filename(above, "runs", NULL);
}

static void remove_root(char *root)
{
    g_autofree char *above = g_path_get_dirname(root);
    g_assert_true(hf_remove_tree(above));
    g_free(root);
}

static guint mode_of(const char *path)
{
    struct stat info;
    g_assert_cmpint(lstat(path, &info), ==, 0);
    return info.st_mode & 0777;
}

static void test_folder(void)
{
    char *root = new_root();
    umask(0);
    g_autoptr(HfRunFolder) folder = hf_run_folder_ensure(root, "../../x", 1700000000000, NULL);
    g_assert_nonnull(folder);
    const char *path = hf_run_folder_get_path(folder);
    g_assert_true(g_str_has_prefix(path, root));
    g_assert_cmpuint(mode_of(path), ==, 0700);
    g_assert_true(hf_run_folder_write(folder, "screenshots/001_after.jpg", "abc", 3, NULL));
    g_assert_true(hf_run_folder_link(folder, "screenshots/001_after.jpg",
                                     "screenshots/002_before.jpg", NULL));
    g_assert_true(hf_run_folder_append(folder, "steps.jsonl", "{\"step\":1}", NULL));
    g_assert_true(hf_run_folder_append(folder, "steps.jsonl", "{\"step\":2}", NULL));
    g_autofree char *picture = g_build_filename(path, "screenshots/002_before.jpg", NULL);
    g_autofree char *lines = g_build_filename(path, "steps.jsonl", NULL);
    g_assert_cmpuint(mode_of(picture), ==, 0600);
    g_assert_cmpuint(mode_of(lines), ==, 0600);
    g_autoptr(json_t) read = hf_run_read_lines(path, "steps.jsonl");
    g_assert_cmpuint(json_array_size(read), ==, 2);
    /* The next day it is still the same run. */
    g_autoptr(HfRunFolder) again =
        hf_run_folder_ensure(root, "../../x", 1700000000000 + DAY_MS, NULL);
    g_assert_true(hf_run_folder_is_old(again));
    g_assert_cmpstr(hf_run_folder_get_path(again), ==, path);
    remove_root(root);
}

/* Somebody put a link where a file of ours goes: it is not followed. */
static void test_links(void)
{
    char *root = new_root();
    g_autoptr(HfRunFolder) folder = hf_run_folder_ensure(root, "r", 1700000000000, NULL);
    g_autofree char *target = g_build_filename(root, "target", NULL);
    g_autofree char *link = g_build_filename(hf_run_folder_get_path(folder), "steps.jsonl", NULL);
    g_assert_true(g_file_set_contents(target, "mine", -1, NULL));
    g_assert_cmpint(symlink(target, link), ==, 0);
    g_assert_false(hf_run_folder_append(folder, "steps.jsonl", "{}", NULL));
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(target, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, "mine");
    remove_root(root);
}

static void make_run(const char *root, const char *id, gint64 time_ms, gsize bytes)
{
    static const char *const files[] = {"steps.jsonl", "screenshots/001_after.jpg", "screenshots"};
    g_autoptr(HfRunFolder) folder = hf_run_folder_ensure(root, id, time_ms, NULL);
    g_autofree char *data = g_malloc0(bytes);
    const char *path = hf_run_folder_get_path(folder);
    g_assert_true(hf_run_folder_append(folder, files[0], "{\"ok\":true,\"run_id\":\"x\"}", NULL));
    g_assert_true(hf_run_folder_write(folder, files[1], data, bytes, NULL));
    struct timespec times[2] = {{.tv_sec = time_ms / 1000}, {.tv_sec = time_ms / 1000}};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = g_build_filename(path, files[i], NULL);
        g_assert_cmpint(utimensat(AT_FDCWD, file, times, 0), ==, 0);
    }
    g_assert_cmpint(utimensat(AT_FDCWD, path, times, 0), ==, 0);
}

static gboolean is_kept(const char *root, const char *id)
{
    g_autofree char *path = hf_runs_find(root, id, NULL);
    return path != NULL;
}

static gboolean is_running(const char *path, gpointer data)
{
    return g_str_has_suffix(path, data);
}

static void test_prune(void)
{
    char *root = new_root();
    gint64 now = 1700000000000;
    make_run(root, "ancient", now - 50 * DAY_MS, 1000);
    make_run(root, "running", now - 40 * DAY_MS, 1000);
    make_run(root, "old", now - 3 * DAY_MS, 1024 * 1024);
    make_run(root, "newer", now - 2 * DAY_MS, 1024 * 1024);
    make_run(root, "newest", now, 1024 * 1024);
    HfRunPrune prune = {root, now, 30, 100 * 1024 * 1024, is_running, (gpointer) "/running", 0};
    g_assert_cmpuint(hf_runs_prune(&prune, NULL), ==, 1);
    g_assert_false(is_kept(root, "ancient"));
    g_assert_true(is_kept(root, "running") && is_kept(root, "old"));
    guint64 left;
    prune.max_bytes = (guint64)(2.5 * 1024 * 1024);
    g_assert_cmpuint(hf_runs_prune(&prune, &left), ==, 1);
    g_assert_false(is_kept(root, "old"));
    g_assert_true(is_kept(root, "newer") && is_kept(root, "newest") && left <= prune.max_bytes);
    prune.max_bytes = 1;
    prune.most = 1; /* a little at a time */
    g_assert_cmpuint(hf_runs_prune(&prune, NULL), ==, 1);
    prune.most = 0;
    g_assert_cmpuint(hf_runs_prune(&prune, NULL), ==, 1);
    g_assert_true(is_kept(root, "running")); /* whatever the limits are */
    remove_root(root);
}

static void test_page(void)
{
    static const char hostile[] = "</script><img src=x onerror=alert(1)><!-- &lt; @SCRIPT@ ]]>";
    g_autoptr(json_t) data =
        json_pack("{s:s, s:s, s:{}, s:[{s:s, s:{s:s}}]}", "run_id", hostile, "version", "1",
                  "environment", "steps", "tool", hostile, "params", hostile, hostile);
    g_autofree char *page = hf_run_page_new(data);
    g_assert_null(strstr(page, "<img src=x"));
    g_assert_null(strstr(page, "@DATA@"));
    /* Only the two script elements that are ours are ended. */
    guint ends = 0;
    for (const char *at = page; (at = strstr(at, "</script>")); at++)
        ends++;
    g_assert_cmpuint(ends, ==, 2);
    const char *start = strstr(page, "id=\"data\">") + strlen("id=\"data\">");
    g_autoptr(json_t) back =
        json_loadb(start, (gsize)(strstr(start, "</script>") - start), 0, NULL);
    g_assert_true(json_equal(back, data));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/runs/names", test_names);
    g_test_add_func("/runs/folder", test_folder);
    g_test_add_func("/runs/links", test_links);
    g_test_add_func("/runs/prune", test_prune);
    g_test_add_func("/runs/page", test_page);
    return g_test_run();
}
