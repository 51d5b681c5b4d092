/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer of the short form. It accepts all common quotes, and words in any script. */
#include "hand/atspi/selector/selector-lexer.h"

#include <string.h>

static const struct {
    gunichar open, close;
} quotes[] = {
    {'"', '"'}, {'\'', '\''}, {0x201c, 0x201d}, {0x2018, 0x2019}, {0x300c, 0x300d}, {0xab, 0xbb},
};

void hf_lexer_init(HfLexer *lexer, const char *text)
{
    *lexer = (HfLexer){.text = text, .at = text, .begin = text, .word = g_string_new("")};
    hf_lexer_next(lexer);
}

void hf_lexer_clear(HfLexer *lexer)
{
    if (lexer->word)
        g_string_free(lexer->word, TRUE);
    lexer->word = NULL;
}

glong hf_lexer_column(const HfLexer *lexer)
{
    return g_utf8_pointer_to_offset(lexer->text, lexer->begin) + 1;
}

static void set_lexer_problem(HfLexer *lexer, const char *problem)
{
    lexer->kind = HF_TOKEN_WRONG;
    lexer->problem = problem;
}

static gunichar find_closing_quote(gunichar letter)
{
    for (gsize i = 0; i < G_N_ELEMENTS(quotes); i++)
        if (quotes[i].open == letter)
            return quotes[i].close;
    return 0;
}

static void lex_string(HfLexer *lexer, gunichar close)
{
    lexer->at = g_utf8_next_char(lexer->at);
    while (*lexer->at) {
        gunichar letter = g_utf8_get_char(lexer->at);
        lexer->at = g_utf8_next_char(lexer->at);
        if (letter == close) {
            lexer->kind = HF_TOKEN_STRING;
            return;
        }
        if (letter == '\\' && *lexer->at) {
            letter = g_utf8_get_char(lexer->at);
            lexer->at = g_utf8_next_char(lexer->at);
        }
        g_string_append_unichar(lexer->word, letter);
    }
    set_lexer_problem(lexer, "the quote is not closed");
}

/* ~/.../ or ~/.../i; only an escaped slash is unescaped. */
static void read_regex(HfLexer *lexer)
{
    lexer->at++;
    if (*lexer->at != '/') {
        set_lexer_problem(lexer,
                          "~ needs a regular expression between slashes, like ~/Total: \\d+/");
        return;
    }
    const char *at = lexer->at + 1;
    for (; *at && *at != '/'; at++) {
        if (*at == '\\' && at[1] == '/')
            at++;
        else if (*at == '\\' && at[1])
            g_string_append_c(lexer->word, *at++);
        g_string_append_c(lexer->word, *at);
    }
    if (*at != '/') {
        set_lexer_problem(lexer, "the regular expression is not closed by a slash");
        return;
    }
    lexer->at = at + 1;
    lexer->kind = HF_TOKEN_REGEX;
    if (*lexer->at == 'i') {
        g_string_prepend(lexer->word, "(?i)");
        lexer->at++;
    }
}

/* The slash of s7/e12. */
static gboolean is_reference_slash(const HfLexer *lexer)
{
    const char *word = lexer->word->str;
    return *lexer->at == '/' && word[0] == 's' && word[1] &&
           strspn(word + 1, "0123456789") == strlen(word + 1);
}

static void lex_word(HfLexer *lexer)
{
    while (*lexer->at) {
        gunichar letter = g_utf8_get_char(lexer->at);
        if (!g_unichar_isalnum(letter) && letter != '-' && letter != '_' &&
            !is_reference_slash(lexer))
            break;
        g_string_append_unichar(lexer->word, letter);
        lexer->at = g_utf8_next_char(lexer->at);
    }
    lexer->kind = HF_TOKEN_WORD;
    if (lexer->word->len == 0)
        set_lexer_problem(lexer, "unexpected character");
}

static gboolean is_skipped_letter(gunichar letter)
{
    return g_unichar_isspace(letter) || letter == ':' || letter == ',' || letter == 0xff0c ||
           letter == 0xff1a;
}

static void read_sign(HfLexer *lexer, HfTokenKind kind, int bytes)
{
    lexer->kind = kind;
    lexer->at += bytes;
}

void hf_lexer_next(HfLexer *lexer)
{
    while (*lexer->at && is_skipped_letter(g_utf8_get_char(lexer->at)))
        lexer->at = g_utf8_next_char(lexer->at);
    const char *at = lexer->begin = lexer->at;
    g_string_truncate(lexer->word, 0);
    gunichar close = *at ? find_closing_quote(g_utf8_get_char(at)) : 0;
    if (!*at)
        lexer->kind = HF_TOKEN_END;
    else if (close)
        lex_string(lexer, close);
    else if (*at == '~')
        read_regex(lexer);
    else if (*at == '=')
        read_sign(lexer, HF_TOKEN_EQUALS, 1);
    else if (*at == '*' && at[1] == '=')
        read_sign(lexer, HF_TOKEN_CONTAINS, 2);
    else if (*at == '(')
        read_sign(lexer, HF_TOKEN_OPEN, 1);
    else if (*at == ')')
        read_sign(lexer, HF_TOKEN_CLOSE, 1);
    else if (g_ascii_isdigit(*at) || (*at == '-' && g_ascii_isdigit(at[1]))) {
        lexer->number = g_ascii_strtoll(at, (char **)&lexer->at, 10);
        lexer->kind = HF_TOKEN_NUMBER;
    } else
        lex_word(lexer);
}
