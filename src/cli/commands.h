/* The commands that are no tools. Each gets the words after its name. */
#pragma once

#include "tool/tool.h"

int hf_command_tool(const HfTool *tool, int argc, char **argv);
int hf_command_call(int argc, char **argv);
int hf_command_tools(int argc, char **argv);
int hf_command_desktop(int argc, char **argv);
int hf_command_approvals(int argc, char **argv);
int hf_command_approve(int argc, char **argv);
int hf_command_deny(int argc, char **argv);
int hf_command_config(int argc, char **argv);
int hf_command_grant(int argc, char **argv);
int hf_command_rules(int argc, char **argv);
int hf_command_status(int argc, char **argv);
int hf_command_audit(int argc, char **argv);
int hf_command_runs(int argc, char **argv);
int hf_command_export(int argc, char **argv);
int hf_command_ledger(int argc, char **argv);
int hf_command_undo(int argc, char **argv);
int hf_command_stop(int argc, char **argv);
int hf_command_pause(int argc, char **argv);
int hf_command_resume(int argc, char **argv);
int hf_command_abort(int argc, char **argv);
int hf_command_help(int argc, char **argv);

void hf_help_tool(const HfTool *tool);
