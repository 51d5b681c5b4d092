/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for jansson. They do not know what the values mean. */
#include "shared/base/json.h"

#include <math.h>
#include <string.h>

#include "shared/base/json-write.h"

const char *hf_json_string(const json_t *object, const char *key, const char *fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : fallback;
}

json_int_t hf_json_int(const json_t *object, const char *key, json_int_t fallback)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_integer(value))
        return json_integer_value(value);
    double real = json_is_real(value) ? json_real_value(value) : 0.5;
    return real == floor(real) && fabs(real) < 1e15 ? (json_int_t)real : fallback;
}

double hf_json_number(const json_t *object, const char *key, double fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

gboolean hf_json_bool(const json_t *object, const char *key, gboolean fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : fallback;
}

/* GLib validates UTF-8 several times faster than jansson, but stops at NUL. */
json_t *hf_json_text_n(const char *text, gsize length)
{
    json_t *json = g_utf8_validate_len(text, length, NULL) ? json_stringn_nocheck(text, length)
                                                           : json_stringn(text, length);
    if (json)
        return json;
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
    return json_string(valid);
}

json_t *hf_json_text(const char *text)
{
    return hf_json_text_n(text ? text : "", text ? strlen(text) : 0);
}

json_t *hf_json_rect(HfRect rect)
{
    json_t *json = json_object();
    json_object_set_new(json, "x", json_integer(rect.x));
    json_object_set_new(json, "y", json_integer(rect.y));
    json_object_set_new(json, "width", json_integer(rect.width));
    json_object_set_new(json, "height", json_integer(rect.height));
    return json;
}

json_t *hf_json_point(HfPoint point)
{
    return json_pack("{s:i, s:i}", "x", point.x, "y", point.y);
}

void hf_json_append(GString *text, const json_t *json)
{
    hf_json_write(text, json, 6);
}

char *hf_json_dump(const json_t *json)
{
    GString *text = g_string_new(NULL);
    /* With 17 digits, 28.732 would be 28.731999999999999. */
    hf_json_write(text, json, 15);
    return g_string_free(text, FALSE);
}

json_t *hf_json_dup_request_id(const char *text, gsize length)
{
    const size_t anything = JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES;
    g_autoptr(json_t) request = json_loadb(text, length, anything, NULL);
    json_t *id = json_object_get(request, "id");
    const double exact = 9007199254740992.0;
    if (json_is_string(id) && strlen(json_string_value(id)) == json_string_length(id))
        return json_incref(id);
    double number = json_is_real(id) ? json_real_value(id) : exact;
    gboolean whole = number > -exact && number < exact && number == (double)(json_int_t)number;
    return whole ? json_integer((json_int_t)number) : NULL;
}

char *hf_json_dup_parse_error(const json_error_t *fault)
{
    switch (json_error_code(fault)) {
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return g_strdup("a text contains the character \\u0000, which no tool accepts");
    case json_error_numeric_overflow:
        return g_strdup("a number is too large");
    default:
        return g_utf8_make_valid(fault->text, -1);
    }
}
