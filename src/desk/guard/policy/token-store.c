/* SPDX-License-Identifier: Apache-2.0 */
/* A token is 256 random bits, so its hash needs no salt and no slowness. All hashes are compared,
 * each in constant time, so that the time tells nothing. */
#include "desk/guard/policy/token-store.h"

#include <sodium.h>
#include <string.h>

#include "desk/guard/guard-limits.h"
#include "desk/records/store/grant-rows.h"
#include "shared/base/error.h"
#include "shared/base/id.h"

#define PREFIX       "hf_"
#define SECRET_BYTES 32

struct HfTokenStore {
    HfStore *store;
    GMutex lock;       /* guards the list; not held while the disk is waited for */
    GMutex write_lock; /* one change at a time */
    GPtrArray *tokens; /* of HfToken */
};

static const char *const role_names[] = {
    [HF_ROLE_NONE] = "none",
    [HF_ROLE_CLIENT] = "client",
    [HF_ROLE_OBSERVER] = "observer",
    [HF_ROLE_OWNER] = "owner",
};

const char *hf_role_name(HfRole role)
{
    return role_names[role];
}

HfTokenStore *hf_token_store_new(HfStore *store, GError **error)
{
    GPtrArray *tokens = hf_token_rows_load(store, error);
    if (!tokens)
        return NULL;
    HfTokenStore *book = g_new0(HfTokenStore, 1);
    g_mutex_init(&book->lock);
    g_mutex_init(&book->write_lock);
    book->store = store;
    book->tokens = tokens;
    return book;
}

void hf_token_store_free(HfTokenStore *book)
{
    if (!book)
        return;
    g_ptr_array_unref(book->tokens);
    g_mutex_clear(&book->lock);
    g_mutex_clear(&book->write_lock);
    g_free(book);
}

static void hash_text(const char *text, guint8 *ret_hash)
{
    crypto_generichash(ret_hash, HF_TOKEN_HASH_BYTES, (const unsigned char *)text, strlen(text),
                       (const unsigned char *)"handfast token", strlen("handfast token"));
}

/* The new secret as text; its hash goes into the token. */
static char *draw_secret(HfToken *token)
{
    guint8 secret[SECRET_BYTES];
    char text[sodium_base64_ENCODED_LEN(SECRET_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING)];
    randombytes_buf(secret, sizeof secret);
    sodium_bin2base64(text, sizeof text, secret, sizeof secret,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    char *whole = g_strconcat(PREFIX, text, NULL);
    hash_text(whole, token->hash);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(text, sizeof text);
    return whole;
}

static gboolean is_token_valid(const HfToken *token, gint64 now_ms)
{
    return !token->revoked_ms && (!token->expires_ms || token->expires_ms > now_ms);
}

/* With the lock held: the one of that name that holds; else the last that has expired and was not
 * ended. */
static HfToken *find_token_by_name(HfTokenStore *book, const char *name, gint64 now_ms)
{
    HfToken *found = NULL;
    for (guint i = 0; i < book->tokens->len; i++) {
        HfToken *token = book->tokens->pdata[i];
        if (!token->revoked_ms && g_str_equal(token->name, name) &&
            (!found || !is_token_valid(found, now_ms)))
            found = token;
    }
    return found;
}

static HfToken *dup_token(const HfToken *token)
{
    HfToken *copy = g_memdup2(token, sizeof *token);
    copy->id = g_strdup(token->id);
    copy->name = g_strdup(token->name);
    copy->grant = g_strdup(token->grant);
    return copy;
}

static HfToken *dup_named(HfTokenStore *book, const char *name, GError **error)
{
    g_mutex_lock(&book->lock);
    HfToken *found = find_token_by_name(book, name, g_get_real_time() / 1000);
    HfToken *copy = found ? dup_token(found) : NULL;
    g_mutex_unlock(&book->lock);
    if (!copy) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no token '%s'", name);
        hf_error_suggest(error, "see the tokens: handfast token list");
    }
    return copy;
}

static gboolean check_token_room(HfTokenStore *book, const char *name, GError **error)
{
    guint count = 0;
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->lock);
    const HfToken *same = find_token_by_name(book, name, now);
    gboolean taken = same && is_token_valid(same, now);
    for (guint i = 0; i < book->tokens->len; i++)
        count += (guint)is_token_valid(book->tokens->pdata[i], now);
    g_mutex_unlock(&book->lock);
    if (taken) {
        hf_fail(error, HF_ERROR_CONFLICT, "there is a token '%s' already", name);
        hf_error_suggest(error, "handfast token rotate %s, or choose another name", name);
        return FALSE;
    }
    if (count < HF_LIMIT_TOKENS)
        return TRUE;
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "there are %u tokens already", count);
    hf_error_suggest(error, "revoke one that is not needed: handfast token list");
    return FALSE;
}

static gboolean check_grant(HfTokenStore *book, const char *grant, GError **error)
{
    g_autoptr(GPtrArray) chain = grant ? hf_grant_rows_chain(book->store, grant, error) : NULL;
    return !grant || chain;
}

static void cache_token(HfTokenStore *book, HfToken *take_token)
{
    g_mutex_lock(&book->lock);
    g_ptr_array_add(book->tokens, take_token);
    g_mutex_unlock(&book->lock);
}

