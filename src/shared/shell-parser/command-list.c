/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar: lists, pipelines, compound commands, simple commands. It builds no tree: every
 * simple command is passed on as soon as it is complete, wherever it stands. */
#include <string.h>

#include "shared/shell-parser/evaluated-text.h"
#include "shared/shell-parser/shell-parser-limits.h"
#include "shared/shell-parser/shell-reader.h"
#include "shared/shell-parser/working-directory.h"

static void read_command(HfScriptReader *reader, int pipeline, int place);
static void read_commands_until(HfScriptReader *reader, const char *end, char closing);

static char peek_in_commands(const HfScriptReader *reader, gsize ahead)
{
    return reader->at + ahead < reader->length ? reader->text[reader->at + ahead] : '\0';
}

gboolean hf_script_nest_deeper(HfScriptReader *reader)
{
    if (reader->state->depth >= HF_LIMIT_SCRIPT_DEPTH) {
        reader->state->script->facts |= HF_SCRIPT_TOO_MUCH;
        reader->at = reader->length;
        return FALSE;
    }
    reader->state->depth++;
    return TRUE;
}

/* Skips a newline and the here-documents that begin after it. A here-document whose line ended
 * inside quotes was not where it seemed to be. */
static void skip_newline(HfScriptReader *reader)
{
    if (reader->here_line && reader->at == reader->here_line)
        reader->at = reader->here_resume;
    else if (reader->here_line && reader->at > reader->here_line)
        hf_script_mark_unreadable(reader);
    else
        reader->at++;
    reader->here_line = reader->at < reader->here_line ? reader->here_line : 0;
}

static void skip_blanks(HfScriptReader *reader)
{
    while (peek_in_commands(reader, 0) == ' ' || peek_in_commands(reader, 0) == '\t' ||
           (peek_in_commands(reader, 0) == '\\' && peek_in_commands(reader, 1) == '\n'))
        reader->at += peek_in_commands(reader, 0) == '\\' ? 2 : 1;
}

static void skip_lines(HfScriptReader *reader)
{
    for (;;) {
        skip_blanks(reader);
        if (peek_in_commands(reader, 0) == '#')
            while (reader->at < reader->length && peek_in_commands(reader, 0) != '\n')
                reader->at++;
        if (peek_in_commands(reader, 0) != '\n')
            return;
        skip_newline(reader);
    }
}

static gboolean at_word(const HfScriptReader *reader, const char *word)
{
    gsize length = strlen(word);
    return reader->at + length <= reader->length &&
           memcmp(reader->text + reader->at, word, length) == 0 &&
           strchr(" \t\n;&|()<>", peek_in_commands(reader, length)) != NULL;
}

static gboolean skip_word(HfScriptReader *reader, const char *word)
{
    if (!at_word(reader, word))
        return FALSE;
    reader->at += strlen(word);
    return TRUE;
}

static gboolean skip_any(HfScriptReader *reader, const char *const *words)
{
    for (; *words; words++)
        if (skip_word(reader, *words))
            return TRUE;
    return FALSE;
}

/* The body of a here-document, from the end of the last one to its delimiter. */
static char *read_here_body(HfScriptReader *reader, const char *delimiter, gboolean strip)
{
    GString *body = g_string_new(NULL);
    if (!reader->here_line) {
        const char *newline = memchr(reader->text + reader->at, '\n', reader->length - reader->at);
        if (!newline) {
            hf_script_mark_unreadable(reader);
            return g_string_free(body, FALSE);
        }
        reader->here_line = (gsize)(newline - reader->text);
        reader->here_resume = reader->here_line + 1;
    }
    while (reader->here_resume < reader->length) {
        const char *start = reader->text + reader->here_resume;
        const char *newline = memchr(start, '\n', reader->length - reader->here_resume);
        const char *end = newline ? newline : reader->text + reader->length;
        reader->here_resume = (gsize)(end - reader->text) + (newline ? 1 : 0);
        while (strip && start < end && *start == '\t')
            start++;
        if ((gsize)(end - start) == strlen(delimiter) &&
            memcmp(start, delimiter, strlen(delimiter)) == 0)
            break;
        g_string_append_len(body, start, end - start);
        g_string_append_c(body, '\n');
    }
    return g_string_free(body, FALSE);
}

static void set_input(HfScriptCommand *command, char *take_text)
{
    g_free(command->input);
    command->input = take_text;
}

