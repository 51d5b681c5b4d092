/* SPDX-License-Identifier: Apache-2.0 */
/* Words and where they stand in a line, in its own pixels. */
#pragma once

#include "hand/pixels/ocr/ocr-engine.h"

typedef struct HfLineWord {
    char *text;
    HfRect box; /* of the ink */
    double confidence;
} HfLineWord;

/* An empty list of HfLineWord that frees what is in it. */
GArray *hf_line_words_new(void);
void hf_line_word_clear(HfLineWord *word);

/* From what an engine told of the line at `scale`: engines know about where a word is, the line
 * itself knows exactly. */
GArray *hf_line_words_place(const HfTextLine *line, const GArray *told, double scale, int border);
/* Chinese is written without spaces, and engines cut it as they like: what stands together becomes
 * one word. */
void hf_line_words_join_chinese(GArray *words, int line_height);

/* Weighted by letters; 0 when there are none. */
double hf_line_words_confidence(const GArray *words);
/* All of them with spaces between. */
char *hf_line_words_dup_text(const GArray *words);

/* A letter of Chinese, or a mark that stands among them. */
gboolean hf_char_is_chinese(gunichar letter);
gboolean hf_text_is_ascii(const char *text);
/* Letters and digits of it. */
guint hf_text_count_letters(const char *text);
