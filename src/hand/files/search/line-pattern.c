/* SPDX-License-Identifier: Apache-2.0 */
/* Finds lines: first by the rarest byte of the literal, with memchr; the expression sees only the
 * remaining lines. */
#include "hand/files/search/line-pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#include "hand/files/files-limits.h"
#include "hand/files/search/literal-search.h"
#include "shared/base/error.h"

#define STACK_LEAST (32u * 1024)
#define STACK_MOST  (512u * 1024)

struct HfLinePattern {
    pcre2_code *code; /* NULL: the literal is the whole pattern */
    HfLiteral *needs; /* NULL: no literal is known */
};

struct HfLineMatcher {
    const HfLinePattern *pattern;
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
};

static gboolean is_ascii(const char *text)
{
    for (; *text; text++)
        if ((guchar)*text >= 0x80)
            return FALSE;
    return TRUE;
}

static gboolean compile_regex(HfLinePattern *pattern, const char *text, HfLinePatternFlags flags,
                              GError **error)
{
    int number;
    PCRE2_SIZE place;
    uint32_t options = PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
    if (flags & HF_LINE_PATTERN_LITERAL)
        options = PCRE2_LITERAL;
    if (flags & HF_LINE_PATTERN_IGNORE_CASE)
        options |= PCRE2_CASELESS;
    /* Bytes are quicker than characters, and equivalent if the pattern is ASCII. */
    if (!is_ascii(text) || strstr(text, "\\p") || strstr(text, "\\P") || strstr(text, "\\x"))
        options |=
            PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | (flags & HF_LINE_PATTERN_LITERAL ? 0 : PCRE2_UCP);
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
    pattern->code =
        pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options, &number, &place, context);
    pcre2_compile_context_free(context);
    if (pattern->code) {
        pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
        return TRUE;
    }
    PCRE2_UCHAR why[200];
    pcre2_get_error_message(number, why, sizeof why);
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "pattern: invalid regular expression: %s at character %zu", (const char *)why,
            (gsize)place + 1);
    hf_error_suggest(error, "escape special characters with \\, or set literal");
    return FALSE;
}

HfLinePattern *hf_line_pattern_new(const char *text, HfLinePatternFlags flags, GError **error)
{
    g_autoptr(HfLinePattern) pattern = g_new0(HfLinePattern, 1);
    gboolean literal = (flags & HF_LINE_PATTERN_LITERAL) || !strpbrk(text, "\\^$.[|()?*+{");
    gboolean exact = !(flags & HF_LINE_PATTERN_IGNORE_CASE);
    if (!*text || strchr(text, '\n')) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "pattern: has to be one line and not empty");
        return NULL;
    }
    if (literal && exact) {
        pattern->needs = hf_literal_new(text, strlen(text));
        return g_steal_pointer(&pattern);
    }
    if (exact)
        pattern->needs = hf_literal_of_expression(text);
    return compile_regex(pattern, text, flags, error) ? g_steal_pointer(&pattern) : NULL;
}

void hf_line_pattern_free(HfLinePattern *pattern)
{
    if (!pattern)
        return;
    pcre2_code_free(pattern->code);
    hf_literal_free(pattern->needs);
    g_free(pattern);
}

const char *hf_line_pattern_get_literal(const HfLinePattern *pattern)
{
    return pattern->needs ? hf_literal_text(pattern->needs) : NULL;
}

gboolean hf_line_pattern_could_match(const HfLinePattern *pattern, const char *data, gsize length,
                                     gsize *ret_open)
{
    if (!pattern->needs)
        return TRUE;
    *ret_open = MIN(strlen(hf_literal_text(pattern->needs)) - 1, length);
    return hf_literal_search(pattern->needs, data, length) >= 0;
}

HfLineMatcher *hf_line_matcher_new(const HfLinePattern *pattern)
{
    HfLineMatcher *matcher = g_new0(HfLineMatcher, 1);
    matcher->pattern = pattern;
    if (!pattern->code)
        return matcher;
    matcher->data = pcre2_match_data_create(1, NULL);
    matcher->context = pcre2_match_context_create(NULL);
    matcher->stack = pcre2_jit_stack_create(STACK_LEAST, STACK_MOST, NULL);
    pcre2_set_match_limit(matcher->context, HF_LIMIT_SEARCH_STEPS);
    pcre2_set_depth_limit(matcher->context, HF_LIMIT_SEARCH_STEPS);
    pcre2_jit_stack_assign(matcher->context, NULL, matcher->stack);
    return matcher;
}