static void read_here_document(HfScriptReader *reader, HfScriptCommand *command)
{
    gboolean strip = peek_in_commands(reader, 0) == '-';
    reader->at += strip ? 1 : 0;
    skip_blanks(reader);
    g_autoptr(HfRawWord) delimiter = hf_script_read_word(reader);
    gboolean literal = delimiter->quoted ||
                       memchr(delimiter->marks->str, HF_QUOTING_QUOTED, delimiter->marks->len);
    char *body = read_here_body(reader, delimiter->text->str, strip);
    if (!literal) {
        gboolean decided;
        char *expanded = hf_script_expand_text(reader, body, strlen(body), &decided);
        g_free(body);
        body = expanded;
    }
    set_input(command, body);
}

static void add_redirect(HfScriptReader *reader, HfScriptCommand *command, gboolean writes)
{
    skip_blanks(reader);
    g_autoptr(HfRawWord) target = hf_script_read_word(reader);
    HfScriptRedirect *redirect = g_new0(HfScriptRedirect, 1);
    redirect->writes = writes;
    redirect->target = (HfScriptWord){g_strdup(target->text->str), !target->unsure, target->quoted};
    g_ptr_array_add(command->redirects, redirect);
    command->facts |= target->more ? HF_COMMAND_MORE : 0;
    if (writes)
        g_hash_table_add(reader->state->written, g_strdup(target->text->str));
}

/* The reader is on '<' or '>'. */
static void read_redirect(HfScriptReader *reader, HfScriptCommand *command)
{
    char direction = reader->text[reader->at++];
    if (direction == '<' && peek_in_commands(reader, 0) == '<' &&
        peek_in_commands(reader, 1) == '<') {
        reader->at += 2;
        skip_blanks(reader);
        g_autoptr(HfRawWord) word = hf_script_read_word(reader);
        set_input(command, g_strdup(word->text->str));
        return;
    }
    if (direction == '<' && peek_in_commands(reader, 0) == '<') {
        reader->at++;
        read_here_document(reader, command);
        return;
    }
    gboolean writes = direction == '>' || peek_in_commands(reader, 0) == '>';
    while (peek_in_commands(reader, 0) && strchr(">|&", peek_in_commands(reader, 0)))
        reader->at++;
    add_redirect(reader, command, writes);
}

/* A number right before '<' or '>' names the descriptor. */
static gboolean at_redirect(HfScriptReader *reader)
{
    gsize digits = 0;
    while (g_ascii_isdigit(peek_in_commands(reader, digits)))
        digits++;
    gsize amp =
        digits == 0 && peek_in_commands(reader, 0) == '&' && peek_in_commands(reader, 1) == '>' ? 1
                                                                                                : 0;
    char mark = peek_in_commands(reader, digits + amp);
    if ((mark != '<' && mark != '>') || (digits + amp == 0 && peek_in_commands(reader, 1) == '('))
        return FALSE;
    reader->at += digits + amp;
    return TRUE;
}

static gsize assignment_length(const HfRawWord *word)
{
    const char *text = word->text->str;
    gsize at = 0;
    while (g_ascii_isalnum(text[at]) || text[at] == '_')
        at++;
    gsize name = at;
    at += text[at] == '+' ? 1 : 0;
    if (name == 0 || g_ascii_isdigit(text[0]) || text[at] != '=')
        return 0;
    for (gsize i = 0; i <= at; i++)
        if (word->marks->str[i] != HF_QUOTING_NONE)
            return 0;
    return name;
}

/* NAME=(...): reads its words; which of them is meant later is unknown. */
static char *read_array(HfScriptReader *reader)
{
    g_autoptr(GPtrArray) words =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_script_word_free);
    GString *all = g_string_new(NULL);
    reader->at++;
    for (skip_lines(reader); reader->at < reader->length && peek_in_commands(reader, 0) != ')';
         skip_lines(reader)) {
        gsize before = reader->at;
        g_autoptr(HfRawWord) word = hf_script_read_word(reader);
        g_string_append_printf(all, "%s%s", all->len ? " " : "", word->text->str);
        if (reader->at == before)
            reader->at++;
    }
    reader->at += reader->at < reader->length ? 1 : 0;
    return g_string_free(all, FALSE);
}

static void read_assignment(HfScriptReader *reader, HfScriptCommand *command, const HfRawWord *word,
                            gsize name_length, GPtrArray *values)
{
    const char *value = strchr(word->text->str, '=') + 1;
    gboolean decided = !word->unsure && word->text->str[name_length] == '=';
    g_autofree char *array = NULL;
    if (!*value && peek_in_commands(reader, 0) == '(') {
        value = array = read_array(reader);
        decided = FALSE;
    }
    hf_script_command_set(command, g_strndup(word->text->str, name_length), value);
    g_ptr_array_add(values, hf_script_word_new(value, decided, FALSE));
}

