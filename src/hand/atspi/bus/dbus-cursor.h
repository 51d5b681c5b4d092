/* SPDX-License-Identifier: Apache-2.0 */
/* Going through bytes as D-Bus lays them out: every value is aligned to its size, counted from the
 * beginning. Nothing is taken beyond the end; what is not there is NULL or FALSE. */
#pragma once

#include <glib.h>

/* Of a message, and of whatever is in it. */
#define HF_WIRE_MOST_BYTES (16u * 1024 * 1024)

typedef struct HfDbusCursor {
    const guint8 *data;
    gsize size, at;
    guint values; /* met so far; for whoever wants to count them */
} HfDbusCursor;

const guint8 *hf_dbus_cursor_take(HfDbusCursor *cursor, gsize align, gsize bytes);
gboolean hf_dbus_cursor_take_u32(HfDbusCursor *cursor, guint32 *ret_number);
/* Ends with 0 and has none before; need not be UTF-8. Borrowed from the bytes. */
const char *hf_dbus_cursor_take_text(HfDbusCursor *cursor);
const char *hf_dbus_cursor_take_signature(HfDbusCursor *cursor);
/* Enters an array of elements that are aligned so. */
gboolean hf_dbus_cursor_take_array(HfDbusCursor *cursor, gsize align, gsize *ret_end);
