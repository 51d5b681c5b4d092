/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each path. */
#include "desk/records/store/tainted-file-rows.h"

typedef struct Work {
    GPtrArray *list;
    const HfTaintedFile *file;
    const char *caller;
    guint most;
} Work;

void hf_tainted_file_free(HfTaintedFile *file)
{
    if (!file)
        return;
    g_free(file->path);
    g_free(file->caller);
    g_free(file->name);
    g_free(file->tool);
    g_free(file);
}

static gboolean load_tainted_files(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    gboolean more = FALSE;
    sqlite3_stmt *row = hf_store_query(session, error,
                                       "SELECT path, device, inode, caller, name, tool, since "
                                       "FROM tainted_files ORDER BY since",
                                       "");
    while (hf_store_next_row(session, row, &more, error) && more) {
        HfTaintedFile *file = g_new0(HfTaintedFile, 1);
        file->path = g_strdup(hf_store_text(row, 0));
        file->device = (guint64)sqlite3_column_int64(row, 1);
        file->inode = (guint64)sqlite3_column_int64(row, 2);
        file->caller = g_strdup(hf_store_text(row, 3));
        file->name = g_strdup(hf_store_text(row, 4));
        file->tool = g_strdup(hf_store_text(row, 5));
        file->since_ms = sqlite3_column_int64(row, 6);
        g_ptr_array_add(work->list, file);
    }
    return !*error;
}

GPtrArray *hf_tainted_file_rows_list(HfStore *store, GError **error)
{
    g_autoptr(GPtrArray) list =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_tainted_file_free);
    Work work = {.list = list};
    g_autoptr(GError) problem = NULL;
    if (hf_store_read(store, load_tainted_files, &work, &problem))
        return g_steal_pointer(&list);
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
}

static gboolean write_tainted_file(HfStoreSession *session, gpointer data, GError **error)
{
    const Work *work = data;
    const HfTaintedFile *file = work->file;
    return hf_store_run(session, error,
                        "INSERT OR REPLACE INTO tainted_files (path, device, inode, caller, name, "
                        "tool, since) VALUES (?, ?, ?, ?, ?, ?, ?)",
                        "tiittti", file->path, (gint64)file->device, (gint64)file->inode,
                        file->caller, file->name, file->tool, file->since_ms) &&
           hf_store_run(session, error,
                        "DELETE FROM tainted_files WHERE since < (SELECT since FROM tainted_files "
                        "ORDER BY since DESC LIMIT 1 OFFSET ?)",
                        "i", (gint64)work->most - 1);
}

gboolean hf_tainted_file_row_put(HfStore *store, const HfTaintedFile *file, guint most,
                                 GError **error)
{
    Work work = {.file = file, .most = most};
    return hf_store_write_soon(store, write_tainted_file, &work, error);
}

static gboolean remove_tainted_files(HfStoreSession *session, gpointer data, GError **error)
{
    const Work *work = data;
    if (!work->caller)
        return hf_store_run(session, error, "DELETE FROM tainted_files", "");
    return hf_store_run(session, error, "DELETE FROM tainted_files WHERE caller = ?", "t",
                        work->caller);
}

gboolean hf_tainted_file_rows_remove(HfStore *store, const char *caller, GError **error)
{
    Work work = {.caller = caller};
    return hf_store_write(store, remove_tainted_files, &work, error);
}
