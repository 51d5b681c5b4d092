/* SPDX-License-Identifier: Apache-2.0 */
/* Two tables. A state changes only from a known state within one transaction, so no answer is given
 * twice and no approval is used twice, whoever races. */
#include "desk/records/store/approval-rows.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

#define COLUMNS                                                                                    \
    "id, state, made_ms, expires_ms, hash, caller, what, picture, answered_ms, answered_by, "      \
    "reason"

typedef struct Job {
    const json_t *row;
    const char *id, *from, *to, *by, *reason;
    gint64 now_ms;
    int limit;
    char *found;
    json_t *result;
} Job;

static const char *row_text(const json_t *row, const char *name)
{
    return hf_json_string(row, name, "");
}

static gint64 row_integer(const json_t *row, const char *name)
{
    return hf_json_int(row, name, 0);
}

/* ---- questions ---- */

static gboolean add_question(HfStoreSession *session, gpointer data, GError **error)
{
    const json_t *row = ((const Job *)data)->row;
    g_autofree char *what = hf_json_dump(json_object_get(row, "what"));
    return hf_store_run(session, error,
                        "INSERT INTO approvals (" COLUMNS ") "
                        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', '')",
                        "ttiitttt", row_text(row, "id"), row_text(row, "state"),
                        row_integer(row, "made_ms"), row_integer(row, "expires_ms"),
                        row_text(row, "hash"), row_text(row, "caller"), what,
                        row_text(row, "picture"));
}

gboolean hf_approval_row_add(HfStore *store, const json_t *row, GError **error)
{
    Job job = {.row = row};
    return hf_store_write(store, add_question, &job, error);
}

static json_t *read_question(sqlite3_stmt *row)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:s, s:s, s:o, s:s, s:I, s:s, s:s}", "id",
                     hf_store_text(row, 0), "state", hf_store_text(row, 1), "made_ms",
                     (json_int_t)sqlite3_column_int64(row, 2), "expires_ms",
                     (json_int_t)sqlite3_column_int64(row, 3), "hash", hf_store_text(row, 4),
                     "caller", hf_store_text(row, 5), "what", hf_store_json(row, 6), "picture",
                     hf_store_text(row, 7), "answered_ms", (json_int_t)sqlite3_column_int64(row, 8),
                     "answered_by", hf_store_text(row, 9), "reason", hf_store_text(row, 10));
}

static gboolean find_question(HfStoreSession *session, gpointer data, GError **error)
{
    Job *job = data;
    gboolean found;
    sqlite3_stmt *rows = hf_store_query(
        session, error, "SELECT " COLUMNS " FROM approvals WHERE id = ?", "t", job->id);
    if (!hf_store_next_row(session, rows, &found, error))
        return FALSE;
    if (!found)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "there is no approval '%s'; see: handfast approvals", job->id);
    job->result = read_question(rows);
    return TRUE;
}

json_t *hf_approval_row_find(HfStore *store, const char *id, GError **error)
{
    Job job = {.id = id};
    return hf_store_read(store, find_question, &job, error) ? job.result : NULL;
}

static gboolean move_question(HfStoreSession *session, gpointer data, GError **error)
{
    Job *job = data;
    if (!find_question(session, job, error))
        return FALSE;
    g_autoptr(json_t) row = job->result;
    const char *state = row_text(row, "state");
    if (!g_str_equal(state, job->from))
        return hf_fail(error, HF_ERROR_CONFLICT, "the approval '%s' is already %s", job->id, state);
    return hf_store_run(session, error,
                        "UPDATE approvals SET state = ?, answered_ms = ?, answered_by = ?, "
                        "reason = ? WHERE id = ?",
                        "tittt", job->to, job->now_ms,
                        job->by ? job->by : row_text(row, "answered_by"),
                        job->reason ? job->reason : row_text(row, "reason"), job->id);
}

gboolean hf_approval_row_move(HfStore *store, const char *id, const char *from, const char *to,
                              const char *by, const char *reason, GError **error)
{
    Job job = {.id = id,
               .from = from,
               .to = to,
               .by = by,
               .reason = reason,
               .now_ms = g_get_real_time() / 1000};
    return hf_store_write(store, move_question, &job, error);
}

static gboolean list_questions(HfStoreSession *session, gpointer data, GError **error)
{
    Job *job = data;
    gboolean found = TRUE;
    sqlite3_stmt *rows = hf_store_query(session, error,
                                        "SELECT " COLUMNS " FROM approvals WHERE ? IN ('', state) "
                                        "ORDER BY made_ms DESC, id LIMIT ?",
                                        "ti", job->from ? job->from : "", (gint64)job->limit);
    while (rows && found) {
        if (!hf_store_next_row(session, rows, &found, error))
            return FALSE;
        if (found)
            json_array_append_new(job->result, read_question(rows));
    }
    return rows != NULL;
}

static json_t *collect_approval_rows(HfStore *store, HfStoreWork work, Job *job, GError **error)
{
    job->result = json_array();
    if (hf_store_read(store, work, job, error))
        return job->result;
    json_decref(job->result);
    return NULL;
}

json_t *hf_approval_rows_list(HfStore *store, const char *state, int limit, GError **error)
{
    Job job = {.from = state, .limit = limit};
    return collect_approval_rows(store, list_questions, &job, error);
}

/* ---- remembered answers ---- */

