/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of files are done as a whole or not at all: when one of them cannot be, when the disk is
 * full, and when the process is killed at any moment. HF_LONG=1 kills five hundred times. */
#include "hand/files/change/apply-changes.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand/files/change/change-journal.h"
#include "hand/files/change/file-operations.h"
#include "hand/files/change/undo-store.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

static char *base;
static HfFileWalls *walls;

static char *at(const char *path)
{
    return g_build_filename(base, "in", path, NULL);
}

static void put(const char *path, const char *text)
{
    g_autofree char *full = at(path);
    g_assert_true(g_file_set_contents(full, text, -1, NULL));
}

static char *get(const char *path)
{
    g_autofree char *full = at(path);
    char *text = NULL;
    g_file_get_contents(full, &text, NULL, NULL);
    return text;
}

static void setup(void)
{
    base = g_dir_make_tmp("hf-change-XXXXXX", NULL);
    g_autofree char *in = at(""), *keep = g_build_filename(base, "data", "files", NULL);
    g_mkdir(in, 0700);
    g_autofree char *data = g_path_get_dirname(keep);
    g_mkdir(data, 0700);
    g_assert_true(hf_undo_store_open(keep, NULL));
    g_autoptr(json_t) json =
        json_pack("{s:[[s]], s:i}", "directories", in, "max_file_size", 100 * 1000 * 1000);
    walls = hf_file_walls_open(json, NULL);
}

static void teardown(void)
{
    hf_file_walls_free(walls);
    hf_undo_store_open(NULL, NULL);
    hf_remove_tree(base);
    g_clear_pointer(&base, g_free);
}

/* Operations with @ for the directory. */
static HfFileChanges *plan(const char *text, GError **error)
{
    g_autofree char *in = at("");
    g_auto(GStrv) parts = g_strsplit(text, "@", -1);
    g_autofree char *filled = g_strjoinv(in, parts);
    g_autoptr(json_t) list = json_loads(filled, 0, NULL);
    g_autoptr(HfFileChanges) changes = hf_file_changes_new(walls);
    size_t index;
    json_t *operation;
    g_assert_nonnull(list);
    changes->make_directories = TRUE;
    json_array_foreach (list, index, operation)
        if (!hf_file_operation_add(changes, operation, error))
            return NULL;
    return g_steal_pointer(&changes);
}

static gboolean apply(HfFileChanges *changes, GError **error)
{
    HfDeadline deadline = hf_deadline_in_ms(60000, NULL);
    return hf_file_changes_apply(changes, &deadline, error);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in the directory and below, with their content: what anybody else would see. */
static void describe(GString *text, const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)))
        g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *full = g_build_filename(path, names->pdata[i], NULL), *content = NULL;
        g_string_append_printf(text, "%s", (char *)names->pdata[i]);
        if (g_file_test(full, G_FILE_TEST_IS_DIR)) {
            g_string_append(text, "/(");
            describe(text, full);
            g_string_append(text, ") ");
        } else {
            g_file_get_contents(full, &content, NULL, NULL);
            g_string_append_printf(text, "=%.12s ", content);
        }
    }
}

static char *seen(void)
{
    GString *text = g_string_new(NULL);
    g_autofree char *in = at("");
    describe(text, in);
    return g_string_free(text, FALSE);
}

static const struct {
    const char *operations;
    const char *seen; /* NULL: refused, and nothing has changed */
} cases[] = {
    {"[{'op': 'write', 'path': '@/a', 'content': 'A'}]", "a=A b=two "},
    {"[{'op': 'create', 'path': '@/a', 'content': 'A'}]", NULL},
    {"[{'op': 'create', 'path': '@/c', 'content': 'C'}]", "a=one b=two c=C "},
    {"[{'op': 'edit', 'path': '@/a', 'old_string': 'n', 'new_string': 'N'}]", "a=oNe b=two "},
    {"[{'op': 'delete', 'path': '@/a'}]", "b=two "},
    {"[{'op': 'delete', 'path': '@/c'}]", NULL},
    {"[{'op': 'move', 'path': '@/a', 'to': '@/d/e/a'}]", "b=two d/(e/(a=one ) ) "},
    {"[{'op': 'move', 'path': '@/a', 'to': '@/b'}]", NULL},
    {"[{'op': 'delete', 'path': '@/b'}, {'op': 'move', 'path': '@/a', 'to': '@/b'}]", "b=one "},
    {"[{'op': 'write', 'path': '@/a', 'content': 'x'}, {'op': 'edit', 'path': '@/a', "
     "'old_string': 'x', 'new_string': 'y'}]",
     "a=y b=two "},
    {"[{'op': 'write', 'path': '@/a', 'content': 'x'}, {'op': 'delete', 'path': '@/none'}]", NULL},
    {"[{'op': 'mkdir', 'path': '@/d'}, {'op': 'create', 'path': '@/d/f', 'content': 'F'}]",
     "a=one b=two d/(f=F ) "},
    {"[{'op': 'move', 'path': '@/a', 'to': '@/t'}, {'op': 'move', 'path': '@/b', 'to': '@/a'}, "
     "{'op': 'move', 'path': '@/t', 'to': '@/b'}]",
     "a=two b=one "},
    {"[{'op': 'write', 'path': '@/a', 'content': 'one'}]", "a=one b=two "},
    {"[{'op': 'write', 'path': '@/c', 'content': 'aGk=', 'encoding': 'base64'}]",
     "a=one b=two c=hi "},
    {"[{'op': 'write', 'path': '@/c', 'content': '!', 'encoding': 'base64'}]", NULL},
    {"[{'op': 'write', 'path': '@/a', 'content': 'x', 'expect_hash': 'beef'}]", NULL},
    {"[{'op': 'write', 'path': '@/a', 'content': 'x [redacted]'}]", NULL},
    {"[{'op': 'restore', 'path': '@/a', 'kept': 'nothing.600.of-ours'}]", NULL},
    {"[{'op': 'write', 'path': '@/a/b', 'content': 'x'}]", NULL},
    {"[{'op': 'dance', 'path': '@/a'}]", NULL},
};

