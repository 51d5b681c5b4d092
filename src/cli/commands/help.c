/* SPDX-License-Identifier: Apache-2.0 */
/* Help, made from the registry and the table of commands. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/flag-help.h"
#include "cli/print.h"
#include "cli/tool-arguments.h"
#include "cli/usage.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"
#include "shared/tool/schema.h"

static const struct {
    const char *name;
    const char *words[4];
} examples[] = {
    {"screenshot",
     {"-o screen.jpg", "--region '[0,0,400,300]' --format png -o part.png",
      "--window_title Mousepad"}},
    {"zoom", {"'[100,100,200,150]' -o detail.jpg"}},
    {"mouse_move", {"300 200", "300 200 --no-smooth"}},
    {"left_click", {"300 200", "300 200 --modifiers ctrl"}},
    {"right_click", {"300 200"}},
    {"double_click", {"300 200"}},
    {"mouse_drag", {"100 100 400 300"}},
    {"scroll", {"--direction down --clicks 3", "300 200 down --clicks 3"}},
    {"type_text", {"'Hello, 世界'", "@letter.txt", "- < letter.txt"}},
    {"key_press", {"ctrl+s", "tab --repeat 3"}},
    {"hotkey", {"super+d --reason 'to see the desktop'"}},
    {"hold_key", {"shift --duration 2"}},
    {"app_launch", {"mousepad", "xterm --args=-e --args top"}},
    {"app_close", {"--name mousepad"}},
    {"window_list", {"--json", "--title report"}},
    {"window_focus", {"--window_title report"}},
    {"window_manage", {"maximize --window_title report"}},
    {"clipboard_write", {"'some text'", "@letter.txt"}},
    {"notification_send", {"'Done' 'The report is ready'"}},
    {"wait", {"0.5"}},
    {"file_read", {"notes.txt", "~/Projects --limit 20"}},
    {"file_write", {"notes.txt 'Buy milk'", "notes.txt - < letter.txt"}},
    {"file_edit", {"notes.txt milk bread"}},
    {"file_search", {". '*.txt'", ". 'milk|bread' --type content"}},
    {"file_watch", {". --timeout 1"}},
    {"undo_to", {"s_0123456789abcdef"}},
    {"serve", {"", "--virtual --size 1280x800"}},
    {"call", {"left_click '{\"x\": 300, \"y\": 200}'", "type_text @request.json"}},
    {"tools", {"", "left_click --json"}},
    {"desktop", {"new work --size 1280x800 --scale 1.25", "list --json", "rm work"}},
    {"approve", {"a_0123456789abcdef", "a_0123456789abcdef --for 1h --scope tool"}},
    {"config", {"get security.permission_level", "set security.client_level L2", "check"}},
    {"rules", {"check 'rm -rf /tmp/x'", "check --keys alt+f4"}},
    {"grant", {"new looker --tools screenshot,window_list --expires 2h", "revoke looker"}},
    {"token",
     {"new my-agent --level L2", "new phone --role owner --expires 30d", "rotate my-agent"}},
    {"operation_status", {"o_0123456789abcdef --wait_ms 10000"}},
    {"operation_cancel", {"o_0123456789abcdef"}},
    {"workflow", {"run nightly.json --var name=report", "check nightly.json", "schema"}},
    {"audit", {"list --since 1h", "verify", "export -o audit.jsonl"}},
    {"export", {"r_0123456789abcdef -o run.zip"}},
    {"completion", {"bash > ~/.local/share/bash-completion/completions/handfast"}},
    {"pause", {"--desktop main --reason lunch"}},
};

static const char *const *find_examples(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(examples); i++)
        if (strcmp(examples[i].name, name) == 0)
            return examples[i].words;
    return NULL;
}

/* The values that a parameter accepts. */
static char *dup_param_type(const HfParam *param)
{
    if (param->choices)
        return g_strjoinv("|", (char **)param->choices);
    return param->also ? g_strdup_printf(_("%s or %s"), hf_type_name(param->type),
                                         hf_type_name(param->also->type))
                       : g_strdup(hf_type_name(param->type));
}

