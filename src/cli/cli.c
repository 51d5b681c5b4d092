/* Which command is meant. Tools come from the registry; a name that is neither gets a hint. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "cli/commands.h"
#include "tool/registry.h"

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
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    const HfCommand *command = hf_command_find(name);
    if (command && command->run)
        return command->run(argc - 2, argv + 2);
    const HfTool *tool = hf_registry_find(name);
    if (tool)
        return hf_command_tool(tool, argc - 2, argv + 2);
    fprintf(stderr, _("handfast: there is no command or tool '%s'; see: handfast help\n"), name);
    return HF_EXIT_USAGE;
}
