/* SPDX-License-Identifier: Apache-2.0 */
/* Turns one raw word into the words that a command gets: expands braces, then splits what came
 * from variables. Patterns stay as written. */
#include <string.h>

#include "shared/shell-parser/shell-parser-limits.h"
#include "shared/shell-parser/shell-reader.h"

/* Braces in longer words are not expanded. */
#define BRACES_BYTES 4096

static HfRawWord *slice_raw_word(const HfRawWord *raw, gsize from, gsize to)
{
    HfRawWord *part = hf_raw_word_new();
    g_string_append_len(part->text, raw->text->str + from, (gssize)(to - from));
    g_string_append_len(part->marks, raw->marks->str + from, (gssize)(to - from));
    part->unsure = raw->unsure;
    part->quoted = raw->quoted;
    return part;
}

static void append_raw_word(HfRawWord *word, const HfRawWord *more)
{
    g_string_append_len(word->text, more->text->str, (gssize)more->text->len);
    g_string_append_len(word->marks, more->marks->str, (gssize)more->marks->len);
}

static gboolean is_unquoted_char(const HfRawWord *raw, gsize at, char character)
{
    return raw->text->str[at] == character && raw->marks->str[at] == HF_QUOTING_NONE;
}

/* The brace that closes the one at `open`, if there is a comma between them; else 0. */
static gsize find_choice_end(const HfRawWord *raw, gsize open)
{
    int depth = 0;
    gboolean comma = FALSE;
    for (gsize at = open; at < raw->text->len; at++) {
        if (is_unquoted_char(raw, at, '{'))
            depth++;
        comma |= depth == 1 && is_unquoted_char(raw, at, ',');
        if (is_unquoted_char(raw, at, '}') && --depth == 0)
            return comma ? at : 0;
    }
    return 0;
}

static void split_into_words(const HfRawWord *raw, GPtrArray *words)
{
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean any = raw->quoted || raw->text->len == 0;
    for (gsize i = 0; i < raw->text->len; i++) {
        char character = raw->text->str[i];
        if (raw->marks->str[i] == HF_QUOTING_VALUE && strchr(" \t\n", character)) {
            if (text->len)
                g_ptr_array_add(words, hf_script_word_new(text->str, !raw->unsure, FALSE));
            g_string_truncate(text, 0);
            any = TRUE;
        } else {
            g_string_append_c(text, character);
        }
    }
    if (text->len || (any && raw->quoted))
        g_ptr_array_add(words, hf_script_word_new(text->str, !raw->unsure, raw->quoted));
}

static void expand_word_braces(const HfRawWord *raw, GPtrArray *words, int *steps);

/* before{a,b}after: each alternative becomes a word. */
static void expand_choices(const HfRawWord *raw, gsize open, gsize close, GPtrArray *words,
                           int *steps)
{
    gsize start = open + 1;
    int nested = 0;
    for (gsize at = start; at <= close; at++) {
        nested += is_unquoted_char(raw, at, '{')                 ? 1
                  : is_unquoted_char(raw, at, '}') && at < close ? -1
                                                                 : 0;
        if (at < close && (nested || !is_unquoted_char(raw, at, ',')))
            continue;
        g_autoptr(HfRawWord) choice = slice_raw_word(raw, 0, open);
        g_autoptr(HfRawWord) middle = slice_raw_word(raw, start, at);
        g_autoptr(HfRawWord) after = slice_raw_word(raw, close + 1, raw->text->len);
        append_raw_word(choice, middle);
        append_raw_word(choice, after);
        expand_word_braces(choice, words, steps);
        start = at + 1;
    }
}

/* `steps` are left: alternatives multiply. */
static void expand_word_braces(const HfRawWord *raw, GPtrArray *words, int *steps)
{
    if (--*steps < 0)
        return;
    for (gsize at = 0; at < raw->text->len; at++) {
        gsize close = is_unquoted_char(raw, at, '{') ? find_choice_end(raw, at) : 0;
        if (close) {
            expand_choices(raw, at, close, words, steps);
            return;
        }
    }
    split_into_words(raw, words);
}

void hf_script_expand_word(const HfRawWord *raw, GPtrArray *words)
{
    int steps = HF_LIMIT_SCRIPT_WORDS;
    if (raw->text->len <= BRACES_BYTES)
        expand_word_braces(raw, words, &steps);
    else
        split_into_words(raw, words);
    /* What was left out could be anything. */
    if (steps < 0)
        g_ptr_array_add(words,
                        hf_script_word_new((const char[]){HF_SCRIPT_UNKNOWN, 0}, FALSE, FALSE));
}

/* A value that is set where it may not run, or a second time, is only a guess. */
void hf_script_set_variable(HfScriptState *state, const char *name, const char *text,
                            gboolean decided)
{
    HfScriptVariable *variable = g_new(HfScriptVariable, 1);
    *variable = (HfScriptVariable){g_strdup(text), decided && state->conditional == 0, FALSE};
    g_hash_table_replace(state->variables, g_strdup(name), variable);
}

void hf_script_set_more(HfScriptState *state, const char *name, const char *text)
{
    hf_script_set_variable(state, name, text, FALSE);
    HfScriptVariable *variable = g_hash_table_lookup(state->variables, name);
    variable->more = TRUE;
}
