/* SPDX-License-Identifier: Apache-2.0 */
/* Counts runs of letters, digits and symbols, much as tokenizers cut them. */
#include "cli/mcp/token-estimate.h"

/* Longer runs are cut. */
#define WORD_LETTERS  9
#define WORDS_LETTERS 16
#define NUMBER_DIGITS 3
#define SIGNS         4

static gsize count_token_run(const char *text, gboolean (*is)(char c))
{
    gsize length = 0;
    while (is(text[length]))
        length++;
    return length;
}

static gboolean is_token_letter(char c)
{
    return g_ascii_isalpha(c);
}

static gboolean is_digit(char c)
{
    return g_ascii_isdigit(c);
}

/* A space belongs to the word after it. */
static gboolean is_token_sign(char c)
{
    return c != '\0' && c != ' ' && (c & 0x80) == 0 && !g_ascii_isalnum(c);
}

gsize hf_token_estimate(const char *text)
{
    gsize tokens = 0;
    while (*text) {
        gsize length = 1;
        if (is_token_letter(*text)) {
            length = count_token_run(text, is_token_letter);
            tokens += length <= WORD_LETTERS ? 1 : length <= WORDS_LETTERS ? 2 : 3;
        } else if (is_digit(*text)) {
            length = count_token_run(text, is_digit);
            tokens += (length + NUMBER_DIGITS - 1) / NUMBER_DIGITS;
        } else if (is_token_sign(*text)) {
            length = count_token_run(text, is_token_sign);
            tokens += (length + SIGNS - 1) / SIGNS;
        } else if (*text == ' ') {
            tokens += !is_token_letter(text[1]);
        } else {
            /* One token per character of any other script. */
            tokens += (*text & 0xc0) != 0x80;
        }
        text += length;
    }
    return tokens;
}
