/* Drawings of symbols, from the words of data/symbols.json. For symbols.c alone. */
#pragma once

#include <glib.h>

/* Along an edge of a mask: enough to tell symbols apart, and few enough not to tell strokes. */
#define HF_SYMBOL_EDGE  20
#define HF_SYMBOL_CELLS (HF_SYMBOL_EDGE * HF_SYMBOL_EDGE)

/* How much ink is in each cell, from 0 to 1. */
typedef struct HfSymbolMask {
    float cells[HF_SYMBOL_CELLS];
} HfSymbolMask;

/* FALSE when it cannot be understood. `width` is that of its strokes. */
gboolean hf_symbol_draw(const char *words, double width, HfSymbolMask *ret_mask);

/* A mask of any ink: `ink` tells how much there is at a place of `columns` x `rows`. All of it is
 * fitted into the mask, and blurred a little. FALSE when there is none. */
gboolean hf_symbol_mask(const float *ink, int columns, int rows, HfSymbolMask *ret_mask);
