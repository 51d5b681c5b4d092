/* SPDX-License-Identifier: Apache-2.0 */
/* Memory is bounded twice: a nonce is kept no longer than the longest allowed expiry time, and each
 * client has a limit. */
#include "desk/doors/bridge/nonces.h"

#include <string.h>

#include "desk/doors/bridge/bridge-limits.h"
#include "desk/records/store/nonce-rows.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

struct HfNonces {
    HfStore *store;      /* may be NULL */
    GMutex lock;         /* guards what follows; not held during a store operation */
    GHashTable *clients; /* name → GHashTable of nonce → gint64 *, its expiry */
    guint count;
    gint64 swept_ms;
    GQueue unstored; /* of UnstoredNonce: the disk did not take them */
};

typedef struct UnstoredNonce {
    char *client, *nonce;
    gint64 expires_ms;
} UnstoredNonce;

static void unstored_nonce_free(UnstoredNonce *unstored)
{
    g_free(unstored->client);
    g_free(unstored->nonce);
    g_free(unstored);
}

static GHashTable *ensure_client(HfNonces *nonces, const char *client);

static void add_nonce(HfNonces *nonces, GHashTable *known, const char *nonce, gint64 expires_ms)
{
    g_hash_table_insert(known, g_strdup(nonce), g_memdup2(&expires_ms, sizeof expires_ms));
    nonces->count++;
}

static void on_row(const char *client, const char *nonce, gint64 expires_ms, gpointer data)
{
    HfNonces *nonces = data;
    add_nonce(nonces, ensure_client(nonces, client), nonce, expires_ms);
}

HfNonces *hf_nonces_new(HfStore *store, gint64 now_ms, GError **error)
{
    g_autoptr(HfNonces) nonces = g_new0(HfNonces, 1);
    nonces->store = store;
    g_mutex_init(&nonces->lock);
    nonces->clients =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_hash_table_unref);
    if (store && !hf_nonce_rows_load(store, now_ms, HF_LIMIT_NONCES, on_row, nonces, error))
        return NULL;
    return g_steal_pointer(&nonces);
}

void hf_nonces_free(HfNonces *nonces)
{
    if (!nonces)
        return;
    g_hash_table_unref(nonces->clients);
    g_queue_clear_full(&nonces->unstored, (GDestroyNotify)unstored_nonce_free);
    g_mutex_clear(&nonces->lock);
    g_free(nonces);
}

static gboolean has_passed(gpointer nonce, gpointer expires_ms, gpointer now_ms)
{
    return *(gint64 *)expires_ms < *(gint64 *)now_ms;
}

/* With the lock held, about once a second: removes expired nonces. */
static void sweep_expired_nonces(HfNonces *nonces, gint64 now_ms)
{
    GHashTableIter iter;
    gpointer known;
    if (ABS(now_ms - nonces->swept_ms) < 1000)
        return;
    nonces->swept_ms = now_ms;
    g_hash_table_iter_init(&iter, nonces->clients);
    while (g_hash_table_iter_next(&iter, NULL, &known)) {
        nonces->count -= g_hash_table_foreach_remove(known, has_passed, &now_ms);
        if (g_hash_table_size(known) == 0)
            g_hash_table_iter_remove(&iter);
    }
}

static GHashTable *ensure_client(HfNonces *nonces, const char *client)
{
    GHashTable *known = g_hash_table_lookup(nonces->clients, client);
    if (known)
        return known;
    known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_insert(nonces->clients, g_strdup(client), known);
    return known;
}

static gboolean check_nonce_form(const char *nonce, gint64 expires_ms, gint64 now_ms,
                                 GError **error)
{
    gsize length = strlen(nonce);
    if (length < HF_LIMIT_NONCE_LEAST_BYTES || length > HF_LIMIT_NONCE_BYTES)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "nonce: must have %u to %u bytes, not %zu",
                       HF_LIMIT_NONCE_LEAST_BYTES, HF_LIMIT_NONCE_BYTES, length);
    if (expires_ms - now_ms > HF_LIMIT_NONCE_MS)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "expires: must be at most %d s from now, not %" G_GINT64_FORMAT,
                       HF_LIMIT_NONCE_MS / 1000, (expires_ms - now_ms) / 1000);
    if (expires_ms < now_ms)
        return hf_fail(error, HF_ERROR_REQUEST_EXPIRED,
                       "the request expired %" G_GINT64_FORMAT " ms ago", now_ms - expires_ms);
    return TRUE;
}

