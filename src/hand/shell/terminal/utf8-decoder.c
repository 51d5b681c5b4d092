/* SPDX-License-Identifier: Apache-2.0 */
/* A byte that cannot continue a sequence ends it as broken and starts the next. */
#include "hand/shell/terminal/utf8-decoder.h"

#define REPLACEMENT 0xfffd

/* From its first byte; 0 if the byte cannot start a sequence. */
static int utf8_sequence_length(guint8 first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

int hf_utf8_decoder_feed(HfUtf8Decoder *decoder, guint8 byte,
                         gunichar ret_characters[HF_UTF8_DECODER_MAX])
{
    int count = 0;
    if (decoder->length > 0 && (byte & 0xc0) != 0x80) {
        decoder->length = 0;
        ret_characters[count++] = REPLACEMENT;
    }
    if (decoder->length == 0 && utf8_sequence_length(byte) <= 1) {
        ret_characters[count++] = byte < 0x80 ? byte : REPLACEMENT;
        return count;
    }
    decoder->partial[decoder->length++] = byte;
    if (decoder->length < utf8_sequence_length(decoder->partial[0]))
        return count;
    gunichar character = g_utf8_get_char_validated((const char *)decoder->partial, decoder->length);
    decoder->length = 0;
    ret_characters[count++] = character >= (gunichar)-2 ? REPLACEMENT : character;
    return count;
}

gunichar hf_terminal_line_drawing_character(gunichar character)
{
    static const gunichar set[] = {' ',    0x25c6, 0x2592, 0x2409, 0x240c, 0x240d, 0x240a, 0xb0,
                                   0xb1,   0x2424, 0x240b, 0x2518, 0x2510, 0x250c, 0x2514, 0x253c,
                                   0x23ba, 0x23bb, 0x2500, 0x23bc, 0x23bd, 0x251c, 0x2524, 0x2534,
                                   0x252c, 0x2502, 0x2264, 0x2265, 0x3c0,  0x2260, 0xa3,   0xb7};
    return character >= '_' && character <= '~' ? set[character - '_'] : character;
}
