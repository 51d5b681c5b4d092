/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that are not tools. Help, completion and the manual page are made from this table.
 * To add a command: a file with its function, a line below, and its entry in commands.c. */
#pragma once

#include "shared/tool/tool.h"

typedef struct HfCommand {
    const char *name;
    /* What may follow the name, one form per line: "list [--json]\nrm NAME". A word in lower case
     * is literal, one in capitals stands for a value; brackets enclose what is optional. */
    const char *usage;
    const char *about; /* one line, marked with N_() */
    /* Gets the words after the name; NULL: main.c runs it as a separate process. */
    int (*run)(int argc, char **argv);
} HfCommand;

/* In the order of help; the last one has no name. */
const HfCommand *hf_commands(void);
/* NULL when there is no command of this name. */
const HfCommand *hf_command_find(const char *name);
/* Prints the usage on standard error; returns HF_EXIT_USAGE. */
int hf_command_print_usage(const char *name);

int hf_command_tool(const HfTool *tool, int argc, char **argv);
int hf_command_call(int argc, char **argv);
int hf_command_tools(int argc, char **argv);
int hf_command_desktop(int argc, char **argv);
int hf_command_approvals(int argc, char **argv);
int hf_command_approve(int argc, char **argv);
int hf_command_deny(int argc, char **argv);
int hf_command_config(int argc, char **argv);
int hf_command_grant(int argc, char **argv);
int hf_command_token(int argc, char **argv);
int hf_command_rules(int argc, char **argv);
int hf_command_status(int argc, char **argv);
int hf_command_audit(int argc, char **argv);
int hf_command_runs(int argc, char **argv);
int hf_command_export(int argc, char **argv);
int hf_command_ledger(int argc, char **argv);
int hf_command_operations(int argc, char **argv);
int hf_command_workflow(int argc, char **argv);
int hf_command_undo(int argc, char **argv);
int hf_command_mcp(int argc, char **argv);
int hf_command_stop(int argc, char **argv);
int hf_command_pause(int argc, char **argv);
int hf_command_resume(int argc, char **argv);
int hf_command_abort(int argc, char **argv);
int hf_command_watch(int argc, char **argv);
int hf_command_completion(int argc, char **argv);
int hf_command_doctor(int argc, char **argv);
int hf_command_help(int argc, char **argv);

/* Reports a name that is neither a command nor a tool; returns HF_EXIT_USAGE. */
int hf_cli_report_unknown_name(const char *name);

void hf_help_print_tool(const HfTool *tool);
void hf_help_print_command(const HfCommand *command);
