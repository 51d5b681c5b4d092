/* SPDX-License-Identifier: Apache-2.0 */
/* Grants in the store: chains, ends, and calls that are counted exactly however many call at once.
 */
#include "desk/records/store/grant-rows.h"

#include <glib/gstdio.h>
#include <string.h>

#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

typedef struct Place {
    char *folder, *path;
    HfStore *store;
} Place;

static void set_up(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    place->folder = g_dir_make_tmp("hf-grants-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    place->store = hf_store_open(place->path, &error);
    g_assert_no_error(error);
}

static void tear_down(Place *place, gconstpointer unused)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    hf_store_close(place->store);
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *path = g_strconcat(place->path, suffixes[i], NULL);
        g_remove(path);
    }
    g_rmdir(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

static gboolean add(Place *place, const char *id, const char *parent, const char *text,
                    GError **error)
{
    g_autoptr(json_t) document = json_loads(text, 0, NULL);
    g_autoptr(HfGrant) grant = hf_grant_new(document, NULL);
    HfGrantOrigin origin = {parent, "owner", HF_LEVEL_NONE};
    g_assert_nonnull(grant);
    return hf_grant_rows_add(place->store, id, grant, &origin, error);
}

#define WAIT    "{\"tools\": [\"wait\"]}"
#define COUNTED "{\"tools\": [\"wait\"], \"restrictions\": {\"max_calls\": 50}}"

static void test_chain(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(add(place, "a", NULL, WAIT, &error));
    g_assert_true(add(place, "b", "a", WAIT, &error));
    g_assert_false(add(place, "b", "a", WAIT, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFLICT);
    g_clear_error(&error);
    g_autoptr(GPtrArray) chain = hf_grant_rows_chain(place->store, "b", &error);
    g_assert_cmpuint(chain->len, ==, 2);
    g_assert_cmpstr(((HfGrantEntry *)chain->pdata[0])->id, ==, "b");
    g_assert_cmpstr(((HfGrantEntry *)chain->pdata[1])->id, ==, "a");
    g_assert_null(hf_grant_rows_chain(place->store, "c", &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
    g_clear_error(&error);
    g_assert_true(hf_grant_rows_revoke(place->store, "a", &error));
    g_assert_true(hf_grant_rows_revoke(place->store, "a", &error));
    g_assert_false(hf_grant_rows_revoke(place->store, "c", &error));
    g_clear_error(&error);
    g_autoptr(GPtrArray) ended = hf_grant_rows_chain(place->store, "b", &error);
    g_assert_false(((HfGrantEntry *)ended->pdata[0])->revoked);
    g_assert_true(((HfGrantEntry *)ended->pdata[1])->revoked);
    g_autoptr(json_t) list = hf_grant_rows_list(place->store, &error);
    g_assert_cmpuint(json_array_size(list), ==, 2);
}

static void test_long_chain(Place *place, gconstpointer unused)
{
    g_autofree char *parent = NULL;
    g_autoptr(GError) error = NULL;
    gboolean added = TRUE;
    int count = 0;
    for (; added && count < 100; count++) {
        g_autofree char *id = g_strdup_printf("g%d", count);
        added = add(place, id, parent, WAIT, &error);
        g_free(parent);
        parent = g_steal_pointer(&id);
    }
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
    g_assert_cmpint(count, <=, HF_LIMIT_GRANT_CHAIN + 2);
}

typedef struct Spender {
    Place *place;
    const char *id;
    int spent;
} Spender;

static gpointer spend(gpointer data)
{
    Spender *spender = data;
    for (int i = 0; i < 40; i++) {
        g_autoptr(GError) error = NULL;
        if (hf_grant_rows_spend(spender->place->store, spender->id, &error))
            spender->spent++;
        else
            g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
    }
    return NULL;
}

/* Two grants handed on from one of 50 calls: together they get 50, not 100. */
static void test_exact_count(Place *place, gconstpointer unused)
{
    g_assert_true(add(place, "all", NULL, COUNTED, NULL));
    g_assert_true(add(place, "left", "all", COUNTED, NULL));
    g_assert_true(add(place, "right", "all", COUNTED, NULL));
    Spender spenders[4] = {
        {place, "left", 0}, {place, "right", 0}, {place, "left", 0}, {place, "all", 0}};
    GThread *threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = g_thread_new("spend", spend, &spenders[i]);
    int spent = 0;
    for (int i = 0; i < 4; i++) {
        g_thread_join(threads[i]);
        spent += spenders[i].spent;
    }
    g_assert_cmpint(spent, ==, 50);
    hf_store_close(place->store);
    place->store = hf_store_open(place->path, NULL);
    g_assert_false(hf_grant_rows_spend(place->store, "left", NULL)); /* also after a restart */
    g_autoptr(GPtrArray) chain = hf_grant_rows_chain(place->store, "left", NULL);
    g_assert_cmpint(((HfGrantEntry *)chain->pdata[1])->calls, ==, 50);
}

static void test_uncounted(Place *place, gconstpointer unused)
{
    g_assert_true(add(place, "free", NULL, WAIT, NULL));
    for (int i = 0; i < 10; i++)
        g_assert_true(hf_grant_rows_spend(place->store, "free", NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/grants/chain", Place, NULL, set_up, test_chain, tear_down);
    g_test_add("/grants/long-chain", Place, NULL, set_up, test_long_chain, tear_down);
    g_test_add("/grants/exact-count", Place, NULL, set_up, test_exact_count, tear_down);
    g_test_add("/grants/uncounted", Place, NULL, set_up, test_uncounted, tear_down);
    return g_test_run();
}