static gboolean insert_approval_memory(HfStoreSession *session, gpointer data, GError **error)
{
    const json_t *row = ((const Job *)data)->row;
    return hf_store_run(
        session, error, "INSERT INTO approval_memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "tiitttttiit", row_text(row, "id"), row_integer(row, "made_ms"),
        row_integer(row, "expires_ms"), row_text(row, "scope"), row_text(row, "tool"),
        row_text(row, "project"), row_text(row, "caller"), row_text(row, "hash"),
        row_integer(row, "risk"), row_integer(row, "tainted"), row_text(row, "made_by"));
}

gboolean hf_memory_row_add(HfStore *store, const json_t *row, GError **error)
{
    Job job = {.row = row};
    return hf_store_write(store, insert_approval_memory, &job, error);
}

/* Never more than was answered: the same caller and project, no higher risk, and a tainted run only
 * if the approved one was tainted too. */
static gboolean match_memory(HfStoreSession *session, gpointer data, GError **error)
{
    Job *job = data;
    gboolean found;
    const json_t *call = job->row;
    sqlite3_stmt *rows = hf_store_query(
        session, error,
        "SELECT id FROM approval_memory WHERE caller = ? AND project = ? "
        "AND (expires_ms = 0 OR expires_ms > ?) AND risk >= ? AND tainted >= ? "
        "AND ((scope = 'call' AND hash = ?) OR (scope = 'tool' AND tool = ?) "
        "OR (scope = 'pattern' AND tool = ? AND hash = ?) "
        "OR scope = 'project') LIMIT 1",
        "ttiiitttt", row_text(call, "caller"), row_text(call, "project"), job->now_ms,
        row_integer(call, "risk"), row_integer(call, "tainted"), row_text(call, "hash"),
        row_text(call, "tool"), row_text(call, "tool"), row_text(call, "pattern"));
    if (!hf_store_next_row(session, rows, &found, error))
        return FALSE;
    job->found = found ? g_strdup(hf_store_text(rows, 0)) : NULL;
    return TRUE;
}

char *hf_memory_row_match(HfStore *store, const json_t *call, gint64 now_ms, GError **error)
{
    Job job = {.row = call, .now_ms = now_ms};
    return hf_store_read(store, match_memory, &job, error) ? job.found : NULL;
}

static gboolean list_memories(HfStoreSession *session, gpointer data, GError **error)
{
    Job *job = data;
    gboolean found = TRUE;
    sqlite3_stmt *rows =
        hf_store_query(session, error,
                       "SELECT id, made_ms, expires_ms, scope, tool, project, caller, made_by "
                       "FROM approval_memory WHERE expires_ms = 0 OR expires_ms > ? "
                       "ORDER BY made_ms DESC",
                       "i", job->now_ms);
    while (rows && found) {
        if (!hf_store_next_row(session, rows, &found, error))
            return FALSE;
        if (found)
            json_array_append_new(
                job->result,
                json_pack("{s:s, s:I, s:I, s:s, s:s, s:s, s:s, s:s}", "id", hf_store_text(rows, 0),
                          "made_ms", (json_int_t)sqlite3_column_int64(rows, 1), "expires_ms",
                          (json_int_t)sqlite3_column_int64(rows, 2), "scope",
                          hf_store_text(rows, 3), "tool", hf_store_text(rows, 4), "project",
                          hf_store_text(rows, 5), "caller", hf_store_text(rows, 6), "made_by",
                          hf_store_text(rows, 7)));
    }
    return rows != NULL;
}

json_t *hf_memory_rows_list(HfStore *store, gint64 now_ms, GError **error)
{
    Job job = {.now_ms = now_ms};
    return collect_approval_rows(store, list_memories, &job, error);
}

static gboolean remove_memory(HfStoreSession *session, gpointer data, GError **error)
{
    Job *job = data;
    gboolean found;
    sqlite3_stmt *rows = hf_store_query(
        session, error, "DELETE FROM approval_memory WHERE id = ? RETURNING id", "t", job->id);
    if (!hf_store_next_row(session, rows, &found, error))
        return FALSE;
    return found ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "there is no remembered approval '%s'; see: handfast approvals memory", job->id);
}

gboolean hf_memory_row_remove(HfStore *store, const char *id, GError **error)
{
    Job job = {.id = id};
    return hf_store_write(store, remove_memory, &job, error);
}

/* ---- pruning ---- */

static gboolean prune_questions(HfStoreSession *session, gpointer data, GError **error)
{
    const Job *job = data;
    return hf_store_run(session, error,
                        "DELETE FROM approvals WHERE state NOT IN ('pending', 'approved') AND "
                        "(made_ms < ? OR id IN (SELECT id FROM approvals ORDER BY made_ms DESC, id "
                        "LIMIT -1 OFFSET ?))",
                        "ii", job->now_ms, (gint64)job->limit);
}

gboolean hf_approval_rows_prune(HfStore *store, gint64 before_ms, gint64 most, GError **error)
{
    Job job = {.now_ms = before_ms, .limit = (int)most};
    return hf_store_write(store, prune_questions, &job, error);
}

static gboolean prune_memories(HfStoreSession *session, gpointer data, GError **error)
{
    return hf_store_run(session, error,
                        "DELETE FROM approval_memory WHERE expires_ms <> 0 AND expires_ms <= ?",
                        "i", ((const Job *)data)->now_ms);
}

gboolean hf_memory_rows_prune(HfStore *store, gint64 now_ms, GError **error)
{
    Job job = {.now_ms = now_ms};
    return hf_store_write(store, prune_memories, &job, error);
}
