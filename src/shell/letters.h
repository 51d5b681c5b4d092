/* Letters of UTF-8, byte by byte, as they come from a program: in any pieces, and not always whole.
 */
#pragma once

#include <glib.h>

/* Begins with {0}. */
typedef struct HfLetters {
    guint8 partial[4];
    int length;
} HfLetters;

#define HF_LETTERS_MOST 2

/* What is complete with this byte: none, one, or U+FFFD for what was broken off and one more.
 * Returns how many. */
int hf_letters_take(HfLetters *letters, guint8 byte, gunichar ret_letters[HF_LETTERS_MOST]);
/* What a letter means in the set for frames, which has its own from '_' to '~'. */
gunichar hf_letters_to_line(gunichar letter);
