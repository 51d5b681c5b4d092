/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each operation. desk/guard/background/operation-answers.c decides what may be stored.
 */
#include "desk/records/store/operation-rows.h"

#include "shared/base/json.h"

#define COLUMNS                                                                                    \
    "id, caller, tool, desktop, run_id, step_id, state, made_ms, ended_ms, key, call, reads,"      \
    " answer, parts"
#define BRIEF                                                                                      \
    "id, caller, tool, desktop, run_id, step_id, state, made_ms, ended_ms, key, call, reads,"      \
    " NULL, parts"

void hf_operation_row_free(HfOperationRow *row)
{
    if (!row)
        return;
    char *texts[] = {row->id,      row->caller, row->tool, row->desktop, row->run_id,
                     row->step_id, row->state,  row->key,  row->call};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    json_decref(row->answer);
    json_decref(row->parts);
    g_free(row);
}

static HfOperationRow *read_operation_row(sqlite3_stmt *row)
{
    HfOperationRow *read = g_new0(HfOperationRow, 1);
    char **texts[] = {&read->id,     &read->caller,  &read->tool, &read->desktop,
                      &read->run_id, &read->step_id, &read->state};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
        *texts[i] = g_strdup(hf_store_text(row, (int)i));
    read->made_ms = sqlite3_column_int64(row, 7);
    read->ended_ms = sqlite3_column_int64(row, 8);
    read->key = g_strdup(hf_store_text(row, 9));
    read->call = g_strdup(hf_store_text(row, 10));
    read->reads = sqlite3_column_int64(row, 11);
    read->answer = hf_store_json(row, 12);
    read->parts = hf_store_json(row, 13);
    return read;
}

static gboolean insert_operation(HfStoreSession *session, gpointer data, GError **error)
{
    const HfOperationRow *row = data;
    return hf_store_run(session, error,
                        "INSERT INTO operations (" COLUMNS ", bytes)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 0, NULL, '[]', 0)",
                        "tttttttitt", row->id, row->caller, row->tool, row->desktop, row->run_id,
                        row->step_id, row->state, row->made_ms, row->key, row->call);
}

gboolean hf_operation_row_add(HfStore *store, const HfOperationRow *row, GError **error)
{
    return hf_store_write_soon(store, insert_operation, (gpointer)row, error);
}

static gint64 bytes_of(const json_t *parts)
{
    gint64 bytes = 0;
    hf_json_each (part, parts)
        bytes += json_integer_value(json_object_get(part, "bytes"));
    return bytes;
}

static gboolean update_operation_end(HfStoreSession *session, gpointer data, GError **error)
{
    const HfOperationRow *row = data;
    char *answer = row->answer ? json_dumps(row->answer, JSON_COMPACT) : NULL;
    char *parts = row->parts ? json_dumps(row->parts, JSON_COMPACT) : NULL;
    gboolean done = hf_store_run(
        session, error,
        "UPDATE operations SET state = ?, ended_ms = ?, reads = ?, answer = ?, parts = ?, bytes = ?"
        " WHERE id = ?",
        "tiittit", row->state, row->ended_ms, row->reads, answer, parts ? parts : "[]",
        bytes_of(row->parts), row->id);
    free(answer);
    free(parts);
    return done;
}

gboolean hf_operation_row_finish(HfStore *store, const HfOperationRow *row, GError **error)
{
    return hf_store_write_soon(store, update_operation_end, (gpointer)row, error);
}

typedef struct Search {
    const char *id, *caller, *key;
    gint64 since_ms, most, bytes;
    HfOperationRow *found;
    GPtrArray *rows;
} Search;

static GPtrArray *new_rows(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify)hf_operation_row_free);
}

static gboolean collect_operation_rows(HfStoreSession *session, sqlite3_stmt *statement,
                                       GPtrArray *rows, GError **error)
{
    g_autoptr(GError) problem = NULL;
    while (statement && hf_store_next(session, statement, &problem))
        g_ptr_array_add(rows, read_operation_row(statement));
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return statement && !problem;
}

static gboolean find_one(HfStoreSession *session, gpointer data, GError **error)
{
    Search *search = data;
    g_autoptr(GPtrArray) rows = new_rows();
    sqlite3_stmt *statement =
        search->id
            ? hf_store_query(session, error, "SELECT " COLUMNS " FROM operations WHERE id = ?", "t",
                             search->id)
            : hf_store_query(session, error,
                             "SELECT " COLUMNS " FROM operations"
                             " WHERE caller = ? AND key = ? AND made_ms >= ?"
                             " ORDER BY made_ms DESC LIMIT 1",
                             "tti", search->caller, search->key, search->since_ms);
    if (!collect_operation_rows(session, statement, rows, error))
        return FALSE;
    search->found = rows->len > 0 ? g_ptr_array_steal_index(rows, 0) : NULL;
    return TRUE;
}

