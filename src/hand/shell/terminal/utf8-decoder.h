/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes UTF-8 byte by byte: programs write it in any pieces, and not always correctly. */
#pragma once

#include <glib.h>

/* Initialize with {0}. */
typedef struct HfUtf8Decoder {
    guint8 partial[4];
    int length;
} HfUtf8Decoder;

#define HF_UTF8_DECODER_MAX 2

/* Returns how many characters this byte completes: none, one, or U+FFFD for a broken sequence and
 * one more. */
int hf_utf8_decoder_feed(HfUtf8Decoder *decoder, guint8 byte,
                         gunichar ret_characters[HF_UTF8_DECODER_MAX]);
/* Maps '_' to '~' to the line drawing set. */
gunichar hf_terminal_line_drawing_character(gunichar character);
