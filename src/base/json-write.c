/* Values as text, as jansson writes them in its compact form, at less than half of its cost:
 * answers with hundreds of elements are written twice on their way (decision 21). Values that hold
 * themselves are for whoever makes them to avoid: nothing here does, and nothing that was parsed
 * can. */
#include "base/json-write.h"

#include <string.h>

/* Characters that must not stand in a text as they are: to the next of them it is copied at once.
 */
static gsize plain_length(const char *text, gsize length)
{
    gsize i = 0;
    while (i < length && (guchar)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\')
        i++;
    return i;
}

static void append_escaped(GString *out, char character)
{
    static const char shorts[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
    const char *found = character ? strchr(shorts, character) : NULL;
    if (found) {
        const char pair[] = {'\\', letters[found - shorts]};
        g_string_append_len(out, pair, sizeof pair);
    } else {
        g_string_append_printf(out, "\\u%04X", (guint)(guchar)character);
    }
}

static void append_text(GString *out, const char *text, gsize length)
{
    g_string_append_c(out, '"');
    for (gsize at = 0; at < length; at++) {
        gsize plain = plain_length(text + at, length - at);
        g_string_append_len(out, text + at, (gssize)plain);
        at += plain;
        if (at < length)
            append_escaped(out, text[at]);
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

static int append_chunk(const char *chunk, size_t size, void *out)
{
    g_string_append_len(out, chunk, (gssize)size);
    return 0;
}

static void append_object(GString *out, const json_t *json, int digits)
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

static void append_array(GString *out, const json_t *json, int digits)
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
        append_object(out, json, digits);
        return;
    case JSON_ARRAY:
        append_array(out, json, digits);
        return;
    case JSON_STRING:
        append_text(out, json_string_value(json), json_string_length(json));
        return;
    case JSON_INTEGER:
        append_integer(out, json_integer_value(json));
        return;
    case JSON_REAL:
        json_dump_callback(json, append_chunk, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits));
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
