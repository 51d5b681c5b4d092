/* SPDX-License-Identifier: Apache-2.0 */
/* Variables and substitutions. A variable that the text sets has that value; any other is unknown.
 * The content of $( ) is always read as commands. */
#include <string.h>

#include "shared/shell-parser/shell-reader.h"
#include "shared/shell-parser/working-directory.h"

static char peek_in_expansion(const HfScriptReader *reader, gsize ahead)
{
    return reader->at + ahead < reader->length ? reader->text[reader->at + ahead] : '\0';
}

static gboolean is_variable_char(char character)
{
    return g_ascii_isalnum(character) || character == '_';
}

static void add_unknown_text(HfRawWord *word, gboolean quoted)
{
    hf_script_add_char(word, HF_SCRIPT_UNKNOWN, quoted ? HF_QUOTING_QUOTED : HF_QUOTING_VALUE);
    word->unsure = TRUE;
}

/* Values can double with each assignment, so they count as text that is read. */
static gboolean can_afford(HfScriptState *state, gsize length)
{
    if (length > state->bytes_left) {
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
        return FALSE;
    }
    state->bytes_left -= length;
    return TRUE;
}

static void add_expanded_value(HfScriptState *state, HfRawWord *word, const char *text,
                               gboolean decided, gboolean quoted)
{
    if (!can_afford(state, strlen(text))) {
        add_unknown_text(word, quoted);
        return;
    }
    for (; *text; text++)
        hf_script_add_char(word, *text, quoted ? HF_QUOTING_QUOTED : HF_QUOTING_VALUE);
    word->unsure |= !decided;
}

/* Commands in a substitution are not part of this pipeline, but their output goes into it. */
void hf_script_read_inner(HfScriptReader *reader)
{
    int parent = reader->parent, place = reader->place;
    GPtrArray *saved = hf_script_save_directories(reader->state);
    reader->parent = -1;
    if (hf_script_nest_deeper(reader)) {
        hf_script_read_list(reader, ')');
        reader->state->depth--;
    }
    hf_script_restore_directories(reader->state, saved);
    reader->parent = parent;
    reader->place = place;
}

/* The output of the commands since `first`, if there is one and the text determines it. */
static void add_substituted_output(HfScriptReader *reader, HfRawWord *word, guint first,
                                   gboolean quoted)
{
    GPtrArray *commands = reader->state->script->commands;
    const HfScriptCommand *last = first < commands->len ? commands->pdata[commands->len - 1] : NULL;
    g_autofree char *output = last ? hf_script_command_output(last) : NULL;
    if (!output) {
        add_unknown_text(word, quoted);
        word->more |= !quoted;
        return;
    }
    g_strchomp(output);
    add_expanded_value(reader->state, word, output,
                       commands->len == first + 1 && !hf_script_is_lookup(last), quoted);
}

static void read_substitution(HfScriptReader *reader, HfRawWord *word, gboolean quoted)
{
    guint first = reader->state->script->commands->len;
    reader->at += 2;
    hf_script_read_inner(reader);
    add_substituted_output(reader, word, first, quoted);
}

static void skip_arithmetic(HfScriptReader *reader, HfRawWord *word, gboolean quoted)
{
    int depth = 2;
    gsize start = reader->at;
    reader->at += 3;
    g_autoptr(HfRawWord) inside = hf_raw_word_new();
    while (reader->at < reader->length && depth > 0) {
        char character = peek_in_expansion(reader, 0);
        if (character == '$')
            hf_script_read_dollar(reader, inside, TRUE);
        else if (character == '`')
            hf_script_read_backticks(reader, inside, TRUE);
        else {
            depth += character == '(' ? 1 : character == ')' ? -1 : 0;
            reader->at++;
        }
    }
    if (depth > 0) {
        hf_script_mark_unreadable(reader);
    } else if (reader->text[reader->at - 2] != ')') { /* commands, the first in a subshell */
        reader->at = start;
        read_substitution(reader, word, quoted);
        return;
    }
    hf_script_add_char(word, '1', quoted ? HF_QUOTING_QUOTED : HF_QUOTING_VALUE);
}

static void add_variable(HfScriptReader *reader, HfRawWord *word, const char *name, gboolean quoted)
{
    const HfScriptVariable *variable = g_hash_table_lookup(reader->state->variables, name);
    word->more |= variable && variable->more;
    if (variable)
        add_expanded_value(reader->state, word, variable->text, variable->decided, quoted);
    else if (strcmp(name, "IFS") == 0)
        add_expanded_value(reader->state, word, " ", TRUE, quoted);
    else if (strcmp(name, "HOME") == 0)
        add_expanded_value(reader->state, word, "~", TRUE, TRUE);
    else
        add_unknown_text(word, quoted);
}

