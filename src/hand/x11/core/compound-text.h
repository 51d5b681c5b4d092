/* SPDX-License-Identifier: Apache-2.0 */
/* COMPOUND_TEXT, the text format of X before Unicode: ISO 2022 with a few fixed character sets. Old
 * programs (Motif, Xt, xterm without UTF-8) offer non-Latin text in no other form. */
#pragma once

#include <glib.h>

/* Any bytes; what cannot be understood becomes U+FFFD. */
char *hf_compound_text_to_utf8(const guint8 *bytes, gsize length);
