/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the audit from SQLite. Verification does not trust the columns: it compares them with the
 * body, which is hashed. */
#include "desk/records/audit/audit-database.h"

#include <errno.h>
#include <sqlite3.h>

#include "desk/records/records-limits.h"
#include "shared/base/error.h"

#define LINE_BYTES (1024u * 1024)
#define COLUMNS                                                                                    \
    "time, kind, caller, agent, project, run, step, tool, event, desktop, risk, decision, code"
/* In a row of ROWS: seq, hash, body, then the columns. */
#define ROWS         "SELECT seq, hash, body, " COLUMNS " FROM audit "
#define FIRST_COLUMN 3

struct HfAuditDatabase {
    sqlite3 *database;
};

static gboolean fail_audit_read(HfAuditDatabase *database, GError **error)
{
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read the database: %s",
                   sqlite3_errmsg(database->database));
}

static sqlite3_stmt *prepare_audit_query(HfAuditDatabase *database, const char *sql, GError **error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database->database, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_audit_read(database, error);
    return statement;
}

HfAuditDatabase *hf_audit_database_open(const char *path, GError **error)
{
    g_autoptr(HfAuditDatabase) database = g_new0(HfAuditDatabase, 1);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "there is no audit at '%s'", path);
        hf_error_suggest(error, "the first start of the desk creates it: handfast serve");
        return NULL;
    }
    if (sqlite3_open_v2(path, &database->database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        fail_audit_read(database, error);
        return NULL;
    }
    sqlite3_busy_timeout(database->database, HF_LIMIT_STORE_BUSY_MS);
    sqlite3_exec(database->database, "PRAGMA query_only = ON; BEGIN", NULL, NULL, NULL);
    return g_steal_pointer(&database);
}

void hf_audit_database_close(HfAuditDatabase *database)
{
    if (!database)
        return;
    sqlite3_close(database->database);
    g_free(database);
}

static HfAuditRow audit_row_of(sqlite3_stmt *statement)
{
    const char *hash = (const char *)sqlite3_column_text(statement, 1);
    const char *body = (const char *)sqlite3_column_text(statement, 2);
    return (HfAuditRow){sqlite3_column_int64(statement, 0), hash ? hash : "", body ? body : "",
                        (gsize)sqlite3_column_bytes(statement, 2), statement};
}

/* Visits all rows of a statement, and finalizes it. */
static gboolean each_row(HfAuditDatabase *database, sqlite3_stmt *take_statement,
                         HfAuditRowFunc func, gpointer data, GError **error)
{
    int result;
    gboolean go_on = TRUE;
    while (go_on && (result = sqlite3_step(take_statement)) == SQLITE_ROW) {
        HfAuditRow row = audit_row_of(take_statement);
        go_on = func(&row, data, error);
    }
    if (go_on && result != SQLITE_DONE)
        go_on = fail_audit_read(database, error);
    sqlite3_finalize(take_statement);
    return go_on;
}

gboolean hf_audit_database_list(HfAuditDatabase *database, const HfAuditFilter *filter,
                                HfAuditRowFunc func, gpointer data, GError **error)
{
    sqlite3_stmt *statement =
        prepare_audit_query(database,
                            "SELECT seq, hash, body FROM audit WHERE seq IN (SELECT seq FROM audit"
                            "  WHERE (?1 IS NULL OR run = ?1) AND (?2 IS NULL OR tool = ?2)"
                            "  AND (?3 IS NULL OR instr(caller, ?3) > 0) AND (?4 = 0 OR time >= ?4)"
                            "  ORDER BY seq DESC LIMIT ?5) ORDER BY seq",
                            error);
    if (!statement)
        return FALSE;
    sqlite3_bind_text(statement, 1, filter->run, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, filter->tool, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, filter->caller, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, filter->since_ms);
    sqlite3_bind_int64(statement, 5, filter->limit > 0 ? filter->limit : -1);
    return each_row(database, statement, func, data, error);
}

static gboolean append_row_json(const HfAuditRow *row, gpointer list, GError **error)
{
    json_t *body = json_loadb(row->body, row->length, 0, NULL);
    if (!json_is_object(body)) {
        json_decref(body);
        return TRUE;
    }
    json_object_set_new(body, "hash", json_string(row->hash));
    json_array_append_new(list, body);
    return TRUE;
}

json_t *hf_audit_database_rows(HfAuditDatabase *database, const HfAuditFilter *filter,
                               GError **error)
{
    json_t *rows = json_array();
    if (hf_audit_database_list(database, filter, append_row_json, rows, error))
        return rows;
    json_decref(rows);
    return NULL;
}

