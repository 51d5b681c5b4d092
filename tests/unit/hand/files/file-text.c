/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of files: encodings that come back as the same bytes, edits, and differences that `patch`
 * would take. */
#include "hand/files/file-text.h"

#include <string.h>

#include "hand/files/change/diff.h"
#include "hand/files/change/file-operations.h"
#include "shared/base/error.h"

#define BYTES(TEXT) TEXT, sizeof(TEXT) - 1

static const struct {
    const char *bytes;
    gsize size;
    HfEncoding encoding;
    gboolean mark;
    HfEndings endings;
    const char *text; /* NULL: binary */
} texts[] = {
    {BYTES(""), HF_ENCODING_UTF8, FALSE, HF_ENDINGS_NONE, ""},
    {BYTES("a\nb"), HF_ENCODING_UTF8, FALSE, HF_ENDINGS_LF, "a\nb"},
    {BYTES("a\r\nb\r\n"), HF_ENCODING_UTF8, FALSE, HF_ENDINGS_CRLF, "a\r\nb\r\n"},
    {BYTES("a\rb"), HF_ENCODING_UTF8, FALSE, HF_ENDINGS_CR, "a\rb"},
    {BYTES("a\r\nb\n"), HF_ENCODING_UTF8, FALSE, HF_ENDINGS_MIXED, "a\r\nb\n"},
    {BYTES("\xef\xbb\xbfx"), HF_ENCODING_UTF8, TRUE, HF_ENDINGS_NONE, "x"},
    {BYTES("\xe4\xb8\xad\n"), HF_ENCODING_UTF8, FALSE, HF_ENDINGS_LF, "中\n"},
    {BYTES("\xff\xfe"
           "a\0\n\0"),
     HF_ENCODING_UTF16LE, TRUE, HF_ENDINGS_LF, "a\n"},
    {BYTES("\xfe\xff\0a\0\r\0\n"), HF_ENCODING_UTF16BE, TRUE, HF_ENDINGS_CRLF, "a\r\n"},
    {BYTES("\xff\xfe\x3d\xd8\x4b\xdc"), HF_ENCODING_UTF16LE, TRUE, HF_ENDINGS_NONE, "👋"},
    {BYTES("\xff\xfe\x3d\xd8"), HF_ENCODING_BINARY, FALSE, HF_ENDINGS_NONE, NULL}, /* half */
    {BYTES("\xff\xfe"
           "a"),
     HF_ENCODING_BINARY, FALSE, HF_ENDINGS_NONE, NULL},
    {BYTES("a\0b"), HF_ENCODING_BINARY, FALSE, HF_ENDINGS_NONE, NULL},
    {BYTES("caf\xe9"), HF_ENCODING_BINARY, FALSE, HF_ENDINGS_NONE, NULL},
};

static void test_encodings(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GBytes) bytes = g_bytes_new(texts[i].bytes, texts[i].size);
        g_auto(HfFileText) text = {0};
        hf_file_text_read(&text, bytes);
        g_test_message("%zu", i);
        g_assert_cmpint(text.encoding, ==, texts[i].encoding);
        g_assert_cmpint(text.mark, ==, texts[i].mark);
        g_assert_cmpint(text.endings, ==, texts[i].endings);
        g_assert_cmpstr(text.text, ==, texts[i].text);
        if (!text.text)
            continue;
        g_autoptr(GBytes) back = hf_file_text_write(&text, text.text);
        g_assert_true(g_bytes_equal(back, bytes));
    }
}

static void test_lines(void)
{
    g_assert_cmpuint(hf_text_count_lines("", 0), ==, 0);
    g_assert_cmpuint(hf_text_count_lines("a", 1), ==, 1);
    g_assert_cmpuint(hf_text_count_lines("a\n", 2), ==, 1);
    g_assert_cmpuint(hf_text_count_lines("a\n\nb", 4), ==, 3);
    g_assert_cmpuint(hf_text_line_at("a\nb\nc", 0), ==, 1);
    g_assert_cmpuint(hf_text_line_at("a\nb\nc", 2), ==, 2);
    g_assert_cmpuint(hf_text_line_at("a\nb\nc", 4), ==, 3);
}

static const struct {
    const char *text, *old, *new;
    gboolean all;
    const char *result; /* NULL: refused */
    const char *told;   /* in the message */
} edits[] = {
    {"one two", "two", "2", FALSE, "one 2", NULL},
    {"one two", "two", "", FALSE, "one ", NULL},
    {"a a a", "a", "b", TRUE, "b b b", NULL},
    {"aaa", "aa", "b", TRUE, "ba", NULL},
    {"x\na\ny\na\n", "a", "b", FALSE, NULL, "2 times: line 2, 4"},
    {"a\r\nb\r\nc\r\n", "a\nb", "x\ny", FALSE, "x\r\ny\r\nc\r\n", NULL},
    {"a\r\nb\r\n", "a\r\nb", "x\r\ny", FALSE, "x\r\ny\r\n", NULL},
    {"a\nb\r\n", "a\nb", "x\ny", FALSE, "x\ny\r\n", NULL}, /* mixed: as it is given */
    {"int first;\nint second;\n", "int  second;", "x", FALSE, NULL, "line 2: int second;"},
    {"alpha\n", "quite another thing", "x", FALSE, NULL, "old_string is not in the file"},
};

