/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each; desk/doors/bridge/nonces.c bounds their number. */
#include "desk/records/store/nonce-rows.h"

typedef struct Work {
    const char *client, *nonce;
    gint64 expires_ms, time_ms, most;
    HfNonceRow row;
    gpointer data;
} Work;

static gboolean load_nonce_rows(HfStoreSession *session, gpointer data, GError **error)
{
    const Work *work = data;
    g_autoptr(GError) problem = NULL;
    sqlite3_stmt *row = hf_store_query(session, error,
                                       "SELECT client, nonce, expires_ms FROM nonces "
                                       "WHERE expires_ms >= ? ORDER BY expires_ms DESC LIMIT ?",
                                       "ii", work->time_ms, work->most);
    while (row && hf_store_next(session, row, &problem))
        work->row(hf_store_text(row, 0), hf_store_text(row, 1), sqlite3_column_int64(row, 2),
                  work->data);
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return row && !problem;
}

gboolean hf_nonce_rows_load(HfStore *store, gint64 now_ms, gint64 most, HfNonceRow row,
                            gpointer data, GError **error)
{
    Work work = {.time_ms = now_ms, .most = most, .row = row, .data = data};
    return hf_store_read(store, load_nonce_rows, &work, error);
}

static gboolean insert_nonce(HfStoreSession *session, gpointer data, GError **error)
{
    const Work *work = data;
    return hf_store_run(session, error, "DELETE FROM nonces WHERE expires_ms < ?", "i",
                        work->time_ms) &&
           hf_store_run(session, error, "INSERT OR REPLACE INTO nonces VALUES (?, ?, ?)", "tti",
                        work->client, work->nonce, work->expires_ms);
}

gboolean hf_nonce_row_add(HfStore *store, const char *client, const char *nonce, gint64 expires_ms,
                          gint64 before_ms, GError **error)
{
    Work work = {.client = client, .nonce = nonce, .expires_ms = expires_ms, .time_ms = before_ms};
    return hf_store_write_soon(store, insert_nonce, &work, error);
}
