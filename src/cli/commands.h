/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that are no tools: one table, from which help, completion and the manual page are
 * made. To add one: a file with its function, a line below, and its entry in commands.c. */
#pragma once

#include "shared/tool/tool.h"

typedef struct HfCommand {
    const char *name;
    /* What may follow the name, one form a line: "list [--json]\nrm NAME". A word in lower case is
     * said as it is, one in capitals stands for a value; brackets hold what may be left out. */
    const char *usage;
    const char *about; /* one line, marked with N_() */
    /* Gets the words after the name; NULL: main.c runs it as a process of its own. */
    int (*run)(int argc, char **argv);
} HfCommand;

/* In the order of help, ended by one without a name. */
const HfCommand *hf_commands(void);
/* NULL when there is none of this name. */
const HfCommand *hf_command_find(const char *name);
/* How the command is used, on standard error; returns HF_EXIT_USAGE. */
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

/* There is neither a command nor a tool of this name; returns HF_EXIT_USAGE. */
int hf_cli_report_unknown_name(const char *name);

void hf_help_print_tool(const HfTool *tool);
void hf_help_print_command(const HfCommand *command);
