/* Help, made from the registry. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "tool/check.h"
#include "tool/registry.h"
#include "tool/schema.h"

static void print_params(const HfParam *table)
{
    for (const HfParam *param = table; param && param->name; param++) {
        g_autofree char *choices = param->choices ? g_strjoinv("|", (char **)param->choices) : NULL;
        printf("  --%-16s %s%s%s%s", param->name, choices ? choices : hf_type_name(param->type),
               param->also ? " or " : "", param->also ? hf_type_name(param->also->type) : "",
               param->required ? ", required" : "");
        if (param->fallback)
            printf(", default %s", param->fallback);
        printf("\n      %s\n", param->about ? param->about : "");
    }
}

void hf_help_tool(const HfTool *tool)
{
    hf_print_title(tool->name);
    printf("%s\n\n", tool->summary);
    printf("  category %s, risk %s, level %s, needs %s\n\n", hf_category_name(tool->category),
           hf_risk_name(tool->risk), hf_level_name(tool->level), hf_needs_name(tool->needs));
    hf_print_title(_("Parameters"));
    print_params(tool->params);
    hf_print_title(_("Parameters of every tool"));
    print_params(hf_common_params);
    hf_print_title(_("Result"));
    for (const HfParam *field = tool->result; field && field->name; field++)
        printf("  %-18s %s%s%s\n", field->name, hf_type_name(field->type), field->about ? ": " : "",
               field->about ? field->about : "");
    printf("\n  --json prints the whole answer, -o FILE says where a picture goes.\n");
    printf(
        "  %s\n",
        _("A text may also be - (standard input), @FILE (a file), or @=TEXT (TEXT as it stands)."));
}

static void print_tool_lines(void)
{
    for (int category = 1; category < HF_CATEGORY_COUNT; category++) {
        gboolean titled = FALSE;
        for (const HfTool *const *tool = hf_registry(); *tool; tool++) {
            if ((*tool)->category != (HfCategory)category)
                continue;
            if (!titled)
                hf_print_title(_(hf_category_name((HfCategory)category)));
            titled = TRUE;
            printf("  %-18s %s\n", (*tool)->name, _((*tool)->title));
        }
    }
}

int hf_command_tools(int argc, char **argv)
{
    gboolean as_json = argc > 0 && strcmp(argv[argc - 1], "--json") == 0;
    argc -= as_json;
    if (argc > 1) {
        fprintf(stderr, "usage: handfast tools [NAME] [--json]\n");
        return HF_EXIT_USAGE;
    }
    const HfTool *tool = argc == 1 ? hf_registry_find(argv[0]) : NULL;
    if (argc == 1 && !tool) {
        fprintf(stderr, "UNKNOWN_TOOL: there is no tool '%s'; see: handfast tools\n", argv[0]);
        return HF_EXIT_USAGE;
    }
    if (!as_json) {
        if (tool)
            hf_help_tool(tool);
        else
            print_tool_lines();
        return HF_EXIT_OK;
    }
    g_autoptr(json_t) list = json_array();
    for (const HfTool *const *each = hf_registry(); *each; each++)
        if (!tool || *each == tool)
            json_array_append_new(list, hf_schema_of_tool(*each));
    hf_print_json(tool ? json_array_get(list, 0) : list);
    return HF_EXIT_OK;
}

static void print_command(const char *command, const char *about)
{
    printf("  %-36s %s\n", command, about);
}

int hf_command_help(int argc, char **argv)
{
    const HfTool *tool = argc > 0 ? hf_registry_find(argv[0]) : NULL;
    if (tool) {
        hf_help_tool(tool);
        return HF_EXIT_OK;
    }
    printf(_("Handfast %s: fast hands and eyes on a real desktop, for any agent.\n\n"), HF_VERSION);
    hf_print_title(_("Usage"));
    print_command("handfast serve", _("run the desk (one per user)"));
    print_command("handfast TOOL [--param value]", _("call a tool; --help shows its parameters"));
    print_command("handfast call TOOL JSON|-|@FILE",
                  _("the same with JSON; prints the whole answer"));
    print_command("handfast tools [NAME] [--json]", _("the tools and their schemas"));
    print_command("handfast desktop new|list|rm|attach", _("virtual desktops"));
    print_command("handfast approvals [show ID]", _("what waits for the owner's answer"));
    print_command("handfast approve ID | deny ID", _("the owner's answer"));
    print_command("handfast config get|set|check", _("the agreement that calls are held to"));
    print_command("handfast rules list|check COMMAND", _("what counts as dangerous, and why"));
    print_command("handfast runs [show RUN] [--json]", _("what runs have left to be looked at"));
    print_command("handfast export RUN [-o FILE]", _("a run as a page that plays in a browser"));
    print_command("handfast ledger list", _("what was changed, and what can be undone"));
    print_command("handfast undo [--to STEP]",
                  _("take the latest change back, or all since a step"));
    print_command("handfast audit list|verify|export", _("what was done, and the proof of it"));
    print_command("handfast stop [--reason TEXT]", _("stop everything, at once"));
    print_command("handfast pause [--desktop D | --run R]", _("let nothing go on for a while"));
    print_command("handfast abort RUN", _("do no later step of a run"));
    print_command("handfast resume [--desktop D | --run R]", _("go on (the owner, at a terminal)"));
    print_command("handfast grant new|list|show|revoke", _("what callers are bound to"));
    print_command("handfast status", _("what is running"));
    printf("\n");
    print_tool_lines();
    printf(
        "\n%s\n",
        _("A text may also be - (standard input), @FILE (a file), or @=TEXT (TEXT as it stands)."));
    printf("%s\n", _("Exit status: 0 ok, 1 the tool failed, 2 wrong usage, 3 no desk is running."));
    return HF_EXIT_OK;
}
