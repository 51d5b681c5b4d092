/* SPDX-License-Identifier: Apache-2.0 */
/* Splits the short form of a selector into words, quoted texts, regular expressions, numbers and
 * operators. */
#pragma once

#include <glib.h>

typedef enum HfTokenKind {
    HF_TOKEN_END,
    HF_TOKEN_WORD,
    HF_TOKEN_STRING,
    HF_TOKEN_REGEX,
    HF_TOKEN_NUMBER,
    HF_TOKEN_EQUALS,   /* = */
    HF_TOKEN_CONTAINS, /* *= */
    HF_TOKEN_OPEN,     /* ( */
    HF_TOKEN_CLOSE,    /* ) */
    HF_TOKEN_WRONG,
} HfTokenKind;

typedef struct HfLexer {
    const char *text, *at; /* valid UTF-8 */
    /* The token that was read last. */
    HfTokenKind kind;
    const char *begin;
    GString *word; /* its text, without quotes and escapes */
    gint64 number;
    const char *problem; /* of a WRONG token */
} HfLexer;

void hf_lexer_init(HfLexer *lexer, const char *text);
void hf_lexer_clear(HfLexer *lexer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfLexer, hf_lexer_clear)
void hf_lexer_next(HfLexer *lexer);
/* Where the token begins, in characters from 1. */
glong hf_lexer_column(const HfLexer *lexer);
