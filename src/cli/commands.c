/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands. Nothing else lists them. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/print.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

static const HfCommand commands[] = {
    {"serve",
     "[--display :N] [--virtual] [--size WxH] [--scale S] [--depth 16|24|30] [--private-home]",
     N_("run the desk (one per user)"), NULL},
    {"mcp",
     "[--profile core|computer|all] [--desktop DESKTOP]\n"
     "--cost [--profile core|computer|all] [--json]\n"
     "install claude-code|codex|gemini|openclaw [--profile core|computer|all] [--print] [--json]",
     N_("MCP for an agent, over standard input and output"), hf_command_mcp},
    {"call", "TOOL [JSON|-|@FILE] [--json]", N_("call a tool with JSON; prints the whole answer"),
     hf_command_call},
    {"tools", "[TOOL] [--json]", N_("list the tools and their schemas"), hf_command_tools},
    {"desktop",
     "new NAME [--size WxH] [--scale S] [--depth 16|24|30] [--private-home] [--json]\n"
     "list [--json]\n"
     "show DESKTOP [--json]\n"
     "rm DESKTOP [--json]\n"
     "attach NAME --display :N [--json]",
     N_("manage virtual desktops"), hf_command_desktop},
    {"approvals",
     "[list] [--all] [--json]\n"
     "show APPROVAL [--json]\n"
     "memory [--json]\n"
     "forget MEMORY [--json]",
     N_("list the approvals that wait for the owner"), hf_command_approvals},
    {"approve", "APPROVAL [--remember] [--for TIME] [--scope call|tool|project] [--json]",
     N_("allow a call (owner only)"), hf_command_approve},
    {"deny", "APPROVAL [--reason TEXT] [--json]", N_("refuse a call (owner only)"),
     hf_command_deny},
    {"config",
     "get [FIELD] [--json]\n"
     "set FIELD VALUE [--json]\n"
     "held [--json]\n"
     "accept [--json]\n"
     "check [FILE] [--json]\n"
     "schema [--json]",
     N_("show or change the configuration"), hf_command_config},
    {"rules",
     "list [--file FILE] [--json]\n"
     "check [COMMAND] [--keys KEYS] [--text TEXT] [--path PATH] [--url URL] [--app NAME] "
     "[--file FILE] [--json]",
     N_("show what counts as dangerous, and why"), hf_command_rules},
    {"runs",
     "[--json]\n"
     "show RUN [--json]",
     N_("list the recorded runs"), hf_command_runs},
    {"export", "RUN [-o FILE] [--json]", N_("save a run as a page that a browser can play"),
     hf_command_export},
    {"ledger", "list [--run RUN] [--json]", N_("list the changes, and which can be undone"),
     hf_command_ledger},
    {"undo",
     "[--last N] [--to STEP] [--only] [--skip] [--list] [--desktop DESKTOP] [--dry_run] [--json]",
     N_("undo the latest changes, or all since a step"), hf_command_undo},
    {"workflow",
     "run FILE [--var NAME=VALUE]... [--desktop DESKTOP] [--timeout MS] [--async] [--json]\n"
     "check FILE [--var NAME=VALUE]... [--desktop DESKTOP] [--json]\n"
     "schema [--json]",
     N_("run a workflow from a file"), hf_command_workflow},
    {"operations", "[--json]", N_("list the background operations"), hf_command_operations},
    {"audit",
     "list [--run RUN] [--tool TOOL] [--caller NAME] [--since TIME] [--limit N] [--json]\n"
     "verify [FILE] [--key PUBLIC]... [--head HEAD] [--json]\n"
     "export [--since TIME] [-o FILE] [--json]\n"
     "key [--json]\n"
     "head [--json]\n"
     "rotate-key [--json]",
     N_("show and verify the record of all calls"), hf_command_audit},
    {"stop", "[--reason TEXT] [--json]", N_("stop everything at once"), hf_command_stop},
    {"pause", "[--desktop DESKTOP] [--run RUN] [--reason TEXT] [--json]",
     N_("pause everything, a desktop or a run"), hf_command_pause},
    {"abort", "RUN [--reason TEXT] [--json]", N_("abort a run: it takes no further step"),
     hf_command_abort},
    {"resume", "[--desktop DESKTOP] [--run RUN] [--reason TEXT] [--json]",
     N_("continue after a stop or pause (owner only, at a terminal)"), hf_command_resume},
    {"grant",
     "new [NAME] --tools LIST... [--dir DIR]... [--domain NAME]... [--app NAME]... "
     "[--workspace DIR] [--max-risk low|medium|high|critical] [--expires TIME] [--max-calls N] "
     "[--override TOOL=ACTION]... [--from GRANT] [--json]\n"
     "list [--json]\n"
     "show GRANT [--json]\n"
     "revoke GRANT [--json]",
     N_("manage grants: what a caller may do"), hf_command_grant},
    {"taint",
     "list [--json]\n"
     "clear [CALLER] [--json]",
     N_("show and clear who is held back because of text of others"), hf_command_taint},
    {"token",
     "new NAME [--level L1|L2|L3|L4] [--role client|observer|owner] [--grant GRANT] "
     "[--expires TIME] [--json]\n"
     "list [--json]\n"
     "rotate NAME [--json]\n"
     "revoke NAME [--json]",
     N_("manage access tokens for HTTP"), hf_command_token},
    {"status", "[--json]", N_("show what is running"), hf_command_status},
    {"watch", "[--json] [--since ID] [--type TYPE]", N_("show events as they happen"),
     hf_command_watch},
    {"completion", "bash|zsh|fish", N_("print the completion script for your shell"),
     hf_command_completion},
    {"doctor", "[--json]",
     N_("check that everything needed is installed and works, and how to fix it"),
     hf_command_doctor},
    {"help", "[COMMAND] [--json]", N_("show this list, or the help of one command or tool"),
     hf_command_help},
    {0},
};

const HfCommand *hf_commands(void)
{
    return commands;
}

const HfCommand *hf_command_find(const char *name)
{
    for (const HfCommand *command = commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

int hf_command_print_usage(const char *name)
{
    const HfCommand *command = hf_command_find(name);
    g_auto(GStrv) forms = g_strsplit(command ? command->usage : "", "\n", -1);
    if (hf_print_is_json()) {
        g_autoptr(GError) error = NULL;
        hf_fail(&error, HF_ERROR_INVALID_PARAMS, "usage: handfast %s %s", name, forms[0]);
        hf_error_suggest(&error, _("see: handfast help %s"), name);
        hf_print_gerror(error);
        return HF_EXIT_USAGE;
    }
    for (int i = 0; forms[i]; i++)
        fprintf(stderr, "%s handfast %s %s\n", i == 0 ? _("usage:") : "      ", name, forms[i]);
    return HF_EXIT_USAGE;
}
