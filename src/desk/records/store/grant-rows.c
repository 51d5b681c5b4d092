/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each grant. Rows are never deleted, because the audit names them. */
#include "desk/records/store/grant-rows.h"

#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

#define CHAIN                                                                                      \
    "WITH RECURSIVE chain(id, depth) AS (SELECT ?1, 0 UNION ALL SELECT g.parent, depth + 1 "       \
    "FROM chain JOIN grants g ON g.id = chain.id WHERE g.parent IS NOT NULL AND depth < 64) "

typedef struct Work {
    const char *id;
    const HfGrant *grant;
    const HfGrantOrigin *origin;
    GPtrArray *chain;
    json_t *list;
} Work;

static void free_grant_entry(gpointer data)
{
    HfGrantEntry *entry = data;
    hf_grant_unref(entry->grant);
    g_free(entry->id);
    g_free(entry);
}

static gboolean fail_missing_grant(const char *id, GError **error)
{
    hf_fail(error, HF_ERROR_FORBIDDEN, "there is no grant '%s'", id);
    hf_error_suggest(error, "see the grants: handfast grant list");
    return FALSE;
}

static gboolean read_grant_count(HfStoreSession *session, sqlite3_stmt *row, gint64 *ret_number,
                                 GError **error)
{
    if (!row || !hf_store_next(session, row, error))
        return FALSE;
    *ret_number = sqlite3_column_int64(row, 0);
    return TRUE;
}

static gboolean check_new_grant(HfStoreSession *session, const Work *work, GError **error)
{
    gint64 there, depth;
    if (!read_grant_count(session,
                          hf_store_query(session, error, "SELECT count(*) FROM grants WHERE id = ?",
                                         "t", work->id),
                          &there, error) ||
        !read_grant_count(session,
                          hf_store_query(session, error, CHAIN "SELECT count(*) FROM chain", "t",
                                         work->origin->parent),
                          &depth, error))
        return FALSE;
    if (there)
        return hf_fail(error, HF_ERROR_CONFLICT,
                       "a grant '%s' exists or existed already; choose another id", work->id);
    if (depth > HF_LIMIT_GRANT_CHAIN)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a grant can be handed on at most %d times",
                       HF_LIMIT_GRANT_CHAIN);
    return TRUE;
}

static gboolean insert_grant(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    g_autofree char *document = hf_json_dump(hf_grant_document(work->grant));
    return check_new_grant(session, work, error) &&
           hf_store_run(session, error,
                        "INSERT INTO grants (id, parent, made_by, level, document, max_calls, "
                        "made_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                        "tttitii", work->id, work->origin->parent, work->origin->made_by,
                        (gint64)work->origin->level, document, hf_grant_get_max_calls(work->grant),
                        g_get_real_time() / 1000);
}

gboolean hf_grant_rows_add(HfStore *store, const char *id, const HfGrant *grant,
                           const HfGrantOrigin *origin, GError **error)
{
    Work work = {.id = id, .grant = grant, .origin = origin};
    return hf_store_write(store, insert_grant, &work, error);
}

static HfGrantEntry *read_grant_entry(sqlite3_stmt *row, GError **error)
{
    g_autoptr(json_t) document = hf_store_json(row, 1);
    HfGrant *grant = hf_grant_new(document, error);
    if (!grant) {
        g_prefix_error(error, "the grant '%s' is no longer valid: ", hf_store_text(row, 0));
        return NULL;
    }
    HfGrantEntry *entry = g_new0(HfGrantEntry, 1);
    entry->id = g_strdup(hf_store_text(row, 0));
    entry->grant = grant;
    entry->level = (HfLevel)sqlite3_column_int(row, 2);
    entry->revoked = sqlite3_column_type(row, 3) != SQLITE_NULL;
    entry->calls = sqlite3_column_int64(row, 4);
    return entry;
}

