/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings of a picture: words that were read, or signs. */
#pragma once

#include "hand/locate/composing.h"

/* Whether there are letters or digits in a text. */
gboolean hf_signs_has_letters(const char *text);
/* What was read from drawings, and is none of the words that they could be, is no text. */
void hf_signs_forget(HfComposing *work);
/* The text that a drawing is, or is part of, or one of several that it consists of: small print
 * in columns runs together. -1: it is a sign. */
int hf_signs_find_word(const HfComposing *work, HfRect box);
/* Adds a drawing that is no word, as an icon. */
void hf_signs_add(HfComposing *work, guint index);