static void test_edits(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(edits); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GBytes) bytes = g_bytes_new(edits[i].text, strlen(edits[i].text));
        g_auto(HfFileText) text = {0};
        guint count = 0;
        hf_file_text_read(&text, bytes);
        g_autofree char *result = hf_text_edit_replace(&text, "/in/a", edits[i].old, edits[i].new,
                                                       edits[i].all, &count, &error);
        g_test_message("%zu %s", i, error ? error->message : "");
        g_assert_cmpstr(result, ==, edits[i].result);
        if (result)
            continue;
        g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_PRECONDITION_FAILED);
        g_assert_nonnull(strstr(error->message, edits[i].told));
    }
}

static const struct {
    const char *before, *after; /* NULL: no such file */
    const char *diff;
} diffs[] = {
    {"a\n", "a\n", ""},
    {"", "", ""},
    {"a\n", "b\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"},
    {NULL, "a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"},
    {NULL, "", "--- /dev/null\n+++ b/f\n"},
    {"a\nb\n", NULL, "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
    {"a", "a\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
    {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
     "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n"},
    {"1\n2\n3\n", "1\n3\n", "--- a/f\n+++ b/f\n@@ -1,3 +1,2 @@\n 1\n-2\n 3\n"},
    {"1\n3\n", "1\n2\n3\n", "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n 1\n+2\n 3\n"},
    {"a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\n8\nB\n",
     "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -7,4 +7,4 @@\n 6\n 7\n "
     "8\n-b\n+B\n"},
};

static void test_diffs(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(diffs); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        HfDiffSide before = {.path = "/f", .text = diffs[i].before};
        HfDiffSide after = {.path = "/f", .text = diffs[i].after};
        hf_diff_append(out, &before, &after);
        g_test_message("%zu", i);
        g_assert_cmpstr(out->str, ==, diffs[i].diff);
    }
    g_autoptr(GString) out = g_string_new(NULL);
    HfDiffSide binary = {.path = "/f", .binary = TRUE}, none = {.path = "/f"};
    hf_diff_append(out, &none, &binary);
    g_assert_cmpstr(out->str, ==, "Binary files /dev/null and /f differ\n");
}

/* What is not in a hunk is the same; what the hunks say makes one of the other. */
static void check_hunks(const guint *before, guint count, const guint *after, guint other)
{
    g_autoptr(GArray) hunks = hf_diff_hunks(before, count, after, other);
    guint x = 0, y = 0;
    for (guint i = 0; i <= hunks->len; i++) {
        HfHunk end = {count, 0, other, 0};
        const HfHunk *hunk = i < hunks->len ? &g_array_index(hunks, HfHunk, i) : &end;
        g_assert_cmpuint(hunk->before - x, ==, hunk->after - y);
        for (; x < hunk->before; x++, y++)
            g_assert_cmpuint(before[x], ==, after[y]);
        x += hunk->before_count;
        y += hunk->after_count;
    }
    g_assert_cmpuint(x, ==, count);
    g_assert_cmpuint(y, ==, other);
}

/* The length of the longest common part, by the plain way. */
static guint common(const guint *a, guint count, const guint *b, guint other)
{
    guint table[33][33] = {{0}};
    for (guint i = 1; i <= count; i++)
        for (guint j = 1; j <= other; j++)
            table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                               : MAX(table[i - 1][j], table[i][j - 1]);
    return table[count][other];
}

static void test_shortest(void)
{
    for (int round = 0; round < 3000; round++) {
        guint a[32], b[32], count = (guint)g_test_rand_int_range(0, 33),
                            other = (guint)g_test_rand_int_range(0, 33), changed = 0;
        for (guint i = 0; i < 32; i++) {
            a[i] = (guint)g_test_rand_int_range(0, 5);
            b[i] = (guint)g_test_rand_int_range(0, 5);
        }
        check_hunks(a, count, b, other);
        g_autoptr(GArray) hunks = hf_diff_hunks(a, count, b, other);
        for (guint i = 0; i < hunks->len; i++)
            changed += g_array_index(hunks, HfHunk, i).before_count +
                       g_array_index(hunks, HfHunk, i).after_count;
        g_assert_cmpuint(changed, ==, count + other - 2 * common(a, count, b, other));
    }
}

/* More than is looked for: told as a whole, in bounded time. */
static void test_bounded(void)
{
    g_autofree guint *a = g_new(guint, 20000), *b = g_new(guint, 20000);
    for (guint i = 0; i < 20000; i++) {
        a[i] = i;
        b[i] = i % 2 ? i : 100000 + i;
    }
    check_hunks(a, 20000, b, 20000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/files/text/encodings", test_encodings);
    g_test_add_func("/files/text/lines", test_lines);
    g_test_add_func("/files/text/edits", test_edits);
    g_test_add_func("/files/text/diffs", test_diffs);
    g_test_add_func("/files/text/shortest", test_shortest);
    g_test_add_func("/files/text/bounded", test_bounded);
    return g_test_run();
}
