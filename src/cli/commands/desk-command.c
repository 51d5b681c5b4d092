/* SPDX-License-Identifier: Apache-2.0 */
/* Commands about the desk itself: desktops and status. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

static const char *const desktop_columns[] = {"name",   "kind",  "state",    "display", "width",
                                              "height", "scale", "restarts", "walls",   NULL};

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

/* A table has room for one word. */
static const char *name_walls(const json_t *desktop)
{
    const json_t *walls = json_object_get(desktop, "walls");
    const json_t *programs = json_object_get(desktop, "programs");
    return hf_json_bool(programs, "missing", FALSE)  ? _("NONE: your own desktop, strict")
           : !walls                                  ? _("none: your own desktop")
           : hf_json_bool(walls, "contained", FALSE) ? _("container")
           : hf_json_bool(walls, "missing", FALSE)   ? _("NO CONTAINER: strict")
                                                     : _("NO CONTAINER");
}

static void print_desktops(const json_t *desktops)
{
    g_autoptr(json_t) rows = json_deep_copy(desktops);
    hf_json_each (row, rows)
        json_object_set_new(row, "walls", hf_json_text(name_walls(row)));
    hf_print_table(rows, desktop_columns);
}

static int desktop_list(void)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("desktop.list", json_object(), &status);
    if (result && hf_print_is_json())
        hf_print_json(result);
    else if (result)
        print_desktops(json_object_get(result, "desktops"));
    return status;
}

static void print_reach(const char *what, const char *reach)
{
    printf("  %s: %s\n", what, reach);
}

static void print_directories(const char *what, const json_t *paths)
{
    hf_json_each (path, paths)
        print_reach(what, json_string_value(path));
}

static const char *describe_network(const json_t *walls)
{
    const char *network = hf_json_string(walls, "network", "");
    const char *problem = hf_json_string(walls, "network_problem", NULL);
    return problem                        ? problem
           : g_str_equal(network, "open") ? _("open, without the services of this machine")
           : g_str_equal(network, "policy")
               ? _("only hosts that your domain lists allow, through a proxy; not this machine")
           : g_str_equal(network, "host") ? _("whatever this machine can reach, itself included")
                                          : _("none");
}

static void print_no_container(const json_t *walls)
{
    print_reach(_("everything"), _("whatever your user can reach"));
    print_reach(_("why"), hf_json_string(walls, "reason", ""));
    print_reach(_("remedy"), hf_json_string(walls, "suggestion", ""));
}

/* Of somebody's own desktop. */
static void print_programs(const json_t *programs)
{
    print_reach(_("everything"), _("whatever your user can reach"));
    if (hf_json_bool(programs, "namespace", FALSE)) {
        print_reach(_("processes"), _("only those that were started there; a stop ends them"));
    } else {
        print_reach(_("processes"), _("all of yours: its programs are not kept apart"));
        print_reach(_("why"), hf_json_string(programs, "reason", ""));
        print_reach(_("remedy"), hf_json_string(programs, "suggestion", ""));
    }
    hf_json_each (program, json_object_get(programs, "running")) {
        g_autofree char *line = g_strdup_printf("%s (%d)", hf_json_string(program, "name", ""),
                                                (int)hf_json_int(program, "pid", 0));
        print_reach(_("runs"), line);
    }
}

/* "What can it reach?" */
static void print_walls(const json_t *walls)
{
    if (!hf_json_bool(walls, "contained", FALSE)) {
        print_no_container(walls);
        return;
    }
    const char *home = hf_json_string(walls, "home_directory", NULL);
    g_autofree char *own = home ? g_strdup_printf(_("its own, which you find in %s"), home) : NULL;
    print_reach(_("programs"), _("those of this machine; it sees only its own processes"));
    print_reach(_("home"), own ? own : _("yours, without the files of Handfast"));
    const char *exchange = hf_json_string(walls, "exchange", NULL);
    if (exchange)
        print_reach(_("exchange"), exchange);
    print_directories(_("reads and writes"), json_object_get(walls, "writable"));
    print_directories(_("reads"), json_object_get(walls, "readable"));
    print_reach(_("network"), describe_network(walls));
    hf_json_each (refusal, json_object_get(walls, "refused"))
        print_reach(_("refused"), hf_json_string(refusal, "reason", ""));
    print_reach(_("desktop"), _("its own display, bus and clipboard"));
}

