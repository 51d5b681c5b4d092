/* SPDX-License-Identifier: Apache-2.0 */
/* A small drawing, free of its size, place and colours: how much ink is where. For
 * symbol-classifier.c and scripts/make-symbols.py, which learns from just what is looked at later.
 */
#pragma once

#include "shared/image/image.h"

/* Along an edge of a drawing: enough to tell symbols apart at 32 pixels. */
#define HF_SYMBOL_EDGE  24
#define HF_SYMBOL_CELLS (HF_SYMBOL_EDGE * HF_SYMBOL_EDGE)

typedef struct HfSymbolInk {
    float cells[HF_SYMBOL_CELLS]; /* from 0 to 1 */
    float width, height;          /* of the drawing, of its longer edge */
} HfSymbolInk;

/* FALSE when there is none. `framed`: something may be drawn around it, as around a button. */
gboolean hf_symbol_take_ink(const HfImage *image, HfRect box, gboolean framed,
                            HfSymbolInk *ret_ink);
