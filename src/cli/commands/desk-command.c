/* SPDX-License-Identifier: Apache-2.0 */
/* Commands about the desk itself: desktops and status. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/command-arguments.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

static const char *const desktop_columns[] = {"name",   "kind",  "state",    "display", "width",
                                              "height", "scale", "restarts", NULL};

static json_t *new_desktop_params(const HfCommandArguments *arguments, GError **error)
{
    const char *size = hf_command_arguments_get(arguments, "size"),
               *scale = hf_command_arguments_get(arguments, "scale");
    g_autoptr(json_t) params =
        json_pack("{s:s, s:b}", "name", hf_command_arguments_value(arguments, "NAME"),
                  "private_home", hf_command_arguments_has(arguments, "private-home"));
    int width, height;
    char rest, *end = "";
    if (size && sscanf(size, "%dx%d%c", &width, &height, &rest) != 2) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "--size expects WIDTHxHEIGHT, not '%s'", size);
        return NULL;
    }
    double factor = scale ? g_ascii_strtod(scale, &end) : 0;
    if (scale && (end == scale || *end)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "--scale expects a number, not '%s'", scale);
        return NULL;
    }
    gint64 depth = 0;
    if (!hf_command_arguments_int(arguments, "depth", &depth, error))
        return NULL;
    if (size) {
        json_object_set_new(params, "width", json_integer(width));
        json_object_set_new(params, "height", json_integer(height));
    }
    if (scale)
        json_object_set_new(params, "scale", json_real(factor));
    if (depth)
        json_object_set_new(params, "depth", json_integer(depth));
    hf_command_arguments_add_text(arguments, "display", params, "display");
    return g_steal_pointer(&params);
}

static int desktop_new(const HfCommandArguments *arguments)
{
    g_autoptr(GError) error = NULL;
    json_t *params = new_desktop_params(arguments, &error);
    if (!params) {
        hf_print_gerror(error);
        return HF_EXIT_USAGE;
    }
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("desktop.new", params, &status);
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result)
        hf_print_object(result);
    return status;
}

static int desktop_list(void)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("desktop.list", json_object(), &status);
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result)
        hf_print_table(json_object_get(result, "desktops"), desktop_columns);
    return status;
}

static int desktop_remove(const char *name)
{
    return hf_cli_request_and_print("desktop.remove", json_pack("{s:s}", "name", name),
                                    g_strdup_printf(_("  desktop %s was removed"), name));
}

int hf_command_desktop(int argc, char **argv)
{
    g_autoptr(HfCommandArguments) arguments =
        hf_command_arguments_parse_or_report("desktop", argc, argv);
    if (!arguments)
        return HF_EXIT_USAGE;
    if (hf_command_arguments_is(arguments, "list"))
        return desktop_list();
    if (hf_command_arguments_is(arguments, "rm"))
        return desktop_remove(hf_command_arguments_value(arguments, "DESKTOP"));
    return desktop_new(arguments);
}

/* Only a broken file is worth a line. */
static void print_config(const json_t *config)
{
    const json_t *problem = json_object_get(config, "problem");
    if (!problem)
        return;
    printf(_("The configuration file is invalid, so the previous configuration stays in force:\n"));
    fflush(stdout);
    hf_print_error(problem);
}

static void print_http_status(const json_t *http)
{
    const json_t *problem = json_object_get(http, "problem");
    if (problem)
        printf(_("HTTP is not available: %s\n  → %s\n"), hf_json_string(problem, "message", "?"),
               hf_json_string(problem, "suggestion", ""));
    else if (http)
        printf(_("HTTP: %s\n"), hf_json_string(http, "url", "?"));
}

static void print_hold(const char *what, const json_t *hold)
{
    const char *desktop = hf_json_string(hold, "desktop", NULL);
    const char *run = hf_json_string(hold, "run", NULL);
    g_autoptr(GDateTime) since =
        g_date_time_new_from_unix_local(hf_json_int(hold, "since", 0) / 1000);
    g_autofree char *time = since ? g_date_time_format(since, "%F %T") : NULL;
    printf("%s%s%s%s%s: %s, %s%s%s\n", what, desktop ? ", desktop " : "", desktop ? desktop : "",
           run ? ", run " : "", run ? run : "", hf_json_string(hold, "by", "?"), time ? time : "?",
           *hf_json_string(hold, "reason", "") ? ": " : "", hf_json_string(hold, "reason", ""));
}

static void print_stop_holds(const json_t *holds)
{
    const json_t *stopped = json_object_get(holds, "stopped");
    if (json_is_object(stopped))
        print_hold(_("STOPPED"), stopped);
    size_t index;
    json_t *hold;
    json_array_foreach (json_object_get(holds, "paused"), index, hold)
        print_hold(_("Paused"), hold);
}

int hf_command_status(int argc, char **argv)
{
    g_autoptr(HfCommandArguments) arguments =
        hf_command_arguments_parse_or_report("status", argc, argv);
    int status = HF_EXIT_USAGE;
    if (!arguments)
        return status;
    g_autoptr(json_t) result = hf_cli_simple_request("status", json_object(), &status);
    if (!result)
        return status;
    if (hf_print_is_json()) {
        hf_print_json(result);
        return status;
    }
    printf(_("Handfast %s, process %d\n"), hf_json_string(result, "version", "?"),
           (int)hf_json_int(result, "pid", 0));
    hf_print_table(json_object_get(result, "desktops"), desktop_columns);
    print_http_status(json_object_get(json_object_get(result, "doors"), "http"));
    print_config(json_object_get(result, "config"));
    if (!hf_json_bool(json_object_get(result, "audit"), "enabled", TRUE))
        printf(_("AUDIT OFF: calls are not recorded. To turn it on: handfast config set "
                 "audit.enabled true\n"));
    print_stop_holds(json_object_get(result, "holds"));
    return status;
}
