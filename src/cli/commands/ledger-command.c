/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast ledger list` and `handfast undo`. Undoing is a tool like any other. */
#include <stdio.h>
#include <string.h>

#include "cli/approval-prompt.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

int hf_command_ledger(const HfCommandArguments *arguments)
{
    static const char *const columns[] = {"step_id", "when", "run_id",    "tool",
                                          "what",    "undo", "undone_by", NULL};
    int status;
    json_t *params = json_object();
    hf_command_arguments_add_text(arguments, "run", params, "run");
    g_autoptr(json_t) result = hf_cli_simple_request("ledger.list", params, &status);
    const json_t *changes = json_object_get(result, "changes");
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result && json_array_size(changes) == 0)
        printf("  %s\n", _("no change is recorded yet"));
    else if (result)
        hf_print_table(changes, columns);
    return status;
}

/* What can still be undone, the latest first, and what cannot. */
static int list_undoable(const HfCommandArguments *arguments)
{
    static const char *const columns[] = {"step_id", "when", "tool", "what", "undo", NULL};
    int status = HF_EXIT_FAILED;
    g_autoptr(json_t) result = hf_cli_simple_request("ledger.list", json_object(), &status);
    g_autoptr(json_t) open = json_array();
    const char *desktop = hf_command_arguments_get(arguments, "desktop");
    if (!result)
        return status;
    hf_json_each (change, json_object_get(result, "changes"))
        if (!json_object_get(change, "undone_by") && !json_object_get(change, "undoes") &&
            strcmp(hf_json_string(change, "desktop", ""), desktop ? desktop : "main") == 0)
            json_array_append(open, change);
    if (hf_print_is_json())
        hf_print_json(open);
    else if (json_array_size(open) == 0)
        printf("  %s\n", _("there is nothing to undo"));
    else
        hf_print_table(open, columns);
    return status;
}

/* The tool and its parameters. By default the latest change of anybody on the desktop, because a
 * person at a terminal has no run. */
static json_t *new_undo_call(const HfCommandArguments *arguments, GError **error)
{
    const char *step = hf_command_arguments_get(arguments, "to");
    gint64 count = 1;
    if (!hf_command_arguments_int(arguments, "last", &count, error))
        return NULL;
    if (!step && hf_command_arguments_has(arguments, "only")) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "--only needs --to STEP");
        hf_error_suggest(error, "see the steps: handfast undo --list");
        return NULL;
    }
    json_t *params = step ? json_pack("{s:s}", "step_id", step)
                          : json_pack("{s:s, s:I}", "scope", "desktop", "count", (json_int_t)count);
    hf_command_arguments_add_text(arguments, "desktop", params, "desktop");
    static const char *const wishes[] = {"dry_run", "skip"};
    for (gsize i = 0; i < G_N_ELEMENTS(wishes); i++)
        if (hf_command_arguments_has(arguments, wishes[i]))
            json_object_set_new(params, wishes[i], json_true());
    if (hf_command_arguments_has(arguments, "only"))
        json_object_set_new(params, "only", json_true());
    return json_pack("{s:s, s:o}", "tool", step ? "undo_to" : "undo_last", "params", params);
}

static void print_undone(const json_t *answer)
{
    static const char *const done[] = {"step_id", "tool", "what", "by", NULL};
    static const char *const passed[] = {"step_id", "tool", "why", NULL};
    static const char *const planned[] = {"step_id", "tool", "what", "by", "cannot", NULL};
    const json_t *result = json_object_get(answer, "result");
    const json_t *error = json_object_get(answer, "error");
    const json_t *target = json_object_get(result, "target");
    const json_t *undone =
        json_object_get(error ? json_object_get(error, "details") : result, "undone");
    if (target)
        hf_print_table(json_object_get(target, "steps"), planned);
    else if (json_array_size(undone) > 0)
        hf_print_table(undone, done);
    const json_t *left = json_object_get(target ? target : result, "left");
    if (json_array_size(left) > 0) {
        printf("\n  %s\n", _("skipped, because it cannot be undone:"));
        hf_print_table(left, passed);
    }
    if (error)
        hf_print_error(error);
}

int hf_command_undo(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
    if (hf_command_arguments_has(arguments, "list"))
        return list_undoable(arguments);
    json_t *call = new_undo_call(arguments, &error);
    g_autoptr(json_t) answer =
        call ? hf_cli_request_waiting("call", call, hf_approval_prompt, &error) : NULL;
    if (!answer) {
        hf_print_gerror(error);
        return g_error_matches(error, HF_ERROR, HF_ERROR_DESKTOP_HOST_NOT_RUNNING) ? HF_EXIT_NO_DESK
                                                                                   : HF_EXIT_USAGE;
    }
    if (hf_print_is_json())
        hf_print_json(answer);
    else
        print_undone(answer);
    return hf_json_bool(answer, "ok", FALSE) ? HF_EXIT_OK : HF_EXIT_FAILED;
}