/* An assignment alone holds from here on; one before a command holds only for that command. */
static void keep_variables(HfScriptReader *reader, const HfScriptCommand *command,
                           const GPtrArray *values)
{
    for (guint i = 0; i < values->len; i++) {
        const HfScriptWord *value = values->pdata[i];
        hf_script_set_variable(reader->state, command->sets->pdata[i], value->text,
                               value->decided && command->words->len == 0);
        hf_script_read_evaluated(reader->state, command, value->text);
    }
}

static gboolean starts_itself(const HfScript *script, guint first, const char *name)
{
    const HfScriptCommand *other = NULL;
    for (guint i = first; i < script->commands->len; i++) {
        const HfScriptCommand *command = script->commands->pdata[i];
        if (strcmp(command->name, name) != 0)
            continue;
        if ((command->facts & HF_COMMAND_BACKGROUND) ||
            (other && other->pipeline == command->pipeline))
            return TRUE;
        other = command;
    }
    return FALSE;
}

static void read_function(HfScriptReader *reader, const char *name)
{
    HfScriptState *state = reader->state;
    const char *outer = state->function;
    guint first = state->script->commands->len;
    char *kept = g_strdup(name);
    g_ptr_array_add(state->script->names, kept);
    state->function = kept;
    state->conditional++;
    skip_lines(reader);
    if (hf_script_nest_deeper(reader)) {
        int pipeline = hf_script_add_pipeline(state->script, -1, 0);
        read_command(reader, pipeline, 0);
        state->depth--;
    }
    state->conditional--;
    state->function = outer;
    if (starts_itself(state->script, first, kept))
        state->script->facts |= HF_SCRIPT_FORK_BOMB;
}

/* NAME ( ): whether a function definition begins after the first word. */
static gboolean skip_parentheses(HfScriptReader *reader)
{
    gsize start = reader->at;
    skip_blanks(reader);
    if (peek_in_commands(reader, 0) == '(') {
        reader->at++;
        skip_blanks(reader);
        if (peek_in_commands(reader, 0) == ')') {
            reader->at++;
            return TRUE;
        }
    }
    reader->at = start;
    return FALSE;
}

/* An alias stands for words; other commands in it were read where it was defined. */
static void replace_alias(HfScriptReader *reader, HfScriptCommand *command)
{
    const HfScriptWord *first = hf_script_command_word(command, 0);
    const char *text =
        first && !first->quoted ? g_hash_table_lookup(reader->state->aliases, first->text) : NULL;
    if (!text || !hf_script_nest_deeper(reader))
        return;
    HfScriptReader inside = *reader;
    inside.text = text;
    inside.at = 0;
    inside.length = strlen(text);
    inside.here_line = 0;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (skip_blanks(&inside); inside.at < inside.length; skip_blanks(&inside)) {
        gsize before = inside.at;
        g_autoptr(HfRawWord) raw = hf_script_read_word(&inside);
        if (inside.at == before)
            break;
        hf_script_expand_word(raw, words);
    }
    g_ptr_array_remove_index(command->words, 0);
    for (guint i = 0; i < words->len; i++)
        g_ptr_array_insert(command->words, (int)i, words->pdata[i]);
    reader->state->depth--;
}

/* FALSE at the end of the simple command. */
static gboolean read_command_part(HfScriptReader *reader, HfScriptCommand *command,
                                  GPtrArray *values)
{
    skip_blanks(reader);
    if (reader->at >= reader->length || peek_in_commands(reader, 0) == '#')
        return FALSE;
    if (at_redirect(reader)) {
        read_redirect(reader, command);
        return TRUE;
    }
    if (strchr("\n;&|)", peek_in_commands(reader, 0)))
        return FALSE;
    if (peek_in_commands(reader, 0) == '(') { /* no shell accepts this */
        hf_script_mark_unreadable(reader);
        return FALSE;
    }
    g_autoptr(HfRawWord) word = hf_script_read_word(reader);
    gsize name = command->words->len == 0 ? assignment_length(word) : 0;
    if (name)
        read_assignment(reader, command, word, name, values);
    else
        hf_script_expand_word(word, command->words);
    command->facts |= word->more ? HF_COMMAND_MORE : 0;
    if (!name && command->words->len == 1 && skip_parentheses(reader)) {
        g_autofree char *function = g_strdup(word->text->str);
        g_ptr_array_set_size(command->words, 0);
        read_function(reader, function);
        return FALSE;
    }
    if (peek_in_commands(reader, 0) == '(' && word->end > word->start &&
        strchr("@!+*?", reader->text[word->end - 1]))
        hf_script_mark_unreadable(reader); /* a pattern that only some shells read */
    return TRUE;
}

