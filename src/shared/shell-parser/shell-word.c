/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one word: its quotes and escapes. dollar-expansion.c reads what begins with a dollar. */
#include "shared/shell-parser/shell-reader.h"

#include <string.h>

HfRawWord *hf_raw_word_new(void)
{
    HfRawWord *word = g_new0(HfRawWord, 1);
    word->text = g_string_new(NULL);
    word->marks = g_string_new(NULL);
    return word;
}

void hf_raw_word_free(HfRawWord *word)
{
    g_string_free(word->text, TRUE);
    g_string_free(word->marks, TRUE);
    g_free(word);
}

void hf_script_add_char(HfRawWord *word, char character, HfQuoting mark)
{
    g_string_append_c(word->text, character);
    g_string_append_c(word->marks, (char)mark);
    word->unsure |= character == HF_SCRIPT_UNKNOWN;
}

void hf_script_mark_unreadable(HfScriptReader *reader)
{
    reader->state->script->facts |= HF_SCRIPT_UNREADABLE;
    reader->at = reader->length;
}

static char peek_in_word(const HfScriptReader *reader, gsize ahead)
{
    return reader->at + ahead < reader->length ? reader->text[reader->at + ahead] : '\0';
}

static void read_single(HfScriptReader *reader, HfRawWord *word)
{
    reader->at++;
    word->quoted |= word->text->len == 0;
    while (reader->at < reader->length && reader->text[reader->at] != '\'')
        hf_script_add_char(word, reader->text[reader->at++], HF_QUOTING_QUOTED);
    if (reader->at >= reader->length)
        hf_script_mark_unreadable(reader);
    else
        reader->at++;
}

/* Between double quotes a backslash escapes only a few characters; before others it stays. */
static void read_escape_in_double(HfScriptReader *reader, HfRawWord *word)
{
    char next = peek_in_word(reader, 1);
    if (next == '\n') {
        reader->at += 2;
        return;
    }
    if (next && strchr("$`\"\\", next))
        reader->at++;
    hf_script_add_char(word, reader->text[reader->at++], HF_QUOTING_QUOTED);
}

/* Reads up to `closing`, or to the end of the text when that is 0. */
static void read_double_body(HfScriptReader *reader, HfRawWord *word, char closing)
{
    while (reader->at < reader->length && (!closing || reader->text[reader->at] != closing)) {
        char character = reader->text[reader->at];
        if (character == '\\')
            read_escape_in_double(reader, word);
        else if (character == '$')
            hf_script_read_dollar(reader, word, TRUE);
        else if (character == '`')
            hf_script_read_backticks(reader, word, TRUE);
        else
            hf_script_add_char(word, reader->text[reader->at++], HF_QUOTING_QUOTED);
    }
}

static void read_double(HfScriptReader *reader, HfRawWord *word)
{
    reader->at++;
    word->quoted |= word->text->len == 0;
    read_double_body(reader, word, '"');
    if (reader->at >= reader->length)
        hf_script_mark_unreadable(reader);
    else
        reader->at++;
}

char *hf_script_expand_text(HfScriptReader *reader, const char *text, gsize length,
                            gboolean *ret_decided)
{
    HfScriptReader body = *reader;
    g_autoptr(HfRawWord) word = hf_raw_word_new();
    body.text = text;
    body.at = 0;
    body.length = length;
    body.here_line = 0;
    read_double_body(&body, word, '\0');
    *ret_decided = !word->unsure;
    return g_strdup(word->text->str);
}

static int read_escape_digits(HfScriptReader *reader, int base, int most)
{
    int value = 0;
    for (int i = 0; i < most && reader->at < reader->length; i++) {
        int digit = g_ascii_xdigit_value(reader->text[reader->at]);
        if (digit < 0 || digit >= base)
            break;
        value = value * base + digit;
        reader->at++;
    }
    return value;
}

