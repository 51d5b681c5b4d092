/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of D-Bus as bytes: writing questions, and reading answers from programs that may send
 * anything. */
#pragma once

#include <glib.h>

typedef struct HfDbusCall {
    const char *destination; /* NULL: the program at the other end */
    const char *path, *interface, *method;
} HfDbusCall;

/* `arguments` is a tuple, or NULL; floating ones are taken. Its serial number is still to be set.
 */
GByteArray *hf_dbus_message_write(const HfDbusCall *call, GVariant *arguments);
void hf_dbus_message_set_serial(GByteArray *message, guint32 serial);

/* How long the message is that begins here. 0: not to be told yet; -1: it is none. */
gssize hf_dbus_message_measure(const guint8 *data, gsize size);

typedef struct HfDbusReply {
    guint32 serial;        /* of the question; 0: it answers none */
    const char *signature; /* of what follows; NULL: it was refused */
    const guint8 *data;    /* both borrowed from the message */
    gsize size;
} HfDbusReply;
/* Of one whole message, as long as was measured. FALSE: it is none. */
gboolean hf_dbus_message_read(const guint8 *data, gsize size, HfDbusReply *ret_answer);
/* A tuple; NULL: it was refused, or is not to be understood. */
GVariant *hf_dbus_reply_decode(const HfDbusReply *answer);
/* As it came, for answers so long that their values are better gone through once (dbus-cursor.h):
 * (say), the signature and the bytes. NULL: it was refused. */
GVariant *hf_dbus_reply_dup_bytes(const HfDbusReply *answer);
