/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast completion SHELL` prints the script that a shell loads once. With `--` and words it
 * prints the candidates that the script asks for at each tab. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/command-arguments.h"
#include "cli/commands.h"
#include "cli/completion-bash.h"
#include "cli/completion-fish.h"
#include "cli/completion-zsh.h"
#include "cli/completion/complete.h"

int hf_command_completion(int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "--") == 0) {
        hf_complete(argc - 1, argv + 1);
        return HF_EXIT_OK;
    }
    g_autoptr(HfCommandArguments) words =
        hf_command_arguments_parse_or_report("completion", argc, argv);
    if (!words)
        return HF_EXIT_USAGE;
    const char *shell = hf_command_arguments_positional(words, 0);
    fputs(strcmp(shell, "bash") == 0  ? hf_completion_bash
          : strcmp(shell, "zsh") == 0 ? hf_completion_zsh
                                      : hf_completion_fish,
          stdout);
    return HF_EXIT_OK;
}
