/* SPDX-License-Identifier: Apache-2.0 */
/* A table of tokens, and a queue by age, which is also the order of expiry. */
#include "desk/guard/approvals/prepared-calls.h"

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/id.h"

typedef struct Action {
    char *token, *hash;
    gint64 expires_us;
} Action;

struct HfPreparedCalls {
    GMutex lock;
    GQueue order;       /* of Action, owned */
    GHashTable *tokens; /* token → its link in the queue */
};

static void action_free(gpointer data)
{
    Action *action = data;
    g_free(action->token);
    g_free(action->hash);
    g_free(action);
}

HfPreparedCalls *hf_prepared_calls_new(void)
{
    HfPreparedCalls *prepared = g_new0(HfPreparedCalls, 1);
    g_mutex_init(&prepared->lock);
    g_queue_init(&prepared->order);
    prepared->tokens = g_hash_table_new(g_str_hash, g_str_equal);
    return prepared;
}

void hf_prepared_calls_free(HfPreparedCalls *prepared)
{
    if (!prepared)
        return;
    g_hash_table_unref(prepared->tokens);
    g_queue_clear_full(&prepared->order, action_free);
    g_mutex_clear(&prepared->lock);
    g_free(prepared);
}

/* With the lock held. */
static void drop_prepared_call(HfPreparedCalls *prepared, GList *link)
{
    Action *action = link->data;
    g_hash_table_remove(prepared->tokens, action->token);
    g_queue_delete_link(&prepared->order, link);
    action_free(action);
}

static void drop_ended(HfPreparedCalls *prepared, gint64 now_us)
{
    const Action *oldest;
    while ((oldest = g_queue_peek_head(&prepared->order)) &&
           (oldest->expires_us <= now_us || prepared->order.length > HF_LIMIT_PREPARED))
        drop_prepared_call(prepared, prepared->order.head);
}

char *hf_prepared_calls_add(HfPreparedCalls *prepared, const char *hash, gint64 now_us)
{
    Action *action = g_new0(Action, 1);
    action->token = hf_id_new("c");
    action->hash = g_strdup(hash);
    action->expires_us = now_us + HF_LIMIT_CONFIRM_MS * (gint64)1000;
    char *token = g_strdup(action->token);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&prepared->lock);
    g_queue_push_tail(&prepared->order, action);
    g_hash_table_insert(prepared->tokens, action->token, prepared->order.tail);
    drop_ended(prepared, now_us);
    return token;
}

gboolean hf_prepared_calls_use(HfPreparedCalls *prepared, const char *token, const char *hash,
                               gint64 now_us, GError **error)
{
    g_mutex_lock(&prepared->lock);
    drop_ended(prepared, now_us);
    GList *link = g_hash_table_lookup(prepared->tokens, token);
    gboolean known = link != NULL;
    gboolean same = link && g_str_equal(((const Action *)link->data)->hash, hash);
    if (link)
        drop_prepared_call(prepared, link);
    g_mutex_unlock(&prepared->lock);
    if (same)
        return TRUE;
    hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
            known ? "the confirm_token belongs to a different call; it cannot be used again"
                  : "the confirm_token is unknown, expired or already used");
    hf_error_suggest(error, "prepare the call again, then confirm it with the same parameters");
    return FALSE;
}
