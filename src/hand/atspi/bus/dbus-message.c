/* SPDX-License-Identifier: Apache-2.0 */
/* Only in this machine's byte order: both ends run on it. Every value is aligned to its size,
 * counted from the beginning of the message. Sizes come from programs that may send anything: each
 * is checked against what is left before it is used. */
#include "hand/atspi/bus/dbus-message.h"

#include <string.h>

#define ORDER         (G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'l' : 'B')
#define VERSION       1
#define HEAD_BYTES    16 /* up to the fields */
#define SERIAL_OFFSET 8
#define LENGTH_OFFSET 4
#define DEPTH         32
/* A program with 20,000 objects sends half a million values. */
#define MOST_VALUES 1000000u

enum { TYPE_CALL = 1, TYPE_RETURN = 2, TYPE_ERROR = 3 };
enum {
    FIELD_PATH = 1,
    FIELD_INTERFACE = 2,
    FIELD_MEMBER = 3,
    FIELD_REPLY_SERIAL = 5,
    FIELD_DESTINATION = 6,
    FIELD_SIGNATURE = 8
};

static gsize dbus_alignment(char type)
{
    switch (type) {
    case 'y':
    case 'g':
    case 'v':
        return 1;
    case 'n':
    case 'q':
        return 2;
    case 'x':
    case 't':
    case 'd':
    case '(':
    case '{':
        return 8;
    default:
        return 4;
    }
}

/* ---- writing ---- */

static void pad_message(GByteArray *out, gsize to)
{
    static const guint8 zeros[8];
    g_byte_array_append(out, zeros, (guint)((to - out->len % to) % to));
}

static void put_u32(GByteArray *out, guint32 number)
{
    pad_message(out, 4);
    g_byte_array_append(out, (const guint8 *)&number, sizeof number);
}

static void put_text(GByteArray *out, const char *text)
{
    gsize length = strlen(text);
    put_u32(out, (guint32)length);
    g_byte_array_append(out, (const guint8 *)text, (guint)length + 1);
}

static void put_signature(GByteArray *out, const char *signature, gsize length)
{
    guint8 size = (guint8)length, end = 0;
    g_byte_array_append(out, &size, 1);
    g_byte_array_append(out, (const guint8 *)signature, (guint)length);
    g_byte_array_append(out, &end, 1);
}

static void put_value(GByteArray *out, GVariant *value);

static void put_children(GByteArray *out, GVariant *value)
{
    for (gsize i = 0; i < g_variant_n_children(value); i++) {
        g_autoptr(GVariant) child = g_variant_get_child_value(value, i);
        put_value(out, child);
    }
}

static void put_array(GByteArray *out, GVariant *value)
{
    put_u32(out, 0);
    guint at = out->len - 4;
    pad_message(out, dbus_alignment(g_variant_get_type_string(value)[1]));
    guint begin = out->len;
    put_children(out, value);
    guint32 length = out->len - begin;
    memcpy(out->data + at, &length, sizeof length);
}

static void put_variant(GByteArray *out, GVariant *value)
{
    g_autoptr(GVariant) inner = g_variant_get_variant(value);
    const char *type = g_variant_get_type_string(inner);
    put_signature(out, type, strlen(type));
    put_value(out, inner);
}

static void put_value(GByteArray *out, GVariant *value)
{
    char type = g_variant_get_type_string(value)[0];
    pad_message(out, dbus_alignment(type));
    switch (type) {
    case 's':
    case 'o':
        put_text(out, g_variant_get_string(value, NULL));
        return;
    case 'g':
        put_signature(out, g_variant_get_string(value, NULL),
                      strlen(g_variant_get_string(value, NULL)));
        return;
    case 'b':
        put_u32(out, g_variant_get_boolean(value));
        return;
    case 'a':
        put_array(out, value);
        return;
    case '(':
    case '{':
        put_children(out, value);
        return;
    case 'v':
        put_variant(out, value);
        return;
    default: /* GVariant and D-Bus store numbers alike */
        g_byte_array_append(out, g_variant_get_data(value), (guint)g_variant_get_size(value));
    }
}