static char *issue_token(HfTokenStore *book, const HfTokenSpec *wish, GError **error)
{
    if (!check_token_room(book, wish->name, error) || !check_grant(book, wish->grant, error))
        return NULL;
    g_autoptr(HfToken) token = g_new0(HfToken, 1);
    token->id = hf_id_new("t");
    token->name = g_strdup(wish->name);
    token->role = (int)wish->role;
    token->level = wish->level;
    token->grant = g_strdup(wish->grant);
    token->made_ms = g_get_real_time() / 1000;
    token->expires_ms = wish->expires_ms;
    g_autofree char *text = draw_secret(token);
    if (!hf_token_row_add(book->store, token, error))
        return NULL;
    cache_token(book, g_steal_pointer(&token));
    return g_steal_pointer(&text);
}

char *hf_token_store_add(HfTokenStore *book, const HfTokenSpec *wish, GError **error)
{
    g_mutex_lock(&book->write_lock);
    char *text = issue_token(book, wish, error);
    g_mutex_unlock(&book->write_lock);
    return text;
}

/* In memory, as the store has it already. */
static void end_cached_token(HfTokenStore *book, const char *id, gint64 time_ms)
{
    g_mutex_lock(&book->lock);
    for (guint i = 0; i < book->tokens->len; i++) {
        HfToken *token = book->tokens->pdata[i];
        if (g_str_equal(token->id, id))
            token->revoked_ms = time_ms;
    }
    g_mutex_unlock(&book->lock);
}

static char *reissue_token(HfTokenStore *book, const char *name, GError **error)
{
    g_autoptr(HfToken) token = dup_named(book, name, error);
    if (!token)
        return NULL;
    if (!is_token_valid(token, g_get_real_time() / 1000)) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the token '%s' has expired", name);
        hf_error_suggest(error, "make another of that name: handfast token new %s", name);
        return NULL;
    }
    g_autofree char *old = g_steal_pointer(&token->id);
    token->id = hf_id_new("t");
    token->made_ms = g_get_real_time() / 1000;
    token->used_ms = 0;
    g_autofree char *text = draw_secret(token);
    if (!hf_token_row_replace(book->store, old, token, error))
        return NULL;
    end_cached_token(book, old, token->made_ms);
    cache_token(book, g_steal_pointer(&token));
    return g_steal_pointer(&text);
}

char *hf_token_store_rotate(HfTokenStore *book, const char *name, GError **error)
{
    g_mutex_lock(&book->write_lock);
    char *text = reissue_token(book, name, error);
    g_mutex_unlock(&book->write_lock);
    return text;
}

gboolean hf_token_store_revoke(HfTokenStore *book, const char *name, GError **error)
{
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->write_lock);
    g_autoptr(HfToken) token = dup_named(book, name, error);
    gboolean done = token && hf_token_row_revoke(book->store, token->id, now, error);
    if (done)
        end_cached_token(book, token->id, now);
    g_mutex_unlock(&book->write_lock);
    return done;
}

static json_t *describe_token(const HfToken *token, gint64 now_ms)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:I, s:s}", "id", token->id, "name", token->name, "role",
                  hf_role_name((HfRole)token->role), "made", (json_int_t)token->made_ms, "state",
                  token->revoked_ms               ? "revoked"
                  : is_token_valid(token, now_ms) ? "holds"
                                                  : "expired");
    if (token->level != HF_LEVEL_NONE)
        json_object_set_new(json, "level", json_string(hf_level_name(token->level)));
    if (token->grant)
        json_object_set_new(json, "grant", json_string(token->grant));
    if (token->expires_ms)
        json_object_set_new(json, "expires", json_integer(token->expires_ms));
    if (token->used_ms)
        json_object_set_new(json, "used", json_integer(token->used_ms));
    return json;
}

json_t *hf_token_store_list(HfTokenStore *book)
{
    json_t *list = json_array();
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->lock);
    for (guint i = 0; i < book->tokens->len; i++)
        json_array_append_new(list, describe_token(book->tokens->pdata[i], now));
    g_mutex_unlock(&book->lock);
    return list;
}

gboolean hf_token_store_is_valid(HfTokenStore *book, const HfToken *token)
{
    gboolean found = FALSE;
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->lock);
    for (guint i = 0; i < book->tokens->len && !found; i++) {
        const HfToken *known = book->tokens->pdata[i];
        found = g_str_equal(known->id, token->id) && is_token_valid(known, now);
    }
    g_mutex_unlock(&book->lock);
    return found;
}

static HfToken *check_found_token(HfToken *take_found, GError **error)
{
    g_autoptr(HfToken) found = take_found;
    gint64 now = g_get_real_time() / 1000;
    if (found && is_token_valid(found, now))
        return g_steal_pointer(&found);
    if (!found)
        hf_fail(error, HF_ERROR_UNAUTHENTICATED, "this token is not known");
    else if (found->revoked_ms)
        hf_fail(error, HF_ERROR_UNAUTHENTICATED, "the token '%s' holds no more", found->name);
    else
        hf_fail(error, HF_ERROR_UNAUTHENTICATED, "the token '%s' has expired", found->name);
    hf_error_suggest(error, "the owner makes one: handfast token new NAME");
    return NULL;
}

HfToken *hf_token_store_find(HfTokenStore *book, const char *text, GError **error)
{
    guint8 hash[HF_TOKEN_HASH_BYTES];
    HfToken *found = NULL;
    hash_text(text, hash);
    g_mutex_lock(&book->lock);
    for (guint i = 0; i < book->tokens->len; i++) {
        HfToken *token = book->tokens->pdata[i];
        if (sodium_memcmp(token->hash, hash, sizeof hash) == 0)
            found = token;
    }
    if (found)
        found->used_ms = g_get_real_time() / 1000;
    found = found ? dup_token(found) : NULL;
    g_mutex_unlock(&book->lock);
    return check_found_token(found, error);
}
