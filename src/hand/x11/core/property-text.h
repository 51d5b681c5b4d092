/* SPDX-License-Identifier: Apache-2.0 */
/* Turns text from X properties and selections into valid UTF-8. Any bytes may come in: what cannot
 * be decoded becomes U+FFFD. */
#pragma once

#include <glib.h>

typedef enum HfX11Encoding {
    HF_X11_ENCODING_UTF8,
    HF_X11_ENCODING_LATIN1, /* STRING */
    HF_X11_ENCODING_COMPOUND,
} HfX11Encoding;

/* `cut`: the bytes are only the beginning of the text, so the last character may be incomplete. */
char *hf_x11_text_decode(HfX11Encoding encoding, const char *bytes, gsize length, gboolean cut);
/* The same for a title or another line for people: control characters become spaces. */
char *hf_x11_text_decode_line(HfX11Encoding encoding, const char *bytes, gsize length,
                              gboolean cut);
/* Text of a selection. `type` is the name of the property's type ("STRING",
 * "text/plain;charset=utf-8"). The result contains no NUL. */
char *hf_x11_text_decode_type(const char *type, const char *bytes, gsize length);
