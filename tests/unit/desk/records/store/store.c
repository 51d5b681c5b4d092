/* SPDX-License-Identifier: Apache-2.0 */
/* The database: durable, whole or not at all, and never written over when it is not ours. */
#include "desk/records/store/store.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "desk/records/store/key-values.h"
#include "shared/base/error.h"

typedef struct Place {
    char *dir, *path;
} Place;

static void begin(Place *place, gconstpointer unused)
{
    place->dir = g_dir_make_tmp("hf-store-XXXXXX", NULL);
    place->path = g_build_filename(place->dir, "handfast.db", NULL);
}

static void end(Place *place, gconstpointer unused)
{
    g_autoptr(GDir) dir = g_dir_open(place->dir, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(place->dir, name, NULL);
        g_remove(path);
    }
    g_rmdir(place->dir);
    g_free(place->dir);
    g_free(place->path);
}

static void test_facts_last(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    HfStore *store = hf_store_open(place->path, &error);
    g_assert_no_error(error);
    g_autoptr(json_t) value = json_pack("{s:s}", "by", "所有者");
    g_assert_true(hf_key_value_set(store, "stopped", value, &error));
    hf_store_close(store);
    GStatBuf info;
    g_assert_cmpint(g_stat(place->path, &info), ==, 0);
    g_assert_cmpint(info.st_mode & 0777, ==, 0600);

    store = hf_store_open(place->path, &error);
    g_autoptr(json_t) kept = hf_key_value_get(store, "stopped", &error);
    g_assert_true(json_equal(kept, value));
    g_assert_true(hf_key_value_set(store, "stopped", NULL, &error));
    g_autoptr(json_t) gone = hf_key_value_get(store, "stopped", &error);
    g_assert_true(json_is_null(gone));
    hf_store_close(store);
}

static gboolean write_then_fail(HfStoreSession *session, gpointer data, GError **error)
{
    g_assert_true(
        hf_store_run(session, error, "INSERT INTO facts VALUES (?, ?)", "tt", "half", "1"));
    return hf_fail(error, HF_ERROR_INTERNAL, "no");
}

static gboolean write_while_reading(HfStoreSession *session, gpointer data, GError **error)
{
    return hf_store_run(session, error, "INSERT INTO facts VALUES (?, ?)", "tt", "half", "1");
}

static void test_whole_or_not_at_all(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfStore) store = hf_store_open(place->path, &error);
    g_assert_false(hf_store_write(store, write_then_fail, NULL, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_INTERNAL);
    g_clear_error(&error);
    g_assert_false(hf_store_read(store, write_while_reading, NULL, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_clear_error(&error);
    g_autoptr(json_t) half = hf_key_value_get(store, "half", &error);
    g_assert_true(json_is_null(half));
}

static void test_one_desk(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfStore) first = hf_store_open(place->path, &error);
    g_assert_null(hf_store_open(place->path, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFLICT);
}

/* Refused, and byte for byte as it was. */
static void refuse(Place *place, const char *needle)
{
    g_autofree char *before = NULL, *after = NULL;
    gsize before_size, after_size;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents(place->path, &before, &before_size, NULL));
    g_assert_null(hf_store_open(place->path, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_assert_nonnull(strstr(error->message, needle));
    g_assert_true(g_file_get_contents(place->path, &after, &after_size, NULL));
    g_assert_cmpmem(before, before_size, after, after_size);
}

static void test_newer(Place *place, gconstpointer unused)
{
    sqlite3 *database;
    sqlite3_open(place->path, &database);
    sqlite3_exec(database, "CREATE TABLE future (x); PRAGMA user_version = 9999", NULL, NULL, NULL);
    sqlite3_close(database);
    refuse(place, "newer");
}

static void test_no_database(Place *place, gconstpointer unused)
{
    g_autofree char *garbage = g_strnfill(10000, 'x');
    g_assert_true(g_file_set_contents(place->path, garbage, -1, NULL));
    refuse(place, "damaged");
}

static void test_damaged(Place *place, gconstpointer unused)
{
    g_autoptr(HfStore) store = hf_store_open(place->path, NULL);
    g_autofree char *long_text = g_strnfill(20000, 'y');
    g_autoptr(json_t) value = json_string(long_text);
    g_assert_true(hf_key_value_set(store, "long", value, NULL));
    g_clear_pointer(&store, hf_store_close);
    g_autofree char *content = NULL;
    gsize size;
    g_assert_true(g_file_get_contents(place->path, &content, &size, NULL));
    memset(content + 4096, 0xff, 8192);
    g_assert_true(g_file_set_contents(place->path, content, (gssize)size, NULL));
    refuse(place, "damaged");
}

static void test_no_room(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_store_open("/proc/handfast.db", &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    const struct {
        const char *name;
        void (*run)(Place *, gconstpointer);
    } tests[] = {
        {"/store/facts-last", test_facts_last},   {"/store/whole", test_whole_or_not_at_all},
        {"/store/one-desk", test_one_desk},       {"/store/newer", test_newer},
        {"/store/no-database", test_no_database}, {"/store/damaged", test_damaged},
        {"/store/no-room", test_no_room},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Place, NULL, begin, tests[i].run, end);
    return g_test_run();
}
