/* Commands about the desk itself: desktops and status. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/i18n.h"
#include "cli/ask.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"

static const char *const desktop_columns[] = {"name",   "kind",  "state",    "display", "width",
                                              "height", "scale", "restarts", NULL};

typedef struct DesktopOptions {
    char *size;
    char *display;
    double scale;
    int depth;
    gboolean private_home, json;
} DesktopOptions;

static gboolean parse_desktop(int *argc, char ***argv, DesktopOptions *options, GError **error)
{
    GOptionEntry entries[] = {
        {"size", 's', 0, G_OPTION_ARG_STRING, &options->size, "Size (default: 1920x1080)", "WxH"},
        {"scale", 0, 0, G_OPTION_ARG_DOUBLE, &options->scale, "Scale (default: 1)", "S"},
        {"depth", 0, 0, G_OPTION_ARG_INT, &options->depth,
         "Colour depth: 16, 24 or 30 (default: 24)", "N"},
        {"private-home", 0, 0, G_OPTION_ARG_NONE, &options->private_home,
         "A HOME of its own that ends with it", NULL},
        {"display", 'd', 0, G_OPTION_ARG_STRING, &options->display, "attach: which display", ":N"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print JSON", NULL},
        {NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("new NAME | list | rm NAME | attach NAME --display :N");
    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, argc, argv, error);
}

static json_t *new_params(const char *name, const DesktopOptions *options, GError **error)
{
    g_autoptr(json_t) params =
        json_pack("{s:s, s:b}", "name", name, "private_home", options->private_home);
    int width, height;
    char rest;
    if (options->size && sscanf(options->size, "%dx%d%c", &width, &height, &rest) != 2) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "--size expects WIDTHxHEIGHT, not '%s'",
                options->size);
        return NULL;
    }
    if (options->size) {
        json_object_set_new(params, "width", json_integer(width));
        json_object_set_new(params, "height", json_integer(height));
    }
    if (options->scale != 0)
        json_object_set_new(params, "scale", json_real(options->scale));
    if (options->depth)
        json_object_set_new(params, "depth", json_integer(options->depth));
    if (options->display)
        json_object_set_new(params, "display", json_string(options->display));
    return g_steal_pointer(&params);
}

static int desktop_new(const char *name, const DesktopOptions *options)
{
    g_autoptr(GError) error = NULL;
    json_t *params = new_params(name, options, &error);
    if (!params) {
        hf_print_gerror(error);
        return HF_EXIT_USAGE;
    }
    int status;
    g_autoptr(json_t) result = hf_cli_ask("desktop.new", params, &status);
    if (result && options->json)
        hf_print_json(result);
    else if (result)
        hf_print_object(result);
    return status;
}

static int desktop_list(const DesktopOptions *options)
{
    int status;
    g_autoptr(json_t) result = hf_cli_ask("desktop.list", json_object(), &status);
    if (result && options->json)
        hf_print_json(result);
    else if (result)
        hf_print_table(json_object_get(result, "desktops"), desktop_columns);
    return status;
}

static int desktop_remove(const char *name)
{
    int status;
    g_autoptr(json_t) result =
        hf_cli_ask("desktop.remove", json_pack("{s:s}", "name", name), &status);
    if (result)
        printf(_("  desktop %s is gone\n"), name);
    return status;
}

static int run_desktop(int argc, char **argv, const DesktopOptions *options)
{
    const char *verb = argc > 1 ? argv[1] : "", *name = argc > 2 ? argv[2] : NULL;
    if (strcmp(verb, "list") == 0 && argc == 2)
        return desktop_list(options);
    if (name && g_utf8_validate(name, -1, NULL) && argc == 3) {
        if (strcmp(verb, "new") == 0 || (strcmp(verb, "attach") == 0 && options->display))
            return desktop_new(name, options);
        if (strcmp(verb, "rm") == 0)
            return desktop_remove(name);
    }
    return hf_command_refuse("desktop");
}

int hf_command_desktop(int argc, char **argv)
{
    DesktopOptions options = {0};
    g_autoptr(GError) error = NULL;
    /* GOption wants the program's name first; it is the word before ours. */
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (parse_desktop(&argc, &argv, &options, &error))
        status = run_desktop(argc, argv, &options);
    else
        fprintf(stderr, "handfast desktop: %s\n", error->message);
    g_free(options.size);
    g_free(options.display);
    return status;
}

/* A file that is broken is worth a line; one that holds is not. */
static void print_config(const json_t *config)
{
    const json_t *problem = json_object_get(config, "problem");
    if (!problem)
        return;
    printf(_("The agreement of before holds, since the file cannot be taken:\n"));
    fflush(stdout);
    hf_print_error(problem);
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

static void print_holds(const json_t *holds)
{
    const json_t *stopped = json_object_get(holds, "stopped");
    if (json_is_object(stopped))
        print_hold(_("STOPPED"), stopped);
    size_t index;
    json_t *hold;
    json_array_foreach (json_object_get(holds, "paused"), index, hold)
        print_hold(_("Paused"), hold);
}

static void print_audit(const json_t *audit)
{
    if (!hf_json_bool(audit, "enabled", TRUE))
        printf(_("AUDIT OFF: calls leave no trace; to end that: handfast config set audit.enabled "
                 "true\n"));
}

int hf_command_status(int argc, char **argv)
{
    int status;
    g_autoptr(json_t) result = hf_cli_ask("status", json_object(), &status);
    if (!result)
        return status;
    if (argc > 0 && strcmp(argv[0], "--json") == 0) {
        hf_print_json(result);
        return status;
    }
    printf(_("Handfast %s, process %d\n"), hf_json_string(result, "version", "?"),
           (int)hf_json_int(result, "pid", 0));
    hf_print_table(json_object_get(result, "desktops"), desktop_columns);
    print_config(json_object_get(result, "config"));
    print_audit(json_object_get(result, "audit"));
    print_holds(json_object_get(result, "holds"));
    return status;
}
