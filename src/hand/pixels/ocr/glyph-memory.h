/* SPDX-License-Identifier: Apache-2.0 */
/* What shapes mean, by the votes of those who have read them: of each look the text that most
 * agree on. Any thread. */
#pragma once

#include <glib.h>

#define HF_GLYPH_TEXT_BYTES 16

typedef struct HfGlyphMeaning {
    char text[HF_GLYPH_TEXT_BYTES];
    guint votes, against;
} HfGlyphMeaning;

/* Somebody has read it so. Texts that do not fit are not noted. */
void hf_glyph_memory_vote(guint64 look, const char *text, guint votes);
/* FALSE: nobody has. */
gboolean hf_glyph_memory_find(guint64 look, HfGlyphMeaning *ret_meaning);
/* For tests and measuring: as if nothing had been read yet. */
void hf_glyph_memory_forget(void);