static void add_character(HfRawWord *word, gunichar character)
{
    char bytes[6];
    if (character > 0x10ffff)
        character = 0xfffd;
    int length = g_unichar_to_utf8(character, bytes);
    for (int i = 0; i < length; i++)
        hf_script_add_char(word, bytes[i], HF_QUOTING_QUOTED);
}

/* The escape after a backslash in $'...'; the reader is on the character after it. */
static void read_ansi_escape(HfScriptReader *reader, HfRawWord *word)
{
    static const char from[] = "abeEfnrtv\\'\"?", to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
    char kind = peek_in_word(reader, 0);
    const char *found = kind ? strchr(from, kind) : NULL;
    if (found) {
        reader->at++;
        hf_script_add_char(word, to[found - from], HF_QUOTING_QUOTED);
    } else if (kind == 'x') {
        reader->at++;
        hf_script_add_char(word, (char)read_escape_digits(reader, 16, 2), HF_QUOTING_QUOTED);
    } else if (kind == 'u' || kind == 'U') {
        reader->at++;
        add_character(word, (gunichar)read_escape_digits(reader, 16, kind == 'u' ? 4 : 7));
    } else if (kind >= '0' && kind <= '7') {
        hf_script_add_char(word, (char)read_escape_digits(reader, 8, 3), HF_QUOTING_QUOTED);
    } else {
        hf_script_add_char(word, '\\', HF_QUOTING_QUOTED);
    }
}

static void read_ansi(HfScriptReader *reader, HfRawWord *word)
{
    reader->at += 2;
    word->quoted |= word->text->len == 0;
    while (reader->at < reader->length && reader->text[reader->at] != '\'') {
        if (reader->text[reader->at] != '\\') {
            hf_script_add_char(word, reader->text[reader->at++], HF_QUOTING_QUOTED);
            continue;
        }
        reader->at++;
        read_ansi_escape(reader, word);
    }
    if (reader->at >= reader->length)
        hf_script_mark_unreadable(reader);
    else
        reader->at++;
}

static void read_backslash(HfScriptReader *reader, HfRawWord *word)
{
    if (reader->at + 1 >= reader->length) { /* a backslash at the very end stays */
        hf_script_add_char(word, '\\', HF_QUOTING_QUOTED);
        reader->at = reader->length;
        return;
    }
    if (peek_in_word(reader, 1) != '\n')
        hf_script_add_char(word, peek_in_word(reader, 1), HF_QUOTING_QUOTED);
    reader->at += 2;
}

static gboolean is_process_substitution(const HfScriptReader *reader)
{
    char character = peek_in_word(reader, 0);
    return (character == '<' || character == '>') && peek_in_word(reader, 1) == '(';
}

static void read_process_substitution(HfScriptReader *reader, HfRawWord *word)
{
    reader->at += 2;
    hf_script_read_inner(reader);
    for (const char *name = "/dev/fd/63"; *name; name++)
        hf_script_add_char(word, *name, HF_QUOTING_QUOTED);
    word->unsure = TRUE;
}

static gboolean ends_word(const HfScriptReader *reader)
{
    return strchr(" \t\n;&|()<>", peek_in_word(reader, 0)) != NULL &&
           !is_process_substitution(reader);
}

HfRawWord *hf_script_read_word(HfScriptReader *reader)
{
    HfRawWord *word = hf_raw_word_new();
    word->start = reader->at;
    while (reader->at < reader->length && !ends_word(reader)) {
        char character = peek_in_word(reader, 0);
        if (character == '\'')
            read_single(reader, word);
        else if (character == '"')
            read_double(reader, word);
        else if (character == '\\')
            read_backslash(reader, word);
        else if (character == '$' && peek_in_word(reader, 1) == '\'')
            read_ansi(reader, word);
        else if (character == '$')
            hf_script_read_dollar(reader, word, FALSE);
        else if (character == '`')
            hf_script_read_backticks(reader, word, FALSE);
        else if (is_process_substitution(reader))
            read_process_substitution(reader, word);
        else
            hf_script_add_char(word, reader->text[reader->at++], HF_QUOTING_NONE);
    }
    word->end = reader->at;
    return word;
}
