/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast runs` and `handfast export`: the recorded evidence of runs. They read the owner's
 * files and need no desk. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/evidence/run-export.h"
#include "desk/records/evidence/run-folder.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/tool/registry.h"

static int report_run_error(const GError *error)
{
    hf_print_gerror(error);
    return HF_EXIT_FAILED;
}

static int list_runs(const char *root)
{
    static const char *const columns[] = {"run",      "when", "caller", "steps",
                                          "failures", "size", NULL};
    g_autoptr(json_t) runs = hf_runs_list(root);
    if (hf_print_is_json()) {
        hf_print_json(runs);
        return HF_EXIT_OK;
    }
    if (json_array_size(runs) == 0) {
        printf("  %s\n", _("no run has recorded evidence; see evidence.policy in the manual"));
        return HF_EXIT_OK;
    }
    hf_json_each (run, runs) {
        g_autofree char *size =
            g_format_size_full((guint64)hf_json_int(run, "bytes", 0), G_FORMAT_SIZE_IEC_UNITS);
        json_object_set_new(run, "size", json_string(size));
    }
    hf_print_table(runs, columns);
    return HF_EXIT_OK;
}

/* One step as a row of the table. */
static json_t *step_row(const json_t *step)
{
    g_autofree char *took = g_strdup_printf("%.1f ms", hf_json_number(step, "duration_ms", 0));
    const json_t *error = json_object_get(step, "error");
    const json_t *params = json_object_get(step, "params");
    g_autofree char *given = params ? hf_json_dump(params) : g_strdup("");
    const json_t *decision = json_object_get(step, "decision");
    return json_pack("{s:I, s:s, s:s, s:s, s:s, s:s}", "step", hf_json_int(step, "step", 0), "tool",
                     hf_json_string(step, "tool", "?"), "outcome",
                     error ? hf_json_string(error, "code", "?") : "OK", "decision",
                     hf_json_string(decision, "action", ""), "took", took, "params", given);
}

static int show_run(const char *root, const char *run)
{
    static const char *const columns[] = {"step", "tool",   "outcome", "decision",
                                          "took", "params", NULL};
    g_autoptr(GError) error = NULL;
    g_autofree char *path = hf_runs_find(root, run, &error);
    if (!path)
        return report_run_error(error);
    g_autoptr(json_t) environment = hf_run_read_object(path, "env.json");
    g_autoptr(json_t) steps = hf_run_read_lines(path, "steps.jsonl");
    if (hf_print_is_json()) {
        g_autoptr(json_t) all = json_pack("{s:o, s:O, s:O}", "path", hf_json_text(path),
                                          "environment", environment, "steps", steps);
        hf_print_json(all);
        return HF_EXIT_OK;
    }
    hf_print_title(path);
    hf_print_object(environment);
    g_autoptr(json_t) rows = json_array();
    hf_json_each (step, steps)
        json_array_append_new(rows, step_row(step));
    hf_print_table(rows, columns);
    return HF_EXIT_OK;
}

int hf_command_runs(const HfCommandArguments *arguments)
{
    g_autofree char *root = hf_runs_dup_root();
    const char *run = hf_command_arguments_value(arguments, "RUN");
    return run ? show_run(root, run) : list_runs(root);
}

/* What the audit says about the run; empty when there is no audit to read. */
static json_t *load_run_audit(const char *path)
{
    g_autoptr(json_t) first = hf_run_read_object(path, "env.json");
    g_autofree char *file =
        g_build_filename(g_get_user_data_dir(), "handfast", "handfast.db", NULL);
    HfAuditFilter filter = {.run = hf_json_string(first, "run_id", "")};
    g_autoptr(HfAuditDatabase) database = hf_audit_database_open(file, NULL);
    json_t *rows = database ? hf_audit_database_rows(database, &filter, NULL) : NULL;
    return rows ? rows : json_array();
}

static int export_run(const char *run, const char *output)
{
    g_autofree char *root = hf_runs_dup_root();
    g_autoptr(GError) error = NULL;
    g_autofree char *path = hf_runs_find(root, run, &error);
    if (!path)
        return report_run_error(error);
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *file = output ? g_strdup(output) : g_strconcat("run-", name, ".zip", NULL);
    g_autoptr(json_t) tools = hf_registry_describe_read_only(), audit = load_run_audit(path);
    HfRunExport wanted = {path, file, tools, audit};
    if (!hf_run_export(&wanted, &error))
        return report_run_error(error);
    g_autofree char *sentence = g_strdup_printf(_("  %s: unpack it and open index.html"), file);
    g_autoptr(json_t) result = json_pack("{s:o}", "file", hf_json_text(file));
    hf_print_result(result, sentence);
    return HF_EXIT_OK;
}

int hf_command_export(const HfCommandArguments *arguments)
{
    return export_run(hf_command_arguments_value(arguments, "RUN"),
                      hf_command_arguments_get(arguments, "o"));
}