static void print_params(const HfParam *table)
{
    for (const HfParam *param = table; param && param->name; param++) {
        g_autofree char *kind = dup_param_type(param);
        printf("  --%-16s %s%s", param->name, kind, param->required ? _(", required") : "");
        if (param->fallback)
            printf(_(", default %s"), param->fallback);
        printf("\n      %s\n", hf_cli_param_about(param));
    }
}

static void print_result(const HfParam *table)
{
    for (const HfParam *field = table; field && field->name; field++) {
        const char *about = hf_cli_param_about(field);
        printf("  %-18s %s%s%s\n", field->name, hf_type_name(field->type), *about ? ": " : "",
               about);
    }
}

static void print_examples(const char *name)
{
    const char *const *words = find_examples(name);
    if (!words)
        return;
    printf("\n");
    hf_print_title(_("Examples"));
    for (; *words; words++)
        printf("  handfast %s%s%s\n", name, **words ? " " : "", *words);
}

/* The positional values, and that there are more. */
static void print_tool_usage(const HfTool *tool)
{
    const HfParam *param;
    printf("  handfast %s", tool->name);
    for (int i = 0; (param = hf_tool_arguments_find_positional(tool, i)); i++) {
        g_autofree char *name = g_ascii_strup(param->name, -1);
        gboolean many = param->type == HF_TYPE_ARRAY;
        printf(param->required ? " %s%s" : " [%s%s]", name, many ? "..." : "");
        if (many)
            break;
    }
    printf(" [--%s] [-o %s] [--json]\n\n", _("parameter value"), _("FILE"));
}

