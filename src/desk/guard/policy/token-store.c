/* SPDX-License-Identifier: Apache-2.0 */
/* A token is 256 random bits, so a fast hash without salt is enough. Every lookup compares all
 * hashes, each in constant time, so that timing reveals nothing. */
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
    GMutex lock;       /* guards the list; never held while waiting for the disk */
    GMutex write_lock; /* one change at a time */
    GPtrArray *list;   /* of HfToken */
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
    GPtrArray *list = hf_token_rows_load(store, error);
    if (!list)
        return NULL;
    HfTokenStore *tokens = g_new0(HfTokenStore, 1);
    g_mutex_init(&tokens->lock);
    g_mutex_init(&tokens->write_lock);
    tokens->store = store;
    tokens->list = list;
    return tokens;
}

void hf_token_store_free(HfTokenStore *tokens)
{
    if (!tokens)
        return;
    g_ptr_array_unref(tokens->list);
    g_mutex_clear(&tokens->lock);
    g_mutex_clear(&tokens->write_lock);
    g_free(tokens);
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

/* With the lock held: the valid token of that name, else an expired one that was not revoked. */
static HfToken *find_token_by_name(HfTokenStore *tokens, const char *name, gint64 now_ms)
{
    HfToken *found = NULL;
    for (guint i = 0; i < tokens->list->len; i++) {
        HfToken *token = tokens->list->pdata[i];
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

static HfToken *dup_named(HfTokenStore *tokens, const char *name, GError **error)
{
    g_mutex_lock(&tokens->lock);
    HfToken *found = find_token_by_name(tokens, name, g_get_real_time() / 1000);
    HfToken *copy = found ? dup_token(found) : NULL;
    g_mutex_unlock(&tokens->lock);
    if (!copy) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no token '%s'", name);
        hf_error_suggest(error, "see the tokens: handfast token list");
    }
    return copy;
}

static gboolean check_token_room(HfTokenStore *tokens, const char *name, GError **error)
{
    guint count = 0;
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&tokens->lock);
    const HfToken *same = find_token_by_name(tokens, name, now);
    gboolean taken = same && is_token_valid(same, now);
    for (guint i = 0; i < tokens->list->len; i++)
        count += (guint)is_token_valid(tokens->list->pdata[i], now);
    g_mutex_unlock(&tokens->lock);
    if (taken) {
        hf_fail(error, HF_ERROR_CONFLICT, "a token '%s' already exists", name);
        hf_error_suggest(error, "choose another name, or replace it: handfast token rotate %s",
                         name);
        return FALSE;
    }
    if (count < HF_LIMIT_TOKENS)
        return TRUE;
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "there are already %u tokens, which is the limit",
            count);
    hf_error_suggest(error, "revoke one that you do not need: handfast token list");
    return FALSE;
}

static void cache_token(HfTokenStore *tokens, HfToken *take_token)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&tokens->lock);
    g_ptr_array_add(tokens->list, take_token);
}

static char *issue_token(HfTokenStore *tokens, const HfTokenSpec *spec, GError **error)
{
    if (!check_token_room(tokens, spec->name, error))
        return NULL;
    g_autoptr(GPtrArray) chain =
        spec->grant ? hf_grant_rows_chain(tokens->store, spec->grant, error) : NULL;
    if (spec->grant && !chain)
        return NULL;
    g_autoptr(HfToken) token = g_new0(HfToken, 1);
    token->id = hf_id_new("t");
    token->name = g_strdup(spec->name);
    token->role = (int)spec->role;
    token->level = spec->level;
    token->grant = g_strdup(spec->grant);
    token->made_ms = g_get_real_time() / 1000;
    token->expires_ms = spec->expires_ms;
    g_autofree char *text = draw_secret(token);
    if (!hf_token_row_add(tokens->store, token, error))
        return NULL;
    cache_token(tokens, g_steal_pointer(&token));
    return g_steal_pointer(&text);
}

char *hf_token_store_add(HfTokenStore *tokens, const HfTokenSpec *spec, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&tokens->write_lock);
    return issue_token(tokens, spec, error);
}

