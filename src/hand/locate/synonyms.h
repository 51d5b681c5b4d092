/* SPDX-License-Identifier: Apache-2.0 */
/* data/synonyms.json: which words mean the same. Read once; never changed. */
#pragma once

#include <glib.h>

/* The groups (guint16, from 1 on) of a word or of several with one blank between them, folded; NULL
 * when it stands in none. */
const GArray *hf_synonyms_find(const char *folded);
/* Whether the word is said of everything, so that it tells next to nothing. */
gboolean hf_synonyms_is_weak(const char *folded);
/* A word for a sort of things, as "email": it may be said behind the name of one. */
gboolean hf_synonyms_is_sort(const char *folded);
/* What is drawn, as a gear: whoever says it speaks of a picture rather than of a word. */
gboolean hf_synonyms_is_drawn(const char *folded);
/* The most words of one entry, and the most letters of one that has no blanks. */
#define HF_SYNONYM_WORDS   4
#define HF_SYNONYM_LETTERS 8
