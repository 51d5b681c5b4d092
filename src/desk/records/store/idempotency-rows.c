/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each key of a caller. */
#include "desk/records/store/idempotency-rows.h"

gboolean hf_idempotency_row_begin(HfStoreSession *session, const HfIdempotencyKey *key,
                                  gint64 now_ms, GError **error)
{
    return hf_store_run(session, error, "INSERT OR REPLACE INTO recalls VALUES (?, ?, ?, ?, NULL)",
                        "ttti", key->caller, key->key, key->call, now_ms);
}

gboolean hf_idempotency_row_finish(HfStoreSession *session, const HfIdempotencyKey *key,
                                   const char *answer, GError **error)
{
    return hf_store_run(session, error,
                        "UPDATE recalls SET answer = ? WHERE caller = ? AND key = ?", "ttt", answer,
                        key->caller, key->key);
}

gboolean hf_idempotency_row_forget(HfStoreSession *session, const HfIdempotencyKey *key,
                                   GError **error)
{
    return hf_store_run(session, error, "DELETE FROM recalls WHERE caller = ? AND key = ?", "tt",
                        key->caller, key->key);
}

void hf_idempotency_row_clear(HfIdempotencyRow *row)
{
    g_free(row->call);
    json_decref(row->answer);
}

typedef struct Search {
    const HfIdempotencyKey *key;
    gint64 since_ms;
    HfIdempotencyRow *found;
} Search;

static gboolean query_idempotency_row(HfStoreSession *session, gpointer data, GError **error)
{
    Search *search = data;
    sqlite3_stmt *row =
        hf_store_query(session, error,
                       "SELECT call, answer FROM recalls"
                       " WHERE caller = ? AND key = ? AND time >= ?",
                       "tti", search->key->caller, search->key->key, search->since_ms);
    if (!hf_store_next_row(session, row, &search->found->found, error))
        return FALSE;
    if (search->found->found) {
        search->found->call = g_strdup(hf_store_text(row, 0));
        search->found->answer = hf_store_json(row, 1);
    }
    return TRUE;
}

gboolean hf_idempotency_row_find(HfStore *store, const HfIdempotencyKey *key, gint64 since_ms,
                                 HfIdempotencyRow *ret_row, GError **error)
{
    *ret_row = (HfIdempotencyRow){0};
    Search search = {key, since_ms, ret_row};
    return hf_store_read(store, query_idempotency_row, &search, error);
}

typedef struct Bounds {
    gint64 before_ms, most;
} Bounds;

static gboolean delete_old_idempotency_rows(HfStoreSession *session, gpointer data, GError **error)
{
    const Bounds *bounds = data;
    return hf_store_run(session, error, "DELETE FROM recalls WHERE time < ?", "i",
                        bounds->before_ms) &&
           hf_store_run(session, error,
                        "DELETE FROM recalls WHERE time < (SELECT time FROM recalls"
                        " ORDER BY time DESC LIMIT 1 OFFSET ?)",
                        "i", bounds->most - 1);
}

gboolean hf_idempotency_rows_prune(HfStore *store, gint64 before_ms, gint64 most, GError **error)
{
    Bounds bounds = {before_ms, most};
    return hf_store_write(store, delete_old_idempotency_rows, &bounds, error);
}