static void put_field(GByteArray *out, guint8 code, char type, const char *text)
{
    if (!text)
        return;
    pad_message(out, 8);
    g_byte_array_append(out, &code, 1);
    put_signature(out, &type, 1);
    if (type == 'g')
        put_signature(out, text, strlen(text));
    else
        put_text(out, text);
}

GByteArray *hf_dbus_message_write(const HfDbusCall *call, GVariant *arguments)
{
    GByteArray *out = g_byte_array_sized_new(256);
    g_autoptr(GVariant) body = arguments ? g_variant_ref_sink(arguments) : NULL;
    const char *type = body ? g_variant_get_type_string(body) : "()";
    g_autofree char *signature = g_strndup(type + 1, strlen(type) - 2);
    const guint8 head[HEAD_BYTES] = {ORDER, TYPE_CALL, 0, VERSION};
    g_byte_array_append(out, head, sizeof head);
    put_field(out, FIELD_PATH, 'o', call->path);
    put_field(out, FIELD_DESTINATION, 's', call->destination);
    put_field(out, FIELD_INTERFACE, 's', call->interface);
    put_field(out, FIELD_MEMBER, 's', call->method);
    put_field(out, FIELD_SIGNATURE, 'g', *signature ? signature : NULL);
    guint32 fields = out->len - HEAD_BYTES;
    memcpy(out->data + HEAD_BYTES - 4, &fields, sizeof fields);
    pad_message(out, 8);
    guint begin = out->len;
    if (body)
        put_children(out, body);
    guint32 length = out->len - begin;
    memcpy(out->data + LENGTH_OFFSET, &length, sizeof length);
    return out;
}

void hf_dbus_message_set_serial(GByteArray *message, guint32 serial)
{
    memcpy(message->data + SERIAL_OFFSET, &serial, sizeof serial);
}

/* ---- reading ---- */

const guint8 *hf_dbus_cursor_take(HfDbusCursor *cursor, gsize align, gsize bytes)
{
    gsize begin = cursor->at + (align - cursor->at % align) % align;
    if (begin > cursor->size || bytes > cursor->size - begin)
        return NULL;
    cursor->at = begin + bytes;
    return cursor->data + begin;
}

gboolean hf_dbus_cursor_take_u32(HfDbusCursor *cursor, guint32 *ret_number)
{
    const guint8 *bytes = hf_dbus_cursor_take(cursor, 4, 4);
    if (bytes)
        memcpy(ret_number, bytes, 4);
    return bytes != NULL;
}

static const char *end_text(const guint8 *text, gsize length)
{
    return text && text[length] == 0 && memchr(text, 0, length) == NULL ? (const char *)text : NULL;
}

const char *hf_dbus_cursor_take_text(HfDbusCursor *cursor)
{
    guint32 length;
    if (!hf_dbus_cursor_take_u32(cursor, &length) || length > HF_DBUS_MESSAGE_BYTES)
        return NULL;
    return end_text(hf_dbus_cursor_take(cursor, 1, (gsize)length + 1), length);
}

static const char *take_dbus_signature(HfDbusCursor *cursor)
{
    const guint8 *length = hf_dbus_cursor_take(cursor, 1, 1);
    const char *text =
        length ? end_text(hf_dbus_cursor_take(cursor, 1, (gsize)*length + 1), *length) : NULL;
    return text && g_variant_is_signature(text) ? text : NULL;
}

gboolean hf_dbus_cursor_take_array(HfDbusCursor *cursor, gsize align, gsize *ret_end)
{
    guint32 length;
    if (!hf_dbus_cursor_take_u32(cursor, &length) || length > HF_DBUS_MESSAGE_BYTES ||
        !hf_dbus_cursor_take(cursor, align, 0) || length > cursor->size - cursor->at)
        return FALSE;
    *ret_end = cursor->at + length;
    return TRUE;
}

