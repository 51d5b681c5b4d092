/* SPDX-License-Identifier: Apache-2.0 */
/* Two connections, one for writing behind a lock and one for reading. WAL lets readers go on during
 * a write; `synchronous = FULL` makes a commit survive a power failure. A file that we cannot use
 * is never changed: all checks come before the first write. */
#include "desk/records/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "desk/records/records-limits.h"
#include "shared/base/error.h"

/* Each is applied once, in order, and never changed afterwards. A new table or column is a new
 * entry at the end. */
static const char *const store_migrations[] = {
    /* Single values of the desk (key-values.c). */
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;",
    /* Tainted runs; and the changes that calls have made, with how to undo them. */
    "CREATE TABLE taints (run_id TEXT PRIMARY KEY, reads INTEGER NOT NULL,"
    "  since INTEGER NOT NULL) WITHOUT ROWID, STRICT;"
    "CREATE TABLE ledger (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, step_id TEXT NOT NULL,"
    "  run_id TEXT NOT NULL, desktop TEXT NOT NULL, caller TEXT NOT NULL, tool TEXT NOT NULL,"
    "  undo TEXT NOT NULL, undoes TEXT NOT NULL, undone_by TEXT NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX ledger_step ON ledger (step_id);"
    "CREATE INDEX ledger_desktop ON ledger (desktop, id);",
    /* The audit, which can only grow. The columns repeat members of the body. */
    "CREATE TABLE audit (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL,"
    "  caller TEXT, agent TEXT, project TEXT, run TEXT, step TEXT, tool TEXT, event TEXT,"
    "  desktop TEXT, risk TEXT, decision TEXT, code TEXT, body TEXT NOT NULL,"
    "  hash TEXT NOT NULL) STRICT;"
    "CREATE INDEX audit_time ON audit (time);"
    "CREATE INDEX audit_run ON audit (run);"
    "CREATE TRIGGER audit_only_grows BEFORE INSERT ON audit"
    "  WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit)"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TRIGGER audit_keeps BEFORE UPDATE ON audit"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TRIGGER audit_holds BEFORE DELETE ON audit"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TABLE audit_heads (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL,"
    "  head TEXT NOT NULL) STRICT;"
    "CREATE TRIGGER audit_heads_keep BEFORE UPDATE ON audit_heads"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;"
    "CREATE TRIGGER audit_heads_hold BEFORE DELETE ON audit_heads"
    "  BEGIN SELECT raise(ABORT, 'the audit only grows'); END;",
    /* Grants, and how much of each is used up (grant-rows.c). */
    "CREATE TABLE grants (id TEXT PRIMARY KEY, parent TEXT REFERENCES grants (id), made_by TEXT "
    "NOT "
    "NULL, level INTEGER NOT NULL, document TEXT NOT NULL, max_calls INTEGER NOT NULL, calls "
    "INTEGER NOT NULL DEFAULT 0, made_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;"
    /* Counts per day, for daily rate limits (rate-limiter.c). */
    "CREATE TABLE daily_counts (day INTEGER NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL, "
    "PRIMARY KEY (day, what)) WITHOUT ROWID, STRICT;",
    /* Questions to the owner, and remembered answers. */
    "CREATE TABLE approvals (id TEXT PRIMARY KEY, state TEXT NOT NULL, made_ms INTEGER NOT NULL,"
    "  expires_ms INTEGER NOT NULL, hash TEXT NOT NULL, caller TEXT NOT NULL, what TEXT NOT NULL,"
    "  picture TEXT NOT NULL, answered_ms INTEGER NOT NULL, answered_by TEXT NOT NULL,"
    "  reason TEXT NOT NULL) WITHOUT ROWID, STRICT;"
    "CREATE INDEX approvals_state ON approvals (state, made_ms);"
    "CREATE TABLE approval_memory (id TEXT PRIMARY KEY, made_ms INTEGER NOT NULL,"
    "  expires_ms INTEGER NOT NULL, scope TEXT NOT NULL, tool TEXT NOT NULL,"
    "  project TEXT NOT NULL, caller TEXT NOT NULL, hash TEXT NOT NULL, risk INTEGER NOT NULL,"
    "  tainted INTEGER NOT NULL, made_by TEXT NOT NULL) WITHOUT ROWID, STRICT;",
    /* Calls with an idempotency key; without an answer: begun. */
    "CREATE TABLE recalls (caller TEXT NOT NULL, key TEXT NOT NULL, call TEXT NOT NULL,"
    "  time INTEGER NOT NULL, answer TEXT, PRIMARY KEY (caller, key)) WITHOUT ROWID, STRICT;"
    "CREATE INDEX recalls_time ON recalls (time);",
    /* Tokens of the HTTP door, as hashes. */
    "CREATE TABLE tokens (id TEXT PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL,"
    "  role INTEGER NOT NULL, level INTEGER NOT NULL, grant_id TEXT REFERENCES grants (id),"
    "  made_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL,"
    "  revoked_ms INTEGER NOT NULL) STRICT;",
    /* Nonces of requests that could still be replayed. */
    "CREATE TABLE nonces (client TEXT NOT NULL, nonce TEXT NOT NULL, expires_ms INTEGER NOT NULL,"
    "  PRIMARY KEY (client, nonce)) WITHOUT ROWID, STRICT;"
    "CREATE INDEX nonces_expiry ON nonces (expires_ms);",
    /* Calls in the background; without an answer: running, or lost. */
    "CREATE TABLE operations (id TEXT PRIMARY KEY, caller TEXT NOT NULL, tool TEXT NOT NULL,"
    "  desktop TEXT NOT NULL, run_id TEXT NOT NULL, step_id TEXT NOT NULL, state TEXT NOT NULL,"
    "  made_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL, key TEXT NOT NULL, call TEXT NOT NULL,"
    "  reads INTEGER NOT NULL, answer TEXT, parts TEXT NOT NULL,"
    "  bytes INTEGER NOT NULL) WITHOUT ROWID, STRICT;"
    "CREATE INDEX operations_made ON operations (made_ms);"
    "CREATE INDEX operations_key ON operations (caller, key);",
    /* Each index costs every call one more page to write and sync. Times grow with the rows, so
     * indexing one in 64 is enough (audit-database.c); runs are found by their intents; changes are
     * read by id. */
    "DROP INDEX audit_time; DROP INDEX audit_run; DROP INDEX ledger_desktop;"
    "CREATE INDEX audit_time ON audit (time) WHERE seq % 64 = 0;"
    "CREATE INDEX audit_run ON audit (run) WHERE kind = 'intent';",
    /* What callers have read, by desktop, beside runs ("run NAME", on no desktop). `caller`: whose
     * reading it was, so that clearing a caller reaches its runs. And files from elsewhere. */
    "CREATE TABLE caller_taints (subject TEXT NOT NULL, desktop TEXT NOT NULL,"
    "  caller TEXT NOT NULL, name TEXT NOT NULL, reads INTEGER NOT NULL, tool TEXT NOT NULL,"
    "  since INTEGER NOT NULL, seen INTEGER NOT NULL,"
    "  PRIMARY KEY (subject, desktop)) WITHOUT ROWID, STRICT;"
    "INSERT INTO caller_taints SELECT 'run ' || run_id, '', '', '', reads, '', since,"
    "  CAST(strftime('%s', 'now') AS INTEGER) * 1000 FROM taints;"
    "DROP TABLE taints; ALTER TABLE caller_taints RENAME TO taints;"
    "CREATE TABLE tainted_files (path TEXT PRIMARY KEY, device INTEGER NOT NULL,"
    "  inode INTEGER NOT NULL, caller TEXT NOT NULL, name TEXT NOT NULL, tool TEXT NOT NULL,"
    "  since INTEGER NOT NULL) WITHOUT ROWID, STRICT;",
    NULL,
};

/* More than SQLite's write-ahead log grows to before it restarts (1000 pages). */
#define LOG_BYTES ((gsize)5 * 1024 * 1024)

struct HfStoreSession {
    GMutex lock; /* one user of the connection at a time */
    sqlite3 *database;
    GHashTable *statements; /* the literal → sqlite3_stmt */
    gboolean hurries;       /* commits do not wait for the disk */
};

struct HfStore {
    char *path;
    int lock_fd;
    int log_fd; /* the write-ahead log, which holds a transaction until a checkpoint */
    HfStoreSession writer, reader;
};

static gboolean fail_sqlite(HfStoreSession *session, const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "the database cannot %s: %s", what,
                   session->database ? sqlite3_errmsg(session->database) : "out of memory");
}

