/* SPDX-License-Identifier: Apache-2.0 */
/* Letters of UTF-8, byte by byte, as they come from a program: in any pieces, and not always whole.
 */
#pragma once

#include <glib.h>

/* Begins with {0}. */
typedef struct HfUtf8Decoder {
    guint8 partial[4];
    int length;
} HfUtf8Decoder;

#define HF_UTF8_DECODER_MOST 2

/* What is complete with this byte: none, one, or U+FFFD for what was broken off and one more.
 * Returns how many. */
int hf_utf8_decoder_feed(HfUtf8Decoder *letters, guint8 byte,
                         gunichar ret_letters[HF_UTF8_DECODER_MOST]);
/* What a letter means in the set for frames, which has its own from '_' to '~'. */
gunichar hf_terminal_line_drawing_letter(gunichar letter);