/* Everything that is done can be taken back, to what anybody else would see. */
static void take_back(const HfFileChanges *changes)
{
    g_autoptr(json_t) undo = hf_file_changes_undo(changes);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfFileChanges) back = hf_file_changes_new(walls);
    size_t index;
    json_t *operation;
    g_assert_true(hf_file_operation_check_expected(
        walls, json_object_get(json_object_get(undo, "expect"), "files"), &error));
    back->make_directories = TRUE;
    json_array_foreach (json_object_get(json_object_get(undo, "params"), "operations"), index,
                        operation) {
        hf_file_operation_add(back, operation, &error);
        g_assert_no_error(error);
    }
    apply(back, &error);
    g_assert_no_error(error);
}

static void test_operations(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        setup();
        put("a", "one");
        put("b", "two");
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strdelimit(g_strdup(cases[i].operations), "'", '"');
        g_autoptr(HfFileChanges) changes = plan(text, &error);
        gboolean done = changes && hf_file_changes_keep(changes, NULL) && apply(changes, &error);
        g_autofree char *now = seen();
        g_test_message("%s: %s", cases[i].operations, error ? error->message : now);
        g_assert_cmpstr(now, ==, cases[i].seen ? cases[i].seen : "a=one b=two ");
        g_assert_cmpint(done, ==, cases[i].seen != NULL);
        if (done) {
            take_back(changes);
            g_autofree char *again = seen();
            g_assert_cmpstr(again, ==, "a=one b=two ");
        }
        g_clear_pointer(&changes, hf_file_changes_free);
        teardown();
    }
}

static void test_keeps_mode(void)
{
    setup();
    put("a", "one");
    g_autofree char *path = at("a");
    GStatBuf info;
    g_chmod(path, 0751);
    if (geteuid() == 0)
        g_assert_cmpint(chown(path, 12, 34), ==, 0);
    g_autoptr(HfFileChanges) changes =
        plan("[{\"op\": \"write\", \"path\": \"@/a\", \"content\": \"two\"}]", NULL);
    g_assert_true(apply(changes, NULL));
    g_stat(path, &info);
    g_assert_cmpint(info.st_mode & 07777, ==, 0751);
    if (geteuid() == 0)
        g_assert_true(info.st_uid == 12 && info.st_gid == 34);
    g_clear_pointer(&changes, hf_file_changes_free);
    teardown();
}

/* Somebody writes between our reading and our writing: theirs stays, and all of ours is undone. */
static void test_meanwhile(void)
{
    static const char operations[] =
        "[{\"op\": \"write\", \"path\": \"@/a\", \"content\": \"ours\"},"
        " {\"op\": \"create\", \"path\": \"@/d/c\", \"content\": \"ours\"},"
        " {\"op\": \"write\", \"path\": \"@/b\", \"content\": \"ours\"}]";
    setup();
    put("a", "one");
    put("b", "two");
    g_autoptr(GError) error = NULL;
    g_autoptr(HfFileChanges) changes = plan(operations, NULL);
    put("b", "theirs");
    g_assert_false(apply(changes, &error));
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_PRECONDITION_FAILED);
    g_autofree char *now = seen();
    g_assert_cmpstr(now, ==, "a=one b=theirs ");
    g_clear_pointer(&changes, hf_file_changes_free);
    changes = plan("[{\"op\": \"create\", \"path\": \"@/c\", \"content\": \"ours\"}]", NULL);
    put("c", "theirs");
    g_assert_false(apply(changes, NULL));
    g_autofree char *theirs = get("c");
    g_assert_cmpstr(theirs, ==, "theirs");
    g_clear_pointer(&changes, hf_file_changes_free);
    changes = plan("[{\"op\": \"delete\", \"path\": \"@/c\"}]", NULL);
    put("c", "theirs too");
    g_assert_false(apply(changes, NULL));
    g_autofree char *still = get("c");
    g_assert_cmpstr(still, ==, "theirs too");
    g_clear_pointer(&changes, hf_file_changes_free);
    teardown();
}

