/* SPDX-License-Identifier: Apache-2.0 */
/* Writes values as jansson does in its compact form, at less than half the cost: answers with
 * hundreds of elements are written twice on their way (decision 21). It does not check for cycles:
 * nothing here creates one, and nothing that was parsed can contain one. */
#include "shared/base/json-write.h"

#include <string.h>

/* Copies a text in blocks of this size, and checks eight bytes at once. */
#define BLOCK      512
#define EACH(BYTE) (G_GUINT64_CONSTANT(0x0101010101010101) * (guint64)(BYTE))

/* The highest bit of each of the eight bytes that is below 0x20, a quote or a backslash. Only the
 * lowest bit that is set is reliable; those above it may be wrong. */
static guint64 find_marks(guint64 bytes)
{
    guint64 quotes = bytes ^ EACH('"'), slashes = bytes ^ EACH('\\');
    return ((bytes - EACH(0x20)) | (quotes - EACH(1)) | (slashes - EACH(1))) & ~bytes & EACH(0x80);
}

/* The length of the escape; 1: none is needed. */
static gsize write_one(char *out, guchar byte)
{
    static const char control[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu", digits[] = "0123456789ABCDEF";
    if (byte >= 0x20 && byte != '"' && byte != '\\') {
        out[0] = (char)byte;
        return 1;
    }
    out[0] = '\\';
    out[1] = byte < 0x20 ? control[byte] : (char)byte;
    if (out[1] != 'u')
        return 2;
    memcpy(out + 2, "00", 2);
    out[4] = digits[byte >> 4];
    out[5] = digits[byte & 15];
    return 6;
}

/* Returns the number of bytes written, at most six for one. */
static gsize write_block(char *block, const char *text, gsize length)
{
    gsize used = 0, at = 0;
    guint64 eight;
    while (length - at >= sizeof eight) {
        memcpy(&eight, text + at, sizeof eight);
        guint64 marks = find_marks(GUINT64_FROM_LE(eight));
        gsize plain = marks ? (gsize)__builtin_ctzll(marks) / 8 : sizeof eight;
        memcpy(block + used, &eight, sizeof eight); /* the surplus is overwritten next time */
        used += plain;
        at += plain;
        if (marks)
            used += write_one(block + used, (guchar)text[at++]);
    }
    while (at < length)
        used += write_one(block + used, (guchar)text[at++]);
    return used;
}

static void append_text(GString *out, const char *text, gsize length)
{
    char block[BLOCK * 6];
    g_string_append_c(out, '"');
    for (gsize at = 0; at < length; at += BLOCK) {
        gsize used = write_block(block, text + at, MIN(length - at, BLOCK));
        g_string_append_len(out, block, (gssize)used);
    }
    g_string_append_c(out, '"');
}

static void append_integer(GString *out, json_int_t number)
{
    char digits[24];
    char *at = digits + sizeof digits;
    guint64 rest = number < 0 ? -(guint64)number : (guint64)number;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        *--at = '-';
    g_string_append_len(out, at, digits + sizeof digits - at);
}

static int append_json_chunk(const char *chunk, size_t size, void *out)
{
    g_string_append_len(out, chunk, (gssize)size);
    return 0;
}

static void append_json_object(GString *out, const json_t *json, int digits)
{
    const char *between = "{", *key;
    json_t *value;
    json_object_foreach ((json_t *)json, key, value) {
        g_string_append(out, between);
        append_text(out, key, strlen(key));
        g_string_append_c(out, ':');
        hf_json_write(out, value, digits);
        between = ",";
    }
    g_string_append(out, *between == '{' ? "{}" : "}");
}

static void append_json_array(GString *out, const json_t *json, int digits)
{
    g_string_append_c(out, '[');
    for (gsize i = 0; i < json_array_size(json); i++) {
        if (i > 0)
            g_string_append_c(out, ',');
        hf_json_write(out, json_array_get(json, i), digits);
    }
    g_string_append_c(out, ']');
}

void hf_json_write(GString *out, const json_t *json, int digits)
{
    if (!json)
        return;
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        append_json_object(out, json, digits);
        return;
    case JSON_ARRAY:
        append_json_array(out, json, digits);
        return;
    case JSON_STRING:
        append_text(out, json_string_value(json), json_string_length(json));
        return;
    case JSON_INTEGER:
        append_integer(out, json_integer_value(json));
        return;
    case JSON_REAL:
        json_dump_callback(json, append_json_chunk, out,
                           JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits));
        return;
    case JSON_TRUE:
        g_string_append(out, "true");
        return;
    case JSON_FALSE:
        g_string_append(out, "false");
        return;
    case JSON_NULL:
        g_string_append(out, "null");
        return;
    }
}
