/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast mcp`: serves MCP over standard input and output, prints what profiles cost, and
 * installs itself in clients. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/command-arguments.h"
#include "cli/commands.h"
#include "cli/mcp/mcp-install.h"
#include "cli/mcp/mcp-stdio.h"
#include "cli/mcp/token-estimate.h"
#include "cli/print.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"

static json_t *cost_of(const char *profile)
{
    g_autoptr(json_t) tools = hf_profile_list_tools(profile);
    g_autofree char *text = hf_json_dump(tools);
    gsize listed = hf_token_estimate(text);
    gsize instructions = hf_token_estimate(hf_profile_get_instructions(profile));
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s}", "profile", profile, "tools",
                     (int)json_array_size(tools), "listing", (int)listed, "instructions",
                     (int)instructions, "tokens", (int)(listed + instructions), "about",
                     _(hf_profile_get_about(profile)));
}

static int print_cost(const char *profile)
{
    static const char *const columns[] = {"profile", "tools", "listing", "instructions",
                                          "tokens",  "about", NULL};
    g_autoptr(json_t) rows = json_array();
    for (const char *const *name = hf_profile_names(); *name; name++)
        if (!profile || strcmp(profile, *name) == 0)
            json_array_append_new(rows, cost_of(*name));
    if (hf_print_is_json())
        hf_print_json(rows);
    else
        hf_print_table(rows, columns);
    return HF_EXIT_OK;
}

static int install_client(const char *client, const char *profile, gboolean only_print)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *path = hf_mcp_install_path(client), *backup = NULL;
    if (only_print) {
        g_autofree char *text = hf_mcp_install_text(client, program, profile);
        fprintf(stderr, _("for %s:\n"), path);
        fputs(text, stdout);
        return HF_EXIT_OK;
    }
    if (!hf_mcp_install(client, program, profile, &backup, &error)) {
        hf_print_gerror(error);
        return HF_EXIT_FAILED;
    }
    if (hf_print_is_json()) {
        g_autoptr(json_t) result =
            json_pack("{s:s, s:o, s:o}", "client", client, "file", hf_json_text(path), "backup",
                      backup ? hf_json_text(backup) : json_null());
        hf_print_json(result);
        return HF_EXIT_OK;
    }
    printf(_("%s can use Handfast now (%s)\n"), client, path);
    if (backup)
        printf(_("backup of the old file: %s\n"), backup);
    return HF_EXIT_OK;
}

int hf_command_mcp(int argc, char **argv)
{
    g_autoptr(HfCommandArguments) words = hf_command_arguments_parse_or_report("mcp", argc, argv);
    if (!words)
        return HF_EXIT_USAGE;
    const char *profile = hf_command_arguments_get(words, "profile");
    if (hf_command_arguments_is(words, "install"))
        return install_client(hf_command_arguments_positional(words, 1), profile,
                              hf_command_arguments_has(words, "print"));
    if (hf_command_arguments_has(words, "cost"))
        return print_cost(profile);
    return hf_mcp_stdio_run(
        &(HfMcpStdioOptions){profile, hf_command_arguments_get(words, "desktop")});
}
