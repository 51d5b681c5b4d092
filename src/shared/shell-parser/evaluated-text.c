/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins evaluate some of their arguments a second time: test -v 'a[$(ls)]' runs ls, and so does
 * a prompt that holds $(ls). Quotes do not help there. A value is read when it is set, wherever it
 * is evaluated later. */
#include "shared/shell-parser/evaluated-text.h"

#include <string.h>

static const char unknown_text[] = {HF_SCRIPT_UNKNOWN, '\0'};

void hf_script_read_evaluated_word(const HfScriptReader *reader, const char *text)
{
    HfScriptState *state = reader->state;
    gsize length = strlen(text);
    if (!strstr(text, "$(") && !strchr(text, '`'))
        return;
    if (length > state->bytes_left) {
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
        return;
    }
    state->bytes_left -= length;
    HfScriptReader inside = *reader;
    inside.text = text;
    inside.at = 0;
    inside.length = length;
    inside.here_line = 0;
    if (!hf_script_nest_deeper(&inside))
        return;
    gboolean decided;
    HfScriptFacts facts = state->script->facts;
    g_free(hf_script_expand_text(&inside, text, length, &decided));
    /* Text that only looks like a substitution is no mistake: it may never be evaluated. */
    state->script->facts &= facts | ~HF_SCRIPT_UNREADABLE;
    state->depth--;
}

void hf_script_read_evaluated(HfScriptState *state, const HfScriptCommand *command,
                              const char *text)
{
    HfScriptReader reader = {.state = state, .parent = command->pipeline, .place = command->place};
    hf_script_read_evaluated_word(&reader, text);
}

static gboolean is_variable_name(const char *text)
{
    gsize length = 0;
    while (g_ascii_isalnum(text[length]) || text[length] == '_')
        length++;
    return length > 0 && !text[length] && !g_ascii_isdigit(text[0]);
}

/* What a variable will hold: its input, if that is known, as a guess. */
static void fill_variable(HfScriptState *state, HfScriptCommand *command, const char *name)
{
    g_autofree char *text = g_strdup(command->input ? command->input : unknown_text);
    g_strchomp(text);
    hf_script_set_more(state, name, text);
    hf_script_command_set(command, g_strdup(name), text);
    hf_script_read_evaluated(state, command, text);
}

/* The index of the first word after options; letters in `values` take the next word. */
static guint skip_builtin_options(const HfScriptCommand *command, const char *values)
{
    guint at = 1;
    while (at < command->words->len) {
        const char *text = hf_script_command_word(command, at)->text;
        if (text[0] != '-' || !text[1])
            break;
        at++;
        if (strcmp(text, "--") == 0)
            break;
        const char *letter = strpbrk(text + 1, values);
        if (letter && !letter[1])
            at++;
    }
    return MIN(at, command->words->len);
}

static void fill_named_variables(HfScriptState *state, HfScriptCommand *command,
                                 const char *option_values)
{
    for (guint i = skip_builtin_options(command, option_values); i < command->words->len; i++) {
        const char *name = hf_script_command_word(command, i)->text;
        if (is_variable_name(name))
            fill_variable(state, command, name);
    }
}

/* The value of an option: the rest of its word, or the next word. */
static const char *find_builtin_option(const HfScriptCommand *command, char letter)
{
    for (guint i = 1; i < command->words->len; i++) {
        const char *text = hf_script_command_word(command, i)->text;
        const HfScriptWord *next = hf_script_command_word(command, i + 1);
        const char *found = text[0] == '-' && text[1] != '-' ? strchr(text, letter) : NULL;
        if (found)
            return found[1] ? found + 1 : next ? next->text : NULL;
    }
    return NULL;
}

/* -C COMMAND of complete, compgen and mapfile; bind -x '"\C-a": COMMAND'. */
static void run_callback(HfScriptState *state, const HfScriptCommand *command)
{
    gboolean bind = strcmp(command->name, "bind") == 0;
    const char *text = find_builtin_option(command, bind ? 'x' : 'C');
    const char *colon = bind && text ? strchr(text, ':') : NULL;
    if (text)
        hf_script_read_nested(state, command, colon ? colon + 1 : text, HF_COMMAND_MORE);
}

/* hash -p FILE NAME: that name is this file from now on. */
static void run_hash(HfScriptState *state, const HfScriptCommand *command)
{
    const char *file = find_builtin_option(command, 'p');
    const HfScriptWord *last = hf_script_command_word(command, command->words->len - 1);
    if (file && last)
        g_hash_table_replace(state->aliases, g_strdup(last->text), g_strdup(file));
}

void hf_script_run_builtin(HfScriptState *state, HfScriptCommand *command)
{
    static const char *const callbacks[] = {"compgen", "complete",  "mapfile",
                                            "bind",    "readarray", NULL};
    gboolean prints = strcmp(command->name, "printf") == 0;
    const char *target = prints ? find_builtin_option(command, 'v') : NULL;
    for (guint i = 1; i < command->words->len && !prints; i++)
        hf_script_read_evaluated(state, command, hf_script_command_word(command, i)->text);
    if (target)
        hf_script_read_evaluated(state, command, target);
    if (target && is_variable_name(target))
        fill_variable(state, command, target);
    if (g_strv_contains(callbacks, command->name))
        run_callback(state, command);
    if (strcmp(command->name, "read") == 0)
        fill_named_variables(state, command, "adeinNptu");
    else if (strcmp(command->name, "mapfile") == 0 || strcmp(command->name, "readarray") == 0)
        fill_named_variables(state, command, "dnOsuCc");
    else if (strcmp(command->name, "hash") == 0)
        run_hash(state, command);
}

static void export_variable(HfScriptState *state, HfScriptCommand *command, const char *name)
{
    const HfScriptVariable *known = g_hash_table_lookup(state->variables, name);
    hf_script_command_set(command, g_strdup(name), known ? known->text : "");
}

void hf_script_run_declare(HfScriptState *state, HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++) {
        const HfScriptWord *word = hf_script_command_word(command, i);
        hf_script_read_evaluated(state, command, word->text);
        if (is_variable_name(word->text))
            export_variable(state, command, word->text);
        if (!hf_script_is_assignment(word->text))
            continue;
        const char *value = strchr(word->text, '=') + 1;
        g_autofree char *name = g_strndup(word->text, strcspn(word->text, "="));
        hf_script_set_variable(state, name, value, word->decided);
        hf_script_command_set(command, g_steal_pointer(&name), value);
    }
}
