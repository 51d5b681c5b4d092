/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each tainted run; bits are only added. */
#include "desk/records/store/taint-rows.h"

typedef struct Taint {
    const char *run_id;
    guint reads;
} Taint;

static gboolean read_taint(HfStoreSession *session, gpointer data, GError **error)
{
    Taint *taint = data;
    gboolean found;
    sqlite3_stmt *row = hf_store_query(session, error, "SELECT reads FROM taints WHERE run_id = ?",
                                       "t", taint->run_id);
    if (!hf_store_next_row(session, row, &found, error))
        return FALSE;
    if (found)
        taint->reads = (guint)sqlite3_column_int64(row, 0);
    return TRUE;
}

gboolean hf_taint_row_get(HfStore *store, const char *run_id, guint *ret_reads, GError **error)
{
    Taint taint = {run_id, 0};
    if (!hf_store_read(store, read_taint, &taint, error))
        return FALSE;
    *ret_reads = taint.reads;
    return TRUE;
}

static gboolean write_taint(HfStoreSession *session, gpointer data, GError **error)
{
    const Taint *taint = data;
    return hf_store_run(session, error,
                        "INSERT INTO taints VALUES (?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET "
                        "reads = reads | excluded.reads",
                        "tii", taint->run_id, (gint64)taint->reads, g_get_real_time() / 1000);
}

gboolean hf_taint_row_add(HfStore *store, const char *run_id, guint reads, GError **error)
{
    Taint taint = {run_id, reads};
    return hf_store_write(store, write_taint, &taint, error);
}
