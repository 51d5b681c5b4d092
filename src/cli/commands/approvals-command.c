/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast approvals`, `approve` and `deny`: list what waits for the owner, and answer. */
#include <stdio.h>

#include "cli/approval-prompt.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/duration.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

static const char *const open_columns[] = {"id",  "tool", "desktop", "risk",
                                           "age", "left", "program", NULL};
static const char *const all_columns[] = {"id",  "state",       "tool",   "desktop",
                                          "age", "answered_by", "reason", NULL};
static const char *const memory_columns[] = {"id",     "scope", "tool", "project",
                                             "caller", "age",   "left", NULL};

/* 90 s, 5 min, 2 h, 3 d. */
static json_t *new_span(gint64 milliseconds)
{
    gint64 seconds = MAX(0, milliseconds / 1000);
    if (seconds < 100)
        return json_sprintf("%d s", (int)seconds);
    if (seconds < 100 * 60)
        return json_sprintf("%d min", (int)(seconds / 60));
    if (seconds < 48 * 3600)
        return json_sprintf("%d h", (int)(seconds / 3600));
    return json_sprintf("%d d", (int)(seconds / (24 * 3600)));
}

/* Adds times as a person counts them. */
static void add_spans(json_t *rows)
{
    gint64 now_ms = g_get_real_time() / 1000;
    hf_json_each (row, rows) {
        gint64 expires_ms = hf_json_int(row, "expires_ms", 0);
        json_object_set_new(row, "age", new_span(now_ms - hf_json_int(row, "made_ms", now_ms)));
        if (expires_ms > 0)
            json_object_set_new(row, "left", new_span(expires_ms - now_ms));
    }
}

static int print_approval_rows(const char *method, json_t *take_params, const char *member,
                               const char *const *columns, const char *none)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request(method, take_params, &status);
    json_t *rows = json_object_get(result, member);
    if (!result)
        return status;
    if (hf_print_is_json()) {
        hf_print_json(rows);
    } else if (json_array_size(rows) == 0) {
        printf("%s\n", none);
    } else {
        add_spans(rows);
        hf_print_table(rows, columns);
    }
    return HF_EXIT_OK;
}

static int print_one_approval(const char *id)
{
    int status;
    g_autoptr(json_t) result =
        hf_cli_simple_request("approvals.show", json_pack("{s:s}", "id", id), &status);
    if (!result)
        return status;
    if (hf_print_is_json()) {
        hf_print_json(result);
        return HF_EXIT_OK;
    }
    hf_print_approval(result, FALSE);
    printf("  %-10s %s\n", _("state"), hf_json_string(result, "state", "?"));
    const char *by = hf_json_string(result, "answered_by", "");
    if (*by)
        printf("  %-10s %s\n", _("answered by"), by);
    return HF_EXIT_OK;
}

static int forget_approval(const char *id)
{
    return hf_cli_request_and_print("approvals.forget", json_pack("{s:s}", "id", id),
                                    g_strdup_printf(_("  forgotten: %s"), id));
}

int hf_command_approvals(const HfCommandArguments *arguments)
{
    if (hf_command_arguments_is(arguments, "show"))
        return print_one_approval(hf_command_arguments_value(arguments, "APPROVAL"));
    if (hf_command_arguments_is(arguments, "memory"))
        return print_approval_rows("approvals.memory", json_object(), "memory", memory_columns,
                                   _("No answer is remembered."));
    if (hf_command_arguments_is(arguments, "forget"))
        return forget_approval(hf_command_arguments_value(arguments, "MEMORY"));
    gboolean all = hf_command_arguments_has(arguments, "all");
    return print_approval_rows("approvals.list", json_pack("{s:b}", "all", all), "approvals",
                               all ? all_columns : open_columns, _("No approval is waiting."));
}

static json_t *approve_params(const HfCommandArguments *arguments, GError **error)
{
    g_autoptr(json_t) params =
        json_pack("{s:s}", "id", hf_command_arguments_value(arguments, "APPROVAL"));
    const char *scope = hf_command_arguments_get(arguments, "scope"),
               *text = hf_command_arguments_get(arguments, "for");
    gint64 span = 0;
    if (hf_command_arguments_has(arguments, "remember") || text || scope)
        json_object_set_new(params, "remember", json_string(scope ? scope : "call"));
    if (text && !hf_cli_parse_duration(text, &span)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "--for expects a time such as 30m or 1h, not '%s'",
                text);
        return NULL;
    }
    if (span > 0)
        json_object_set_new(params, "for_s", json_integer(span));
    return g_steal_pointer(&params);
}

static int answer_approval(const char *method, const char *id, json_t *take_params)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request(method, take_params, &status);
    g_autofree char *sentence = g_strdup_printf(
        "  %s: %s%s", id, hf_json_string(result, "state", "?"),
        hf_json_bool(result, "durable", TRUE) ? ""
                                              : _(" (the disk does not take it, so the records "
                                                  "will not show it until there is room)"));
    if (result)
        hf_print_result(result, sentence);
    return status;
}

int hf_command_approve(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
    json_t *params = approve_params(arguments, &error);
    if (params)
        return answer_approval("approvals.approve",
                               hf_command_arguments_value(arguments, "APPROVAL"), params);
    hf_print_gerror(error);
    return HF_EXIT_USAGE;
}

int hf_command_deny(const HfCommandArguments *arguments)
{
    const char *id = hf_command_arguments_value(arguments, "APPROVAL"),
               *reason = hf_command_arguments_get(arguments, "reason");
    return answer_approval("approvals.deny", id,
                           json_pack("{s:s, s:s}", "id", id, "reason", reason ? reason : ""));
}