static GVariant *take_dbus_value(HfDbusCursor *cursor, const GVariantType *type, int depth);

static GVariant *take_string(HfDbusCursor *cursor, char type)
{
    const char *text = type == 'g' ? take_dbus_signature(cursor) : hf_dbus_cursor_take_text(cursor);
    if (!text)
        return NULL;
    if (type == 'g')
        return g_variant_new_signature(text);
    if (type == 'o')
        return g_variant_is_object_path(text) ? g_variant_new_object_path(text) : NULL;
    return g_utf8_validate(text, -1, NULL) ? g_variant_new_string(text) : NULL;
}

static GVariant *take_dbus_number(HfDbusCursor *cursor, char type)
{
    union {
        guint8 y;
        gint16 n;
        guint16 q;
        gint32 i;
        guint32 u;
        gint64 x;
        guint64 t;
        double d;
    } number;
    gsize bytes = dbus_alignment(type);
    const guint8 *from = hf_dbus_cursor_take(cursor, bytes, bytes);
    if (!from)
        return NULL;
    memcpy(&number, from, bytes);
    switch (type) {
    case 'y':
        return g_variant_new_byte(number.y);
    case 'n':
        return g_variant_new_int16(number.n);
    case 'q':
        return g_variant_new_uint16(number.q);
    case 'i':
        return g_variant_new_int32(number.i);
    case 'u':
        return g_variant_new_uint32(number.u);
    case 'x':
        return g_variant_new_int64(number.x);
    case 't':
        return g_variant_new_uint64(number.t);
    case 'd':
        return g_variant_new_double(number.d);
    default:
        return NULL;
    }
}

static GVariant *take_variant(HfDbusCursor *cursor, int depth)
{
    const char *signature = take_dbus_signature(cursor);
    if (!signature || !g_variant_type_string_is_valid(signature))
        return NULL;
    GVariant *inner = take_dbus_value(cursor, G_VARIANT_TYPE(signature), depth);
    return inner ? g_variant_new_variant(inner) : NULL;
}

static gboolean take_child(HfDbusCursor *cursor, const GVariantType *type, int depth,
                           GPtrArray *children)
{
    GVariant *child = take_dbus_value(cursor, type, depth);
    if (child)
        g_ptr_array_add(children, g_variant_ref_sink(child));
    return child != NULL;
}

static GVariant *take_array(HfDbusCursor *cursor, const GVariantType *type, int depth)
{
    const GVariantType *element = g_variant_type_element(type);
    g_autoptr(GPtrArray) children = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
    gsize end;
    if (!hf_dbus_cursor_take_array(cursor, dbus_alignment(*g_variant_type_peek_string(element)),
                                   &end))
        return NULL;
    for (gsize before; (before = cursor->at) < end;)
        if (!take_child(cursor, element, depth, children) || cursor->at == before)
            return NULL;
    return cursor->at == end
               ? g_variant_new_array(element, (GVariant **)children->pdata, children->len)
               : NULL;
}

static GVariant *take_tuple(HfDbusCursor *cursor, const GVariantType *type, int depth)
{
    g_autoptr(GPtrArray) children = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
    for (const GVariantType *each = g_variant_type_first(type); each;
         each = g_variant_type_next(each))
        if (!take_child(cursor, each, depth, children))
            return NULL;
    if (g_variant_type_is_dict_entry(type))
        return g_variant_new_dict_entry(children->pdata[0], children->pdata[1]);
    return g_variant_new_tuple((GVariant **)children->pdata, children->len);
}

