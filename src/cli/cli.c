/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches a command or a tool by its name. An unknown name gets a hint. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "cli/closest-name.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/tool/contract-version.h"
#include "shared/tool/registry.h"

static gboolean has_argument(int argc, char **argv, const char *one, const char *other)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], one) == 0 || strcmp(argv[i], other) == 0)
            return TRUE;
    return FALSE;
}

int hf_cli_report_unknown_name(const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const HfCommand *command = hf_commands(); command->name; command++)
        g_ptr_array_add(names, (gpointer)command->name);
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        g_ptr_array_add(names, (gpointer)(*tool)->name);
    const char *meant = hf_closest_name(name, names);
    g_autofree char *shown = g_utf8_make_valid(name, -1);
    hf_fail(&error, HF_ERROR_UNKNOWN_TOOL, _("there is no command or tool '%s'"), shown);
    if (meant)
        hf_error_suggest(&error, _("did you mean '%s'? see: handfast help"), meant);
    else
        hf_error_suggest(&error, _("see: handfast help"));
    hf_print_gerror(error);
    return HF_EXIT_USAGE;
}

static int run_command(const HfCommand *command, int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfCommandArguments) arguments =
        hf_command_arguments_new(command->name, argc, argv, &error);
    if (arguments)
        return command->run(arguments);
    hf_print_gerror(error);
    return HF_EXIT_USAGE;
}

int hf_cli_main(int argc, char **argv)
{
    if (argc < 2) {
        run_command(hf_command_find("help"), 0, NULL);
        return HF_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (has_argument(argc - 2, argv + 2, "--json", "--json"))
        hf_print_set_json();
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("handfast %s, contract %s\n", HF_VERSION, HF_CONTRACT);
        return HF_EXIT_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    const HfCommand *command = hf_command_find(name);
    if (command && has_argument(argc - 2, argv + 2, "--help", "-h")) {
        hf_help_print_command(command);
        return HF_EXIT_OK;
    }
    if (strcmp(name, "completion") == 0 && argc > 2 && strcmp(argv[2], "--") == 0)
        return hf_completion_print(argc - 3, argv + 3);
    if (command && command->run)
        return run_command(command, argc - 2, argv + 2);
    const HfTool *tool = hf_registry_find(name);
    return tool ? hf_command_tool(tool, argc - 2, argv + 2) : hf_cli_report_unknown_name(name);
}