/* The rest of ${NAME...}, up to its brace; commands in it are read. */
static char *read_operand(HfScriptReader *reader, gboolean *ret_decided)
{
    g_autoptr(HfRawWord) operand = hf_raw_word_new();
    int depth = 1;
    while (reader->at < reader->length) {
        char character = peek_in_expansion(reader, 0);
        if (character == '$') {
            hf_script_read_dollar(reader, operand, TRUE);
            continue;
        }
        if (character == '`') {
            hf_script_read_backticks(reader, operand, TRUE);
            continue;
        }
        if (character == '\\' && reader->at + 1 < reader->length)
            character = reader->text[++reader->at];
        else
            depth += character == '{' ? 1 : character == '}' ? -1 : 0;
        if (depth == 0)
            break;
        if (character != '"' && character != '\'')
            hf_script_add_char(operand, character, HF_QUOTING_QUOTED);
        reader->at++;
    }
    if (depth > 0)
        hf_script_mark_unreadable(reader);
    else
        reader->at++;
    *ret_decided = !operand->unsure;
    return g_strdup(operand->text->str);
}

/* ${NAME@P} runs the substitutions in its value. Those of a known value were read when it was set.
 */
static void note_prompt(HfScriptReader *reader, const HfScriptVariable *variable)
{
    if (!variable || !variable->decided)
        reader->state->script->facts |= HF_SCRIPT_UNREADABLE;
}

static void read_braced(HfScriptReader *reader, HfRawWord *word, gboolean quoted)
{
    reader->at += 2;
    gsize start = reader->at;
    while (is_variable_char(peek_in_expansion(reader, 0)))
        reader->at++;
    g_autofree char *name = g_strndup(reader->text + start, reader->at - start);
    if (*name && peek_in_expansion(reader, 0) == '}') {
        reader->at++;
        add_variable(reader, word, name, quoted);
        return;
    }
    gboolean decided;
    g_autofree char *operand = read_operand(reader, &decided);
    const HfScriptVariable *set = g_hash_table_lookup(reader->state->variables, name);
    word->more |= set && set->more;
    if (operand[0] == '@' && operand[1] == 'P')
        note_prompt(reader, set);
    const char *fallback = operand + (*operand == ':');
    if (*name && !set && *fallback && strchr("-=", *fallback))
        add_expanded_value(reader->state, word, fallback + 1, FALSE,
                           quoted); /* unless the environment has it */
    else if (*name && *fallback == '+')
        add_expanded_value(reader->state, word, fallback + 1, FALSE, quoted);
    else
        add_unknown_text(word, quoted);
}

static void read_variable_name(HfScriptReader *reader, HfRawWord *word, gboolean quoted)
{
    gsize start = ++reader->at;
    while (is_variable_char(peek_in_expansion(reader, 0)))
        reader->at++;
    g_autofree char *name = g_strndup(reader->text + start, reader->at - start);
    add_variable(reader, word, name, quoted);
}

static void read_dollar(HfScriptReader *reader, HfRawWord *word, gboolean quoted)
{
    char next = peek_in_expansion(reader, 1);
    if (next == '(' && peek_in_expansion(reader, 2) == '(')
        skip_arithmetic(reader, word, quoted);
    else if (next == '(')
        read_substitution(reader, word, quoted);
    else if (next == '{')
        read_braced(reader, word, quoted);
    else if (next == '_' || g_ascii_isalpha(next))
        read_variable_name(reader, word, quoted);
    else if (next && strchr("@*#?$!-0123456789", next)) {
        word->more |= (reader->state->inherited & HF_COMMAND_MORE) && strchr("@*123456789", next);
        reader->at += 2;
        add_unknown_text(word, quoted);
    } else if (next == '"' && !quoted) {
        reader->at++; /* $"..." is a translated string: read as "..." */
    } else {
        hf_script_add_char(word, '$', quoted ? HF_QUOTING_QUOTED : HF_QUOTING_NONE);
        reader->at++;
    }
}

/* The only place where words nest, so their depth is limited here. */
void hf_script_read_dollar(HfScriptReader *reader, HfRawWord *word, gboolean quoted)
{
    if (!hf_script_nest_deeper(reader))
        return;
    read_dollar(reader, word, quoted);
    reader->state->depth--;
}

void hf_script_read_backticks(HfScriptReader *reader, HfRawWord *word, gboolean quoted)
{
    g_autoptr(GString) inside = g_string_new(NULL);
    guint first = reader->state->script->commands->len;
    reader->at++;
    while (reader->at < reader->length && peek_in_expansion(reader, 0) != '`') {
        char next = peek_in_expansion(reader, 1);
        if (peek_in_expansion(reader, 0) == '\\' && next &&
            (strchr("`\\$", next) || (quoted && next == '"')))
            reader->at++;
        g_string_append_c(inside, reader->text[reader->at++]);
    }
    if (reader->at >= reader->length)
        hf_script_mark_unreadable(reader);
    else
        reader->at++;
    hf_script_read_text(reader->state, inside->str, inside->len, -1, 0);
    add_substituted_output(reader, word, first, quoted);
}
