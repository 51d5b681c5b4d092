/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: found by nothing but themselves, ended for good, and the same after the desk was
 * restarted. */
#include "desk/guard/policy/token-store.h"

#include <glib/gstdio.h>
#include <string.h>

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"

typedef struct Place {
    char *folder, *path;
    HfStore *store;
    HfTokenStore *book;
} Place;

static void open_book(Place *place)
{
    g_autoptr(GError) error = NULL;
    place->store = hf_store_open(place->path, &error);
    g_assert_no_error(error);
    place->book = hf_token_store_new(place->store, &error);
    g_assert_no_error(error);
}

static void close_book(Place *place)
{
    hf_token_store_free(place->book);
    hf_store_close(place->store);
}

static void set_up(Place *place, gconstpointer unused)
{
    place->folder = g_dir_make_tmp("hf-tokens-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "handfast.db", NULL);
    open_book(place);
}

static void tear_down(Place *place, gconstpointer unused)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    close_book(place);
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *path = g_strconcat(place->path, suffixes[i], NULL);
        g_remove(path);
    }
    g_rmdir(place->folder);
    g_free(place->folder);
    g_free(place->path);
}

static char *add(Place *place, const char *name, gint64 expires_ms)
{
    g_autoptr(GError) error = NULL;
    HfTokenSpec wish = {
        .name = name, .role = HF_ROLE_CLIENT, .level = HF_LEVEL_STANDARD, .expires_ms = expires_ms};
    char *text = hf_token_store_add(place->book, &wish, &error);
    g_assert_no_error(error);
    return text;
}

static gboolean holds(Place *place, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfToken) token = hf_token_store_find(place->book, text, &error);
    g_assert_true((token != NULL) == (error == NULL));
    if (error)
        g_assert_error(error, HF_ERROR, HF_ERROR_UNAUTHENTICATED);
    return token != NULL;
}

static void test_find(Place *place, gconstpointer unused)
{
    g_autofree char *one = add(place, "one", 0), *two = add(place, "two", 0);
    g_assert_cmpstr(one, !=, two);
    g_assert_cmpuint(strlen(one), ==, 46);
    g_assert_true(holds(place, one) && holds(place, two));
    one[45] = one[45] == 'A' ? 'B' : 'A';
    g_assert_false(holds(place, one));
    g_assert_false(holds(place, ""));
    g_assert_false(holds(place, "hf_"));
    g_autoptr(HfToken) token = hf_token_store_find(place->book, two, NULL);
    g_assert_cmpstr(token->name, ==, "two");
    g_assert_cmpint(token->level, ==, HF_LEVEL_STANDARD);
}

static void test_end(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *old = add(place, "name", 0);
    g_autofree char *fresh = hf_token_store_rotate(place->book, "name", &error);
    g_assert_no_error(error);
    g_assert_true(holds(place, fresh) && !holds(place, old));
    close_book(place);
    open_book(place);
    g_assert_true(holds(place, fresh) && !holds(place, old));
    g_assert_true(hf_token_store_revoke(place->book, "name", &error));
    g_assert_false(holds(place, fresh));
    g_assert_false(hf_token_store_revoke(place->book, "name", &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    g_clear_error(&error);
    g_assert_null(hf_token_store_rotate(place->book, "name", &error));
    close_book(place);
    open_book(place);
    g_assert_false(holds(place, fresh));
    g_autofree char *again = add(place, "name", 0);
    g_assert_true(holds(place, again) && !holds(place, fresh));
}

static void test_expiry(Place *place, gconstpointer unused)
{
    g_autofree char *over = add(place, "over", 1), *later = add(place, "later", G_MAXINT64);
    g_assert_false(holds(place, over));
    g_assert_true(holds(place, later));
}

/* The name of a token that has expired is free; there is nothing to rotate, only to end. */
static void test_expired_name(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *over = add(place, "name", 1);
    g_assert_null(hf_token_store_rotate(place->book, "name", &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_clear_error(&error);
    g_autofree char *next = add(place, "name", 0);
    g_assert_true(holds(place, next) && !holds(place, over));
    g_autofree char *turned = hf_token_store_rotate(place->book, "name", &error);
    g_assert_no_error(error);
    g_assert_true(holds(place, turned) && !holds(place, next));
    close_book(place);
    open_book(place);
    g_assert_true(hf_token_store_revoke(place->book, "name", &error));
    g_assert_false(holds(place, turned));
    g_assert_true(hf_token_store_revoke(place->book, "name", &error));
    g_assert_false(hf_token_store_revoke(place->book, "name", &error));
}

static void test_expired_take_no_room(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < HF_LIMIT_TOKENS; i++) {
        g_autofree char *name = g_strdup_printf("over-%u", i), *text = add(place, name, 1);
    }
    g_autofree char *text = add(place, "fresh", 0);
    g_assert_true(holds(place, text));
}

static void test_refusals(Place *place, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = add(place, "taken", 0);
    HfTokenSpec wish = {.name = "taken", .role = HF_ROLE_CLIENT};
    g_assert_null(hf_token_store_add(place->book, &wish, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_CONFLICT);
    g_clear_error(&error);
    wish = (HfTokenSpec){.name = "bound", .role = HF_ROLE_CLIENT, .grant = "none-such"};
    g_assert_null(hf_token_store_add(place->book, &wish, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
}

static void test_nothing_secret_is_kept(Place *place, gconstpointer unused)
{
    g_autofree char *text = add(place, "secret", 0);
    g_autoptr(json_t) list = hf_token_store_list(place->book);
    g_autofree char *shown = json_dumps(list, 0);
    g_autofree char *wal = g_strconcat(place->path, "-wal", NULL);
    g_autofree char *bytes = NULL;
    gsize size;
    g_assert_null(strstr(shown, text + 3));
    g_assert_true(g_file_get_contents(wal, &bytes, &size, NULL));
    g_assert_null(memmem(bytes, size, text + 3, strlen(text + 3)));
    g_assert_nonnull(memmem(bytes, size, "secret", strlen("secret")));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(NAME, FUNC) g_test_add("/token-book/" NAME, Place, NULL, set_up, FUNC, tear_down)
    ADD("find", test_find);
    ADD("end", test_end);
    ADD("expiry", test_expiry);
    ADD("expired-name", test_expired_name);
    ADD("expired-take-no-room", test_expired_take_no_room);
    ADD("refusals", test_refusals);
    ADD("nothing-secret-is-kept", test_nothing_secret_is_kept);
    return g_test_run();
}
