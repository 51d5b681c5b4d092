/* SPDX-License-Identifier: Apache-2.0 */
/* Prints only candidates that begin with the typed word. A slow desk must not block the prompt:
 * candidates that need no desk come first, and an alarm ends the process. */
#include "cli/completion/complete.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/completion/complete-names.h"
#include "cli/flag-help.h"
#include "cli/tool-arguments.h"
#include "cli/usage.h"
#include "shared/base/i18n.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

static void offer_choices(const HfCompletionOffer *wanted, const char *const *choices)
{
    for (; choices && *choices; choices++)
        hf_complete_offer(wanted, *choices, NULL);
}

/* ---- tools ---- */

static const HfParam *find_completed_param(const HfTool *tool, const char *flag)
{
    g_autofree char *name = g_strdelimit(g_strdup(flag), "-", '_');
    const HfParam *param = hf_param_find(tool->params, name);
    return param ? param : hf_param_find(hf_common_params, name);
}

static void offer_values(const HfCompletionOffer *wanted, const HfParam *param)
{
    static const char *const switches[] = {"true", "false", NULL};
    const HfParam *items = param->type == HF_TYPE_ARRAY ? param->items : NULL;
    offer_choices(wanted, param->choices ? param->choices : items ? items->choices : NULL);
    if (param->type == HF_TYPE_BOOLEAN)
        offer_choices(wanted, switches);
    hf_complete_offer_names(wanted, param->name);
}

static void offer_params(const HfCompletionOffer *wanted, const HfParam *table)
{
    for (const HfParam *param = table; param && param->name; param++) {
        g_autofree char *flag = g_strconcat("--", param->name, NULL);
        hf_complete_offer(wanted, flag, hf_cli_param_about(param));
    }
}

static void offer_flags_of_tool(const HfCompletionOffer *wanted, const HfTool *tool)
{
    offer_params(wanted, tool->params);
    offer_params(wanted, hf_common_params);
    hf_complete_offer(wanted, "--json", hf_cli_flag_about("", "json"));
    hf_complete_offer(wanted, "-o", hf_cli_flag_about("", "o"));
    hf_complete_offer(wanted, "--help", NULL);
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
    HfCompletionOffer wanted = {words[count - 1], ""};
    const char *before = count > 1 ? words[count - 2] : "", *equals = strchr(wanted.typed, '=');
    const HfParam *param =
        g_str_has_prefix(before, "--") ? find_completed_param(tool, before + 2) : NULL;
    if (strcmp(before, "-o") == 0 || wanted.typed[0] == '@') {
        puts(HF_OFFER_FILES);
    } else if (param && param->type != HF_TYPE_BOOLEAN) {
        offer_values(&wanted, param);
    } else if (g_str_has_prefix(wanted.typed, "--") && equals) {
        g_autofree char *flag = g_strndup(wanted.typed + 2, (gsize)(equals - wanted.typed - 2));
        g_autofree char *lead = g_strconcat("--", flag, "=", NULL);
        wanted = (HfCompletionOffer){equals + 1, lead};
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
static void offer_for(const HfCompletionOffer *wanted, const char *name)
{
    g_auto(GStrv) choices = hf_usage_dup_choices(name);
    if (choices)
        offer_choices(wanted, (const char *const *)choices);
    else
        hf_complete_offer_names(wanted, name);
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

static void offer_flags_of_form(const HfCompletionOffer *wanted, const HfCommand *command,
                                const HfUsageForm *form, GHashTable *offered)
{
    for (guint i = 0; i < form->words->len; i++) {
        const HfUsageWord *word = form->words->pdata[i];
        if (word->kind != HF_USAGE_FLAG || !g_hash_table_add(offered, word->name))
            continue;
        g_autofree char *flag = g_strconcat(word->name[1] ? "--" : "-", word->name, NULL);
        hf_complete_offer(wanted, flag, hf_cli_flag_about(command->name, word->name));
    }
}

static void complete_command(const HfCommand *command, int count, char **words)
{
    g_autoptr(GPtrArray) forms = hf_usage_new(command->usage);
    g_autoptr(GPtrArray) plain = plain_words(forms, count - 1, words);
    g_autoptr(GHashTable) offered = g_hash_table_new(g_str_hash, g_str_equal);
    HfCompletionOffer wanted = {words[count - 1], ""};
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
            hf_complete_offer(&wanted, next->name, NULL);
        else if (next && g_hash_table_add(offered, next->name))
            offer_for(&wanted, next->name);
    }
}

void hf_complete(int count, char **words)
{
    if (count < 1)
        return;
    alarm(2);
    HfCompletionOffer wanted = {words[0], ""};
    const HfCommand *command = hf_command_find(words[0]);
    const HfTool *tool = hf_registry_find(words[0]);
    if (count == 1)
        hf_complete_offer_names(&wanted, "COMMAND");
    else if (command)
        complete_command(command, count - 1, words + 1);
    else if (tool)
        complete_tool(tool, count - 1, words + 1);
}