void hf_line_matcher_free(HfLineMatcher *matcher)
{
    if (!matcher)
        return;
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    pcre2_jit_stack_free(matcher->stack);
    g_free(matcher);
}

/* ---- lines ---- */

static gsize line_start(const char *data, gsize from, gsize at)
{
    const char *feed = at > from ? memrchr(data + from, '\n', at - from) : NULL;
    return feed ? (gsize)(feed - data) + 1 : from;
}

static gsize line_end(const char *data, gsize length, gsize at)
{
    const char *feed = memchr(data + at, '\n', length - at);
    return feed ? (gsize)(feed - data) : length;
}

static void set_line(HfLineMatch *match, const char *data, gsize start, gsize end, gsize at)
{
    gsize length = end - start;
    if (length > 0 && data[end - 1] == '\r')
        length--;
    *match = (HfLineMatch){start, length, at};
}

/* The position of a match; -1 if there is none, or with an error. */
static gssize match_regex(HfLineMatcher *matcher, const char *data, gsize length, gsize from,
                          gsize *ret_end, GError **error)
{
    int result = pcre2_match(matcher->pattern->code, (PCRE2_SPTR)data, length, from, 0,
                             matcher->data, matcher->context);
    if (result == PCRE2_ERROR_NOMATCH)
        return -1;
    if (result < 0) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the expression takes too many steps on some text");
        hf_error_suggest(error, "avoid nested repetitions like (a+)+, or use a simpler pattern");
        return -1;
    }
    const PCRE2_SIZE *place = pcre2_get_ovector_pointer(matcher->data);
    *ret_end = place[1];
    return (gssize)place[0];
}

/* Matches one line without its surroundings. */
static gboolean match_line(HfLineMatcher *matcher, const char *data, gsize start, gsize end,
                           HfLineMatch *ret_match, GError **error)
{
    gsize until, length = end - start;
    if (length > 0 && data[end - 1] == '\r')
        length--;
    gssize at = match_regex(matcher, data + start, length, 0, &until, error);
    if (at >= 0)
        set_line(ret_match, data, start, end, start + (gsize)at);
    return at >= 0;
}

/* Tries only lines that contain the literal. */
static gboolean next_match_with_literal(HfLineMatcher *matcher, const char *data, gsize length,
                                        gsize from, HfLineMatch *ret_match, GError **error)
{
    const HfLiteral *needs = matcher->pattern->needs;
    while (from < length) {
        gssize found = hf_literal_search(needs, data + from, length - from);
        if (found < 0)
            return FALSE;
        gsize at = from + (gsize)found;
        gsize start = line_start(data, from, at), end = line_end(data, length, at);
        if (!matcher->pattern->code) {
            set_line(ret_match, data, start, end, at);
            return TRUE;
        }
        g_autoptr(GError) problem = NULL;
        if (match_line(matcher, data, start, end, ret_match, &problem))
            return TRUE;
        if (problem) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        from = end + 1;
    }
    return FALSE;
}

/* Searches the whole text. A match that crosses the end of its line is tried again in that line
 * alone. */
static gboolean next_match_anywhere(HfLineMatcher *matcher, const char *data, gsize length,
                                    gsize from, HfLineMatch *ret_match, GError **error)
{
    while (from < length) {
        gsize until;
        g_autoptr(GError) problem = NULL;
        gssize found = match_regex(matcher, data, length, from, &until, &problem);
        if (found < 0) {
            if (problem)
                g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        gsize at = (gsize)found, start = line_start(data, from, at);
        if (at >= length && start == length)
            return FALSE; /* an empty match after the last line */
        gsize end = line_end(data, length, at);
        if (until <= end) {
            set_line(ret_match, data, start, end, at);
            return TRUE;
        }
        if (match_line(matcher, data, start, end, ret_match, &problem))
            return TRUE;
        if (problem) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        from = end + 1;
    }
    return FALSE;
}

gboolean hf_line_matcher_next(HfLineMatcher *matcher, const char *data, gsize length, gsize from,
                              HfLineMatch *ret_match, GError **error)
{
    return matcher->pattern->needs
               ? next_match_with_literal(matcher, data, length, from, ret_match, error)
               : next_match_anywhere(matcher, data, length, from, ret_match, error);
}
