/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 for pictures: encodes several times faster than GLib, and decodes strictly. */
#pragma once

#include <glib.h>

/* How many characters `length` bytes become. */
static inline gsize hf_base64_length(gsize length)
{
    return (length + 2) / 3 * 4;
}

/* NULL unless every character is valid, the last group is complete and its unused bits are zero. */
GBytes *hf_base64_decode(const char *text);

/* Writes exactly hf_base64_length(length) characters. */
void hf_base64_encode(const guint8 *bytes, gsize length, char *to);
