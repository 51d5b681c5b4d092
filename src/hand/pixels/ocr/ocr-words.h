/* SPDX-License-Identifier: Apache-2.0 */
/* Words and their places in a line, in its pixels. */
#pragma once

#include "hand/pixels/text/text-line.h"

typedef struct HfLineWord {
    char *text;
    HfRect box;        /* of the ink */
    double confidence; /* 0 to 1 */
} HfLineWord;

/* An empty list of HfLineWord. */
GArray *hf_line_words_new(void);

/* The words (HfLineWord) that the engine found in the line at `scale`, with exact boxes: the
 * engine's own are rough. */
GArray *hf_line_words_place(const HfTextLine *line, const GArray *found, double scale, int border);
/* Joins Chinese words that have no space between them; the engine splits them arbitrarily. */
void hf_line_words_join_chinese(GArray *words, int line_height);

/* Weighted by letters; 0 without any. */
double hf_line_words_confidence(const GArray *words);
/* All of them, with spaces between. */
char *hf_line_words_dup_text(const GArray *words);

/* A Chinese character or punctuation mark. */
gboolean hf_char_is_chinese(gunichar letter);
/* Counts letters and digits. */
guint hf_text_count_letters(const char *text);
