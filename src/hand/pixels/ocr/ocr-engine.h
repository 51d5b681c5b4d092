/* SPDX-License-Identifier: Apache-2.0 */
/* The seam to whatever can read one line of text. An engine runs in a process of its own
 * (ocr-reader.c), so it may be large, slow, or wrong without harm to anybody else. */
#pragma once

#include "hand/pixels/text/text-line.h"

/* One word as an engine tells it, in pixels of the line that it was given. */
typedef struct HfOcrEngineWord {
    char *text;
    int left, right;   /* just outside */
    double confidence; /* 0 to 1 */
} HfOcrEngineWord;

typedef struct HfOcrEngine {
    const char *name;
    double height; /* how high the ink of a line should be, in pixels */
    int border;    /* and how much ground should be around it */
    /* A language by the engine's own name. UNSUPPORTED when it is not installed. */
    gpointer (*open)(const char *language, GError **error);
    /* Appends the words (HfOcrEngineWord). FALSE when it could not read at all. */
    gboolean (*read)(gpointer opened, const HfTextLine *line, GArray *words, GError **error);
    void (*close)(gpointer opened);
} HfOcrEngine;

extern const HfOcrEngine hf_ocr_engine_tesseract;

void hf_ocr_engine_word_clear(HfOcrEngineWord *word);
/* An empty list that frees what is in it. */
GArray *hf_ocr_engine_words_new(void);
