/* SPDX-License-Identifier: Apache-2.0 */
/* Getting to know shapes from lines that were read. */
#pragma once

#include "hand/pixels/ocr/ocr-words.h"

/* What an engine said of the line. Only what can be meant in one way is learned. And what is known
 * for certain mends `words`: letters that were taken for others, and words that were put together
 * although there is a space between them. */
void hf_glyphs_learn(const HfTextLine *line, GArray *words, guint64 seed);