static gboolean execute_sql(HfStoreSession *session, const char *sql, GError **error)
{
    return sqlite3_exec(session->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail_sqlite(session, "be changed", error);
}

static void finalize_statement(gpointer statement)
{
    sqlite3_finalize(statement);
}

static gboolean connect_session(HfStoreSession *session, const char *path, int flags,
                                GError **error)
{
    g_mutex_init(&session->lock);
    session->statements =
        g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, finalize_statement);
    if (sqlite3_open_v2(path, &session->database, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fail_sqlite(session, "be opened", error);
    sqlite3_busy_timeout(session->database, HF_LIMIT_STORE_BUSY_MS);
    /* Rows are appended and hardly ever read again, so a small cache is enough. */
    sqlite3_exec(session->database, "PRAGMA cache_size = -256", NULL, NULL, NULL);
    return TRUE;
}

static void disconnect_session(HfStoreSession *session)
{
    if (!session->statements)
        return;
    g_hash_table_unref(session->statements);
    sqlite3_close(session->database);
    g_mutex_clear(&session->lock);
}

static int read_pragma_number(HfStoreSession *session, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int number = -1;
    if (sqlite3_prepare_v2(session->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static gboolean is_sound(HfStoreSession *session)
{
    sqlite3_stmt *statement = NULL;
    gboolean sound = FALSE;
    if (sqlite3_prepare_v2(session->database, "PRAGMA quick_check(1)", -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        sound = g_strcmp0((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
    sqlite3_finalize(statement);
    return sound;
}

static int count_migrations(void)
{
    int count = 0;
    while (store_migrations[count])
        count++;
    return count;
}

static gboolean check_database_file(HfStore *store, GError **error)
{
    int version = read_pragma_number(&store->writer, "PRAGMA user_version");
    if (version < 0 || !is_sound(&store->writer)) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "the database '%s' is damaged: %s", store->path,
                sqlite3_errmsg(store->writer.database));
        hf_error_suggest(error, "move it away and start again, or restore a backup");
        return FALSE;
    }
    if (version <= count_migrations())
        return TRUE;
    hf_fail(error, HF_ERROR_STORAGE_FAILED,
            "the database '%s' belongs to a newer Handfast (version %d of the tables, this one "
            "knows %d)",
            store->path, version, count_migrations());
    hf_error_suggest(error, "update Handfast, or use another XDG_DATA_HOME");
    return FALSE;
}

static gboolean apply_migration(HfStore *store, int number, GError **error)
{
    g_autofree char *version = g_strdup_printf("PRAGMA user_version = %d", number + 1);
    HfStoreSession *writer = &store->writer;
    if (execute_sql(writer, "BEGIN IMMEDIATE", error) &&
        execute_sql(writer, store_migrations[number], error) &&
        execute_sql(writer, version, error) && execute_sql(writer, "COMMIT", error))
        return TRUE;
    sqlite3_exec(writer->database, "ROLLBACK", NULL, NULL, NULL);
    return FALSE;
}

static gboolean migrate_database(HfStore *store, GError **error)
{
    int version = read_pragma_number(&store->writer, "PRAGMA user_version");
    for (; store_migrations[version]; version++)
        if (!apply_migration(store, version, error))
            return FALSE;
    return TRUE;
}

/* Two desks on one audit chain would break it. Also creates the file, private from the start. */
static gboolean take_file(HfStore *store, GError **error)
{
    store->lock_fd = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (store->lock_fd < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open the database '%s': %s",
                       store->path, g_strerror(errno));
    if (flock(store->lock_fd, LOCK_EX | LOCK_NB) == 0)
        return TRUE;
    hf_fail(error, HF_ERROR_CONFLICT, "another desk uses the database '%s'", store->path);
    hf_error_suggest(error, "stop that desk, or use another XDG_DATA_HOME");
    return FALSE;
}

/* SQLite keeps this file while the writer is connected, and takes no locks on it. */
static gboolean open_log(HfStore *store, GError **error)
{
    g_autofree char *path = g_strconcat(store->path, "-wal", NULL);
    store->log_fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    return store->log_fd >= 0 ||
           hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open '%s': %s", path, g_strerror(errno));
}

/* Syncing a growing file also waits for the file system's journal; overwriting does not, and takes
 * a fraction of the time. So the log is preallocated: SQLite ignores zeros behind its end. Failing
 * is no harm. */
static void give_log_its_size(HfStore *store)
{
    g_autofree char *zeros = g_malloc0(LOG_BYTES);
    off_t size = lseek(store->log_fd, 0, SEEK_END);
    if (size < (off_t)LOG_BYTES && write(store->log_fd, zeros, LOG_BYTES - (gsize)size) > 0)
        fsync(store->log_fd);
}

static gboolean open_database(HfStore *store, GError **error)
{
    HfStoreSession *writer = &store->writer;
    if (!take_file(store, error) ||
        !connect_session(writer, store->path, SQLITE_OPEN_READWRITE, error) ||
        !check_database_file(store, error))
        return FALSE;
    if (!execute_sql(writer, "PRAGMA journal_mode = WAL", error) ||
        !execute_sql(writer, "PRAGMA synchronous = FULL", error) ||
        !execute_sql(writer, "PRAGMA foreign_keys = ON", error) ||
        !migrate_database(store, error) || !open_log(store, error))
        return FALSE;
    give_log_its_size(store);
    return connect_session(&store->reader, store->path, SQLITE_OPEN_READONLY, error);
}

HfStore *hf_store_open(const char *path, GError **error)
{
    HfStore *store = g_new0(HfStore, 1);
    store->path = g_strdup(path);
    store->lock_fd = store->log_fd = -1;
    if (open_database(store, error))
        return store;
    hf_store_close(store);
    return NULL;
}

void hf_store_close(HfStore *store)
{
    if (!store)
        return;
    disconnect_session(&store->reader);
    disconnect_session(&store->writer);
    if (store->log_fd >= 0)
        close(store->log_fd);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    g_free(store->path);
    g_free(store);
}

/* A statement that is not at its end would keep an old view. */
static void reset_statements(HfStoreSession *session)
{
    GHashTableIter iter;
    gpointer statement;
    g_hash_table_iter_init(&iter, session->statements);
    while (g_hash_table_iter_next(&iter, NULL, &statement))
        sqlite3_reset(statement);
}

/* With the lock held. BEGIN and COMMIT are prepared too: parsing them costs as much as a row. */
static gboolean run_transaction(HfStoreSession *session, const char *begin, HfStoreWork work,
                                gpointer data, GError **error)
{
    gboolean done = hf_store_run(session, error, begin, "");
    if (done) {
        done = work(session, data, error);
        reset_statements(session);
        done = done && hf_store_run(session, error, "COMMIT", "");
        if (!done)
            sqlite3_exec(session->database, "ROLLBACK", NULL, NULL, NULL);
    }
    return done;
}

gboolean hf_store_attempt(HfStoreSession *session, HfStoreWork work, gpointer data,
                          gboolean *ret_lost, GError **error)
{
    *ret_lost = !hf_store_run(session, error, "SAVEPOINT attempt", "");
    if (*ret_lost)
        return FALSE;
    gboolean done = work(session, data, error);
    if (!done)
        reset_statements(session);
    *ret_lost = sqlite3_get_autocommit(session->database) ||
                (!done && !hf_store_run(session, NULL, "ROLLBACK TO attempt", "")) ||
                !hf_store_run(session, NULL, "RELEASE attempt", "");
    if (*ret_lost && done)
        fail_sqlite(session, "be changed", error);
    return done && !*ret_lost;
}

/* With the lock held. In WAL mode, NORMAL only leaves out the sync of a commit. */
static gboolean set_synchronous(HfStoreSession *session, gboolean hurries, GError **error)
{
    if (session->hurries == hurries)
        return TRUE;
    if (!execute_sql(session, hurries ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL",
                     error))
        return FALSE;
    session->hurries = hurries;
    return TRUE;
}

static gboolean write_transaction(HfStore *store, gboolean hurries, HfStoreWork work, gpointer data,
                                  GError **error)
{
    HfStoreSession *writer = &store->writer;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&writer->lock);
    return set_synchronous(writer, hurries, error) &&
           run_transaction(writer, "BEGIN IMMEDIATE", work, data, error);
}

gboolean hf_store_write(HfStore *store, HfStoreWork work, gpointer data, GError **error)
{
    return write_transaction(store, FALSE, work, data, error);
}

gboolean hf_store_write_soon(HfStore *store, HfStoreWork work, gpointer data, GError **error)
{
    return write_transaction(store, TRUE, work, data, error);
}

gboolean hf_store_sync(HfStore *store, GError **error)
{
    return fdatasync(store->log_fd) == 0 ||
           hf_fail(error, HF_ERROR_STORAGE_FAILED, "the database cannot be synced: %s",
                   g_strerror(errno));
}

gboolean hf_store_read(HfStore *store, HfStoreWork work, gpointer data, GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&store->reader.lock);
    return run_transaction(&store->reader, "BEGIN", work, data, error);
}

static sqlite3_stmt *ensure_statement(HfStoreSession *session, const char *sql, GError **error)
{
    sqlite3_stmt *statement = g_hash_table_lookup(session->statements, sql);
    if (statement) {
        sqlite3_reset(statement);
        return statement;
    }
    if (sqlite3_prepare_v3(session->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                           NULL) != SQLITE_OK) {
        fail_sqlite(session, "answer", error);
        return NULL;
    }
    g_hash_table_insert(session->statements, (gpointer)sql, statement);
    return statement;
}

static int bind_bytes(sqlite3_stmt *statement, int index, GBytes *bytes)
{
    if (!bytes)
        return sqlite3_bind_null(statement, index);
    gsize size;
    gconstpointer data = g_bytes_get_data(bytes, &size);
    return sqlite3_bind_blob64(statement, index, data, size, SQLITE_TRANSIENT);
}

/* Copies the values: the caller's may be gone when the statement runs. */
static gboolean bind_all(sqlite3_stmt *statement, const char *types, va_list values)
{
    int result = SQLITE_OK;
    for (int i = 1; *types && result == SQLITE_OK; types++, i++) {
        if (*types == 't')
            result =
                sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
        else if (*types == 'i')
            result = sqlite3_bind_int64(statement, i, va_arg(values, gint64));
        else if (*types == 'd')
            result = sqlite3_bind_double(statement, i, va_arg(values, double));
        else
            result = bind_bytes(statement, i, va_arg(values, GBytes *));
    }
    return result == SQLITE_OK;
}

static sqlite3_stmt *prepare_bound_query(HfStoreSession *session, const char *sql,
                                         const char *types, va_list values, GError **error)
{
    sqlite3_stmt *statement = ensure_statement(session, sql, error);
    if (!statement)
        return NULL;
    g_assert((int)strlen(types) == sqlite3_bind_parameter_count(statement));
    if (bind_all(statement, types, values))
        return statement;
    fail_sqlite(session, "take this value", error);
    return NULL;
}

sqlite3_stmt *hf_store_query(HfStoreSession *session, GError **error, const char *sql,
                             const char *types, ...)
{
    va_list values;
    va_start(values, types);
    sqlite3_stmt *statement = prepare_bound_query(session, sql, types, values, error);
    va_end(values);
    return statement;
}

gboolean hf_store_next(HfStoreSession *session, sqlite3_stmt *statement, GError **error)
{
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        return TRUE;
    if (result != SQLITE_DONE)
        fail_sqlite(session, "answer", error);
    return FALSE;
}

gboolean hf_store_next_row(HfStoreSession *session, sqlite3_stmt *statement, gboolean *ret_row,
                           GError **error)
{
    g_autoptr(GError) problem = NULL;
    *ret_row = statement && hf_store_next(session, statement, &problem);
    if (!problem)
        return statement != NULL;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

gboolean hf_store_run(HfStoreSession *session, GError **error, const char *sql, const char *types,
                      ...)
{
    va_list values;
    va_start(values, types);
    sqlite3_stmt *statement = prepare_bound_query(session, sql, types, values, error);
    va_end(values);
    if (!statement)
        return FALSE;
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE || result == SQLITE_ROW ||
           fail_sqlite(session, "be changed", error);
}

gint64 hf_store_last_id(HfStoreSession *session)
{
    return sqlite3_last_insert_rowid(session->database);
}

const char *hf_store_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

json_t *hf_store_json(sqlite3_stmt *statement, int column)
{
    json_t *json = json_loads(hf_store_text(statement, column), JSON_DECODE_ANY, NULL);
    return json ? json : json_null();
}
