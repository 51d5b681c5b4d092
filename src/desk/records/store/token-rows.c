/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each token. */
#include "desk/records/store/token-rows.h"

#include <string.h>

typedef struct Work {
    GPtrArray *list;
    const HfToken *token;
    const char *id;
    gint64 time_ms;
} Work;

void hf_token_free(HfToken *token)
{
    if (!token)
        return;
    g_free(token->id);
    g_free(token->name);
    g_free(token->grant);
    g_free(token);
}

static HfToken *read_token_row(sqlite3_stmt *row)
{
    HfToken *token = g_new0(HfToken, 1);
    token->id = g_strdup(hf_store_text(row, 0));
    token->name = g_strdup(hf_store_text(row, 1));
    if (sqlite3_column_bytes(row, 2) == HF_TOKEN_HASH_BYTES)
        memcpy(token->hash, sqlite3_column_blob(row, 2), HF_TOKEN_HASH_BYTES);
    else
        token->revoked_ms = 1; /* a malformed hash matches nothing */
    token->role = sqlite3_column_int(row, 3);
    token->level = (HfLevel)sqlite3_column_int(row, 4);
    if (sqlite3_column_type(row, 5) != SQLITE_NULL)
        token->grant = g_strdup(hf_store_text(row, 5));
    token->made_ms = sqlite3_column_int64(row, 6);
    token->expires_ms = sqlite3_column_int64(row, 7);
    token->revoked_ms = MAX(token->revoked_ms, sqlite3_column_int64(row, 8));
    return token;
}

static gboolean load_token_rows(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    g_autoptr(GError) problem = NULL;
    sqlite3_stmt *row = hf_store_query(session, error,
                                       "SELECT id, name, hash, role, level, grant_id, made_ms, "
                                       "expires_ms, revoked_ms FROM tokens ORDER BY rowid",
                                       "");
    while (row && hf_store_next(session, row, &problem))
        g_ptr_array_add(work->list, read_token_row(row));
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return row && !problem;
}

GPtrArray *hf_token_rows_load(HfStore *store, GError **error)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify)hf_token_free);
    Work work = {.list = list};
    return hf_store_read(store, load_token_rows, &work, error) ? g_steal_pointer(&list) : NULL;
}

static gboolean insert_token(HfStoreSession *session, gpointer data, GError **error)
{
    const HfToken *token = ((Work *)data)->token;
    g_autoptr(GBytes) hash = g_bytes_new(token->hash, sizeof token->hash);
    return hf_store_run(session, error,
                        "INSERT INTO tokens (id, name, hash, role, level, grant_id, made_ms, "
                        "expires_ms, revoked_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                        "ttbiitii", token->id, token->name, hash, (gint64)token->role,
                        (gint64)token->level, token->grant, token->made_ms, token->expires_ms);
}

gboolean hf_token_row_add(HfStore *store, const HfToken *token, GError **error)
{
    Work work = {.token = token};
    return hf_store_write(store, insert_token, &work, error);
}

static gboolean end_token(HfStoreSession *session, gpointer data, GError **error)
{
    const Work *work = data;
    return hf_store_run(session, error,
                        "UPDATE tokens SET revoked_ms = ? WHERE id = ? AND revoked_ms = 0", "it",
                        work->time_ms, work->id);
}

static gboolean replace_token_row(HfStoreSession *session, gpointer data, GError **error)
{
    return end_token(session, data, error) && insert_token(session, data, error);
}

gboolean hf_token_row_replace(HfStore *store, const char *id, const HfToken *with, GError **error)
{
    Work work = {.token = with, .id = id, .time_ms = with->made_ms};
    return hf_store_write(store, replace_token_row, &work, error);
}

gboolean hf_token_row_revoke(HfStore *store, const char *id, gint64 time_ms, GError **error)
{
    Work work = {.id = id, .time_ms = time_ms};
    return hf_store_write(store, end_token, &work, error);
}
