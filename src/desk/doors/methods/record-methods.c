/* SPDX-License-Identifier: Apache-2.0 */
/* Methods about records: runs with evidence, audit rows, the ledger of changes and background
 * operations. Callers without the right to see everything see their own. The ledger's content that
 * an undo would restore is never shown. */

#include "desk/doors/methods/methods.h"
#include "desk/guard/background/operations.h"
#include "desk/guard/guard-limits.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/audit/audit.h"
#include "desk/records/evidence/run-folder.h"
#include "desk/records/evidence/run-read.h"
#include "desk/records/ledger/ledger.h"
#include "desk/records/records-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/tool/param-check.h"

#define ROWS_MOST 10000

const HfParam hf_method_run_params[] = {
    HF_STRING("id", "The run", .required = TRUE, .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    {0},
};
const HfParam hf_method_audit_list_params[] = {
    HF_STRING("run", "Only rows of this run", .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_STRING("tool", "Only rows of this tool", .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_INTEGER("since", "Only rows since this time, in milliseconds since 1970", .min = 0,
               .max = 1e15),
    HF_INTEGER("limit", "The latest N rows", .min = 1, .max = ROWS_MOST, .fallback = "100"),
    {0},
};
const HfParam hf_method_ledger_list_params[] = {
    HF_STRING("run", "Only changes of this run", .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_INTEGER("limit", "The latest N entries", .min = 1, .max = HF_LIMIT_LEDGER, .fallback = "50"),
    {0},
};
const HfParam hf_method_operations_list_params[] = {
    HF_INTEGER("limit", "The latest N operations", .min = 1, .max = HF_LIMIT_OPERATIONS_STORED,
               .fallback = "50"),
    {0},
};

static gboolean may_see_record(const HfCaller *caller, gboolean all, const char *whose)
{
    return all || g_strcmp0(caller->name, whose) == 0;
}

/* Removes from a list what the caller may not see. */
static void hide_records_of_others(json_t *list, const HfCaller *caller)
{
    gboolean all = hf_caller_sees_all(caller);
    for (size_t i = json_array_size(list); i > 0; i--)
        if (!may_see_record(caller, all,
                            hf_json_string(json_array_get(list, i - 1), "caller", NULL)))
            json_array_remove(list, i - 1);
}

json_t *hf_method_runs_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                            GCancellable *cancellable, GError **error)
{
    g_autofree char *root = hf_runs_dup_root();
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    json_t *runs = checked ? hf_runs_list(root) : NULL;
    hide_records_of_others(runs, caller);
    return runs ? json_pack("{s:o}", "runs", runs) : NULL;
}

char *hf_method_find_run(const HfCaller *caller, const char *run, GError **error)
{
    g_autofree char *root = hf_runs_dup_root();
    g_autofree char *path = hf_runs_find(root, run, error);
    HfRunSummary summary = {0};
    if (!path)
        return NULL;
    gboolean seen = hf_run_summarize(path, &summary) &&
                    may_see_record(caller, hf_caller_sees_all(caller), summary.caller);
    hf_run_summary_clear(&summary);
    if (seen)
        return g_steal_pointer(&path);
    hf_fail(error, HF_ERROR_RUN_NOT_FOUND, "you have no run '%s'", run);
    return NULL;
}

gboolean hf_method_is_run_of_others(const HfCaller *caller, const char *run)
{
    g_autofree char *root = hf_runs_dup_root();
    g_autofree char *path = hf_runs_find(root, run, NULL);
    HfRunSummary summary = {0};
    gboolean of_others =
        path && hf_run_summarize(path, &summary) && g_strcmp0(caller->name, summary.caller) != 0;
    hf_run_summary_clear(&summary);
    return of_others;
}

json_t *hf_method_runs_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                            GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_run_params, params, error);
    g_autofree char *path =
        checked ? hf_method_find_run(caller, hf_json_string(checked, "id", ""), error) : NULL;
    return path ? json_pack("{s:o, s:o}", "environment", hf_run_read_object(path, "env.json"),
                            "steps", hf_run_read_lines(path, "steps.jsonl"))
                : NULL;
}

json_t *hf_method_audit_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                             GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_audit_list_params, params, error);
    if (!checked)
        return NULL;
    g_autofree char *directory = hf_path_ensure_data(error);
    g_autofree char *path = directory ? g_build_filename(directory, "handfast.db", NULL) : NULL;
    g_autoptr(HfAuditDatabase) database = path ? hf_audit_database_open(path, error) : NULL;
    HfAuditFilter filter = {
        .run = hf_json_string(checked, "run", NULL),
        .tool = hf_json_string(checked, "tool", NULL),
        .caller = hf_caller_sees_all(caller) ? NULL : caller->name,
        .since_ms = hf_json_int(checked, "since", 0),
        .limit = hf_json_int(checked, "limit", 100),
    };
    json_t *rows = database ? hf_audit_database_rows(database, &filter, error) : NULL;
    hide_records_of_others(rows, caller);
    return rows ? json_pack("{s:o}", "rows", rows) : NULL;
}

/* The audit itself records a rotation; only a failure is recorded here. */
json_t *hf_method_audit_rotate_key(HfDesk *desk, const HfCaller *caller, json_t *params,
                                   GCancellable *cancellable, GError **error)
{
    HfGuard *guard = hf_desk_get_guard(desk);
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, error);
    if (checked && hf_caller_check_owner_in_person(caller, error) &&
        hf_audit_rotate_key(hf_guard_get_audit(guard), caller, error))
        return json_object();
    hf_guard_audit_admin(guard, "audit-rotate-key", caller, params, *error);
    return NULL;
}

json_t *hf_method_ledger_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                              GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_ledger_list_params, params, error);
    HfLedgerFilter filter = {
        .run_id = hf_json_string(checked, "run", NULL),
        .desktop = hf_json_string(params, "desktop", NULL),
        .caller = hf_caller_sees_all(caller) ? NULL : hf_ledger_caller_name(caller->name),
        .limit = (int)hf_json_int(checked, "limit", 50),
    };
    return checked ? hf_ledger_describe(hf_guard_get_store(hf_desk_get_guard(desk)), &filter, error)
                   : NULL;
}

json_t *hf_method_operations_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                                  GCancellable *cancellable, GError **error)
{
    g_autoptr(json_t) checked = hf_check_params(hf_method_operations_list_params, params, error);
    HfOperations *operations = hf_guard_get_operations(hf_desk_get_guard(desk));
    return checked ? hf_operations_describe(operations, caller,
                                            (int)hf_json_int(checked, "limit", 50), error)
                   : NULL;
}