static int desktop_show(const char *name)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("desktop.list", json_object(), &status);
    if (!result)
        return status;
    hf_json_each (desktop, json_object_get(result, "desktops")) {
        if (!g_str_equal(hf_json_string(desktop, "name", ""), name))
            continue;
        if (hf_print_is_json())
            hf_print_json(desktop);
        else if (json_object_get(desktop, "programs"))
            print_programs(json_object_get(desktop, "programs"));
        else
            print_walls(json_object_get(desktop, "walls"));
        return HF_EXIT_OK;
    }
    g_autoptr(GError) error = NULL;
    hf_fail(&error, HF_ERROR_DESKTOP_NOT_FOUND, "there is no desktop '%s'", name);
    hf_print_gerror(error);
    return HF_EXIT_FAILED;
}

static int desktop_remove(const char *name)
{
    return hf_cli_request_and_print("desktop.remove", json_pack("{s:s}", "name", name),
                                    g_strdup_printf(_("  desktop %s was removed"), name));
}

int hf_command_desktop(const HfCommandArguments *arguments)
{
    if (hf_command_arguments_is(arguments, "list"))
        return desktop_list();
    if (hf_command_arguments_is(arguments, "show"))
        return desktop_show(hf_command_arguments_value(arguments, "DESKTOP"));
    if (hf_command_arguments_is(arguments, "rm"))
        return desktop_remove(hf_command_arguments_value(arguments, "DESKTOP"));
    return desktop_new(arguments);
}

static void print_held_config(const json_t *fields)
{
    if (json_array_size(fields) == 0)
        return;
    printf(_("A change of the configuration would allow more and waits for you: handfast config "
             "accept\n"));
    hf_json_each (field, fields)
        printf("  %s\n", json_string_value(field));
}

/* Only a broken file, and a change that is held back, are worth a line. */
static void print_config(const json_t *config)
{
    const json_t *problem = json_object_get(config, "problem");
    print_held_config(json_object_get(config, "held"));
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
    hf_json_each (hold, json_object_get(holds, "paused"))
        print_hold(_("Paused"), hold);
}

static void print_tainted_callers(const json_t *tainted)
{
    hf_json_each (caller, tainted) {
        g_autoptr(GDateTime) since =
            g_date_time_new_from_unix_local(hf_json_int(caller, "since", 0) / 1000);
        g_autofree char *time = since ? g_date_time_format(since, "%F %H:%M") : NULL;
        const char *desktop = hf_json_string(caller, "desktop", NULL);
        if (desktop) /* runs are listed by: handfast taint list */
            printf(_("Tainted: %s on %s, since %s by %s (to clear: handfast taint clear)\n"),
                   hf_json_string(caller, "name", "?"), desktop, time ? time : "?",
                   hf_json_string(caller, "tool", "?"));
    }
}

int hf_command_status(const HfCommandArguments *arguments)
{
    int status;
    g_autoptr(json_t) result = hf_cli_simple_request("status", json_object(), &status);
    if (!result)
        return status;
    if (hf_print_is_json()) {
        hf_print_json(result);
        return status;
    }
    printf(_("Handfast %s, process %d\n"), hf_json_string(result, "version", "?"),
           (int)hf_json_int(result, "pid", 0));
    print_desktops(json_object_get(result, "desktops"));
    print_http_status(json_object_get(json_object_get(result, "doors"), "http"));
    print_config(json_object_get(result, "config"));
    if (!hf_json_bool(json_object_get(result, "audit"), "enabled", TRUE))
        printf(_("AUDIT OFF: calls are not recorded. To turn it on: handfast config set "
                 "audit.enabled true\n"));
    print_stop_holds(json_object_get(result, "holds"));
    print_tainted_callers(json_object_get(result, "tainted"));
    return status;
}
