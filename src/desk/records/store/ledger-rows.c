/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each change. */
#include "desk/records/store/ledger-rows.h"

#include "desk/records/records-limits.h"
#include "shared/base/json.h"

#define COLUMNS "id, time, step_id, run_id, desktop, caller, tool, undo, undoes, undone_by"

void hf_ledger_entry_free(HfLedgerEntry *entry)
{
    if (!entry)
        return;
    g_free(entry->step_id);
    g_free(entry->run_id);
    g_free(entry->desktop);
    g_free(entry->caller);
    g_free(entry->tool);
    json_decref(entry->undo);
    g_free(entry->undoes);
    g_free(entry->undone_by);
    g_free(entry);
}

gboolean hf_ledger_row_add(HfStoreSession *session, const HfLedgerEntry *entry, GError **error)
{
    g_autofree char *undo = hf_json_dump(entry->undo);
    return hf_store_run(session, error,
                        "INSERT INTO ledger (time, step_id, run_id, desktop, caller, tool, undo, "
                        "undoes, undone_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '')",
                        "ittttttt", entry->time_ms, entry->step_id, entry->run_id, entry->desktop,
                        entry->caller, entry->tool, undo, entry->undoes ? entry->undoes : "") &&
           hf_store_run(session, error, "DELETE FROM ledger WHERE id <= ?", "i",
                        hf_store_last_id(session) - HF_LIMIT_LEDGER);
}

typedef struct Mark {
    const char *step_id, *by;
} Mark;

static gboolean write_mark(HfStoreSession *session, gpointer data, GError **error)
{
    const Mark *mark = data;
    return hf_store_run(session, error, "UPDATE ledger SET undone_by = ? WHERE step_id = ?", "tt",
                        mark->by, mark->step_id);
}

gboolean hf_ledger_row_mark_undone(HfStore *store, const char *step_id, const char *by,
                                   GError **error)
{
    Mark mark = {step_id, by};
    return hf_store_write(store, write_mark, &mark, error);
}

typedef struct Search {
    const HfLedgerFilter *filter;
    const char *step_id;
    GPtrArray *found;
} Search;

static HfLedgerEntry *read_ledger_entry(sqlite3_stmt *row)
{
    HfLedgerEntry *entry = g_new0(HfLedgerEntry, 1);
    entry->id = sqlite3_column_int64(row, 0);
    entry->time_ms = sqlite3_column_int64(row, 1);
    entry->step_id = g_strdup(hf_store_text(row, 2));
    entry->run_id = g_strdup(hf_store_text(row, 3));
    entry->desktop = g_strdup(hf_store_text(row, 4));
    entry->caller = g_strdup(hf_store_text(row, 5));
    entry->tool = g_strdup(hf_store_text(row, 6));
    entry->undo = hf_store_json(row, 7);
    entry->undoes = g_strdup(hf_store_text(row, 8));
    entry->undone_by = g_strdup(hf_store_text(row, 9));
    return entry;
}

static gboolean read_ledger_rows(HfStoreSession *session, sqlite3_stmt *rows, Search *search,
                                 GError **error)
{
    g_autoptr(GError) problem = NULL;
    while (rows && hf_store_next(session, rows, &problem))
        g_ptr_array_add(search->found, read_ledger_entry(rows));
    if (rows && !problem)
        return TRUE;
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

static gboolean query_ledger_list(HfStoreSession *session, gpointer data, GError **error)
{
    Search *search = data;
    const HfLedgerFilter *filter = search->filter;
    sqlite3_stmt *rows =
        hf_store_query(session, error,
                       "SELECT " COLUMNS " FROM ledger WHERE (?1 IS NULL OR run_id = ?1) AND "
                       "(?2 IS NULL OR desktop = ?2) AND id >= ?3 AND "
                       "(?4 = 0 OR (undoes = '' AND undone_by = '')) AND "
                       "(?5 IS NULL OR caller = ?5) ORDER BY id DESC LIMIT ?6",
                       "ttiiti", filter->run_id, filter->desktop, filter->from_id,
                       (gint64)filter->open, filter->caller, (gint64)filter->limit);
    return read_ledger_rows(session, rows, search, error);
}

static gboolean query_ledger_step(HfStoreSession *session, gpointer data, GError **error)
{
    Search *search = data;
    sqlite3_stmt *rows = hf_store_query(
        session, error, "SELECT " COLUMNS " FROM ledger WHERE step_id = ?", "t", search->step_id);
    return read_ledger_rows(session, rows, search, error);
}

GPtrArray *hf_ledger_rows_list(HfStore *store, const HfLedgerFilter *filter, GError **error)
{
    g_autoptr(GPtrArray) found =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_ledger_entry_free);
    Search search = {filter, NULL, found};
    return hf_store_read(store, query_ledger_list, &search, error) ? g_steal_pointer(&found) : NULL;
}

HfLedgerEntry *hf_ledger_row_find(HfStore *store, const char *step_id, GError **error)
{
    g_autoptr(GPtrArray) found =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_ledger_entry_free);
    Search search = {NULL, step_id, found};
    if (!hf_store_read(store, query_ledger_step, &search, error) || found->len == 0)
        return NULL;
    g_ptr_array_set_free_func(found, NULL);
    return found->pdata[0];
}
