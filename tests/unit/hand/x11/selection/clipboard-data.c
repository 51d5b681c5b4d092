/* SPDX-License-Identifier: Apache-2.0 */
/* Clipboard content in memory and on disk, and text in the encodings that other programs use. */
#include "hand/x11/selection/clipboard-data.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "hand/x11/core/property-text.h"

static GBytes *from_hex(const char *hex)
{
    GByteArray *bytes = g_byte_array_new();
    for (; hex[0] && hex[1]; hex += 2) {
        guint8 byte = (guint8)(g_ascii_xdigit_value(hex[0]) << 4 | g_ascii_xdigit_value(hex[1]));
        g_byte_array_append(bytes, &byte, 1);
    }
    return g_byte_array_free_to_bytes(bytes);
}

static void test_decode(void)
{
    static const struct {
        const char *type, *hex, *text;
    } cases[] = {
        /* As Xlib writes them. */
        {"COMPOUND_TEXT", "e4f6fc", "äöü"},
        {"COMPOUND_TEXT", "1b2d46c5ebebdce4e1", "Ελλάδα"},
        {"COMPOUND_TEXT", "1b2d4cbfe0d8d2d5e2", "Привет"},
        {"COMPOUND_TEXT", "1b242842467c4b5c386c", "日本語"},
        {"COMPOUND_TEXT", "1b24284243664a381b2428413c721b242842424e", "中文简体"},
        {"COMPOUND_TEXT", "1b242843475131393e6e", "한국어"},
        {"COMPOUND_TEXT", "1b2547d7a9d79cd795d79d1b2540", "שלום"},
        {"COMPOUND_TEXT", "1b2d62a475726f", "€uro"},
        {"COMPOUND_TEXT", "1b242842402433261b2842201b2547f09f8e891b2540", "世界 🎉"},
        {"COMPOUND_TEXT", "1b2d42b1e6ea", "ąćę"},
        {"COMPOUND_TEXT", "1b2949b1b2b3", "ｱｲｳ"},
        {"COMPOUND_TEXT", "6109620a63", "a\tb\nc"},
        {"COMPOUND_TEXT", "1b2d43bbb91b2d42ba", "ğış"},
        {"COMPOUND_TEXT", "1b242941d6d0", "中"},
        {"COMPOUND_TEXT", "1b2442467c4b5c", "日本"},
        /* An encoding by its name, direction marks, cut and unknown sequences. */
        {"COMPOUND_TEXT", "611b252f31808b69736f383835392d3202b162", "aąb"},
        {"COMPOUND_TEXT", "1b252f32808867626b2d3002d6d0", "中"},
        {"COMPOUND_TEXT", "9b315d61629b5d63", "abc"},
        {"COMPOUND_TEXT", "1b", ""},
        {"COMPOUND_TEXT", "611b24", "a$"},
        {"COMPOUND_TEXT", "611b252f31", "a"},
        {"COMPOUND_TEXT", "611b252f31ffff", "a"},
        {"COMPOUND_TEXT", "611b252f31808661202f2002b162", "ab"},
        {"COMPOUND_TEXT", "1b2d7ab1b2", "\xef\xbf\xbd"},
        {"COMPOUND_TEXT", "", ""},
        /* Types that programs use for several encodings. */
        {"UTF8_STRING", "c3a4", "ä"},
        {"UTF8_STRING", "e4", "\xef\xbf\xbd"},
        {"UTF8_STRING", "610062",
         "a\xef\xbf\xbd"
         "b"},
        {"UTF8_STRING", "61620000", "ab"},
        {"STRING", "e4", "ä"},
        {"STRING", "c3a4", "ä"},
        {"TEXT", "e4", "ä"},
        {"text/plain", "e4", "ä"},
        {"text/plain;charset=utf-8", "e4", "\xef\xbf\xbd"},
        {"text/plain;charset=UTF-8", "e4", "\xef\xbf\xbd"},
        {"text/plain;charset=iso-8859-5", "bf", "П"},
        {"text/plain;charset=\"iso-8859-5\"", "bf", "П"},
        {"text/plain;charset=nonsense", "bf", "\xef\xbf\xbd"},
        {"text/plain;charset=", "bf", "\xef\xbf\xbd"},
        {"SOMETHING", "", ""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GBytes) bytes = from_hex(cases[i].hex);
        gsize length = 0;
        const char *data = g_bytes_get_data(bytes, &length);
        g_autofree char *text = hf_x11_text_decode_type(cases[i].type, data, length);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

static void test_text(void)
{
    g_autoptr(HfClipboardData) data = hf_clipboard_data_new_text("ä世", FALSE);
    static const char *const utf8[] = {"UTF8_STRING", "text/plain;charset=utf-8", "text/plain",
                                       "TEXT"};
    for (guint i = 0; i < G_N_ELEMENTS(utf8); i++) {
        const HfClipboardFormat *format = hf_clipboard_data_find(data, utf8[i]);
        g_assert_nonnull(format);
        g_assert_cmpint(format->unit, ==, 8);
        g_assert_cmpmem(g_bytes_get_data(format->bytes, NULL), g_bytes_get_size(format->bytes),
                        "ä世", 5);
        g_assert_true(format->bytes == hf_clipboard_data_get(data, 0)->bytes);
    }
    const HfClipboardFormat *latin1 = hf_clipboard_data_find(data, "STRING");
    g_assert_cmpmem(g_bytes_get_data(latin1->bytes, NULL), g_bytes_get_size(latin1->bytes), "\xe4?",
                    2);
    g_assert_null(hf_clipboard_data_find(data, HF_CLIPBOARD_SECRET_TARGET));
    g_autoptr(HfClipboardData) secret = hf_clipboard_data_new_text("", TRUE);
    g_assert_nonnull(hf_clipboard_data_find(secret, HF_CLIPBOARD_SECRET_TARGET));
}

static HfClipboardData *make_content(void)
{
    HfClipboardData *data = hf_clipboard_data_new();
    hf_clipboard_data_add(data, "UTF8_STRING", "UTF8_STRING", 8, g_bytes_new("abc\n{}", 6));
    hf_clipboard_data_add(data, "text/plain", "text/plain", 8, g_bytes_new("abc\n{}", 6));
    hf_clipboard_data_add(data, "empty", "empty", 8, g_bytes_new("", 0));
    hf_clipboard_data_add(data, "Größe/\"\\\n", "ATOM", 32,
                          g_bytes_new("\0\0\0\1\xff\xff\xff\xff", 8));
    return data;
}

static void assert_same(const HfClipboardData *a, const HfClipboardData *b)
{
    g_assert_cmpuint(hf_clipboard_data_get_count(a), ==, hf_clipboard_data_get_count(b));
    for (guint i = 0; i < hf_clipboard_data_get_count(a); i++) {
        const HfClipboardFormat *left = hf_clipboard_data_get(a, i);
        const HfClipboardFormat *right = hf_clipboard_data_get(b, i);
        g_assert_cmpstr(left->target, ==, right->target);
        g_assert_cmpstr(left->type, ==, right->type);
        g_assert_cmpint(left->unit, ==, right->unit);
        g_assert_true(g_bytes_equal(left->bytes, right->bytes));
    }
}

static void test_file(void)
{
    g_autofree char *directory = g_dir_make_tmp("clipboard-XXXXXX", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfClipboardData) data = make_content();
    HfClipboardFile *file =
        hf_clipboard_file_write(directory, "_SERVER", "CLIPBOARD", data, &error);
    g_assert_no_error(error);
    GStatBuf info;
    g_assert_cmpint(g_stat(hf_clipboard_file_get_path(file), &info), ==, 0);
    g_assert_cmpuint(info.st_mode & 0777, ==, 0600);
    g_autoptr(HfClipboardData) loaded = hf_clipboard_file_load(file);
    g_assert_cmpstr(hf_clipboard_file_get_server(file), ==, "_SERVER");
    assert_same(data, loaded);

    /* A held file is no orphan; each selection has its own files; the newest comes first. */
    g_autoptr(GPtrArray) held = hf_clipboard_file_find_orphans(directory, "CLIPBOARD");
    g_assert_cmpuint(held->len, ==, 0);
    g_autofree char *path = g_strdup(hf_clipboard_file_get_path(file));
    hf_clipboard_file_free(file);
    HfClipboardFile *second =
        hf_clipboard_file_write(directory, "_SERVER", "CLIPBOARD", data, &error);
    g_autofree char *newer = g_strdup(hf_clipboard_file_get_path(second));
    hf_clipboard_file_free(second);
    g_autoptr(GPtrArray) other = hf_clipboard_file_find_orphans(directory, "PRIMARY");
    g_assert_cmpuint(other->len, ==, 0);
    g_autoptr(GPtrArray) found = hf_clipboard_file_find_orphans(directory, "CLIPBOARD");
    g_assert_cmpuint(found->len, ==, 2);
    g_assert_cmpstr(hf_clipboard_file_get_path(found->pdata[0]), ==, newer);
    g_assert_cmpstr(hf_clipboard_file_get_path(found->pdata[1]), ==, path);
    hf_clipboard_file_remove(g_ptr_array_steal_index(found, 0));
    hf_clipboard_file_remove(g_ptr_array_steal_index(found, 0));
    g_assert_cmpint(rmdir(directory), ==, 0);
}

/* A file that is cut at any byte does not load. */
static void test_cut_file(void)
{
    g_autofree char *directory = g_dir_make_tmp("clipboard-XXXXXX", NULL);
    g_autoptr(HfClipboardData) data = make_content();
    HfClipboardFile *file = hf_clipboard_file_write(directory, "_SERVER", "CLIPBOARD", data, NULL);
    for (off_t length = lseek(hf_clipboard_file_get_fd(file), 0, SEEK_END) - 1; length >= 0;
         length--) {
        g_assert_cmpint(ftruncate(hf_clipboard_file_get_fd(file), length), ==, 0);
        g_assert_null(hf_clipboard_file_load(file));
    }
    hf_clipboard_file_remove(file);
    g_assert_cmpint(rmdir(directory), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/clipboard-data/decode", test_decode);
    g_test_add_func("/clipboard-data/text", test_text);
    g_test_add_func("/clipboard-data/file", test_file);
    g_test_add_func("/clipboard-data/cut-file", test_cut_file);
    return g_test_run();
}
