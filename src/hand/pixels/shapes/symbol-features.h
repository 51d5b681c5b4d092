/* SPDX-License-Identifier: Apache-2.0 */
/* What a drawing looks like, in numbers that small shifts and other strokes hardly change: where
 * its edges run, and which way; where its ink is. For symbol-classifier.c and
 * scripts/make-symbols.py. */
#pragma once

#include "hand/pixels/shapes/symbol-ink.h"

/* Squares along an edge for directions, directions, and squares along an edge for ink. */
#define HF_SYMBOL_FEATURE_EDGE       8
#define HF_SYMBOL_FEATURE_DIRECTIONS 8
#define HF_SYMBOL_FEATURE_INK_EDGE   12
#define HF_SYMBOL_FEATURE_COUNT                                                                    \
    (HF_SYMBOL_FEATURE_EDGE * HF_SYMBOL_FEATURE_EDGE * HF_SYMBOL_FEATURE_DIRECTIONS +              \
     HF_SYMBOL_FEATURE_INK_EDGE * HF_SYMBOL_FEATURE_INK_EDGE + 2)

void hf_symbol_features(const HfSymbolInk *ink, float *ret_look);
