/* SPDX-License-Identifier: Apache-2.0 */
/* A byte that does not go on with a letter ends it, broken, and begins the next. */
#include "hand/shell/terminal/utf8-decoder.h"

#define REPLACEMENT 0xfffd

/* By its first byte; 0: none begins with it. */
static int utf8_sequence_length(guint8 first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

int hf_utf8_decoder_feed(HfUtf8Decoder *letters, guint8 byte,
                         gunichar ret_letters[HF_UTF8_DECODER_MOST])
{
    int count = 0;
    if (letters->length > 0 && (byte & 0xc0) != 0x80) {
        letters->length = 0;
        ret_letters[count++] = REPLACEMENT;
    }
    if (letters->length == 0 && utf8_sequence_length(byte) <= 1) {
        ret_letters[count++] = byte < 0x80 ? byte : REPLACEMENT;
        return count;
    }
    letters->partial[letters->length++] = byte;
    if (letters->length < utf8_sequence_length(letters->partial[0]))
        return count;
    gunichar letter = g_utf8_get_char_validated((const char *)letters->partial, letters->length);
    letters->length = 0;
    ret_letters[count++] = letter >= (gunichar)-2 ? REPLACEMENT : letter;
    return count;
}

gunichar hf_terminal_line_drawing_letter(gunichar letter)
{
    static const gunichar set[] = {' ',    0x25c6, 0x2592, 0x2409, 0x240c, 0x240d, 0x240a, 0xb0,
                                   0xb1,   0x2424, 0x240b, 0x2518, 0x2510, 0x250c, 0x2514, 0x253c,
                                   0x23ba, 0x23bb, 0x2500, 0x23bc, 0x23bd, 0x251c, 0x2524, 0x2534,
                                   0x252c, 0x2502, 0x2264, 0x2265, 0x3c0,  0x2260, 0xa3,   0xb7};
    return letter >= '_' && letter <= '~' ? set[letter - '_'] : letter;
}
