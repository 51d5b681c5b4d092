/* Base64 for pictures, at several times the speed of GLib. */
#pragma once

#include <glib.h>

/* How many characters `length` bytes become. */
static inline gsize hf_base64_length(gsize length)
{
    return (length + 2) / 3 * 4;
}

/* Writes hf_base64_length(length) characters and no more. */
void hf_base64_encode(const guint8 *bytes, gsize length, char *to);
