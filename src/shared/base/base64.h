/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 for pictures: written at several times the speed of GLib, read strictly. */
#pragma once

#include <glib.h>

/* How many characters `length` bytes become. */
static inline gsize hf_base64_length(gsize length)
{
    return (length + 2) / 3 * 4;
}

/* NULL unless every character belongs there, the last four are whole and nothing is left over in
 * them: what is wrong is not passed over in silence. */
GBytes *hf_base64_decode(const char *text);

/* Writes hf_base64_length(length) characters and no more. */
void hf_base64_encode(const guint8 *bytes, gsize length, char *to);
