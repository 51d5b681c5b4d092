/* SPDX-License-Identifier: Apache-2.0 */
/* D-Bus messages as bytes: writes calls, and reads replies from programs that may send anything. */
#pragma once

#include <glib.h>

/* The largest message, and the largest value inside one. */
#define HF_DBUS_MESSAGE_BYTES (16u * 1024 * 1024)

typedef struct HfDbusCall {
    const char *destination; /* NULL: the program at the other end */
    const char *path, *interface, *method;
} HfDbusCall;

/* `arguments` is a tuple, or NULL; floating ones are taken. Set the serial number before sending.
 */
GByteArray *hf_dbus_message_write(const HfDbusCall *call, GVariant *arguments);
void hf_dbus_message_set_serial(GByteArray *message, guint32 serial);

/* The length of the message that begins here. 0: too few bytes to tell; -1: not a message. */
gssize hf_dbus_message_measure(const guint8 *data, gsize size);

typedef struct HfDbusReply {
    guint32 serial;        /* of the call; 0: not a reply */
    const char *signature; /* of the body; NULL: the call was refused */
    const guint8 *data;    /* borrowed from the message, like the signature */
    gsize size;
} HfDbusReply;
/* Reads one whole message of the measured length. FALSE: not a message. */
gboolean hf_dbus_message_read(const guint8 *data, gsize size, HfDbusReply *ret_answer);
/* A tuple; NULL: refused, or malformed. */
GVariant *hf_dbus_reply_decode(const HfDbusReply *answer);
/* The undecoded body as (say), signature and bytes, for replies so long that one pass with a cursor
 * is better. NULL: refused. */
GVariant *hf_dbus_reply_dup_bytes(const HfDbusReply *answer);

/* Walks bytes in D-Bus layout: each value is aligned to its size, counted from the beginning. Never
 * reads beyond the end; a missing value is NULL or FALSE. */
typedef struct HfDbusCursor {
    const guint8 *data;
    gsize size, at;
    guint values; /* met so far, for callers that limit them */
} HfDbusCursor;

const guint8 *hf_dbus_cursor_take(HfDbusCursor *cursor, gsize align, gsize bytes);
gboolean hf_dbus_cursor_take_u32(HfDbusCursor *cursor, guint32 *ret_number);
/* Has no NUL inside; may be invalid UTF-8. Borrowed from the bytes. */
const char *hf_dbus_cursor_take_text(HfDbusCursor *cursor);
/* Enters an array whose elements have this alignment. */
gboolean hf_dbus_cursor_take_array(HfDbusCursor *cursor, gsize align, gsize *ret_end);