static gboolean claim_nonce(HfNonces *nonces, const char *client, const char *nonce,
                            gint64 expires_ms, GError **error)
{
    GHashTable *known = ensure_client(nonces, client);
    if (g_hash_table_contains(known, nonce))
        return hf_fail(error, HF_ERROR_REQUEST_REPLAYED,
                       "a request with this nonce was made before");
    if (g_hash_table_size(known) >= HF_LIMIT_CLIENT_NONCES || nonces->count >= HF_LIMIT_NONCES)
        return hf_fail(error, HF_ERROR_QUEUE_OVERFLOW,
                       "too many nonces are in use; use shorter expiry times");
    add_nonce(nonces, known, nonce, expires_ms);
    return TRUE;
}

static void forget_nonce(HfNonces *nonces, const char *client, const char *nonce)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&nonces->lock);
    GHashTable *known = g_hash_table_lookup(nonces->clients, client);
    if (known && g_hash_table_remove(known, nonce))
        nonces->count--;
}

static UnstoredNonce *pop_unstored_nonce(HfNonces *nonces)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&nonces->lock);
    return g_queue_pop_head(&nonces->unstored);
}

static void push_unstored_nonce(HfNonces *nonces, UnstoredNonce *take_unstored)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&nonces->lock);
    g_queue_push_tail(&nonces->unstored, take_unstored);
}

/* The disk has just taken one, so it may have room for those that it did not take. */
static void store_unstored_nonces(HfNonces *nonces, gint64 now_ms)
{
    UnstoredNonce *unstored;
    while ((unstored = pop_unstored_nonce(nonces))) {
        if (unstored->expires_ms >= now_ms &&
            !hf_nonce_row_add(nonces->store, unstored->client, unstored->nonce,
                              unstored->expires_ms, now_ms, NULL)) {
            push_unstored_nonce(nonces, unstored);
            return;
        }
        unstored_nonce_free(unstored);
    }
}

gboolean hf_nonces_persist(HfNonces *nonces, const char *client, const char *nonce,
                           gint64 expires_ms, gint64 now_ms, GError **error)
{
    if (!nonces->store)
        return TRUE;
    if (hf_nonce_row_add(nonces->store, client, nonce, expires_ms, now_ms, error)) {
        store_unstored_nonces(nonces, now_ms);
        return TRUE;
    }
    forget_nonce(nonces, client, nonce);
    return FALSE;
}

void hf_nonces_persist_later(HfNonces *nonces, const char *client, const char *nonce,
                             gint64 expires_ms, gint64 now_ms)
{
    if (!nonces->store)
        return;
    if (hf_nonce_row_add(nonces->store, client, nonce, expires_ms, now_ms, NULL)) {
        store_unstored_nonces(nonces, now_ms);
        return;
    }
    UnstoredNonce *unstored = g_new(UnstoredNonce, 1);
    *unstored = (UnstoredNonce){g_strdup(client), g_strdup(nonce), expires_ms};
    push_unstored_nonce(nonces, unstored);
}

gboolean hf_nonces_take(HfNonces *nonces, const char *client, const char *nonce, gint64 expires_ms,
                        gint64 now_ms, GError **error)
{
    if (!check_nonce_form(nonce, expires_ms, now_ms, error))
        return FALSE;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&nonces->lock);
    sweep_expired_nonces(nonces, now_ms);
    return claim_nonce(nonces, client, nonce, expires_ms, error);
}

gboolean hf_replay_check_waits(const json_t *request)
{
    return json_object_get(request, "nonce") != NULL;
}

/* The two members only work together: a nonce without an expiry would have to be kept for ever, and
 * an expiry without a nonce stops no replay. */
gboolean hf_replay_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                         const json_t *request, gboolean harmless, GError **error)
{
    const char *name = caller->name ? caller->name : "";
    const char *nonce = hf_json_string(request, "nonce", NULL);
    gint64 expires_ms = hf_json_int(request, "expires", 0);
    gint64 now_ms = g_get_real_time() / 1000;
    if (nonce && expires_ms > 0) {
        if (!hf_nonces_take(nonces, name, nonce, expires_ms, now_ms, error))
            return FALSE;
        if (!harmless)
            return hf_nonces_persist(nonces, name, nonce, expires_ms, now_ms, error);
        hf_nonces_persist_later(nonces, name, nonce, expires_ms, now_ms);
        return TRUE;
    }
    if (nonce || json_object_get(request, "expires"))
        return hf_fail(
            error, HF_ERROR_INVALID_PARAMS,
            "nonce (a text) and expires (a time in milliseconds) must be given together");
    if (!hf_json_bool(hf_config_find(config, "clients", name), "require_nonce", FALSE))
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "requests of %s must carry a nonce and an expiry time", name);
    hf_error_suggest(error, "add \"nonce\" and \"expires\" to the request; see docs/bridge.md");
    return FALSE;
}
