/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a command matches a rule: its name, its options in any spelling, its arguments, its
 * input and where it writes. */
#include <string.h>

#include "shared/rules/rule.h"
#include "shared/text/glob.h"

gboolean hf_rule_regex_matches(const GRegex *regex, const char *text)
{
    return g_regex_match_full(regex, text, -1, 0, 0, NULL, NULL);
}

gboolean hf_rule_globs_match(char *const *globs, const char *text)
{
    for (; *globs; globs++)
        if (hf_glob_matches(*globs, text))
            return TRUE;
    return FALSE;
}

static const char *command_word_text(const HfScriptCommand *command, guint index)
{
    return ((const HfScriptWord *)command->words->pdata[index])->text;
}

/* One argument as an option: -rf has r and f, --recursive may be shortened, -delete is a word. */
static gboolean is_option_flag(const char *text, const char *flag)
{
    gsize length = strlen(flag);
    if (text[0] != '-' || !text[1])
        return FALSE;
    if (text[1] == '-') {
        gsize given = strcspn(text + 2, "=");
        return length > 1 && given > 0 && given <= length && strncmp(text + 2, flag, given) == 0;
    }
    if (length == 1)
        return strchr(text + 1, flag[0]) != NULL;
    return strcmp(text + 1, flag) == 0;
}

static gboolean has_flag(const HfScriptCommand *command, char *const *flags)
{
    for (guint i = 1; i < command->words->len; i++) {
        if (strcmp(command_word_text(command, i), "--") == 0)
            return FALSE;
        for (char *const *flag = flags; *flag; flag++)
            if (is_option_flag(command_word_text(command, i), *flag))
                return TRUE;
    }
    return FALSE;
}

/* Some of its words may turn out to be options. */
static gboolean may_have_flags(const HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++) {
        const HfScriptWord *word = command->words->pdata[i];
        if (!word->decided && !word->quoted && word->text[0] == HF_SCRIPT_UNKNOWN)
            return TRUE;
    }
    return FALSE;
}

static gboolean fits_flags(const HfRule *rule, const HfScriptCommand *command, gboolean *ret_maybe)
{
    for (guint i = 0; i < rule->flags->len; i++) {
        if (has_flag(command, rule->flags->pdata[i]))
            continue;
        if (rule->risk < HF_RISK_CRITICAL || !may_have_flags(command))
            return FALSE;
        *ret_maybe = TRUE;
    }
    return !rule->lacks_flags || !has_flag(command, rule->lacks_flags);
}

/* `git -C dir push`: a word right after an option may be its value, and is skipped. */
static gboolean fits_words(const HfRule *rule, const HfScriptCommand *command)
{
    char *const *glob = rule->words;
    gboolean after_option = FALSE;
    for (guint i = 1; glob && *glob && i < command->words->len; i++) {
        const char *text = command_word_text(command, i);
        if (text[0] == '-' && text[1]) {
            after_option = TRUE;
            continue;
        }
        g_auto(GStrv) choices = g_strsplit(*glob, "|", -1);
        if (hf_rule_globs_match(choices, text))
            glob++;
        else if (!after_option)
            return FALSE;
        after_option = FALSE;
    }
    return !glob || !*glob;
}

static gboolean some_argument(const HfScriptCommand *command, const GRegex *regex)
{
    for (guint i = 1; i < command->words->len; i++)
        if (hf_rule_regex_matches(regex, command_word_text(command, i)))
            return TRUE;
    return FALSE;
}

static gboolean fits_arguments(const HfRule *rule, const HfScriptCommand *command)
{
    for (guint i = 0; i < rule->arguments->len; i++)
        if (!some_argument(command, rule->arguments->pdata[i]))
            return FALSE;
    return !rule->lacks_argument || !some_argument(command, rule->lacks_argument);
}

static gboolean fits_text(const HfRule *rule, const HfScriptCommand *command)
{
    if (!rule->text && !rule->lacks_text)
        return TRUE;
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint i = 1; i < command->words->len; i++)
        g_string_append_printf(all, "%s ", command_word_text(command, i));
    g_string_append(all, command->input ? command->input : "");
    return (!rule->text || hf_rule_regex_matches(rule->text, all->str)) &&
           (!rule->lacks_text || !hf_rule_regex_matches(rule->lacks_text, all->str));
}

static gboolean some_redirect(const HfScriptCommand *command, const GRegex *regex, gboolean writes)
{
    for (guint i = 0; i < command->redirects->len; i++) {
        const HfScriptRedirect *redirect = command->redirects->pdata[i];
        if (redirect->writes == writes && hf_rule_regex_matches(regex, redirect->target.text))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_fed_by(const HfScript *script, const HfScriptCommand *command, char *const *from)
{
    for (guint i = 0; i < script->commands->len; i++) {
        const HfScriptCommand *other = script->commands->pdata[i];
        if (other != command && hf_rule_globs_match(from, other->name) &&
            hf_script_feeds(script, other, command))
            return TRUE;
    }
    return FALSE;
}

static gboolean fits_sets(const HfRule *rule, const HfScriptCommand *command)
{
    for (guint i = 0; i < command->sets->len; i++)
        if (hf_rule_globs_match(rule->sets, command->sets->pdata[i]) &&
            (!rule->lacks_value ||
             !hf_rule_regex_matches(rule->lacks_value, command->values->pdata[i])))
            return TRUE;
    return FALSE;
}

static gboolean is_with(const HfScript *script, const HfScriptCommand *command, char *const *with)
{
    for (guint i = 0; i < script->commands->len; i++) {
        const HfScriptCommand *other = script->commands->pdata[i];
        if (other != command && hf_rule_globs_match(with, other->name))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_rule_matches_command(const HfRule *rule, const HfScript *script,
                                 const HfScriptCommand *command, gboolean *ret_maybe)
{
    *ret_maybe = FALSE;
    if ((rule->names && !hf_rule_globs_match(rule->names, command->name)) || rule->script_facts)
        return FALSE;
    return (!rule->facts || command->facts & rule->facts) &&
           (!rule->sets || fits_sets(rule, command)) &&
           (!rule->redirect || some_redirect(command, rule->redirect, TRUE)) &&
           (!rule->reads || some_redirect(command, rule->reads, FALSE)) &&
           fits_words(rule, command) && fits_flags(rule, command, ret_maybe) &&
           fits_arguments(rule, command) && fits_text(rule, command) &&
           (!rule->code || (command->code && hf_rule_regex_matches(rule->code, command->code))) &&
           (!rule->from || is_fed_by(script, command, rule->from)) &&
           (!rule->with || is_with(script, command, rule->with));
}
