/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/shared/base/json-write.c: every kind of value is written as jansson writes it, and
 * can be read again. */
#include "shared/base/json-write.h"

#include <string.h>

static const char *const values[] = {
    "{}",
    "[]",
    "null",
    "[true, false, null]",
    "{\"a\": {\"b\": [{}, []]}, \"c\": 1}",
    "[0, 7, -7, 9223372036854775807, -9223372036854775808]",
    "[1.5, -0.25, 28.732, 1e300, 0.1, 3.0]",
    "\"\"",
    "\"plain\"",
    "\"a \\\"quoted\\\" \\\\ path / with \\b\\f\\n\\r\\t\"",
    "\"\\u0001\\u001f\\u007f at the end \\u0000\"",
    "\"Größe 尺寸 \\ud83d\\ude00\"",
    "{\"key \\\"with\\\" marks\\n\": \"\\n\"}",
};

static char *by_jansson(const json_t *json, int digits)
{
    return json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits));
}

static void test_as_jansson(void)
{
    static const int digits[] = {0, 6, 15};
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        json_error_t problem;
        json_t *json = json_loads(values[i], JSON_DECODE_ANY | JSON_ALLOW_NUL, &problem);
        g_assert_nonnull(json);
        for (gsize k = 0; k < G_N_ELEMENTS(digits); k++) {
            char *wanted = by_jansson(json, digits[k]);
            g_autoptr(GString) text = g_string_new("before");
            hf_json_write(text, json, digits[k]);
            g_assert_cmpstr(text->str + strlen("before"), ==, wanted);
            free(wanted);
        }
        json_decref(json);
    }
}

/* What must be escaped at every place of a text of every length: it is looked at eight bytes at a
 * time, and written in blocks. */
static void test_every_place(void)
{
    static const char marks[] = "\"\\\n\x01\x1f\x7f\xc3\xa4";
    static const gsize lengths[] = {1, 7, 8, 9, 15, 16, 17, 31, 511, 512, 513, 520, 1024, 1030};
    for (gsize i = 0; i < G_N_ELEMENTS(lengths); i++)
        for (gsize place = 0; place<lengths[i]; place += lengths[i]> 100 ? 101 : 1) {
            g_autofree char *letters = g_strnfill(lengths[i], 'x');
            g_autoptr(GString) full = g_string_new(letters);
            g_string_insert(full, (gssize)place, marks);
            g_autoptr(GString) text = g_string_new(NULL);
            json_t *json = json_stringn(full->str, full->len);
            hf_json_write(text, json, 0);
            char *wanted = by_jansson(json, 0);
            g_assert_cmpstr(text->str, ==, wanted);
            free(wanted);
            json_decref(json);
        }
}

static void test_every_byte(void)
{
    for (guint byte = 0; byte < 0x80; byte++) {
        char letters[9] = "aaaaaaaa";
        letters[byte % 8] = (char)byte;
        json_t *json = json_stringn(letters, 8);
        g_autoptr(GString) text = g_string_new(NULL);
        hf_json_write(text, json, 0);
        char *wanted = by_jansson(json, 0);
        g_assert_cmpstr(text->str, ==, wanted);
        free(wanted);
        json_decref(json);
    }
}

static void test_nothing(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hf_json_write(text, NULL, 0);
    g_assert_cmpstr(text->str, ==, "");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/json-write/as-jansson", test_as_jansson);
    g_test_add_func("/json-write/every-place", test_every_place);
    g_test_add_func("/json-write/every-byte", test_every_byte);
    g_test_add_func("/json-write/nothing", test_nothing);
    return g_test_run();
}
