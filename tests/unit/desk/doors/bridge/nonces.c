/* SPDX-License-Identifier: Apache-2.0 */
/* Nonces: each is taken once, in time, and forgotten after it; nobody can fill the memory. */
#include "desk/doors/bridge/nonces.h"

#include <glib/gstdio.h>

#include "desk/doors/bridge/bridge-limits.h"
#include "desk/records/store/nonce-rows.h"
#include "shared/base/error.h"

#define NOW ((gint64)1768500000000)
static const char nonce[] = "0123456789abcdef";

static void expect(HfNonces *nonces, const char *client, const char *word, gint64 expires,
                   gint64 now, int code)
{
    g_autoptr(GError) error = NULL;
    gboolean taken = hf_nonces_take(nonces, client, word, expires, now, &error);
    g_assert_cmpint(taken, ==, code < 0);
    if (code >= 0)
        g_assert_error(error, HF_ERROR, code);
}

static void test_cases(void)
{
    static const struct {
        const char *client, *nonce;
        gint64 expires, now;
        int code; /* -1: taken */
    } steps[] = {
        {"a", nonce, NOW + 1000, NOW, -1},
        {"a", nonce, NOW + 1000, NOW, HF_ERROR_REQUEST_REPLAYED},
        {"a", nonce, NOW + 9000, NOW + 900, HF_ERROR_REQUEST_REPLAYED},
        {"b", nonce, NOW + 1000, NOW, -1},
        {"a", "fedcba9876543210", NOW + 1000, NOW, -1},
        {"a", "fedcba9876543211", NOW - 1, NOW, HF_ERROR_REQUEST_EXPIRED},
        {"a", "fedcba9876543211", NOW, NOW, -1},
        {"a", "fedcba9876543212", NOW + HF_LIMIT_NONCE_MS + 1, NOW, HF_ERROR_INVALID_PARAMS},
        {"a", "fedcba9876543212", G_MAXINT64, NOW, HF_ERROR_INVALID_PARAMS},
        {"a", "fedcba9876543212", NOW + HF_LIMIT_NONCE_MS, NOW, -1},
        {"a", "too short", NOW + 1000, NOW, HF_ERROR_INVALID_PARAMS},
        /* Its time has passed, so it was forgotten; the request of before has expired anyway. */
        {"a", nonce, NOW + 9000, NOW + 3000, -1},
    };
    g_autoptr(HfNonces) nonces = hf_nonces_new(NULL, 0, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
        expect(nonces, steps[i].client, steps[i].nonce, steps[i].expires, steps[i].now,
               steps[i].code);
}

static void fill(HfNonces *nonces, const char *client, guint count)
{
    for (guint i = 0; i < count; i++) {
        g_autofree char *word = g_strdup_printf("nonce number %08u", i);
        expect(nonces, client, word, NOW + 5000, NOW, -1);
    }
}

static void test_is_bounded(void)
{
    g_autoptr(HfNonces) nonces = hf_nonces_new(NULL, 0, NULL);
    guint clients = HF_LIMIT_NONCES / HF_LIMIT_CLIENT_NONCES;
    for (guint i = 0; i < clients; i++) {
        g_autofree char *client = g_strdup_printf("client %u", i);
        fill(nonces, client, HF_LIMIT_CLIENT_NONCES);
        expect(nonces, client, nonce, NOW + 5000, NOW, HF_ERROR_QUEUE_OVERFLOW);
    }
    expect(nonces, "another", nonce, NOW + 5000, NOW, HF_ERROR_QUEUE_OVERFLOW);
    expect(nonces, "another", nonce, NOW + 9000, NOW + 6000, -1);
}

static void count(const char *client, const char *word, gint64 expires_ms, gpointer data)
{
    ++*(guint *)data;
}

static gboolean break_table(HfStoreSession *session, gpointer data, GError **error)
{
    return hf_store_run(session, error, "DROP TABLE nonces", "");
}

static void remove_all(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_remove(path);
    }
    g_rmdir(folder);
}

/* What was taken is known to the next one, until it expires; what has expired leaves the store. */
static void test_lasts(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("hf-nonces-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "handfast.db", NULL);
    HfStore *store = hf_store_open(path, &error);
    g_assert_no_error(error);
    for (int life = 0; life < 3; life++) {
        g_autoptr(HfNonces) nonces = hf_nonces_new(store, NOW + life, &error);
        g_assert_no_error(error);
        expect(nonces, "a", nonce, NOW + 5000, NOW + life, life ? HF_ERROR_REQUEST_REPLAYED : -1);
        g_assert_true(hf_nonces_persist(nonces, "a", nonce, NOW + 5000, NOW, &error));
        expect(nonces, "b", nonce, NOW + 5000, NOW + life, -1); /* and never kept */
        hf_store_close(store);
        store = hf_store_open(path, &error);
        g_assert_no_error(error);
    }
    g_autoptr(HfNonces) later = hf_nonces_new(store, NOW + 6000, &error);
    expect(later, "a", nonce, NOW + 9000, NOW + 6000, -1);
    g_assert_true(
        hf_nonces_persist(later, "a", "fedcba9876543210", NOW + 9000, NOW + 6000, &error));
    guint rows = 0;
    g_assert_true(hf_nonce_rows_load(store, 0, 10, count, &rows, &error));
    g_assert_cmpuint(rows, ==, 1);
    hf_store_close(store);
    remove_all(folder);
}

/* A nonce that cannot be kept is not taken: the client may ask again. */
static void test_store_that_fails(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("hf-nonces-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "handfast.db", NULL);
    g_autoptr(HfStore) store = hf_store_open(path, &error);
    g_autoptr(HfNonces) nonces = hf_nonces_new(store, NOW, &error);
    g_assert_no_error(error);
    g_assert_true(hf_store_write(store, break_table, NULL, &error));
    expect(nonces, "a", nonce, NOW + 5000, NOW, -1);
    g_assert_false(hf_nonces_persist(nonces, "a", nonce, NOW + 5000, NOW, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    expect(nonces, "a", nonce, NOW + 5000, NOW, -1);
    remove_all(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/nonces/cases", test_cases);
    g_test_add_func("/nonces/is-bounded", test_is_bounded);
    g_test_add_func("/nonces/lasts", test_lasts);
    g_test_add_func("/nonces/store-that-fails", test_store_that_fails);
    return g_test_run();
}
