/* `handfast mcp`: MCP over standard input and output, what profiles cost, and telling clients. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/i18n.h"
#include "base/tokens.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/mcp-install.h"
#include "cli/mcp-pipe.h"
#include "cli/print.h"
#include "config/profiles.h"

typedef struct McpOptions {
    char *profile, *desktop;
    gboolean cost, print, json;
} McpOptions;

static gboolean parse(int *argc, char ***argv, McpOptions *options, GError **error)
{
    GOptionEntry entries[] = {
        {"profile", 'p', 0, G_OPTION_ARG_STRING, &options->profile, NULL, NULL},
        {"desktop", 'd', 0, G_OPTION_ARG_STRING, &options->desktop, NULL, NULL},
        {"cost", 0, 0, G_OPTION_ARG_NONE, &options->cost, NULL, NULL},
        {"print", 0, 0, G_OPTION_ARG_NONE, &options->print, NULL, NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options->json, NULL, NULL},
        {NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_help_enabled(context, FALSE);
    return g_option_context_parse(context, argc, argv, error);
}

static json_t *cost_of(const char *profile)
{
    g_autoptr(json_t) tools = hf_profile_list_tools(profile);
    g_autofree char *text = hf_json_dump(tools);
    gsize listed = hf_tokens_estimate(text);
    gsize told = hf_tokens_estimate(hf_profile_get_instructions(profile));
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s}", "profile", profile, "tools",
                     (int)json_array_size(tools), "listing", (int)listed, "instructions", (int)told,
                     "tokens", (int)(listed + told), "about", _(hf_profile_get_about(profile)));
}

static int print_cost(const McpOptions *options)
{
    static const char *const columns[] = {"profile", "tools", "listing", "instructions",
                                          "tokens",  "about", NULL};
    g_autoptr(json_t) rows = json_array();
    for (const char *const *name = hf_profile_names(); *name; name++)
        if (!options->profile || strcmp(options->profile, *name) == 0)
            json_array_append_new(rows, cost_of(*name));
    if (options->json)
        hf_print_json(rows);
    else
        hf_print_table(rows, columns);
    return HF_EXIT_OK;
}

static int install(const char *client, const McpOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *path = hf_mcp_install_path(client), *backup = NULL;
    if (options->print) {
        g_autofree char *text = hf_mcp_install_text(client, program, options->profile);
        fprintf(stderr, _("for %s:\n"), path);
        fputs(text, stdout);
        return HF_EXIT_OK;
    }
    if (!hf_mcp_install(client, program, options->profile, &backup, &error)) {
        hf_print_gerror(error);
        return HF_EXIT_FAILED;
    }
    printf(_("%s knows Handfast now (%s)\n"), client, path);
    if (backup)
        printf(_("the file as it was: %s\n"), backup);
    return HF_EXIT_OK;
}

static int run(int argc, char **argv, const McpOptions *options)
{
    g_autoptr(GError) error = NULL;
    if (options->profile && !hf_profile_check(options->profile, &error)) {
        hf_print_gerror(error);
        return HF_EXIT_USAGE;
    }
    if (argc == 3 && strcmp(argv[1], "install") == 0 && g_strv_contains(hf_mcp_clients, argv[2]))
        return install(argv[2], options);
    if (argc != 1)
        return hf_command_refuse("mcp");
    if (options->cost)
        return print_cost(options);
    return hf_mcp_pipe_run(&(HfMcpPipeOptions){options->profile, options->desktop});
}

int hf_command_mcp(int argc, char **argv)
{
    McpOptions options = {0};
    g_autoptr(GError) error = NULL;
    /* GOption wants the program's name first; it is the word before ours. */
    argc++;
    argv--;
    int status = HF_EXIT_USAGE;
    if (parse(&argc, &argv, &options, &error))
        status = run(argc, argv, &options);
    else
        fprintf(stderr, "handfast mcp: %s\n", error->message);
    g_free(options.profile);
    g_free(options.desktop);
    return status;
}
