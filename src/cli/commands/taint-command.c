/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast taint list|clear`: callers that are held back because they have read text of others,
 * and files that came from elsewhere. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"

static const char *const caller_columns[] = {"name",  "desktop", "run",     "read", "tool",
                                             "since", "seen",    "expires", "key",  NULL};
static const char *const file_columns[] = {"file", "tool", "name", "since", NULL};

static void make_taint_time_readable(json_t *row, const char *name)
{
    gint64 ms = hf_json_int(row, name, 0);
    g_autoptr(GDateTime) time = ms > 0 ? g_date_time_new_from_unix_local(ms / 1000) : NULL;
    g_autofree char *text = time ? g_date_time_format(time, "%F %H:%M") : NULL;
    if (text)
        json_object_set_new(row, name, json_string(text));
}

/* Times as a person reads them, and what was read in one cell. */
static void make_taint_rows_readable(json_t *rows)
{
    hf_json_each (row, rows) {
        g_autoptr(GString) read = g_string_new(NULL);
        hf_json_each (what, json_object_get(row, "reads"))
            g_string_append_printf(read, "%s%s", read->len > 0 ? ", " : "",
                                   json_string_value(what));
        json_object_set_new(row, "read", json_string(read->str));
        make_taint_time_readable(row, "since");
        make_taint_time_readable(row, "seen");
        make_taint_time_readable(row, "expires");
    }
}

static int list_taints(void)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("taint.list", json_object(), &status);
    json_t *callers = json_object_get(result, "callers"), *files = json_object_get(result, "files");
    if (!result)
        return status;
    if (hf_print_is_json()) {
        hf_print_json(result);
        return status;
    }
    if (json_array_size(callers) == 0 && json_array_size(files) == 0) {
        printf("%s\n", _("Nobody is held back because of text of others."));
        return status;
    }
    make_taint_rows_readable(callers);
    make_taint_rows_readable(files);
    if (json_array_size(callers) > 0)
        hf_print_table(callers, caller_columns);
    if (json_array_size(files) > 0)
        hf_print_table(files, file_columns);
    return status;
}

int hf_command_taint(const HfCommandArguments *arguments)
{
    if (hf_command_arguments_is(arguments, "list"))
        return list_taints();
    const char *caller = hf_command_arguments_value(arguments, "CALLER");
    if (!caller)
        return hf_cli_request_and_print("taint.clear", json_object(),
                                        g_strdup(_("  nobody is held back any more")));
    return hf_cli_request_and_print("taint.clear",
                                    json_pack("{s:o}", "caller", hf_json_text(caller)),
                                    g_strdup_printf(_("  %s is not held back any more"), caller));
}
