/* A regular expression (PCRE2, just in time), looked for in lines. Where every match must have some
 * text in it, only lines that have it are looked at. */
#pragma once

#include <glib.h>

typedef struct HfPattern HfPattern; /* immutable; for any number of threads */
typedef struct HfMatcher HfMatcher; /* of one thread */

typedef enum HfPatternFlags {
    HF_PATTERN_IGNORE_CASE = 1 << 0,
    HF_PATTERN_LITERAL = 1 << 1, /* the text itself, without any meaning */
} HfPatternFlags;

/* INVALID_PARAMS with the place when it is no expression. */
HfPattern *hf_pattern_new(const char *text, HfPatternFlags flags, GError **error);
void hf_pattern_free(HfPattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPattern, hf_pattern_free)
/* What every match must contain; NULL: nothing is known. */
const char *hf_pattern_needs(const HfPattern *pattern);

/* FALSE: certainly nothing in this part of a text matches, but for what goes on behind it, of which
 * the last `ret_open` bytes may be the beginning. */
gboolean hf_pattern_could_match(const HfPattern *pattern, const char *data, gsize length,
                                gsize *ret_open);

HfMatcher *hf_matcher_new(const HfPattern *pattern);
void hf_matcher_free(HfMatcher *matcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMatcher, hf_matcher_free)

typedef struct HfMatch {
    gsize line, line_length; /* where the line is, without its end */
    gsize start;             /* of the match */
} HfMatch;

/* The next line that matches, from `from` on, which begins one. FALSE at the end, or with
 * LIMIT_EXCEEDED when the expression takes too many steps. */
gboolean hf_matcher_next(HfMatcher *matcher, const char *data, gsize length, gsize from,
                         HfMatch *ret_match, GError **error);
