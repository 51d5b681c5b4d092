/* SPDX-License-Identifier: Apache-2.0 */
/* Learns glyphs from lines that the OCR engine has read, and corrects what it has read. */
#pragma once

#include "hand/pixels/ocr/ocr-words.h"

/* Learns from the engine's `words` of a line, where they fit its shapes in one way only. Corrects
 * `words` where the shapes are known for certain: misread letters, and a missing space. */
void hf_glyphs_learn(const HfTextLine *line, GArray *words, guint64 seed);