static gint64 query_audit_number(HfAuditDatabase *database, const char *sql, gint64 value)
{
    sqlite3_stmt *statement = prepare_audit_query(database, sql, NULL);
    gint64 number = 0;
    if (statement && sqlite3_bind_int64(statement, 1, value) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

/* The index has only one row in 64. So the wanted row is among the 64 up to the first indexed row
 * that is late enough or, if there is none, among the last rows. */
gint64 hf_audit_database_first_since(HfAuditDatabase *database, gint64 since_ms)
{
    gint64 row = query_audit_number(
        database,
        "SELECT min(seq) FROM audit WHERE time >= ?1 AND seq > coalesce((SELECT min(+seq)"
        "  FROM audit WHERE seq % 64 = 0 AND time >= ?1),"
        "  (SELECT max(seq) FROM audit) + 1) - 65",
        since_ms);
    return row > 0 ? row : query_audit_number(database, "SELECT max(seq) + ? FROM audit", 1);
}

gboolean hf_audit_database_hash_before(HfAuditDatabase *database, gint64 row, HfAuditHash *ret_hash)
{
    *ret_hash = (HfAuditHash){0};
    if (row <= 1)
        return TRUE;
    sqlite3_stmt *statement =
        prepare_audit_query(database, "SELECT hash FROM audit WHERE seq = ? - 1", NULL);
    sqlite3_bind_int64(statement, 1, row);
    gboolean found = sqlite3_step(statement) == SQLITE_ROW &&
                     hf_audit_hash_parse((const char *)sqlite3_column_text(statement, 0), ret_hash);
    sqlite3_finalize(statement);
    return found;
}

static gboolean parse_head_line(const char *text, HfAuditHead *ret_head)
{
    g_autoptr(json_t) json = text ? json_loads(text, 0, NULL) : NULL;
    return hf_audit_head_parse(json, ret_head);
}

gboolean hf_audit_database_last_head(HfAuditDatabase *database, HfAuditHead *ret_head)
{
    sqlite3_stmt *statement = prepare_audit_query(
        database, "SELECT head FROM audit_heads ORDER BY id DESC LIMIT 1", NULL);
    gboolean found = statement && sqlite3_step(statement) == SQLITE_ROW &&
                     parse_head_line((const char *)sqlite3_column_text(statement, 0), ret_head);
    sqlite3_finalize(statement);
    return found;
}

gboolean hf_audit_read_line(FILE *file, GString *line, GError **error)
{
    int byte;
    g_string_truncate(line, 0);
    while ((byte = getc_unlocked(file)) != EOF && byte != '\n') {
        if (line->len >= LINE_BYTES)
            return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a line is longer than %u bytes",
                           LINE_BYTES);
        g_string_append_c(line, (char)byte);
    }
    if (ferror(file))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot read the next line: %s",
                       g_strerror(errno));
    return byte == '\n' || line->len > 0;
}

/* Heads from one source, in order. */
typedef struct Heads {
    sqlite3_stmt *statement; /* one of these */
    FILE *file;
    off_t end; /* of the file when the database transaction began */
    GString *line;
    gboolean waits, ended; /* `head` is the next one; there are no more */
    HfAuditHead head;
} Heads;

/* Reads the next head into `head`, if there is one. */
static gboolean fetch_head(Heads *heads, GError **error)
{
    const char *text = NULL;
    if (heads->waits || heads->ended)
        return TRUE;
    if (heads->statement && sqlite3_step(heads->statement) == SQLITE_ROW)
        text = (const char *)sqlite3_column_text(heads->statement, 0);
    else if (heads->file && ftello(heads->file) < heads->end &&
             hf_audit_read_line(heads->file, heads->line, error))
        text = heads->line->str;
    if (*error)
        return FALSE;
    if (text && heads->file && feof(heads->file))
        text = NULL; /* the last line is incomplete: being written, or cut by a crash */
    heads->waits = text != NULL;
    heads->ended = text == NULL;
    return !text || parse_head_line(text, &heads->head) ||
           hf_fail(error, HF_ERROR_AUDIT_BROKEN,
                   "an entry of the signed heads%s is not a head: %.80s",
                   heads->file ? " in the file" : " in the database", text);
}

