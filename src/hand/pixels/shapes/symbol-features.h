/* SPDX-License-Identifier: Apache-2.0 */
/* The features of a small drawing: where its edges run and in which direction, and where its ink
 * is. Small shifts and other strokes hardly change them. scripts/symbols/looks.py compiles the same
 * code, so that the model is trained on what is seen later. */
#pragma once

#include "shared/image/image.h"

#define HF_SYMBOL_FEATURE_COUNT (8 * 8 * 8 + 12 * 12 + 2)

/* FALSE: the box has no drawing. `framed`: it may have a frame, like a button. */
gboolean hf_symbol_features(const HfImage *image, HfRect box, gboolean framed, float *ret_features);
