/* The seam to whatever can read one line of text. An engine runs in a process of its own
 * (reader.c), so it may be large, slow, or wrong without harm to anybody else. */
#pragma once

#include "vision/text-line.h"

/* One word as an engine tells it, in pixels of the line that it was given. */
typedef struct HfEngineWord {
    char *text;
    int left, right;   /* just outside */
    double confidence; /* 0 to 1 */
} HfEngineWord;

typedef struct HfEngine {
    const char *name;
    double height; /* how high the ink of a line should be, in pixels */
    int border;    /* and how much ground should be around it */
    /* A language by the engine's own name. UNSUPPORTED when it is not installed. */
    gpointer (*open)(const char *language, GError **error);
    /* Appends the words (HfEngineWord). FALSE when it could not read at all. */
    gboolean (*read)(gpointer opened, const HfTextLine *line, GArray *words, GError **error);
    void (*close)(gpointer opened);
} HfEngine;

extern const HfEngine hf_engine_tesseract;

void hf_engine_word_clear(HfEngineWord *word);
/* An empty list that frees what is in it. */
GArray *hf_engine_words_new(void);
