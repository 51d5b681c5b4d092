/* SPDX-License-Identifier: Apache-2.0 */
/* Text as X properties hold it, turned into valid UTF-8. */
#pragma once

#include <glib.h>

typedef enum HfX11Encoding {
    HF_X11_ENCODING_UTF8,
    HF_X11_ENCODING_LATIN1, /* STRING */
    HF_X11_ENCODING_COMPOUND,
} HfX11Encoding;

/* Any bytes give valid UTF-8: what cannot be read becomes U+FFFD. `cut`: only the beginning is
 * there, so a character may be missing its end. */
char *hf_x11_text_decode(HfX11Encoding encoding, const char *bytes, gsize length, gboolean cut);
/* The same for one line that people read: control characters become spaces. */
char *hf_x11_text_decode_line(HfX11Encoding encoding, const char *bytes, gsize length,
                              gboolean cut);