static void read_simple(HfScriptReader *reader, int pipeline, int place)
{
    HfScriptState *state = reader->state;
    g_autoptr(GPtrArray) values =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_script_word_free);
    g_autoptr(HfScriptCommand) command = hf_script_command_new();
    command->pipeline = pipeline;
    command->place = place;
    command->inner_first = (int)state->script->pipelines->len;
    while (read_command_part(reader, command, values))
        ;
    command->inner_end = (int)state->script->pipelines->len;
    replace_alias(reader, command);
    keep_variables(reader, command, values);
    if (command->words->len || command->redirects->len || command->sets->len)
        hf_script_add_command(state, g_steal_pointer(&command));
}

/* for NAME in WORDS: the first word is a guess. */
static void read_for(HfScriptReader *reader)
{
    g_autoptr(GPtrArray) words =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_script_word_free);
    skip_blanks(reader);
    g_autoptr(HfRawWord) name = hf_script_read_word(reader);
    skip_lines(reader);
    if (!skip_word(reader, "in"))
        return;
    for (skip_blanks(reader);
         reader->at < reader->length && !strchr("\n;&|()<>", peek_in_commands(reader, 0));
         skip_blanks(reader)) {
        g_autoptr(HfRawWord) word = hf_script_read_word(reader);
        hf_script_expand_word(word, words);
    }
    const HfScriptWord *first = words->len ? words->pdata[0] : NULL;
    if (first)
        hf_script_set_variable(reader->state, name->text->str, first->text, FALSE);
}

static void read_case(HfScriptReader *reader)
{
    skip_blanks(reader);
    hf_raw_word_free(hf_script_read_word(reader));
    skip_lines(reader);
    if (!skip_word(reader, "in")) {
        hf_script_mark_unreadable(reader);
        return;
    }
    for (skip_lines(reader); reader->at < reader->length && !skip_word(reader, "esac");
         skip_lines(reader)) {
        while (reader->at < reader->length && peek_in_commands(reader, 0) != ')') {
            gsize before = reader->at;
            hf_raw_word_free(hf_script_read_word(reader));
            if (reader->at == before)
                reader->at++;
        }
        reader->at += reader->at < reader->length ? 1 : 0;
        read_commands_until(reader, "esac", ';');
        if (reader->at >= 4 && memcmp(reader->text + reader->at - 4, "esac", 4) == 0)
            return;
    }
}

/* [[ ... ]]: its operators mean nothing here, but its words may run commands. */
static void read_test_expression(HfScriptReader *reader)
{
    for (skip_blanks(reader); reader->at < reader->length && !skip_word(reader, "]]");
         skip_blanks(reader)) {
        gsize before = reader->at;
        g_autoptr(HfRawWord) word = hf_script_read_word(reader);
        hf_script_read_evaluated_word(reader, word->text->str);
        if (reader->at == before)
            reader->at++;
    }
}

/* A compound command, if one begins here. (( )) is read as two subshells: a shell does the same
 * when it is not arithmetic, and arithmetic read as commands matches no command that we know. */
static gboolean read_compound(HfScriptReader *reader)
{
    if (peek_in_commands(reader, 0) == '(') {
        GPtrArray *saved = hf_script_save_directories(reader->state);
        reader->at++;
        read_commands_until(reader, NULL, ')');
        hf_script_restore_directories(reader->state, saved);
    } else if (skip_word(reader, "{")) {
        read_commands_until(reader, "}", 0);
    } else if (skip_word(reader, "[[")) {
        read_test_expression(reader);
    } else if (skip_word(reader, "case")) {
        read_case(reader);
    } else if (skip_word(reader, "if")) {
        read_commands_until(reader, "fi", 0);
    } else if (skip_any(reader, (const char *const[]){"for", "select", NULL})) {
        read_for(reader);
        read_commands_until(reader, "done", 0);
    } else if (skip_any(reader, (const char *const[]){"while", "until", NULL})) {
        read_commands_until(reader, "done", 0);
    } else {
        return FALSE;
    }
    return TRUE;
}

static gboolean begins_conditional(const HfScriptReader *reader)
{
    static const char *const words[] = {"if", "for", "select", "while", "until", "case", NULL};
    for (const char *const *word = words; *word; word++)
        if (at_word(reader, *word))
            return TRUE;
    return peek_in_commands(reader, 0) == '('; /* what a subshell sets is gone after it */
}

