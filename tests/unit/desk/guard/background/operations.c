/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of calls in the background: rows, files, and what of an answer never gets there. */
#include "desk/records/store/operation-rows.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "desk/guard/background/operation-answers.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"
#include "shared/tool/registry.h"

typedef struct Fixture {
    char *directory;
    HfStore *store;
} Fixture;

static void set_up(Fixture *f, gconstpointer unused)
{
    f->directory = g_dir_make_tmp("operations-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(f->directory, "test.db", NULL);
    f->store = hf_store_open(path, NULL);
    g_assert_nonnull(f->store);
}

static void tear_down(Fixture *f, gconstpointer unused)
{
    hf_store_close(f->store);
    hf_remove_tree(f->directory);
    g_free(f->directory);
}

static void add(Fixture *f, const char *id, const char *caller, gint64 made_ms, const char *key)
{
    HfOperationRow row = {.id = (char *)id,
                          .caller = (char *)caller,
                          .tool = "wait",
                          .desktop = "main",
                          .run_id = "r",
                          .step_id = "s",
                          .state = HF_OPERATION_RUNNING,
                          .made_ms = made_ms,
                          .key = (char *)key,
                          .call = "hash"};
    g_assert_true(hf_operation_row_add(f->store, &row, NULL));
}

static void end(Fixture *f, const char *id, const char *state, gint64 bytes)
{
    g_autoptr(json_t) answer = json_pack("{s:b}", "ok", 1);
    g_autoptr(json_t) parts = json_pack("[{s:s, s:I}]", "file", id, "bytes", (json_int_t)bytes);
    HfOperationRow row = {.id = (char *)id,
                          .state = (char *)state,
                          .ended_ms = 99,
                          .reads = 4,
                          .answer = answer,
                          .parts = parts};
    g_assert_true(hf_operation_row_finish(f->store, &row, NULL));
}

static void test_rows(Fixture *f, gconstpointer unused)
{
    add(f, "o_1", "a", 10, "");
    add(f, "o_2", "a", 20, "key");
    add(f, "o_3", "b", 30, "key");
    end(f, "o_1", "done", 5);
    g_autoptr(HfOperationRow) row = hf_operation_row_find(f->store, "o_1", NULL);
    g_assert_cmpstr(row->state, ==, "done");
    g_assert_cmpint(row->ended_ms, ==, 99);
    g_assert_cmpint(row->reads, ==, 4);
    g_assert_true(json_is_true(json_object_get(row->answer, "ok")));
    g_assert_null(hf_operation_row_find(f->store, "o_9", NULL));
    g_autoptr(HfOperationRow) keyed = hf_operation_row_find_by_key(f->store, "a", "key", 0, NULL);
    g_assert_cmpstr(keyed->id, ==, "o_2");
    g_assert_null(hf_operation_row_find_by_key(f->store, "a", "key", 21, NULL));
    g_assert_null(hf_operation_row_find_by_key(f->store, "c", "key", 0, NULL));
    g_autoptr(GPtrArray) own = hf_operation_rows_list(f->store, "a", 10, NULL);
    g_autoptr(GPtrArray) all = hf_operation_rows_list(f->store, NULL, 2, NULL);
    g_assert_cmpuint(own->len, ==, 2);
    g_assert_cmpuint(all->len, ==, 2);
    g_assert_cmpstr(((HfOperationRow *)all->pdata[0])->id, ==, "o_3");
    g_autoptr(GPtrArray) lost = hf_operation_rows_list_lost(f->store, NULL);
    g_assert_cmpuint(lost->len, ==, 2);
    g_assert_false(((HfOperationRow *)lost->pdata[0])->intended);
}

/* before, most, bytes → how many go. o_1 is the oldest, o_4 is still running. */
static const struct {
    gint64 before, most, bytes;
    guint gone;
} bounds[] = {
    {0, 100, 1000, 0}, {11, 100, 1000, 1}, {25, 100, 1000, 2},  {0, 2, 1000, 2},
    {0, 100, 150, 2},  {0, 100, 99, 3},    {100, 100, 1000, 3},
};

static void test_trim(Fixture *f, gconstpointer unused)
{
    for (gsize i = 0; i < G_N_ELEMENTS(bounds); i++) {
        add(f, "o_1", "a", 10, "");
        add(f, "o_2", "a", 20, "");
        add(f, "o_3", "a", 30, "");
        add(f, "o_4", "a", 40, "");
        end(f, "o_1", "done", 100);
        end(f, "o_2", "done", 100);
        end(f, "o_3", "failed", 100);
        g_autoptr(GPtrArray) gone = hf_operation_rows_prune(f->store, bounds[i].before,
                                                            bounds[i].most, bounds[i].bytes, NULL);
        g_test_message("case %zu", i);
        g_assert_cmpuint(gone->len, ==, bounds[i].gone);
        end(f, "o_4", "done", 0);
        g_autoptr(GPtrArray) rest = hf_operation_rows_prune(f->store, 1000, 100, 1000, NULL);
        g_assert_cmpuint(rest->len + gone->len, ==, 4);
    }
}

static HfStoredAnswer tell(const char *tool, const char *json, const char *field)
{
    g_autoptr(HfAnswer) answer = hf_answer_new(tool, "r");
    answer->result = hf_result_new(json_loads(json, 0, NULL));
    if (field)
        hf_result_add_attachment(answer->result, field, "image/png", g_bytes_new_static("PNG", 3));
    return hf_stored_answer_of(answer);
}

static void test_keeping(Fixture *f, gconstpointer unused)
{
    g_autofree char *folder = g_build_filename(f->directory, "parts", NULL);
    HfAnswerSaveOptions keeping = {folder, hf_registry_find("screenshot"), NULL, TRUE};
    g_auto(HfStoredAnswer) told = tell("screenshot", "{\"width\": 5}", "image");
    HfOperationRow *row = g_new0(HfOperationRow, 1);
    g_autoptr(HfOperationRow) owned = row;
    row->id = g_strdup("o_1");
    hf_operation_save_answer(row, &told, &keeping);
    g_autofree char *path = g_build_filename(folder, "o_1-0", NULL);
    GStatBuf status;
    g_assert_cmpint(g_stat(path, &status), ==, 0);
    g_assert_cmpint(status.st_mode & 0777, ==, 0600);
    g_auto(HfStoredAnswer) back = hf_operation_load_answer(row, folder);
    g_assert_cmpuint(back.parts->len, ==, 1);
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    g_autofree char *stray = g_build_filename(folder, "o_2-0", NULL);
    g_assert_true(g_file_set_contents(stray, "x", 1, NULL));
    g_ptr_array_add(rows, row);
    hf_operation_remove_orphan_files(rows, folder);
    g_assert_cmpint(g_stat(path, &status), ==, 0);
    g_assert_cmpint(g_stat(stray, &status), !=, 0);
    hf_operation_remove_files(rows, folder);
    g_assert_cmpint(g_stat(path, &status), !=, 0);
    g_auto(HfStoredAnswer) gone = hf_operation_load_answer(row, folder);
    g_assert_cmpuint(gone.parts->len, ==, 0);
    const json_t *image = json_object_get(json_object_get(gone.answer, "result"), "image");
    g_assert_true(json_is_false(json_object_get(image, "kept")));
}

/* tool, result, its binary part, whether pictures may be kept → what is not on the disk. */
static const struct {
    const char *tool, *result, *field;
    gboolean pictures;
} secrets[] = {
    {"clipboard_read", "{\"text\": \"hunter2-hunter2\", \"formats\": []}", NULL, TRUE},
    {"clipboard_read", "{\"text\": \"\"}", "image", TRUE},
    {"screenshot", "{\"width\": 5}", "image", FALSE},
    {"run_macro",
     "{\"steps\": [{\"tool\": \"clipboard_read\", \"result\": {\"text\": \"hunter2-hunter2\"}}]}",
     "steps/0/result/image", TRUE},
};

static void test_secrets(Fixture *f, gconstpointer unused)
{
    g_autofree char *folder = g_build_filename(f->directory, "parts", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(secrets); i++) {
        HfAnswerSaveOptions keeping = {folder, hf_registry_find(secrets[i].tool), NULL,
                                       secrets[i].pictures};
        g_auto(HfStoredAnswer) told = tell(secrets[i].tool, secrets[i].result, secrets[i].field);
        HfOperationRow *row = g_new0(HfOperationRow, 1);
        g_autoptr(HfOperationRow) owned = row;
        row->id = g_strdup("o_1");
        hf_operation_save_answer(row, &told, &keeping);
        g_autofree char *text = hf_json_dump(row->answer);
        g_test_message("%s: %s", secrets[i].tool, text);
        g_assert_null(strstr(text, "hunter2"));
        g_assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/operations/rows", Fixture, NULL, set_up, test_rows, tear_down);
    g_test_add("/operations/trim", Fixture, NULL, set_up, test_trim, tear_down);
    g_test_add("/operations/keeping", Fixture, NULL, set_up, test_keeping, tear_down);
    g_test_add("/operations/secrets", Fixture, NULL, set_up, test_secrets, tear_down);
    return g_test_run();
}
