/* The words that mean something in a description. Pure. */
#pragma once

#include "fusion/description-words.h"

typedef struct HfMeaning {
    HfTermKind kind;
    int value;
    gboolean after; /* as of HfTerm */
} HfMeaning;

/* What a word, or several, means; NULL: nothing. */
const HfMeaning *hf_lexicon_find(const char *begin, const char *end);
