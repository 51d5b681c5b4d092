/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge's methods about what was done: runs that have left evidence, and rows of the audit.
 * Who may see everything sees everything; others see what is their own. */
#include <string.h>

#include "desk/doors/methods/methods.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/evidence/run-path.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/tool/param-check.h"

#define ROWS_MOST 10000

const HfParam hf_method_run_params[] = {
    {.name = "id",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "The run"},
    {0},
};
const HfParam hf_method_audit_list_params[] = {
    {.name = "run",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Only rows of this run"},
    {.name = "tool",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "Only rows of this tool"},
    {.name = "since",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = 1e15,
     .about = "Only rows since this time, in milliseconds since 1970"},
    {.name = "limit",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = ROWS_MOST,
     .fallback = "100",
     .about = "The latest so many"},
    {0},
};

static gboolean may_see_record(const HfCaller *caller, gboolean all, const char *whose)
{
    return all || g_strcmp0(caller->name, whose) == 0;
}

/* Takes out of a list what the caller may not see. */
static void hide_records_of_others(json_t *list, const HfCaller *caller)
{
    gboolean all = hf_caller_sees_all(caller);
    for (size_t i = json_array_size(list); i > 0; i--)
        if (!may_see_record(caller, all,
                            hf_json_string(json_array_get(list, i - 1), "caller", NULL)))
            json_array_remove(list, i - 1);
}

void hf_method_runs_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *root = hf_runs_dup_root();
    g_autoptr(json_t) checked = hf_check_params(hf_method_no_params, params, &error);
    json_t *runs = checked ? hf_runs_list(root) : NULL;
    hide_records_of_others(runs, caller);
    hf_method_append_answer(answer, runs ? json_pack("{s:o}", "runs", runs) : NULL, error);
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
    hf_fail(error, HF_ERROR_RUN_NOT_FOUND, "there is no run '%s' of yours", run);
    return NULL;
}

void hf_method_runs_show(HfDesk *desk, const HfCaller *caller, json_t *params,
                         GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) checked = hf_check_params(hf_method_run_params, params, &error);
    g_autofree char *path =
        checked ? hf_method_find_run(caller, hf_json_string(checked, "id", ""), &error) : NULL;
    json_t *result =
        path ? json_pack("{s:o, s:o}", "environment", hf_run_read_object(path, "env.json"), "steps",
                         hf_run_read_lines(path, "steps.jsonl"))
             : NULL;
    hf_method_append_answer(answer, result, error);
}

static json_t *list_rows(const HfCaller *caller, const json_t *checked, GError **error)
{
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

void hf_method_audit_list(HfDesk *desk, const HfCaller *caller, json_t *params,
                          GCancellable *cancellable, GString *answer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(json_t) checked = hf_check_params(hf_method_audit_list_params, params, &error);
    json_t *result = checked ? list_rows(caller, checked, &error) : NULL;
    hf_method_append_answer(answer, result, error);
}