HfOperationRow *hf_operation_row_find(HfStore *store, const char *id, GError **error)
{
    Search search = {.id = id};
    return hf_store_read(store, find_one, &search, error) ? search.found : NULL;
}

HfOperationRow *hf_operation_row_find_by_key(HfStore *store, const char *caller, const char *key,
                                             gint64 since_ms, GError **error)
{
    Search search = {.caller = caller, .key = key, .since_ms = since_ms};
    return hf_store_read(store, find_one, &search, error) ? search.found : NULL;
}

static gboolean query_operations(HfStoreSession *session, gpointer data, GError **error)
{
    Search *search = data;
    sqlite3_stmt *statement =
        hf_store_query(session, error,
                       "SELECT " BRIEF " FROM operations WHERE ? IS NULL OR caller = ?"
                       " ORDER BY made_ms DESC, id LIMIT ?",
                       "tti", search->caller, search->caller, search->most);
    return collect_operation_rows(session, statement, search->rows, error);
}

static GPtrArray *rows_of(HfStore *store, HfStoreWork work, gboolean writes, Search *search,
                          GError **error)
{
    g_autoptr(GPtrArray) rows = new_rows();
    search->rows = rows;
    gboolean done = writes ? hf_store_write_soon(store, work, search, error)
                           : hf_store_read(store, work, search, error);
    return done ? g_steal_pointer(&rows) : NULL;
}

GPtrArray *hf_operation_rows_list(HfStore *store, const char *caller, int limit, GError **error)
{
    Search search = {.caller = caller, .most = limit};
    return rows_of(store, query_operations, FALSE, &search, error);
}

static gboolean is_intended(HfStoreSession *session, const HfOperationRow *row, GError **error)
{
    sqlite3_stmt *statement =
        hf_store_query(session, error,
                       "SELECT 1 FROM audit WHERE run = ? AND step = ? AND kind = 'intent' LIMIT 1",
                       "tt", row->run_id, row->step_id);
    return statement && hf_store_next(session, statement, error);
}

static gboolean list_lost(HfStoreSession *session, gpointer data, GError **error)
{
    Search *search = data;
    sqlite3_stmt *statement =
        hf_store_query(session, error, "SELECT " BRIEF " FROM operations WHERE state = ?", "t",
                       HF_OPERATION_RUNNING);
    if (!collect_operation_rows(session, statement, search->rows, error))
        return FALSE;
    for (guint i = 0; i < search->rows->len; i++) {
        HfOperationRow *row = search->rows->pdata[i];
        row->intended = is_intended(session, row, NULL);
    }
    return TRUE;
}

GPtrArray *hf_operation_rows_list_lost(HfStore *store, GError **error)
{
    Search search = {0};
    return rows_of(store, list_lost, FALSE, &search, error);
}

/* The rows that are too old, too many or too large. */
#define SURPLUS                                                                                    \
    "SELECT id FROM (SELECT id, made_ms, state,"                                                   \
    " row_number() OVER latest AS place, sum(bytes) OVER latest AS total FROM operations"          \
    " WINDOW latest AS (ORDER BY made_ms DESC, id))"                                               \
    " WHERE state <> 'running' AND (made_ms < ? OR place > ? OR total > ?)"

static gboolean delete_surplus_operations(HfStoreSession *session, gpointer data, GError **error)
{
    Search *search = data;
    sqlite3_stmt *statement =
        hf_store_query(session, error, "SELECT " BRIEF " FROM operations WHERE id IN (" SURPLUS ")",
                       "iii", search->since_ms, search->most, search->bytes);
    if (!collect_operation_rows(session, statement, search->rows, error))
        return FALSE;
    for (guint i = 0; i < search->rows->len; i++) {
        const HfOperationRow *row = search->rows->pdata[i];
        if (!hf_store_run(session, error, "DELETE FROM operations WHERE id = ?", "t", row->id))
            return FALSE;
    }
    return TRUE;
}

GPtrArray *hf_operation_rows_prune(HfStore *store, gint64 before_ms, gint64 most, gint64 bytes,
                                   GError **error)
{
    Search search = {.since_ms = before_ms, .most = most, .bytes = bytes};
    return rows_of(store, delete_surplus_operations, TRUE, &search, error);
}