static void test_expectations(void)
{
    setup();
    put("a", "one");
    g_autoptr(GError) error = NULL;
    g_autoptr(HfFileChanges) changes =
        plan("[{\"op\": \"write\", \"path\": \"@/a\", \"content\": \"two\"}]", NULL);
    g_assert_true(hf_file_changes_keep(changes, NULL) && apply(changes, NULL));
    g_autoptr(json_t) undo = hf_file_changes_undo(changes);
    const json_t *files = json_object_get(json_object_get(undo, "expect"), "files");
    g_assert_true(hf_file_operation_check_expected(walls, files, NULL));
    put("a", "later work");
    g_assert_false(hf_file_operation_check_expected(walls, files, &error));
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_PRECONDITION_FAILED);
    g_assert_nonnull(strstr(error->message, "changed since"));
    g_clear_pointer(&changes, hf_file_changes_free);
    teardown();
}

/* ---- what is kept ---- */

static void test_kept(void)
{
    setup();
    g_autoptr(GBytes) bytes = g_bytes_new("secret", 6);
    g_autofree char *hash = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    g_assert_true(hf_undo_store_put(bytes, hash, NULL) && hf_undo_store_put(bytes, hash, NULL));
    g_autoptr(GBytes) back = hf_undo_store_get(hash, NULL);
    g_assert_true(g_bytes_equal(back, bytes));
    g_autofree char *path = g_build_filename(base, "data", "files", "objects", hash, NULL);
    GStatBuf info;
    g_assert_cmpint(g_stat(path, &info), ==, 0);
    g_assert_cmpint(info.st_mode & 0777, ==, 0600);
    g_autofree char *word = hf_undo_store_dup_token(hash, 0644, 0600, "/in/a"), *read = NULL;
    guint mode = 0, then = 0;
    g_assert_true(hf_undo_store_read_token(word, "/in/a", &read, &mode, &then, NULL));
    g_assert_cmpstr(read, ==, hash);
    g_assert_cmpuint(mode, ==, 0644);
    g_assert_cmpuint(then, ==, 0600);
    g_assert_false(
        hf_undo_store_read_token(word, "/in/b", &read, &mode, &then, NULL)); /* another path */
    word[strlen(word) - 1] ^= 1;
    g_assert_false(hf_undo_store_read_token(word, "/in/a", &read, &mode, &then, NULL));
    g_file_set_contents(path, "other!", 6, NULL); /* damaged */
    g_assert_null(hf_undo_store_get(hash, NULL));
    g_assert_null(hf_undo_store_get("../../etc/passwd", NULL));
    g_assert_cmpuint(hf_undo_store_prune(5), ==, 0);
    g_assert_null(hf_undo_store_get(hash, NULL));
    teardown();
}

/* ---- the full disk ---- */

static void test_full_disk(void)
{
    setup();
    g_autofree char *in = at("");
    if (mount("none", in, "tmpfs", 0, "size=256k") != 0) {
        g_test_skip("no right to mount");
        teardown();
        return;
    }
    hf_file_walls_free(walls);
    g_autoptr(json_t) json =
        json_pack("{s:[[s]], s:i}", "directories", in, "max_file_size", 100 * 1000 * 1000);
    walls = hf_file_walls_open(json, NULL);
    put("a", "one");
    g_autofree char *much = g_strnfill(1000000, 'x');
    g_autofree char *operations =
        g_strdup_printf("[{\"op\": \"create\", \"path\": \"@/d/b\", \"content\": \"x\"},"
                        "{\"op\": \"write\", \"path\": \"@/a\", \"content\": \"%s\"}]",
                        much);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfFileChanges) changes = plan(operations, NULL);
    g_assert_false(apply(changes, &error));
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_STORAGE_FAILED);
    g_autofree char *now = seen();
    g_assert_cmpstr(now, ==, "a=one ");
    g_clear_pointer(&changes, hf_file_changes_free);
    hf_file_walls_free(g_steal_pointer(&walls));
    g_assert_cmpint(umount(in), ==, 0);
    teardown();
}

/* ---- killed ---- */

#define FILES 12