/* Floating; NULL: the bytes are not of that type. */
static GVariant *take_dbus_value(HfDbusCursor *cursor, const GVariantType *type, int depth)
{
    char kind = *g_variant_type_peek_string(type);
    guint32 truth;
    if (depth >= DEPTH || ++cursor->values > MOST_VALUES ||
        !hf_dbus_cursor_take(cursor, dbus_alignment(kind), 0))
        return NULL;
    switch (kind) {
    case 's':
    case 'o':
    case 'g':
        return take_string(cursor, kind);
    case 'b':
        return hf_dbus_cursor_take_u32(cursor, &truth) ? g_variant_new_boolean(truth != 0) : NULL;
    case 'a':
        return take_array(cursor, type, depth + 1);
    case '(':
    case '{':
        return take_tuple(cursor, type, depth + 1);
    case 'v':
        return take_variant(cursor, depth + 1);
    default:
        return take_dbus_number(cursor, kind);
    }
}

gssize hf_dbus_message_measure(const guint8 *data, gsize size)
{
    guint32 body, fields;
    if (size < HEAD_BYTES)
        return 0;
    memcpy(&body, data + LENGTH_OFFSET, 4);
    memcpy(&fields, data + HEAD_BYTES - 4, 4);
    if (data[0] != ORDER || data[3] != VERSION || body > HF_DBUS_MESSAGE_BYTES ||
        fields > HF_DBUS_MESSAGE_BYTES)
        return -1;
    gsize head = (HEAD_BYTES + (gsize)fields + 7) / 8 * 8;
    return (gssize)(head + body);
}

typedef struct Head {
    guint32 serial;
    const char *signature;
} Head;

/* Keeps the two header fields that matter and skips the rest. Every header field has one of these
 * types. */
static gboolean take_field(HfDbusCursor *cursor, Head *head)
{
    const guint8 *code = hf_dbus_cursor_take(cursor, 8, 1);
    const char *type = code ? take_dbus_signature(cursor) : NULL;
    guint32 number;
    if (!type || !*type || type[1])
        return FALSE;
    if (*type == 's' || *type == 'o')
        return hf_dbus_cursor_take_text(cursor) != NULL;
    if (*type == 'u')
        return hf_dbus_cursor_take_u32(cursor,
                                       *code == FIELD_REPLY_SERIAL ? &head->serial : &number);
    const char *signature = *type == 'g' ? take_dbus_signature(cursor) : NULL;
    if (signature && *code == FIELD_SIGNATURE)
        head->signature = signature;
    return signature != NULL;
}

gboolean hf_dbus_message_read(const guint8 *data, gsize size, HfDbusReply *ret_answer)
{
    guint32 fields;
    Head head = {0, ""};
    if (size < HEAD_BYTES || hf_dbus_message_measure(data, size) != (gssize)size)
        return FALSE;
    memcpy(&fields, data + HEAD_BYTES - 4, 4);
    HfDbusCursor cursor = {.data = data, .size = HEAD_BYTES + (gsize)fields, .at = HEAD_BYTES};
    while (cursor.at < cursor.size)
        if (!take_field(&cursor, &head))
            return FALSE;
    gboolean answers = data[1] == TYPE_RETURN || data[1] == TYPE_ERROR;
    gsize begin = (cursor.size + 7) / 8 * 8;
    *ret_answer = (HfDbusReply){.serial = answers ? head.serial : 0};
    if (data[1] == TYPE_RETURN)
        *ret_answer = (HfDbusReply){head.serial, head.signature, data + begin, size - begin};
    return TRUE;
}

GVariant *hf_dbus_reply_decode(const HfDbusReply *answer)
{
    if (!answer->signature)
        return NULL;
    HfDbusCursor cursor = {.data = answer->data, .size = answer->size};
    g_autofree char *type = g_strconcat("(", answer->signature, ")", NULL);
    if (!g_variant_type_string_is_valid(type))
        return NULL;
    GVariant *body = take_tuple(&cursor, G_VARIANT_TYPE(type), 0);
    return body ? g_variant_ref_sink(body) : NULL;
}

GVariant *hf_dbus_reply_dup_bytes(const HfDbusReply *answer)
{
    if (!answer->signature)
        return NULL;
    GVariant *bytes =
        g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, answer->data, answer->size, sizeof(guint8));
    return g_variant_ref_sink(g_variant_new("(s@ay)", answer->signature, bytes));
}