void hf_help_print_tool(const HfTool *tool)
{
    hf_print_title(tool->name);
    printf("%s\n\n", _(tool->summary));
    printf(_("  category %s, risk %s, level %s, needs %s"), hf_category_name(tool->category),
           hf_risk_name(tool->risk), hf_level_name(tool->level), hf_needs_name(tool->needs));
    if (hf_tool_risk(tool, TRUE) != tool->risk)
        printf(_("; inside a container risk %s"), hf_risk_name(tool->risk_inside));
    if (tool->command.risk)
        printf(_("; to start a command risk %s, level %s"), hf_risk_name(tool->command.risk),
               hf_level_name(tool->command.level));
    printf("\n\n");
    hf_print_title(_("Usage"));
    print_tool_usage(tool);
    hf_print_title(_("Parameters"));
    print_params(tool->params);
    hf_print_title(_("Parameters of every tool"));
    print_params(hf_common_params);
    hf_print_title(_("Result"));
    print_result(tool->result);
    printf("\n  %s\n", _("--json prints the whole answer; -o FILE saves the picture there."));
    printf("  %s\n", _("A text can also be - (standard input), @FILE (the content of a file) or "
                       "@=TEXT (exactly TEXT)."));
    print_examples(tool->name);
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

int hf_command_tools(const HfCommandArguments *words)
{
    const char *name = hf_command_arguments_value(words, "TOOL");
    const HfTool *tool = name ? hf_registry_find(name) : NULL;
    if (name && !tool)
        return hf_cli_report_unknown_name(name);
    if (!hf_print_is_json()) {
        if (tool)
            hf_help_print_tool(tool);
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

/* The subcommands of a command with several forms; in brackets when it works without one. */
static char *dup_verbs(char **forms)
{
    g_autoptr(GString) verbs = g_string_new(NULL);
    gboolean bare = FALSE;
    for (char **form = forms; *form; form++) {
        const char *verb = *form + strspn(*form, "[");
        bare = bare || verb != *form || *verb == '-';
        if (!g_ascii_islower(*verb))
            continue;
        g_string_append(verbs, verbs->len ? "|" : "");
        g_string_append_len(verbs, verb, (gssize)strcspn(verb, " ]"));
    }
    return g_strdup_printf(bare ? "[%s]" : "%s", verbs->str);
}

/* A short form of the usage: the subcommands, or the only form without optional flags. */
static char *brief_usage(const HfCommand *command)
{
    g_auto(GStrv) forms = g_strsplit(command->usage, "\n", -1);
    if (forms[0] && forms[1])
        return dup_verbs(forms);
    const char *end = strstr(command->usage, "[-");
    return g_strchomp(end ? g_strndup(command->usage, (gsize)(end - command->usage))
                          : g_strdup(command->usage));
}

#define WORDS_COLUMNS 42

static void print_command(const char *name, const char *usage, const char *about)
{
    g_autofree char *words = g_strdup_printf("handfast %s%s%s", name, *usage ? " " : "", usage);
    if (strlen(words) <= WORDS_COLUMNS)
        printf("  %-*s %s\n", WORDS_COLUMNS, words, about);
    else /* the description starts in its column */
        printf("  %s\n  %-*s %s\n", words, WORDS_COLUMNS, "", about);
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

/* Each flag once, in the order of the forms. */
static void print_flags(const HfCommand *command)
{
    g_autoptr(GPtrArray) forms = hf_usage_new(command->usage);
    g_autoptr(GHashTable) shown = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < forms->len; i++) {
        const HfUsageForm *form = forms->pdata[i];
        for (guint j = 0; j < form->words->len; j++) {
            const HfUsageWord *word = form->words->pdata[j];
            if (word->kind != HF_USAGE_FLAG || !g_hash_table_add(shown, word->name))
                continue;
            if (g_hash_table_size(shown) == 1) {
                printf("\n");
                hf_print_title(_("Flags"));
            }
            g_autofree char *flag = g_strdup_printf("%s%s %s", word->name[1] ? "--" : "-",
                                                    word->name, word->value ? word->value : "");
            printf("  %-24s %s\n", flag, hf_cli_flag_about(command->name, word->name));
        }
    }
}

void hf_help_print_command(const HfCommand *command)
{
    g_auto(GStrv) forms = g_strsplit(command->usage, "\n", -1);
    hf_print_title(command->name);
    printf("%s\n\n", _(command->about));
    hf_print_title(_("Usage"));
    for (char **form = forms; *form; form++)
        printf("  handfast %s %s\n", command->name, *form);
    print_flags(command);
    print_examples(command->name);
}

static int help_on(const char *name)
{
    const HfTool *tool = hf_registry_find(name);
    const HfCommand *command = hf_command_find(name);
    if (command)
        hf_help_print_command(command);
    else if (tool)
        hf_help_print_tool(tool);
    else
        return hf_cli_report_unknown_name(name);
    return HF_EXIT_OK;
}

/* The table of commands, for the generators of documents. */
static int help_as_json(void)
{
    g_autoptr(json_t) list = json_array();
    for (const HfCommand *command = hf_commands(); command->name; command++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", command->name, "usage",
                                              command->usage, "about", command->about));
    hf_print_json(list);
    return HF_EXIT_OK;
}

int hf_command_help(const HfCommandArguments *words)
{
    if (hf_command_arguments_value(words, "COMMAND"))
        return help_on(hf_command_arguments_value(words, "COMMAND"));
    if (hf_print_is_json())
        return help_as_json();
    printf(_("Handfast %s: fast hands and eyes on a real desktop, for any agent."), HF_VERSION);
    printf("\n\n");
    print_commands();
    printf("\n");
    print_tool_lines();
    printf("\n%s\n", _("A text can also be - (standard input), @FILE (the content of a file) or "
                       "@=TEXT (exactly TEXT)."));
    printf("%s\n", _("Exit status: 0 ok, 1 the tool failed, 2 wrong usage, 3 no desk is running."));
    return HF_EXIT_OK;
}
