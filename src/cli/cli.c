/* Which command is meant. Tools come from the registry; a name that is neither gets a hint. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "cli/commands.h"
#include "tool/registry.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"call", hf_command_call},       {"tools", hf_command_tools},
    {"desktop", hf_command_desktop}, {"config", hf_command_config},
    {"audit", hf_command_audit},     {"grant", hf_command_grant},
    {"runs", hf_command_runs},       {"export", hf_command_export},
    {"ledger", hf_command_ledger},   {"undo", hf_command_undo},
    {"status", hf_command_status},   {"stop", hf_command_stop},
    {"pause", hf_command_pause},     {"resume", hf_command_resume},
    {"abort", hf_command_abort},     {"approvals", hf_command_approvals},
    {"approve", hf_command_approve}, {"deny", hf_command_deny},
    {"help", hf_command_help},       {"--help", hf_command_help},
    {"-h", hf_command_help},         {"rules", hf_command_rules},
};

int hf_cli_main(int argc, char **argv)
{
    if (argc < 2) {
        hf_command_help(0, NULL);
        return HF_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("handfast %s\n", HF_VERSION);
        return HF_EXIT_OK;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    const HfTool *tool = hf_registry_find(name);
    if (tool)
        return hf_command_tool(tool, argc - 2, argv + 2);
    fprintf(stderr, _("handfast: there is no command or tool '%s'; see: handfast help\n"), name);
    return HF_EXIT_USAGE;
}