static void read_command(HfScriptReader *reader, int pipeline, int place)
{
    int outer = reader->parent, outer_place = reader->place;
    gboolean conditional = begins_conditional(reader);
    skip_blanks(reader);
    if (skip_word(reader, "function")) {
        skip_blanks(reader);
        g_autoptr(HfRawWord) name = hf_script_read_word(reader);
        skip_parentheses(reader);
        read_function(reader, name->text->str);
        return;
    }
    if (!hf_script_nest_deeper(reader))
        return;
    reader->parent = pipeline;
    reader->place = place;
    reader->state->conditional += conditional;
    read_compound(reader);
    reader->state->conditional -= conditional;
    reader->parent = outer;
    reader->place = outer_place;
    reader->state->depth--;
    read_simple(reader, pipeline, place); /* or the redirections after a compound one */
}

static void read_pipeline(HfScriptReader *reader)
{
    HfScriptState *state = reader->state;
    guint first = state->script->commands->len;
    int pipeline = hf_script_add_pipeline(state->script, reader->parent, reader->place);
    for (int place = 0; reader->at < reader->length; place++) {
        while (skip_word(reader, "!"))
            skip_blanks(reader);
        read_command(reader, pipeline, place);
        skip_blanks(reader);
        if (peek_in_commands(reader, 0) != '|' || peek_in_commands(reader, 1) == '|')
            break;
        reader->at += peek_in_commands(reader, 1) == '&' ? 2 : 1;
        skip_lines(reader);
    }
    gboolean background = peek_in_commands(reader, 0) == '&' && peek_in_commands(reader, 1) != '&';
    for (guint i = first; background && i < state->script->commands->len; i++)
        ((HfScriptCommand *)state->script->commands->pdata[i])->facts |= HF_COMMAND_BACKGROUND;
}

static gboolean at_end(HfScriptReader *reader, const char *end, char closing)
{
    if (closing == ')' && peek_in_commands(reader, 0) == ')') {
        reader->at++;
        return TRUE;
    }
    if (closing == ';' && peek_in_commands(reader, 0) == ';' && peek_in_commands(reader, 1) &&
        strchr(";&", peek_in_commands(reader, 1))) {
        reader->at += peek_in_commands(reader, 2) == '&' ? 3 : 2;
        return TRUE;
    }
    return end && skip_word(reader, end);
}

/* Reads until the word `end` in the position of a command, or the character `closing`. */
static void read_commands_until(HfScriptReader *reader, const char *end, char closing)
{
    static const char *const between[] = {"then", "elif", "else", "do", NULL};
    gboolean chained = FALSE;
    while (reader->at < reader->length) {
        gsize before = reader->at;
        skip_lines(reader);
        if (at_end(reader, end, closing))
            return;
        if (skip_any(reader, between))
            continue;
        char next = peek_in_commands(reader, 0);
        if (next == '&' || next == '|') {
            chained = peek_in_commands(reader, 1) == next;
            reader->at += chained ? 2 : 1;
            continue;
        }
        if (next == ';') {
            chained = FALSE;
            reader->at++;
            continue;
        }
        reader->state->conditional += chained;
        if (reader->at < reader->length)
            read_pipeline(reader);
        reader->state->conditional -= chained;
        chained = FALSE;
        if (reader->at == before) { /* a ')' that nothing opened */
            reader->state->script->facts |= HF_SCRIPT_UNREADABLE;
            reader->at++;
        }
    }
    if (end || closing == ')')
        reader->state->script->facts |= HF_SCRIPT_UNREADABLE;
}

void hf_script_read_list(HfScriptReader *reader, char closing)
{
    read_commands_until(reader, NULL, closing);
}

void hf_script_read_text(HfScriptState *state, const char *text, gsize length, int parent,
                         int place)
{
    HfScriptReader reader = {.text = text, .length = length, .state = state};
    reader.parent = parent;
    reader.place = place;
    if (length > state->bytes_left) {
        state->script->facts |= HF_SCRIPT_TOO_MUCH;
        reader.length = state->bytes_left;
    }
    state->bytes_left -= reader.length;
    if (!hf_script_nest_deeper(&reader))
        return;
    read_commands_until(&reader, NULL, 0);
    state->depth--;
    if (reader.here_line && reader.at > reader.here_line && reader.at < reader.here_resume)
        state->script->facts |= HF_SCRIPT_UNREADABLE;
}
