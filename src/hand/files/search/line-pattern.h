/* SPDX-License-Identifier: Apache-2.0 */
/* A regular expression (PCRE2 with JIT) that matches single lines. If every match contains a known
 * literal, only lines with that literal are tried. */
#pragma once

#include <glib.h>

typedef struct HfLinePattern HfLinePattern; /* immutable, thread-safe */
typedef struct HfLineMatcher HfLineMatcher; /* one per thread */

typedef enum HfLinePatternFlags {
    HF_LINE_PATTERN_IGNORE_CASE = 1 << 0,
    HF_LINE_PATTERN_LITERAL = 1 << 1, /* plain text, no expression */
} HfLinePatternFlags;

/* INVALID_PARAMS with the position for an invalid expression. */
HfLinePattern *hf_line_pattern_new(const char *text, HfLinePatternFlags flags, GError **error);
void hf_line_pattern_free(HfLinePattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLinePattern, hf_line_pattern_free)

/* FALSE: nothing in this part of a text matches, except that a match may begin in its last
 * `ret_open` bytes. */
gboolean hf_line_pattern_could_match(const HfLinePattern *pattern, const char *data, gsize length,
                                     gsize *ret_open);

HfLineMatcher *hf_line_matcher_new(const HfLinePattern *pattern);
void hf_line_matcher_free(HfLineMatcher *matcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLineMatcher, hf_line_matcher_free)

typedef struct HfLineMatch {
    gsize line, line_length; /* without the line end */
    gsize start;             /* of the match */
} HfLineMatch;

/* The next matching line from `from` on, which has to be the start of a line. FALSE at the end, or
 * with LIMIT_EXCEEDED if the expression takes too many steps. */
gboolean hf_line_matcher_next(HfLineMatcher *matcher, const char *data, gsize length, gsize from,
                              HfLineMatch *ret_match, GError **error);

typedef struct HfLiteral HfLiteral;
HfLiteral *hf_literal_new(const char *text, gsize length);
/* The longest literal that each match of the expression contains; NULL if none is certain.
 * Conservative: it may miss one, but is never wrong. */
HfLiteral *hf_literal_of_expression(const char *expression);
void hf_literal_free(HfLiteral *literal);
const char *hf_literal_text(const HfLiteral *literal);
/* Its position in the data; -1 if it is not there. */
gssize hf_literal_search(const HfLiteral *literal, const char *data, gsize length);