static gboolean read_chain(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    g_autoptr(GError) problem = NULL;
    sqlite3_stmt *row = hf_store_query(
        session, error,
        CHAIN "SELECT g.id, g.document, g.level, g.revoked_at, g.calls FROM chain JOIN grants g ON "
              "g.id = chain.id ORDER BY depth",
        "t", work->id);
    while (row && !problem && hf_store_next(session, row, &problem)) {
        HfGrantEntry *entry = read_grant_entry(row, &problem);
        if (entry)
            g_ptr_array_add(work->chain, entry);
    }
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    else if (row && work->chain->len == 0)
        fail_missing_grant(work->id, error);
    return row && !problem && work->chain->len > 0;
}

GPtrArray *hf_grant_rows_chain(HfStore *store, const char *id, GError **error)
{
    g_autoptr(GPtrArray) chain = g_ptr_array_new_with_free_func(free_grant_entry);
    Work work = {.id = id, .chain = chain};
    return hf_store_read(store, read_chain, &work, error) ? g_steal_pointer(&chain) : NULL;
}

static gboolean spend_grant_call(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    sqlite3_stmt *row =
        hf_store_query(session, error,
                       CHAIN "SELECT g.id FROM chain JOIN grants g ON g.id = chain.id WHERE "
                             "g.max_calls > 0 AND g.calls >= g.max_calls",
                       "t", work->id);
    gboolean used_up;
    if (!hf_store_next_row(session, row, &used_up, error))
        return FALSE;
    if (used_up) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "all calls of the grant '%s' are used up",
                hf_store_text(row, 0));
        hf_error_suggest(error, "ask the owner for another grant");
        return FALSE;
    }
    return hf_store_run(session, error,
                        CHAIN "UPDATE grants SET calls = calls + 1 WHERE max_calls > 0 AND id IN "
                              "(SELECT id FROM chain)",
                        "t", work->id);
}

gboolean hf_grant_rows_spend(HfStore *store, const char *id, GError **error)
{
    Work work = {.id = id};
    return hf_store_write(store, spend_grant_call, &work, error);
}

static gboolean mark_grant_revoked(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    gint64 there;
    if (!read_grant_count(session,
                          hf_store_query(session, error, "SELECT count(*) FROM grants WHERE id = ?",
                                         "t", work->id),
                          &there, error))
        return FALSE;
    return there ? hf_store_run(session, error,
                                "UPDATE grants SET revoked_at = ? WHERE id = ? AND revoked_at IS "
                                "NULL",
                                "it", g_get_real_time() / 1000, work->id)
                 : fail_missing_grant(work->id, error);
}

gboolean hf_grant_rows_revoke(HfStore *store, const char *id, GError **error)
{
    Work work = {.id = id};
    return hf_store_write(store, mark_grant_revoked, &work, error);
}

static json_t *row_to_json(sqlite3_stmt *row)
{
    json_t *json =
        json_pack("{s:s, s:s, s:I, s:b, s:I, s:o}", "id", hf_store_text(row, 0), "made_by",
                  hf_store_text(row, 2), "made_at", (json_int_t)sqlite3_column_int64(row, 3),
                  "revoked", sqlite3_column_type(row, 4) != SQLITE_NULL, "calls",
                  (json_int_t)sqlite3_column_int64(row, 5), "grant", hf_store_json(row, 6));
    if (sqlite3_column_type(row, 1) != SQLITE_NULL)
        json_object_set_new(json, "parent", json_string(hf_store_text(row, 1)));
    return json;
}

static gboolean read_grant_list(HfStoreSession *session, gpointer data, GError **error)
{
    Work *work = data;
    g_autoptr(GError) problem = NULL;
    sqlite3_stmt *row = hf_store_query(session, error,
                                       "SELECT id, parent, made_by, made_at, revoked_at, calls, "
                                       "document FROM grants ORDER BY made_at DESC, rowid DESC",
                                       "");
    while (row && hf_store_next(session, row, &problem))
        json_array_append_new(work->list, row_to_json(row));
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return row && !problem;
}

json_t *hf_grant_rows_list(HfStore *store, GError **error)
{
    g_autoptr(json_t) list = json_array();
    Work work = {.list = list};
    return hf_store_read(store, read_grant_list, &work, error) ? g_steal_pointer(&list) : NULL;
}
