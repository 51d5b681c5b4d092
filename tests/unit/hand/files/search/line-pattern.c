/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions in lines, and the text that each match must have. */
#include "hand/files/search/line-pattern.h"

#include <string.h>

#include "shared/base/error.h"

static const struct {
    const char *expression;
    const char *needs; /* NULL: nothing is certain */
} needs[] = {
    {"abc", "abc"},
    {"a.c", "a"},
    {"ab.*cde", "cde"},
    {"abc?", "ab"},
    {"abc*d", "ab"},
    {"abc+d", "abc"},
    {"a|b", NULL},
    {"(a|b)cd", "cd"},
    {"x(abc)y", "x"},
    {"[abc]de", "de"},
    {"[]a]bc", "bc"},
    {"\\.txt$", ".txt"},
    {"\\bword\\b", "word"},
    {"\\d+ms", "ms"},
    {"(?i)abc", NULL},
    {"(*UTF)abc", NULL},
    {"\\Qa|b\\E", NULL},
    {"ab{2}cde", "cde"},
    {"ab{2,}?c", "a"},
    {"a{b|c}d", NULL},
    {"[[:alpha:]]x", NULL},
    {"(", NULL},
    {".*", NULL},
    {"\\x41bc", NULL},
    {"中文.", "中文"},
    {"a中?bcd", "bcd"},
    {"^#include", "#include"},
    {"(a)(b)c", "c"},
    {"(a[)]b)xy", "xy"},
    {"foo\\(bar\\)", "foo(bar)"},
};

static void test_needs(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(needs); i++) {
        HfLiteral *literal = hf_literal_of_expression(needs[i].expression);
        g_test_message("%s", needs[i].expression);
        g_assert_cmpstr(literal ? hf_literal_text(literal) : NULL, ==, needs[i].needs);
        hf_literal_free(literal);
    }
}

/* As memmem finds it, whatever the bytes. */
static void test_literals(void)
{
    for (int round = 0; round < 20000; round++) {
        char data[200], text[8];
        gsize length = (gsize)g_test_rand_int_range(0, 200);
        gsize size = (gsize)g_test_rand_int_range(1, 6);
        for (gsize i = 0; i < length; i++)
            data[i] = (char)g_test_rand_int_range('a', 'd');
        for (gsize i = 0; i < size; i++)
            text[i] = (char)g_test_rand_int_range('a', 'd');
        HfLiteral *literal = hf_literal_new(text, size);
        const char *expected = memmem(data, length, text, size);
        g_assert_cmpint(hf_literal_search(literal, data, length), ==,
                        expected ? expected - data : -1);
        hf_literal_free(literal);
    }
}

static const struct {
    const char *pattern;
    HfLinePatternFlags flags;
    const char *text;
    const char *lines; /* that match, with commas */
} searches[] = {
    {"two", 0, "one\ntwo\nthree\ntwo\n", "two,two"},
    {"t.o", 0, "one\ntwo\n", "two"},
    {"^o", 0, "one\ntwo\nother", "one,other"},
    {"e$", 0, "one\r\ntwo\r\nthree", "one,three"},
    {"a\\sb", 0, "a\nb\na b\n", "a b"}, /* nothing beyond a line */
    {"[^x]+", 0, "\nab\n\ncd", "ab,cd"},
    {"TWO", HF_LINE_PATTERN_IGNORE_CASE, "one\ntwo\n", "two"},
    {"ÄPFEL", HF_LINE_PATTERN_IGNORE_CASE, "äpfel\n", "äpfel"},
    {"a.b", HF_LINE_PATTERN_LITERAL, "axb\na.b\n", "a.b"},
    {"A.B", HF_LINE_PATTERN_LITERAL | HF_LINE_PATTERN_IGNORE_CASE, "axb\na.b\n", "a.b"},
    {"中.", 0, "中文\n中\n", "中文"},
    {"x", 0, "", ""},
    {"$", 0, "a\n", "a"},
    {"^$", 0, "a\n\nb\n", ""},
    {"(a+)b\\1", 0, "aabaa\nab\n", "aabaa"},
    {"b", 0, "caf\xe9 b\n", "caf\xe9 b"}, /* no UTF-8 */
    {"é", 0, "\xff\xfe é\n", "\xff\xfe é"},
};

static char *find_lines(const HfLinePattern *pattern, const char *text, GError **error)
{
    g_autoptr(HfLineMatcher) matcher = hf_line_matcher_new(pattern);
    GString *lines = g_string_new(NULL);
    gsize length = strlen(text), from = 0;
    HfLineMatch match;
    while (from < length && hf_line_matcher_next(matcher, text, length, from, &match, error)) {
        if (lines->len > 0)
            g_string_append_c(lines, ',');
        g_string_append_len(lines, text + match.line, (gssize)match.line_length);
        g_assert_cmpuint(match.start, >=, match.line);
        const char *end = memchr(text + match.line, '\n', length - match.line);
        from = end ? (gsize)(end - text) + 1 : length;
    }
    return g_string_free(lines, FALSE);
}

static void test_searches(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(searches); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(HfLinePattern) pattern =
            hf_line_pattern_new(searches[i].pattern, searches[i].flags, &error);
        g_assert_no_error(error);
        g_test_message("%s", searches[i].pattern);
        g_autofree char *lines = find_lines(pattern, searches[i].text, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(lines, ==, searches[i].lines);
    }
}

static void test_wrong(void)
{
    static const char *const wrong[] = {"(", "[a", "*", "a\nb", "", "(?<n", "\\C"};
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(hf_line_pattern_new(wrong[i], 0, &error));
        g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_INVALID_PARAMS);
    }
}

/* An expression that would take longer than anybody waits is refused, soon. */
static void test_catastrophe(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfLinePattern) pattern = hf_line_pattern_new("^(a+)+$", 0, NULL);
    g_autofree char *text = g_strconcat("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", NULL);
    gint64 began = g_get_monotonic_time();
    g_autofree char *lines = find_lines(pattern, text, &error);
    g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_LIMIT_EXCEEDED);
    g_assert_cmpint(g_get_monotonic_time() - began, <, 5 * G_USEC_PER_SEC);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/files/pattern/needs", test_needs);
    g_test_add_func("/files/pattern/literals", test_literals);
    g_test_add_func("/files/pattern/searches", test_searches);
    g_test_add_func("/files/pattern/wrong", test_wrong);
    g_test_add_func("/files/pattern/catastrophe", test_catastrophe);
    return g_test_run();
}
