/* SPDX-License-Identifier: Apache-2.0 */
/* The words that mean something in a description. Pure. */
#pragma once

#include "hand/locate/description-words.h"

typedef struct HfMeaning {
    HfTermKind kind;
    int value;
    gboolean after; /* as of HfTerm */
} HfMeaning;

/* What a word, or several, means; NULL: nothing. */
const HfMeaning *hf_lexicon_find(const char *begin, const char *end);
