/* SPDX-License-Identifier: Apache-2.0 */
/* A regular expression (PCRE2, just in time), looked for in lines. Where every match must have some
 * text in it, only lines that have it are looked at. */
#pragma once

#include <glib.h>

typedef struct HfLinePattern HfLinePattern; /* immutable; for any number of threads */
typedef struct HfLineMatcher HfLineMatcher; /* of one thread */

typedef enum HfLinePatternFlags {
    HF_LINE_PATTERN_IGNORE_CASE = 1 << 0,
    HF_LINE_PATTERN_LITERAL = 1 << 1, /* the text itself, without any meaning */
} HfLinePatternFlags;

/* INVALID_PARAMS with the place when it is no expression. */
HfLinePattern *hf_line_pattern_new(const char *text, HfLinePatternFlags flags, GError **error);
void hf_line_pattern_free(HfLinePattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLinePattern, hf_line_pattern_free)
/* What every match must contain; NULL: nothing is known. */
const char *hf_line_pattern_get_literal(const HfLinePattern *pattern);

/* FALSE: certainly nothing in this part of a text matches, but for what goes on behind it, of which
 * the last `ret_open` bytes may be the beginning. */
gboolean hf_line_pattern_could_match(const HfLinePattern *pattern, const char *data, gsize length,
                                     gsize *ret_open);

HfLineMatcher *hf_line_matcher_new(const HfLinePattern *pattern);
void hf_line_matcher_free(HfLineMatcher *matcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLineMatcher, hf_line_matcher_free)

typedef struct HfLineMatch {
    gsize line, line_length; /* where the line is, without its end */
    gsize start;             /* of the match */
} HfLineMatch;

/* The next line that matches, from `from` on, which begins one. FALSE at the end, or with
 * LIMIT_EXCEEDED when the expression takes too many steps. */
gboolean hf_line_matcher_next(HfLineMatcher *matcher, const char *data, gsize length, gsize from,
                              HfLineMatch *ret_match, GError **error);
