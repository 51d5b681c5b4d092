/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes come from programs that may send anything: each is compared with what is left before it
 * is used. */
#include "hand/atspi/bus/dbus-cursor.h"

#include <string.h>

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
    if (!hf_dbus_cursor_take_u32(cursor, &length) || length > HF_WIRE_MOST_BYTES)
        return NULL;
    return end_text(hf_dbus_cursor_take(cursor, 1, (gsize)length + 1), length);
}

const char *hf_dbus_cursor_take_signature(HfDbusCursor *cursor)
{
    const guint8 *length = hf_dbus_cursor_take(cursor, 1, 1);
    const char *text =
        length ? end_text(hf_dbus_cursor_take(cursor, 1, (gsize)*length + 1), *length) : NULL;
    return text && g_variant_is_signature(text) ? text : NULL;
}

gboolean hf_dbus_cursor_take_array(HfDbusCursor *cursor, gsize align, gsize *ret_end)
{
    guint32 length;
    if (!hf_dbus_cursor_take_u32(cursor, &length) || length > HF_WIRE_MOST_BYTES ||
        !hf_dbus_cursor_take(cursor, align, 0) || length > cursor->size - cursor->at)
        return FALSE;
    *ret_end = cursor->at + length;
    return TRUE;
}