/* Old or new, and each file the same as all others. */
static void write_batch(int number)
{
    g_autoptr(GString) text = g_string_new("[");
    for (int i = 0; i < FILES; i++)
        g_string_append_printf(text,
                               "%s{\"op\": \"write\", \"path\": \"@/%s%d\", \"content\": "
                               "\"%08d%0*d\"}",
                               i ? "," : "", i % 3 ? "" : "deep/er/", i, number, 5000, 0);
    g_string_append_printf(text,
                           ",{\"op\": \"delete\", \"path\": \"@/gone%d\"},"
                           "{\"op\": \"create\", \"path\": \"@/gone%d\", \"content\": "
                           "\"%08d\"}]",
                           number - 1, number, number);
    g_autoptr(HfFileChanges) changes = plan(text->str, NULL);
    if (changes)
        apply(changes, NULL);
}

/* What number the files have; all of them the same. */
static int check_batch(void)
{
    int number = -1;
    for (int i = 0; i < FILES; i++) {
        g_autofree char *name = g_strdup_printf("%s%d", i % 3 ? "" : "deep/er/", i);
        g_autofree char *text = get(name);
        g_assert_nonnull(text);
        g_assert_cmpuint(strlen(text), ==, 5008);
        text[8] = '\0';
        int found = atoi(text);
        g_assert_cmpint(number == -1 ? found : number, ==, found);
        number = found;
    }
    g_autofree char *all = seen();
    g_assert_null(strstr(all, ".handfast"));
    g_autofree char *gone = g_strdup_printf("gone%d=%08d ", number, number);
    g_assert_nonnull(strstr(all, gone));
    g_assert_true(strstr(all, "gone") == strstr(all, gone));
    return number;
}

static void test_killed(void)
{
    gboolean endless = g_strcmp0(g_getenv("HF_LONG"), "1") == 0;
    int rounds = endless ? 500 : 40, last = 0, moved = 0;
    guint recovered = 0;
    setup();
    put("gone-1", "x");
    gint64 began = g_get_monotonic_time();
    write_batch(0);
    gint32 most_us = CLAMP((gint32)(g_get_monotonic_time() - began) * 3, 2000, 1000000);
    g_assert_cmpint(check_batch(), ==, 0);
    for (int i = 0; i < rounds; i++) {
        pid_t child = fork();
        if (child == 0)
            for (int number = last + 1;; number++)
                write_batch(number);
        g_usleep((gulong)g_test_rand_int_range(100, most_us));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        recovered += hf_file_changes_recover(walls);
        int now = check_batch();
        g_assert_cmpint(now, >=, last);
        moved += now > last;
        if (now == last) /* the machine is busier than when a batch was measured */
            most_us = MIN(most_us + most_us / 4, 1000000);
        last = now;
    }
    g_test_message("%d rounds, %d got on, %u had something left, %d batches", rounds, moved,
                   recovered, last);
    g_assert_cmpint(moved, >, 0);
    g_assert_cmpuint(recovered, >, 0);
    teardown();
}

/* A journal that anybody has damaged does nothing. */
static void test_damaged_journal(void)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]\n",
        "{\"version\": 2}\n",
        "{\"version\": 1, \"steps\": 5}\n",
        "{\"version\": 1, \"steps\": [{\"directory\": \"@\", \"name\": \"a\", \"aside\": "
        "\"../in/a\"}]}\n",
        "{\"version\": 1, \"steps\": [{\"directory\": \"@\", \"name\": \"a\", \"aside\": "
        "\"a\"}]}\n",
        "{\"version\": 1, \"steps\": [{\"directory\": \"@\", \"name\": \"a\", \"aside\": "
        "\".handfast_x\"}]}\n{\"ready\": []}\n",
    };
    setup();
    put("a", "one");
    g_autofree char *folder = g_build_filename(base, "data", "files", "journal", NULL),
                    *in = at("");
    g_mkdir(folder, 0700);
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *path = g_build_filename(folder, "j_left", NULL);
        g_auto(GStrv) parts = g_strsplit(texts[i], "@", -1);
        g_autofree char *text = g_strjoinv(in, parts);
        g_assert_true(g_file_set_contents(path, text, -1, NULL));
        hf_file_changes_recover(walls);
        g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
        g_autofree char *now = seen();
        g_assert_cmpstr(now, ==, "a=one ");
    }
    teardown();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/files/change/operations", test_operations);
    g_test_add_func("/files/change/mode", test_keeps_mode);
    g_test_add_func("/files/change/meanwhile", test_meanwhile);
    g_test_add_func("/files/change/expectations", test_expectations);
    g_test_add_func("/files/change/kept", test_kept);
    g_test_add_func("/files/change/full-disk", test_full_disk);
    g_test_add_func("/files/change/killed", test_killed);
    g_test_add_func("/files/change/damaged-journal", test_damaged_journal);
    return g_test_run();
}
