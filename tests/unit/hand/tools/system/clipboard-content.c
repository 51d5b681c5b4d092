/* SPDX-License-Identifier: Apache-2.0 */
/* Markup and lists of files as programs hand them over, and back. */
#include "hand/tools/system/clipboard-content.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

static const struct {
    const char *bytes;
    gsize length;
    const char *text;
} pages[] = {
    {"<b>x</b>", 8, "<b>x</b>"},     {"<b>x</b>\0\0", 10, "<b>x</b>"}, {"", 0, ""},
    {"\xff\xfe<\0b\0>\0", 8, "<b>"}, {"\xfe\xff\0<\0b\0>", 8, "<b>"},  {"\xff\xfe<\0b", 5, "<"},
    {"a\xffz", 3, "a\357\277\275z"},
};

static void test_html(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(pages); i++) {
        g_autofree char *text =
            hf_content_read_html((const guint8 *)pages[i].bytes, pages[i].length);
        g_test_message("case %zu", i);
        g_assert_cmpstr(text, ==, pages[i].text);
    }
}

static const struct {
    const char *bytes, *files;
} lists[] = {
    {"", "[]"},
    {"file:///tmp/a%20b\r\n", "[\"/tmp/a b\"]"},
    {"# comment\r\nfile:///a\r\nhttp://h/x\r\n", "[\"/a\", \"http://h/x\"]"},
    {"copy\nfile:///a\nfile:///b", "[\"/a\", \"/b\"]"},
    {"cut\nfile:///a", "[\"/a\"]"},
    {"file:///a\ncopy", "[\"/a\", \"copy\"]"},
    {"file://localhost/a", "[\"/a\"]"},
    {"file://elsewhere.example/a", "[\"file://elsewhere.example/a\"]"},
    {"file:///a%ZZ", "[\"file:///a%ZZ\"]"},
};

static void test_files(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_autoptr(json_t) read =
            hf_content_read_files((const guint8 *)lists[i].bytes, strlen(lists[i].bytes));
        g_autoptr(json_t) wanted = json_loads(lists[i].files, 0, NULL);
        g_test_message("%s", lists[i].bytes);
        g_assert_true(json_equal(read, wanted));
    }
}

static void test_writing(void)
{
    g_autoptr(json_t) paths = json_pack("[s, s]", "/tmp/a b", "https://h/x");
    g_autofree char *list = hf_content_write_files(paths, NULL);
    g_assert_cmpstr(list, ==, "file:///tmp/a%20b\r\nhttps://h/x\r\n");
    static const char *const wrong[] = {"relative", "", "https://h/\nfile:///etc"};
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) one = json_pack("[s]", wrong[i]);
        g_assert_null(hf_content_write_files(one, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    }
}

static void test_words(void)
{
    g_assert_cmpstr(hf_content_formats("html")[0], ==, "text/html");
    g_assert_cmpstr(hf_content_formats("image")[0], ==, "image/png");
    g_assert_cmpstr(hf_content_formats("files")[0], ==, "text/uri-list");
    g_assert_null(hf_content_formats("text/html"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/clipboard-content/html", test_html);
    g_test_add_func("/clipboard-content/files", test_files);
    g_test_add_func("/clipboard-content/writing", test_writing);
    g_test_add_func("/clipboard-content/words", test_words);
    return g_test_run();
}
