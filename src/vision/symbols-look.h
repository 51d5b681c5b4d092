/* What a drawing looks like, in numbers that small shifts and other strokes hardly change: where
 * its edges run, and which way; where its ink is. For symbols.c and scripts/make-symbols.py. */
#pragma once

#include "vision/symbols-ink.h"

/* Squares along an edge for directions, directions, and squares along an edge for ink. */
#define HF_LOOK_EDGE       8
#define HF_LOOK_DIRECTIONS 8
#define HF_LOOK_INK_EDGE   12
#define HF_LOOK_NUMBERS                                                                            \
    (HF_LOOK_EDGE * HF_LOOK_EDGE * HF_LOOK_DIRECTIONS + HF_LOOK_INK_EDGE * HF_LOOK_INK_EDGE + 2)

void hf_symbol_look(const HfSymbolInk *ink, float *ret_look);