static gboolean feed_heads(Heads *heads, gint64 up_to, HfAuditHeadFunc func, gpointer data,
                           GError **error)
{
    for (;;) {
        g_autoptr(GError) problem = NULL;
        if (!fetch_head(heads, &problem)) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        if (!heads->waits || heads->head.seq > up_to)
            return TRUE;
        heads->waits = FALSE;
        if (!func(&heads->head, data, error))
            return FALSE;
    }
}

typedef struct Walk {
    HfAuditRowFunc row;
    HfAuditHeadFunc head;
    gpointer data;
    Heads stored, filed;
} Walk;

static gboolean walk_row(const HfAuditRow *row, gpointer data, GError **error)
{
    Walk *walk = data;
    return walk->row(row, walk->data, error) &&
           feed_heads(&walk->stored, row->seq, walk->head, walk->data, error) &&
           feed_heads(&walk->filed, row->seq, walk->head, walk->data, error);
}

static gboolean walk_from(HfAuditDatabase *database, gint64 first, Walk *walk, GError **error)
{
    sqlite3_stmt *rows = prepare_audit_query(database, ROWS "WHERE seq >= ? ORDER BY seq", error);
    walk->stored.statement = prepare_audit_query(
        database, "SELECT head FROM audit_heads WHERE seq >= ? ORDER BY seq, id",
        rows ? error : NULL);
    gboolean done = rows && walk->stored.statement;
    if (done) {
        sqlite3_bind_int64(rows, 1, first);
        sqlite3_bind_int64(walk->stored.statement, 1, first);
        done = each_row(database, rows, walk_row, walk, error) &&
               feed_heads(&walk->stored, G_MAXINT64, walk->head, walk->data, error) &&
               feed_heads(&walk->filed, G_MAXINT64, walk->head, walk->data, error);
    }
    sqlite3_finalize(walk->stored.statement);
    return done;
}

gboolean hf_audit_database_visit_from(HfAuditDatabase *database, gint64 first, HfAuditRowFunc row,
                                      HfAuditHeadFunc head, gpointer data, GError **error)
{
    Walk walk = {.row = row, .head = head, .data = data};
    return walk_from(database, first, &walk, error);
}

static gboolean column_agrees(sqlite3_stmt *statement, int index, const json_t *body)
{
    const char *name = hf_audit_columns[index];
    int column = FIRST_COLUMN + index;
    if (index == 0)
        return sqlite3_column_int64(statement, column) == hf_json_int(body, name, 0);
    return g_strcmp0((const char *)sqlite3_column_text(statement, column),
                     hf_audit_column_text(body, name)) == 0;
}

static gboolean check_row(const HfAuditRow *row, gpointer data, GError **error)
{
    g_autoptr(json_t) body = json_loadb(row->body, row->length, JSON_REJECT_DUPLICATES, NULL);
    if (!hf_audit_verifier_row(data, row->seq, row->hash, row->body, row->length,
                               json_is_object(body) ? body : NULL, error))
        return FALSE;
    for (int i = 0; hf_audit_columns[i]; i++)
        if (!column_agrees(row->reader, i, body))
            return hf_audit_fail_broken(error, row->seq, "its column '%s' differs from its body",
                                        hf_audit_columns[i]);
    return TRUE;
}

static gboolean check_head(const HfAuditHead *head, gpointer data, GError **error)
{
    return hf_audit_verifier_head(data, head, error);
}

static gboolean open_heads(Heads *heads, const char *path, GError **error)
{
    heads->file = fopen(path, "re");
    if (!heads->file)
        return hf_fail(error, HF_ERROR_AUDIT_BROKEN,
                       "cannot read the file of signed heads '%s': %s", path, g_strerror(errno));
    fseeko(heads->file, 0, SEEK_END);
    heads->end = ftello(heads->file);
    rewind(heads->file);
    return TRUE;
}

gboolean hf_audit_database_verify(HfAuditDatabase *database, HfAuditVerifier *verifier,
                                  const char *heads_path, GError **error)
{
    Walk walk = {.row = check_row, .head = check_head, .data = verifier};
    g_autoptr(GString) line = g_string_new(NULL);
    walk.filed.line = line;
    if (heads_path && !open_heads(&walk.filed, heads_path, error))
        return FALSE;
    /* Begin a new transaction after the file was measured, so that all rows that it signs are
     * visible. */
    sqlite3_exec(database->database, "COMMIT; BEGIN", NULL, NULL, NULL);
    gboolean done = walk_from(database, 1, &walk, error) && hf_audit_verifier_end(verifier, error);
    if (walk.filed.file)
        fclose(walk.filed.file);
    return done;
}
