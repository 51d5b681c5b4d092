/* A token is 256 random bits, so its hash needs no salt and no slowness. All hashes are compared,
 * each in constant time, so that the time tells nothing. */
#include "guard/token-book.h"

#include <sodium.h>
#include <string.h>

#include "base/error.h"
#include "base/id.h"
#include "base/limits.h"
#include "store/grants.h"

#define PREFIX       "hf_"
#define SECRET_BYTES 32

struct HfTokenBook {
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

HfTokenBook *hf_token_book_new(HfStore *store, GError **error)
{
    GPtrArray *tokens = hf_tokens_load(store, error);
    if (!tokens)
        return NULL;
    HfTokenBook *book = g_new0(HfTokenBook, 1);
    g_mutex_init(&book->lock);
    g_mutex_init(&book->write_lock);
    book->store = store;
    book->tokens = tokens;
    return book;
}

void hf_token_book_free(HfTokenBook *book)
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

static gboolean holds(const HfToken *token, gint64 now_ms)
{
    return !token->revoked_ms && (!token->expires_ms || token->expires_ms > now_ms);
}

/* With the lock held: the one of that name that holds; else the last that has expired and was not
 * ended. */
static HfToken *find_named(HfTokenBook *book, const char *name, gint64 now_ms)
{
    HfToken *found = NULL;
    for (guint i = 0; i < book->tokens->len; i++) {
        HfToken *token = book->tokens->pdata[i];
        if (!token->revoked_ms && g_str_equal(token->name, name) &&
            (!found || !holds(found, now_ms)))
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

static HfToken *dup_named(HfTokenBook *book, const char *name, GError **error)
{
    g_mutex_lock(&book->lock);
    HfToken *found = find_named(book, name, g_get_real_time() / 1000);
    HfToken *copy = found ? dup_token(found) : NULL;
    g_mutex_unlock(&book->lock);
    if (!copy) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no token '%s'", name);
        hf_error_suggest(error, "see the tokens: handfast token list");
    }
    return copy;
}

static gboolean check_room(HfTokenBook *book, const char *name, GError **error)
{
    guint count = 0;
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->lock);
    const HfToken *same = find_named(book, name, now);
    gboolean taken = same && holds(same, now);
    for (guint i = 0; i < book->tokens->len; i++)
        count += (guint)holds(book->tokens->pdata[i], now);
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

static gboolean check_grant(HfTokenBook *book, const char *grant, GError **error)
{
    g_autoptr(GPtrArray) chain = grant ? hf_grants_chain(book->store, grant, error) : NULL;
    return !grant || chain;
}

static void keep(HfTokenBook *book, HfToken *take_token)
{
    g_mutex_lock(&book->lock);
    g_ptr_array_add(book->tokens, take_token);
    g_mutex_unlock(&book->lock);
}

static char *add(HfTokenBook *book, const HfTokenWish *wish, GError **error)
{
    if (!check_room(book, wish->name, error) || !check_grant(book, wish->grant, error))
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
    if (!hf_tokens_add(book->store, token, error))
        return NULL;
    keep(book, g_steal_pointer(&token));
    return g_steal_pointer(&text);
}

char *hf_token_book_add(HfTokenBook *book, const HfTokenWish *wish, GError **error)
{
    g_mutex_lock(&book->write_lock);
    char *text = add(book, wish, error);
    g_mutex_unlock(&book->write_lock);
    return text;
}

/* In memory, as the store has it already. */
static void end(HfTokenBook *book, const char *id, gint64 time_ms)
{
    g_mutex_lock(&book->lock);
    for (guint i = 0; i < book->tokens->len; i++) {
        HfToken *token = book->tokens->pdata[i];
        if (g_str_equal(token->id, id))
            token->revoked_ms = time_ms;
    }
    g_mutex_unlock(&book->lock);
}

static char *rotate(HfTokenBook *book, const char *name, GError **error)
{
    g_autoptr(HfToken) token = dup_named(book, name, error);
    if (!token)
        return NULL;
    if (!holds(token, g_get_real_time() / 1000)) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the token '%s' has expired", name);
        hf_error_suggest(error, "make another of that name: handfast token new %s", name);
        return NULL;
    }
    g_autofree char *old = g_steal_pointer(&token->id);
    token->id = hf_id_new("t");
    token->made_ms = g_get_real_time() / 1000;
    token->used_ms = 0;
    g_autofree char *text = draw_secret(token);
    if (!hf_tokens_replace(book->store, old, token, error))
        return NULL;
    end(book, old, token->made_ms);
    keep(book, g_steal_pointer(&token));
    return g_steal_pointer(&text);
}

char *hf_token_book_rotate(HfTokenBook *book, const char *name, GError **error)
{
    g_mutex_lock(&book->write_lock);
    char *text = rotate(book, name, error);
    g_mutex_unlock(&book->write_lock);
    return text;
}

gboolean hf_token_book_revoke(HfTokenBook *book, const char *name, GError **error)
{
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->write_lock);
    g_autoptr(HfToken) token = dup_named(book, name, error);
    gboolean done = token && hf_tokens_revoke(book->store, token->id, now, error);
    if (done)
        end(book, token->id, now);
    g_mutex_unlock(&book->write_lock);
    return done;
}

static json_t *describe(const HfToken *token, gint64 now_ms)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:I, s:s}", "id", token->id, "name", token->name, "role",
                  hf_role_name((HfRole)token->role), "made", (json_int_t)token->made_ms, "state",
                  token->revoked_ms      ? "revoked"
                  : holds(token, now_ms) ? "holds"
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

json_t *hf_token_book_list(HfTokenBook *book)
{
    json_t *list = json_array();
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->lock);
    for (guint i = 0; i < book->tokens->len; i++)
        json_array_append_new(list, describe(book->tokens->pdata[i], now));
    g_mutex_unlock(&book->lock);
    return list;
}

gboolean hf_token_book_holds(HfTokenBook *book, const HfToken *token)
{
    gboolean found = FALSE;
    gint64 now = g_get_real_time() / 1000;
    g_mutex_lock(&book->lock);
    for (guint i = 0; i < book->tokens->len && !found; i++) {
        const HfToken *known = book->tokens->pdata[i];
        found = g_str_equal(known->id, token->id) && holds(known, now);
    }
    g_mutex_unlock(&book->lock);
    return found;
}

static HfToken *check_found(HfToken *take_found, GError **error)
{
    g_autoptr(HfToken) found = take_found;
    gint64 now = g_get_real_time() / 1000;
    if (found && holds(found, now))
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

HfToken *hf_token_book_find(HfTokenBook *book, const char *text, GError **error)
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
    return check_found(found, error);
}
