/* SPDX-License-Identifier: Apache-2.0 */
/* Finds lines: first by the rarest byte of the literal, with memchr; the expression sees only the
 * remaining lines. */
#include "hand/files/search/line-pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#include "hand/files/files-limits.h"
#include "shared/base/error.h"

/* ---- literals ----
 *
 * memchr checks 32 bytes at a time: with a rare byte it runs at memory speed. If the byte turns out
 * to be common, memmem takes over. */

/* More false candidates than this, and more than one per so many bytes, are too many. */
#define FALSE_CANDIDATES 64u
#define CANDIDATE_BYTES  64u

struct HfLiteral {
    char *text;
    gsize length;
    gsize rare; /* offset of its rarest byte */
};

/* How common a byte is in texts and programs; higher is more common. */
static int byte_frequency_rank(guchar byte)
{
    static const char order[] = "\x01zjqxQZXYJKVWHUGBkvyMDFOLNPRwbIECATS987654321*/;)(\"=0.,"
                                "g-mfhpud_lcrnsoiat e";
    const char *found = memchr(order, byte, sizeof order - 1);
    return found ? (int)(found - order) : 0;
}

HfLiteral *hf_literal_new(const char *text, gsize length)
{
    HfLiteral *literal = g_new0(HfLiteral, 1);
    literal->text = g_strndup(text, length);
    literal->length = length;
    for (gsize i = 1; i < length; i++)
        if (byte_frequency_rank((guchar)text[i]) < byte_frequency_rank((guchar)text[literal->rare]))
            literal->rare = i;
    return literal;
}

void hf_literal_free(HfLiteral *literal)
{
    if (!literal)
        return;
    g_free(literal->text);
    g_free(literal);
}

const char *hf_literal_text(const HfLiteral *literal)
{
    return literal->text;
}

gssize hf_literal_search(const HfLiteral *literal, const char *data, gsize length)
{
    gsize wrong = 0, size = literal->length;
    char rare = literal->text[literal->rare];
    if (length < size)
        return -1;
    const char *at = data + literal->rare, *end = data + length - size + literal->rare + 1;
    while (at < end && (at = memchr(at, rare, (gsize)(end - at)))) {
        const char *start = at - literal->rare;
        if (memcmp(start, literal->text, size) == 0)
            return start - data;
        at++;
        if (++wrong > FALSE_CANDIDATES && wrong * CANDIDATE_BYTES > (gsize)(at - data)) {
            start = memmem(at - literal->rare, (gsize)(data + length - (at - literal->rare)),
                           literal->text, size);
            return start ? start - data : -1;
        }
    }
    return -1;
}

/* ---- the literal in an expression ---- */

typedef struct Scan {
    GString *run, *best;
} Scan;

static void end_run(Scan *scan)
{
    if (scan->run->len > scan->best->len)
        g_string_assign(scan->best, scan->run->str);
    g_string_truncate(scan->run, 0);
}

/* The end of the class that begins at `at`; NULL if it has none. */
static const char *skip_class(const char *at)
{
    at++;
    if (*at == '^')
        at++;
    if (*at == ']')
        at++;
    for (; *at && *at != ']'; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '[' && (at[1] == ':' || at[1] == '.' || at[1] == '='))
            return NULL; /* named classes are not worth it */
    }
    return *at ? at + 1 : NULL;
}

/* The end of the group; NULL if it has none. */
static const char *skip_group(const char *at)
{
    int depth = 0;
    while (at && *at) {
        if (*at == '\\' && at[1]) {
            at += 2;
        } else if (*at == '[') {
            at = skip_class(at);
        } else if (*at == '(') {
            depth++;
            at++;
        } else if (*at++ == ')' && --depth == 0) {
            return at;
        }
    }
    return NULL;
}

/* Handles a repetition and returns its end; NULL if it is none. */
static const char *take_repetition(Scan *scan, const char *at)
{
    if (*at != '+') { /* the character before it is optional; it can have several bytes */
        gsize length = scan->run->len;
        while (length > 0 && ((guchar)scan->run->str[length - 1] & 0xc0) == 0x80)
            length--;
        g_string_truncate(scan->run, length > 0 ? length - 1 : 0);
    }
    end_run(scan);
    if (*at == '{') {
        gsize inner = strspn(at + 1, "0123456789,");
        if (inner == 0 || at[inner + 1] != '}')
            return NULL; /* a literal brace: rare enough */
        at += inner + 1;
    }
    return at + 1 + (at[1] == '?' || at[1] == '+');
}

/* Scans one element; NULL if nothing is certain any more. */
static const char *scan_regex_element(Scan *scan, const char *at)
{
    if (strchr("*+?{", *at))
        return take_repetition(scan, at);
    if (*at == '|')
        return NULL;
    if (*at == '(' || *at == '[') {
        end_run(scan);
        return *at == '(' ? skip_group(at) : skip_class(at);
    }
    if (strchr("^$.)", *at)) {
        end_run(scan);
        return at + 1;
    }
    if (*at != '\\') {
        g_string_append_c(scan->run, *at);
        return at + 1;
    }
    if (!at[1] || g_ascii_isdigit(at[1]) || strchr("QEpPxoNgkcuU", at[1]))
        return NULL;
    if (g_ascii_isalpha(at[1]))
        end_run(scan);
    else
        g_string_append_c(scan->run, at[1]);
    return at + 2;
}

HfLiteral *hf_literal_of_expression(const char *expression)
{
    Scan scan = {g_string_new(NULL), g_string_new(NULL)};
    /* Option settings and verbs change what follows. */
    const char *at = strstr(expression, "(?") || strstr(expression, "(*") ? NULL : expression;
    while (at && *at)
        at = scan_regex_element(&scan, at);
    end_run(&scan);
    HfLiteral *found =
        at && scan.best->len > 0 ? hf_literal_new(scan.best->str, scan.best->len) : NULL;
    g_string_free(scan.run, TRUE);
    g_string_free(scan.best, TRUE);
    return found;
}

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
