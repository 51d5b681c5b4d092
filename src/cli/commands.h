/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that are not tools. Help, completion and the manual page are made from this table.
 * To add a command: a file with its function, a line below, and its entry in commands.c. */
#pragma once

#include "cli/command-arguments.h"
#include "shared/tool/tool.h"

typedef struct HfCommand {
    const char *name;
    /* What may follow the name, one form per line: "list [--json]\nrm NAME". A word in lower case
     * is literal, one in capitals stands for a value; brackets enclose what is optional. */
    const char *usage;
    const char *about;                               /* one line, marked with N_() */
    int (*run)(const HfCommandArguments *arguments); /* NULL: main.c runs it as another process */
} HfCommand;

/* In the order of help; the last one has no name. */
const HfCommand *hf_commands(void);
/* NULL when there is no command of this name. */
const HfCommand *hf_command_find(const char *name);
/* Prints the usage on standard error; returns HF_EXIT_USAGE. */
int hf_command_print_usage(const char *name);

int hf_command_tool(const HfTool *tool, int argc, char **argv);
int hf_command_call(const HfCommandArguments *arguments);
int hf_command_tools(const HfCommandArguments *arguments);
int hf_command_desktop(const HfCommandArguments *arguments);
int hf_command_approvals(const HfCommandArguments *arguments);
int hf_command_approve(const HfCommandArguments *arguments);
int hf_command_deny(const HfCommandArguments *arguments);
int hf_command_config(const HfCommandArguments *arguments);
int hf_command_grant(const HfCommandArguments *arguments);
int hf_command_taint(const HfCommandArguments *arguments);
int hf_command_token(const HfCommandArguments *arguments);
int hf_command_rules(const HfCommandArguments *arguments);
int hf_command_status(const HfCommandArguments *arguments);
int hf_command_audit(const HfCommandArguments *arguments);
int hf_command_runs(const HfCommandArguments *arguments);
int hf_command_export(const HfCommandArguments *arguments);
int hf_command_ledger(const HfCommandArguments *arguments);
int hf_command_operations(const HfCommandArguments *arguments);
int hf_command_workflow(const HfCommandArguments *arguments);
int hf_command_undo(const HfCommandArguments *arguments);
int hf_command_mcp(const HfCommandArguments *arguments);
int hf_command_stop(const HfCommandArguments *arguments);
int hf_command_pause(const HfCommandArguments *arguments);
int hf_command_resume(const HfCommandArguments *arguments);
int hf_command_abort(const HfCommandArguments *arguments);
int hf_command_watch(const HfCommandArguments *arguments);
int hf_command_completion(const HfCommandArguments *arguments);
int hf_command_doctor(const HfCommandArguments *arguments);
/* What may follow these words of a command line, one per line, for a shell. */
int hf_completion_print(int count, char **words);
int hf_command_help(const HfCommandArguments *arguments);

/* Reports a name that is neither a command nor a tool; returns HF_EXIT_USAGE. */
int hf_cli_report_unknown_name(const char *name);

void hf_help_print_tool(const HfTool *tool);
void hf_help_print_command(const HfCommand *command);
