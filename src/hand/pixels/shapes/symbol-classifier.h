/* SPDX-License-Identifier: Apache-2.0 */
/* Which symbol a small drawing is: a gear, a magnifier, a trash can. Learnt from the icons of many
 * sets (data/symbols.json, scripts/make-symbols.py), whatever its size, strokes and colours. */
#pragma once

#include "shared/image/image.h"

typedef struct HfSymbolGuess {
    const char *name;  /* as in data/synonyms.json */
    const char *also;  /* a wider word for it, as "arrow" for all of them; NULL: none */
    double likelihood; /* how often a drawing that looks so is one, from 0 to 1 */
} HfSymbolGuess;

/* The most likely ones, best first; how many there are. None for what is no symbol. `framed`:
 * something may be drawn around it, as around a button. */
int hf_symbols_guess(const HfImage *image, HfRect box, gboolean framed, HfSymbolGuess *ret_guesses,
                     int most);
/* How many are known, and their names: for tests. */
int hf_symbols_count(void);
const char *hf_symbols_name(int index);
