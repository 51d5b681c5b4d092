/* Which symbol a small drawing is: a gear, a magnifier, a trash can. It is held against drawings of
 * those that people know (data/symbols.json), whatever its size and colours. Pure. */
#pragma once

#include "base/image.h"

typedef struct HfSymbolGuess {
    const char *name;
    double likeness; /* up to 1 */
} HfSymbolGuess;

/* The most alike, best first; how many there are. `framed`: something is drawn around it, as around
 * a button. */
int hf_symbols_guess(const HfImage *image, HfRect box, gboolean framed, HfSymbolGuess *ret_guesses,
                     int most);
/* How many drawings there are, and their names: for tests. */
int hf_symbols_count(void);
const char *hf_symbols_name(int index);
