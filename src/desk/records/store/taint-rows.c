/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each caller and desktop, and one for each run that was named. Writes do not wait for
 * the disk: the audit syncs a moment later, and a power failure ends the agents too. */
#include "desk/records/store/taint-rows.h"

typedef struct Work {
    const char *subject, *desktop;
    const HfTaintRow *row;
    HfTaintRow *found;
    GPtrArray *list;
    gint64 before_ms;
    guint most;
} Work;

void hf_taint_row_free(HfTaintRow *row)
{
    if (!row)
        return;
    g_free(row->subject);
    g_free(row->desktop);
    g_free(row->caller);
    g_free(row->name);
    g_free(row->tool);
    g_free(row);
}

static HfTaintRow *read_taint_row(sqlite3_stmt *statement)
{
    HfTaintRow *row = g_new0(HfTaintRow, 1);
    row->subject = g_strdup(hf_store_text(statement, 0));
    row->desktop = g_strdup(hf_store_text(statement, 1));
    row->caller = g_strdup(hf_store_text(statement, 2));
    row->name = g_strdup(hf_store_text(statement, 3));
    row->reads = (guint)sqlite3_column_int64(statement, 4);
    row->tool = g_strdup(hf_store_text(statement, 5));
    row->since_ms = sqlite3_column_int64(statement, 6);
    row->seen_ms = sqlite3_column_int64(statement, 7);
    return row;
}

#define TAINT_COLUMNS "subject, desktop, caller, name, reads, tool, since, seen"

static gboolean find_taint_row(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    gboolean found;
    sqlite3_stmt *row = hf_store_query(
        session, error, "SELECT " TAINT_COLUMNS " FROM taints WHERE subject = ? AND desktop = ?",
        "tt", work->subject, work->desktop);
    if (!hf_store_next_row(session, row, &found, error))
        return FALSE;
    if (found)
        work->found = read_taint_row(row);
    return TRUE;
}

gboolean hf_taint_row_get(HfStore *store, const char *subject, const char *desktop,
                          HfTaintRow **ret_row, GError **error)
{
    Work work = {.subject = subject, .desktop = desktop};
    if (!hf_store_read(store, find_taint_row, &work, error))
        return FALSE;
    *ret_row = work.found;
    return TRUE;
}

static gboolean write_taint_row(HfStoreSession *session, gpointer data, GError **error)
{
    const HfTaintRow *row = ((const Work *)data)->row;
    return hf_store_run(session, error,
                        "INSERT OR REPLACE INTO taints (" TAINT_COLUMNS
                        ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        "ttttitii", row->subject, row->desktop, row->caller, row->name,
                        (gint64)row->reads, row->tool, row->since_ms, row->seen_ms);
}

gboolean hf_taint_row_put(HfStore *store, const HfTaintRow *row, GError **error)
{
    Work work = {.row = row};
    return hf_store_write_soon(store, write_taint_row, &work, error);
}

static gboolean load_taint_rows(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    gboolean more = FALSE;
    sqlite3_stmt *row = hf_store_query(
        session, error, "SELECT " TAINT_COLUMNS " FROM taints ORDER BY seen DESC", "");
    while (hf_store_next_row(session, row, &more, error) && more)
        g_ptr_array_add(work->list, read_taint_row(row));
    return !*error;
}

GPtrArray *hf_taint_rows_list(HfStore *store, GError **error)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify)hf_taint_row_free);
    Work work = {.list = list};
    g_autoptr(GError) problem = NULL;
    if (hf_store_read(store, load_taint_rows, &work, &problem))
        return g_steal_pointer(&list);
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
}

static gboolean remove_taint_rows(HfStoreSession *session, gpointer data, GError **error)
{
    const Work *work = data;
    if (!work->subject)
        return hf_store_run(session, error, "DELETE FROM taints", "");
    return hf_store_run(session, error, "DELETE FROM taints WHERE subject = ? OR caller = ?", "tt",
                        work->subject, work->subject);
}

gboolean hf_taint_rows_remove(HfStore *store, const char *caller, GError **error)
{
    Work work = {.subject = caller};
    return hf_store_write(store, remove_taint_rows, &work, error);
}

static gboolean prune_taint_rows(HfStoreSession *session, gpointer data, GError **error)
{
    const Work *work = data;
    return hf_store_run(session, error, "DELETE FROM taints WHERE seen < ?", "i",
                        work->before_ms) &&
           hf_store_run(session, error,
                        "DELETE FROM taints WHERE seen < (SELECT seen FROM taints ORDER BY seen "
                        "DESC LIMIT 1 OFFSET ?)",
                        "i", (gint64)work->most - 1);
}

gboolean hf_taint_rows_prune(HfStore *store, gint64 before_ms, guint most, GError **error)
{
    Work work = {.before_ms = before_ms, .most = most};
    return hf_store_write_soon(store, prune_taint_rows, &work, error);
}
