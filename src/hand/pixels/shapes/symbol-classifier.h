/* SPDX-License-Identifier: Apache-2.0 */
/* Which symbol a small drawing is, whatever its size, strokes and colours: a gear, a magnifier, a
 * trash can. The model (data/symbols.json) is trained on the icons of many sets by
 * scripts/make-symbols.py. */
#pragma once

#include "shared/image/image.h"

typedef struct HfSymbolGuess {
    const char *name;  /* as in data/synonyms.json */
    const char *also;  /* a wider word, like "arrow" for all arrows; NULL: none */
    double likelihood; /* that the drawing is this symbol, from 0 to 1 */
} HfSymbolGuess;

/* The most likely symbols, best first; returns their number. `framed`: the drawing may have a
 * frame, like a button. */
int hf_symbols_guess(const HfImage *image, HfRect box, gboolean framed, HfSymbolGuess *ret_guesses,
                     int most);
/* For tests. */
int hf_symbols_count(void);
const char *hf_symbols_name(int index);
