/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast operations`: lists background calls. To read, await or cancel one, use the tools
 * operation_status and operation_cancel. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

static char *dup_start_time(gint64 time_ms)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_ms / 1000);
    return time ? g_date_time_format(time, "%H:%M:%S") : g_strdup("?");
}

static json_t *operation_to_row(const json_t *operation)
{
    g_autofree char *when = dup_start_time(hf_json_int(operation, "started_ms", 0));
    g_autofree char *took =
        g_strdup_printf("%.1f s", (double)hf_json_int(operation, "duration_ms", 0) / 1000);
    json_t *progress = json_object_get(operation, "progress");
    g_autofree char *done = progress
                                ? g_strdup_printf("%d/%d", (int)hf_json_int(progress, "done", 0),
                                                  (int)hf_json_int(progress, "steps", 0))
                                : g_strdup("");
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "id", hf_json_string(operation, "id", "?"), "status",
        hf_json_string(operation, "status", "?"), "tool", hf_json_string(operation, "tool", "?"),
        "desktop", hf_json_string(operation, "desktop", ""), "started", when, "took", took, "done",
        done);
}

int hf_command_operations(const HfCommandArguments *arguments)
{
    static const char *const columns[] = {"id",      "status", "tool", "desktop",
                                          "started", "took",   "done", NULL};
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("operations.list", json_object(), &status);
    const json_t *operations = json_object_get(result, "operations");
    if (!result || hf_print_is_json()) {
        if (result)
            hf_print_json(result);
        return status;
    }
    if (json_array_size(operations) == 0) {
        printf("  %s\n", isatty(0) ? _("no background operation within the last day")
                                   : _("this program has started no background operation within "
                                       "the last day; the owner sees everyone's, at a terminal"));
        return status;
    }
    g_autoptr(json_t) rows = json_array();
    hf_json_each (operation, operations)
        json_array_append_new(rows, operation_to_row(operation));
    hf_print_table(rows, columns);
    return status;
}
