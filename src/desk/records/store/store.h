/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's database (SQLite). One writer at a time, in transactions; readers see the last
 * committed state and wait for nobody. Each group of tables has its own file beside this one. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <sqlite3.h>

typedef struct HfStore HfStore;
typedef struct HfStoreSession HfStoreSession;

/* Opens or creates the database, 0600, and migrates its tables. STORAGE_FAILED when it is damaged
 * or from a newer Handfast, CONFLICT when another desk has it; the file is left unchanged. */
HfStore *hf_store_open(const char *path, GError **error);
void hf_store_close(HfStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfStore, hf_store_close)

/* Runs `work` in one transaction, which is durable when this returns TRUE. FALSE from `work` rolls
 * everything back. */
typedef gboolean (*HfStoreWork)(HfStoreSession *session, gpointer data, GError **error);
gboolean hf_store_write(HfStore *store, HfStoreWork work, gpointer data, GError **error);
/* The same without waiting for the disk: it is visible at once and survives this process, but a
 * power failure may undo it until the next hf_store_write or hf_store_sync. */
gboolean hf_store_write_soon(HfStore *store, HfStoreWork work, gpointer data, GError **error);
/* Waits until everything written so far is durable. Does not block writers. */
gboolean hf_store_sync(HfStore *store, GError **error);
/* A read-only transaction: one consistent view. */
gboolean hf_store_read(HfStore *store, HfStoreWork work, gpointer data, GError **error);

/* A nested transaction: when `work` fails, only its changes are rolled back. `ret_lost`: the whole
 * transaction is lost (a full disk), so the rest must fail too. */
gboolean hf_store_attempt(HfStoreSession *session, HfStoreWork work, gpointer data,
                          gboolean *ret_lost, GError **error);

/* Within a session. A statement is prepared once for each text (which must be a literal); values
 * are bound in order by `types`: 't' const char * (may be NULL), 'i' gint64, 'd' double, 'b' GBytes
 * * (may be NULL). The session owns the statement: never finalize it. */
sqlite3_stmt *hf_store_query(HfStoreSession *session, GError **error, const char *sql,
                             const char *types, ...);
/* TRUE with a row; FALSE at the end, or with an error. */
gboolean hf_store_next(HfStoreSession *session, sqlite3_stmt *statement, GError **error);
/* The same with the error apart from the end: FALSE is an error, or a NULL statement. */
gboolean hf_store_next_row(HfStoreSession *session, sqlite3_stmt *statement, gboolean *ret_row,
                           GError **error);
/* Runs a statement that returns no rows. */
gboolean hf_store_run(HfStoreSession *session, GError **error, const char *sql, const char *types,
                      ...);
gint64 hf_store_last_id(HfStoreSession *session);

/* Columns of the current row; text is borrowed until the next step and never NULL. */
const char *hf_store_text(sqlite3_stmt *statement, int column);
json_t *hf_store_json(sqlite3_stmt *statement, int column); /* owned; JSON null if it is not JSON */
