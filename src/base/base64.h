/* Base64 for pictures, at several times the speed of GLib. */
#pragma once

#include <glib.h>

/* How many characters `length` bytes become. */
static inline gsize hf_base64_length(gsize length)
{
    return (length + 2) / 3 * 4;
}

/* NULL unless every character belongs there and the last four are whole: what is wrong is not
 * passed over in silence. */
GBytes *hf_base64_decode(const char *text);

/* Writes hf_base64_length(length) characters and no more. */
void hf_base64_encode(const guint8 *bytes, gsize length, char *to);
