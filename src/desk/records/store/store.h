/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's one database (SQLite). One writer at a time, in whole transactions; readers see the
 * last whole state and wait for nobody. What belongs to a group of tables is in a file of its own
 * beside this one; none of them is known here, except by the list of migrations. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <sqlite3.h>

typedef struct HfStore HfStore;
typedef struct HfStoreSession HfStoreSession;

/* Opens or makes the database, 0600, and brings its tables up to date. STORAGE_FAILED when it is
 * damaged, from a newer Handfast, or another desk has it; the file is left as it is. */
HfStore *hf_store_open(const char *path, GError **error);
void hf_store_close(HfStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfStore, hf_store_close)

/* Runs `work` within one transaction: all of it lasts, or none. It is durable when this returns
 * TRUE. FALSE from `work` takes everything back. */
typedef gboolean (*HfStoreWork)(HfStoreSession *session, gpointer data, GError **error);
gboolean hf_store_write(HfStore *store, HfStoreWork work, gpointer data, GError **error);
/* The same without waiting for the disk: every reader sees it at once and it outlives this process,
 * but a loss of power may take it back whole until the next hf_store_write or hf_store_sync is
 * through. */
gboolean hf_store_write_soon(HfStore *store, HfStoreWork work, gpointer data, GError **error);
/* Waits until all that was written before lasts. Nobody who writes waits for it. */
gboolean hf_store_sync(HfStore *store, GError **error);
/* The same for looking: one consistent view; a write in it fails. */
gboolean hf_store_read(HfStore *store, HfStoreWork work, gpointer data, GError **error);

/* Within a transaction: does `work`, and when that fails takes back only what it did. FALSE with
 * *ret_lost set when the whole transaction is lost with it (a full disk): then the rest must fail
 * too. */
gboolean hf_store_attempt(HfStoreSession *session, HfStoreWork work, gpointer data,
                          gboolean *ret_lost, GError **error);

/* Within a session. A statement is prepared once for each text (which must be a literal); values
 * are bound in order by `types`: 't' const char * (may be NULL), 'i' gint64, 'd' double, 'b' GBytes
 * * (may be NULL). The statement is ready to be stepped, and is the session's: never finalize it.
 */
sqlite3_stmt *hf_store_query(HfStoreSession *session, GError **error, const char *sql,
                             const char *types, ...);
/* One step: TRUE with a row, FALSE at the end, or with an error. */
gboolean hf_store_next(HfStoreSession *session, sqlite3_stmt *statement, GError **error);
/* A statement without rows, done. */
gboolean hf_store_run(HfStoreSession *session, GError **error, const char *sql, const char *types,
                      ...);
gint64 hf_store_last_id(HfStoreSession *session);

/* Columns of the current row; text is borrowed until the next step and never NULL. */
const char *hf_store_text(sqlite3_stmt *statement, int column);
json_t *hf_store_json(sqlite3_stmt *statement, int column); /* owned; JSON null if it is none */