static void end_cached_token(HfTokenStore *tokens, const char *id, gint64 time_ms)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&tokens->lock);
    for (guint i = 0; i < tokens->list->len; i++) {
        HfToken *token = tokens->list->pdata[i];
        if (g_str_equal(token->id, id))
            token->revoked_ms = time_ms;
    }
}

static char *reissue_token(HfTokenStore *tokens, const char *name, GError **error)
{
    g_autoptr(HfToken) token = dup_named(tokens, name, error);
    if (!token)
        return NULL;
    if (!is_token_valid(token, g_get_real_time() / 1000)) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the token '%s' has expired", name);
        hf_error_suggest(error, "create a new one with that name: handfast token new %s", name);
        return NULL;
    }
    g_autofree char *old = g_steal_pointer(&token->id);
    token->id = hf_id_new("t");
    token->made_ms = g_get_real_time() / 1000;
    token->used_ms = 0;
    g_autofree char *text = draw_secret(token);
    if (!hf_token_row_replace(tokens->store, old, token, error))
        return NULL;
    end_cached_token(tokens, old, token->made_ms);
    cache_token(tokens, g_steal_pointer(&token));
    return g_steal_pointer(&text);
}

char *hf_token_store_rotate(HfTokenStore *tokens, const char *name, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&tokens->write_lock);
    return reissue_token(tokens, name, error);
}

gboolean hf_token_store_revoke(HfTokenStore *tokens, const char *name, GError **error)
{
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&tokens->write_lock);
    g_autoptr(HfToken) token = dup_named(tokens, name, error);
    gboolean done = token && hf_token_row_revoke(tokens->store, token->id, now, error);
    if (done)
        end_cached_token(tokens, token->id, now);
    g_mutex_unlock(&tokens->write_lock);
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

json_t *hf_token_store_list(HfTokenStore *tokens)
{
    json_t *list = json_array();
    gint64 now = g_get_real_time() / 1000;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&tokens->lock);
    for (guint i = 0; i < tokens->list->len; i++)
        json_array_append_new(list, describe_token(tokens->list->pdata[i], now));
    return list;
}

gboolean hf_token_store_is_valid(HfTokenStore *tokens, const HfToken *token)
{
    gboolean found = FALSE;
    gint64 now = g_get_real_time() / 1000;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&tokens->lock);
    for (guint i = 0; i < tokens->list->len && !found; i++) {
        const HfToken *known = tokens->list->pdata[i];
        found = g_str_equal(known->id, token->id) && is_token_valid(known, now);
    }
    return found;
}

static HfToken *check_found_token(HfToken *take_found, GError **error)
{
    g_autoptr(HfToken) found = take_found;
    gint64 now = g_get_real_time() / 1000;
    if (found && is_token_valid(found, now))
        return g_steal_pointer(&found);
    if (!found)
        hf_fail(error, HF_ERROR_UNAUTHENTICATED, "this token is unknown");
    else if (found->revoked_ms)
        hf_fail(error, HF_ERROR_UNAUTHENTICATED, "the token '%s' was revoked", found->name);
    else
        hf_fail(error, HF_ERROR_UNAUTHENTICATED, "the token '%s' has expired", found->name);
    hf_error_suggest(error, "the owner can create one: handfast token new NAME");
    return NULL;
}

HfToken *hf_token_store_find(HfTokenStore *tokens, const char *text, GError **error)
{
    guint8 hash[HF_TOKEN_HASH_BYTES];
    HfToken *found = NULL;
    hash_text(text, hash);
    g_mutex_lock(&tokens->lock);
    for (guint i = 0; i < tokens->list->len; i++) {
        HfToken *token = tokens->list->pdata[i];
        if (sodium_memcmp(token->hash, hash, sizeof hash) == 0)
            found = token;
    }
    if (found)
        found->used_ms = g_get_real_time() / 1000;
    found = found ? dup_token(found) : NULL;
    g_mutex_unlock(&tokens->lock);
    return check_found_token(found, error);
}
