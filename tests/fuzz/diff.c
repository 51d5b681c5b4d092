/* SPDX-License-Identifier: Apache-2.0 */
/* Two texts, cut in the middle: what their difference says makes one of the other, line by line.
 * And the text that an expression is said to need is in everything that it matches. */
#include <stdint.h>
#include <string.h>

#include "hand/files/change/diff.h"
#include "hand/files/file-text.h"
#include "hand/files/search/line-pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static guint *numbers_of(const uint8_t *data, gsize size)
{
    guint *numbers = g_new(guint, size + 1);
    for (gsize i = 0; i < size; i++)
        numbers[i] = data[i] % 8;
    return numbers;
}

static void check_hunks(const uint8_t *data, size_t size)
{
    guint half = (guint)size / 2, other = (guint)size - half, x = 0, y = 0;
    g_autofree guint *before = numbers_of(data, half), *after = numbers_of(data + half, other);
    g_autoptr(GArray) hunks = hf_diff_hunks(before, half, after, other);
    for (guint i = 0; i <= hunks->len; i++) {
        HfHunk end = {half, 0, other, 0};
        const HfHunk *hunk = i < hunks->len ? &g_array_index(hunks, HfHunk, i) : &end;
        g_assert_cmpuint(hunk->before - x, ==, hunk->after - y);
        for (; x < hunk->before; x++, y++)
            g_assert_cmpuint(before[x], ==, after[y]);
        x += hunk->before_count;
        y += hunk->after_count;
    }
}

static void check_text(const uint8_t *data, size_t size)
{
    g_autoptr(GBytes) bytes = g_bytes_new(data, size);
    g_auto(HfFileText) text = {0};
    hf_file_text_read(&text, bytes);
    if (!text.text)
        return;
    g_assert_true(g_utf8_validate(text.text, -1, NULL));
    g_autoptr(GBytes) back = hf_file_text_write(&text, text.text);
    g_assert_true(g_bytes_equal(back, bytes));
}

/* The expression is the first line, what it is looked for in the rest. */
static void check_pattern(const uint8_t *data, size_t size)
{
    const uint8_t *feed = memchr(data, '\n', size);
    if (!feed || memchr(data, 0, (gsize)(feed - data)))
        return;
    g_autofree char *expression = g_strndup((const char *)data, (gsize)(feed - data));
    if (!g_utf8_validate(expression, -1, NULL))
        return;
    g_autoptr(HfLinePattern) pattern = hf_line_pattern_new(expression, 0, NULL);
    const char *text = (const char *)feed + 1;
    gsize length = size - (gsize)(feed + 1 - data), from = 0;
    HfLineMatch match;
    g_autoptr(HfLineMatcher) matcher = pattern ? hf_line_matcher_new(pattern) : NULL;
    HfLiteral *literal = hf_literal_of_expression(expression);
    const char *needs = literal ? hf_literal_text(literal) : NULL;
    while (matcher && from < length &&
           hf_line_matcher_next(matcher, text, length, from, &match, NULL)) {
        g_assert_cmpuint(match.line + match.line_length, <=, length);
        /* A line is reported without the carriage return at its end, which may have matched. */
        gsize whole = match.line_length;
        whole += match.line + whole < length && text[match.line + whole] == '\r';
        g_assert_true(!needs || memmem(text + match.line, whole, needs, strlen(needs)));
        const char *end = memchr(text + match.line, '\n', length - match.line);
        from = end ? (gsize)(end - text) + 1 : length;
    }
    hf_literal_free(literal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    check_hunks(data, size);
    check_text(data, size);
    check_pattern(data, size);
    g_autofree char *whole = g_strndup((const char *)data, size);
    g_autofree char *valid = g_utf8_make_valid(whole, -1);
    HfDiffSide before = {.path = "/f", .text = ""}, after = {.path = "/f", .text = valid};
    g_autoptr(GString) out = g_string_new(NULL);
    hf_diff_append(out, &before, &after);
    g_assert_true((*valid != '\0') == (out->len > 0));
    return 0;
}
