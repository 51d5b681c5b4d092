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
    if (argc > 1)
        return hf_command_refuse("tools");
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

/* The short form of what follows a command: its verbs, or the one way that it is used without what
 * flags may be left out. */
static char *brief_usage(const HfCommand *command)
{
    g_auto(GStrv) forms = g_strsplit(command->usage, "\n", -1);
    g_autoptr(GString) words = g_string_new(NULL);
    if (!forms[0] || !forms[1]) {
        const char *end = strstr(command->usage, "[-");
        return g_strchomp(end ? g_strndup(command->usage, (gsize)(end - command->usage))
                              : g_strdup(command->usage));
    }
    for (char **form = forms; *form; form++)
        if (g_ascii_islower((*form)[0]) || g_ascii_islower((*form)[1])) {
            g_string_append(words, words->len ? "|" : "");
            g_string_append_len(words, *form, (gssize)strcspn(*form, " "));
        }
    return g_strdup(words->str);
}

static void print_command(const char *name, const char *usage, const char *about)
{
    g_autofree char *words = g_strdup_printf("handfast %s%s%s", name, *usage ? " " : "", usage);
    printf("  %-42s %s\n", words, about);
}

static void print_commands(void)
{
    hf_print_title(_("Usage"));
    print_command("TOOL", "[--param value]", _("call a tool; --help shows its parameters"));
    for (const HfCommand *command = hf_commands(); command->name; command++) {
        g_autofree char *usage = brief_usage(command);
        print_command(command->name, usage, _(command->about));
    }
}

static int help_on(const char *name)
{
    const HfTool *tool = hf_registry_find(name);
    const HfCommand *command = hf_command_find(name);
    if (tool) {
        hf_help_tool(tool);
        return HF_EXIT_OK;
    }
    if (!command) {
        fprintf(stderr, _("handfast: there is no command or tool '%s'; see: handfast help\n"),
                name);
        return HF_EXIT_USAGE;
    }
    hf_help_command(command);
    return HF_EXIT_OK;
}

void hf_help_command(const HfCommand *command)
{
    g_auto(GStrv) forms = g_strsplit(command->usage, "\n", -1);
    hf_print_title(command->name);
    printf("%s\n\n", _(command->about));
    hf_print_title(_("Usage"));
    for (char **form = forms; *form; form++)
        printf("  handfast %s %s\n", command->name, *form);
}

/* The table of commands for those who make documents of it. */
static int help_as_json(void)
{
    g_autoptr(json_t) list = json_array();
    for (const HfCommand *command = hf_commands(); command->name; command++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", command->name, "usage",
                                              command->usage, "about", command->about));
    hf_print_json(list);
    return HF_EXIT_OK;
}

int hf_command_help(int argc, char **argv)
{
    if (argc == 1 && strcmp(argv[0], "--json") == 0)
        return help_as_json();
    if (argc > 0)
        return help_on(argv[0]);
    printf(_("Handfast %s: fast hands and eyes on a real desktop, for any agent.\n\n"), HF_VERSION);
    print_commands();
    printf("\n");
    print_tool_lines();
    printf(
        "\n%s\n",
        _("A text may also be - (standard input), @FILE (a file), or @=TEXT (TEXT as it stands)."));
    printf("%s\n", _("Exit status: 0 ok, 1 the tool failed, 2 wrong usage, 3 no desk is running."));
    return HF_EXIT_OK;
}
