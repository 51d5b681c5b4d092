/* What shapes mean, by the votes of those who have read them: of each look the text that most
 * agree on. Any thread. */
#pragma once

#include <glib.h>

#define HF_MEANING_BYTES 16

typedef struct HfMeaning {
    char text[HF_MEANING_BYTES];
    guint votes, against;
} HfMeaning;

/* Somebody has read it so. Texts that do not fit are not noted. */
void hf_shape_memory_vote(guint64 look, const char *text, guint votes);
/* FALSE: nobody has. */
gboolean hf_shape_memory_find(guint64 look, HfMeaning *ret_meaning);
/* For tests and measuring: as if nothing had been read yet. */
void hf_shape_memory_forget(void);
