/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast completion SHELL` prints the script that a shell loads once. With `--` and words it
 * prints the candidates that the script asks for at each tab.
 * Prints only candidates that begin with the typed word. A slow desk must not block the prompt:
 * candidates that need no desk come first, and an alarm ends the process. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/completion-bash.h"
#include "cli/completion-fish.h"
#include "cli/completion-zsh.h"
#include "cli/desk-client.h"
#include "cli/flag-help.h"
#include "cli/tool-arguments.h"
#include "cli/usage.h"
#include "desk/policy/config/config.h"
#include "desk/records/evidence/run-folder.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

/* Printed in place of candidates: the shell completes files itself. */
#define OFFER_FILES ":files"

/* The text that is being typed, and what stands before it in the same word ("--format="). */
typedef struct Offer {
    const char *typed, *lead;
} Offer;

static void offer_word(const Offer *offer, const char *word, const char *about)
{
    g_autofree char *line = about ? g_strdup(about) : NULL;
    /* A shell cannot complete a name that contains a newline. */
    if (!word || !g_str_has_prefix(word, offer->typed) || strpbrk(word, "\n\t"))
        return;
    printf("%s%s%s%s\n", offer->lead, word, line && *line ? "\t" : "",
           line ? g_strdelimit(line, "\n\t", ' ') : "");
}

static void offer_files(const Offer *offer)
{
    puts(OFFER_FILES);
}

static void offer_tools(const Offer *offer)
{
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        offer_word(offer, (*tool)->name, _((*tool)->title));
}

static void offer_commands(const Offer *offer)
{
    for (const HfCommand *command = hf_commands(); command->name; command++)
        offer_word(offer, command->name, _(command->about));
    offer_tools(offer);
}

static void offer_runs(const Offer *offer)
{
    g_autofree char *root = hf_runs_dup_root();
    g_autoptr(json_t) runs = hf_runs_list(root);
    hf_json_each (run, runs)
        offer_word(offer, hf_json_string(run, "run", NULL), hf_json_string(run, "when", NULL));
}

static void offer_fields_of(const Offer *offer, const char *lead, const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)object, name, value) {
        g_autofree char *path = g_strconcat(lead, *lead ? "." : "", name, NULL);
        offer_word(offer, path, NULL);
        if (json_is_object(value))
            offer_fields_of(offer, path, value);
    }
}

static void offer_fields(const Offer *offer)
{
    g_autoptr(HfConfig) config = hf_config_new_default();
    offer_fields_of(offer, "", hf_config_document(config));
}

/* What the desk lists: by a method, or by a read-only tool on the main desktop. */
static const struct {
    const char *name, *method, *tool, *list, *word, *about;
} listed[] = {
    {"DESKTOP", "desktop.list", NULL, "desktops", "name", "display"},
    {"desktop", "desktop.list", NULL, "desktops", "name", "display"},
    {"APPROVAL", "approvals.list", NULL, "approvals", "id", "tool"},
    {"MEMORY", "approvals.memory", NULL, "memory", "id", "tool"},
    {"GRANT", "grant.list", NULL, "grants", "id", "made_by"},
    {"grant", "grant.list", NULL, "grants", "id", "made_by"},
    {"window_title", "call", "window_list", "windows", "title", "process"},
};

static void offer_listed(const Offer *offer, gsize i)
{
    json_t *params =
        listed[i].tool ? json_pack("{s:s, s:{}}", "tool", listed[i].tool, "params") : json_object();
    fflush(stdout);
    g_autoptr(json_t) answer = hf_cli_request(listed[i].method, params, NULL);
    const json_t *rows = json_object_get(json_object_get(answer, "result"), listed[i].list);
    hf_json_each (row, rows)
        offer_word(offer, hf_json_string(row, listed[i].word, NULL),
                   hf_json_string(row, listed[i].about, NULL));
}

static const struct {
    const char *name;
    void (*offer)(const Offer *offer);
} known[] = {
    {"COMMAND", offer_commands}, {"TOOL", offer_tools},   {"RUN", offer_runs},
    {"run_id", offer_runs},      {"FIELD", offer_fields}, {"FILE", offer_files},
    {"DIR", offer_files},        {"PATH", offer_files},   {"JSON|-|@FILE", offer_files},
};

static void offer_names(const Offer *offer, const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(known[i].name, name) == 0)
            known[i].offer(offer);
    for (gsize i = 0; i < G_N_ELEMENTS(listed); i++)
        if (strcmp(listed[i].name, name) == 0)
            offer_listed(offer, i);
}

static void offer_choices(const Offer *wanted, const char *const *choices)
{
    for (; choices && *choices; choices++)
        offer_word(wanted, *choices, NULL);
}

/* ---- tools ---- */

static const HfParam *find_completed_param(const HfTool *tool, const char *flag)
{
    g_autofree char *name = g_strdelimit(g_strdup(flag), "-", '_');
    const HfParam *param = hf_param_find(tool->params, name);
    return param ? param : hf_param_find(hf_common_params, name);
}

static void offer_values(const Offer *wanted, const HfParam *param)
{
    static const char *const switches[] = {"true", "false", NULL};
    const HfParam *items = param->type == HF_TYPE_ARRAY ? param->items : NULL;
    offer_choices(wanted, param->choices ? param->choices : items ? items->choices : NULL);
    if (param->type == HF_TYPE_BOOLEAN)
        offer_choices(wanted, switches);
    offer_names(wanted, param->name);
}

static void offer_params(const Offer *wanted, const HfParam *table)
{
    for (const HfParam *param = table; param && param->name; param++) {
        g_autofree char *flag = g_strconcat("--", param->name, NULL);
        offer_word(wanted, flag, hf_cli_param_about(param));
    }
}

static void offer_flags_of_tool(const Offer *wanted, const HfTool *tool)
{
    offer_params(wanted, tool->params);
    offer_params(wanted, hf_common_params);
    offer_word(wanted, "--json", hf_cli_flag_about("", "json"));
    offer_word(wanted, "-o", hf_cli_flag_about("", "o"));
    offer_word(wanted, "--help", NULL);
}

/* How many of the previous words are positional values. */
static int count_unnamed(const HfTool *tool, int count, char **words)
{
    int unnamed = 0;
    for (int i = 0; i < count; i++) {
        const HfParam *param =
            g_str_has_prefix(words[i], "--") ? find_completed_param(tool, words[i] + 2) : NULL;
        if (words[i][0] != '-')
            unnamed++;
        else if ((param && param->type != HF_TYPE_BOOLEAN) || strcmp(words[i], "-o") == 0)
            i++;
    }
    return unnamed;
}

static void complete_tool(const HfTool *tool, int count, char **words)
{
    Offer wanted = {words[count - 1], ""};
    const char *before = count > 1 ? words[count - 2] : "", *equals = strchr(wanted.typed, '=');
    const HfParam *param =
        g_str_has_prefix(before, "--") ? find_completed_param(tool, before + 2) : NULL;
    if (strcmp(before, "-o") == 0 || wanted.typed[0] == '@') {
        puts(OFFER_FILES);
    } else if (param && param->type != HF_TYPE_BOOLEAN) {
        offer_values(&wanted, param);
    } else if (g_str_has_prefix(wanted.typed, "--") && equals) {
        g_autofree char *flag = g_strndup(wanted.typed + 2, (gsize)(equals - wanted.typed - 2));
        g_autofree char *lead = g_strconcat("--", flag, "=", NULL);
        wanted = (Offer){equals + 1, lead};
        if ((param = find_completed_param(tool, flag)))
            offer_values(&wanted, param);
    } else if (wanted.typed[0] == '-') {
        offer_flags_of_tool(&wanted, tool);
    } else if ((param = hf_tool_arguments_find_positional(tool,
                                                          count_unnamed(tool, count - 1, words)))) {
        offer_values(&wanted, param);
    }
}

/* ---- commands ---- */

/* Completes a value by its name in the usage. */
static void offer_for(const Offer *wanted, const char *name)
{
    g_auto(GStrv) choices = hf_usage_dup_choices(name);
    if (choices)
        offer_choices(wanted, (const char *const *)choices);
    else
        offer_names(wanted, name);
}

static const HfUsageWord *find_usage_flag(const GPtrArray *forms, const char *word)
{
    const char *name = word + strspn(word, "-");
    for (guint i = 0; word[0] == '-' && i < forms->len; i++) {
        const HfUsageForm *form = forms->pdata[i];
        for (guint j = 0; j < form->words->len; j++) {
            const HfUsageWord *flag = form->words->pdata[j];
            if (flag->kind == HF_USAGE_FLAG && strcmp(flag->name, name) == 0)
                return flag;
        }
    }
    return NULL;
}

/* The previous words that are neither flags nor values of flags. */
static GPtrArray *plain_words(const GPtrArray *forms, int count, char **words)
{
    GPtrArray *plain = g_ptr_array_new();
    for (int i = 0; i < count; i++) {
        const HfUsageWord *flag = find_usage_flag(forms, words[i]);
        if (flag && flag->value)
            i++;
        else if (words[i][0] != '-')
            g_ptr_array_add(plain, words[i]);
    }
    return plain;
}

/* The word of the form that follows the positional words; FALSE when they do not match the form. */
static gboolean find_next_word(const HfUsageForm *form, const GPtrArray *plain,
                               const HfUsageWord **ret_next)
{
    guint used = 0;
    *ret_next = NULL;
    for (guint i = 0; i < form->words->len; i++) {
        const HfUsageWord *word = form->words->pdata[i];
        if (word->kind == HF_USAGE_FLAG)
            continue;
        if (used == plain->len) {
            *ret_next = word;
            return TRUE;
        }
        if (word->kind == HF_USAGE_LITERAL && strcmp(word->name, plain->pdata[used]) != 0)
            return FALSE;
        used++;
    }
    return used == plain->len;
}

static void offer_flags_of_form(const Offer *wanted, const HfCommand *command,
                                const HfUsageForm *form, GHashTable *offered)
{
    for (guint i = 0; i < form->words->len; i++) {
        const HfUsageWord *word = form->words->pdata[i];
        if (word->kind != HF_USAGE_FLAG || !g_hash_table_add(offered, word->name))
            continue;
        g_autofree char *flag = g_strconcat(word->name[1] ? "--" : "-", word->name, NULL);
        offer_word(wanted, flag, hf_cli_flag_about(command->name, word->name));
    }
}

static void complete_command(const HfCommand *command, int count, char **words)
{
    g_autoptr(GPtrArray) forms = hf_usage_new(command->usage);
    g_autoptr(GPtrArray) plain = plain_words(forms, count - 1, words);
    g_autoptr(GHashTable) offered = g_hash_table_new(g_str_hash, g_str_equal);
    Offer wanted = {words[count - 1], ""};
    const HfUsageWord *before = count > 1 ? find_usage_flag(forms, words[count - 2]) : NULL, *next;
    if (before && before->value) {
        offer_for(&wanted, before->value);
        return;
    }
    for (guint i = 0; i < forms->len; i++) {
        if (!find_next_word(forms->pdata[i], plain, &next))
            continue;
        if (wanted.typed[0] == '-')
            offer_flags_of_form(&wanted, command, forms->pdata[i], offered);
        else if (next && next->kind == HF_USAGE_LITERAL)
            offer_word(&wanted, next->name, NULL);
        else if (next && g_hash_table_add(offered, next->name))
            offer_for(&wanted, next->name);
    }
}

int hf_completion_print(int count, char **words)
{
    if (count < 1)
        return HF_EXIT_OK;
    alarm(2);
    Offer wanted = {words[0], ""};
    const HfCommand *command = hf_command_find(words[0]);
    const HfTool *tool = hf_registry_find(words[0]);
    if (count == 1)
        offer_names(&wanted, "COMMAND");
    else if (command)
        complete_command(command, count - 1, words + 1);
    else if (tool)
        complete_tool(tool, count - 1, words + 1);
    return HF_EXIT_OK;
}

int hf_command_completion(const HfCommandArguments *words)
{
    const char *shell = hf_command_arguments_positional(words, 0);
    fputs(strcmp(shell, "bash") == 0  ? hf_completion_bash
          : strcmp(shell, "zsh") == 0 ? hf_completion_zsh
                                      : hf_completion_fish,
          stdout);
    return HF_EXIT_OK;
}
