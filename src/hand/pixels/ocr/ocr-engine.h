/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of an OCR engine, which reads one line of text. It runs in a separate process
 * (ocr-reader.c), so a large, slow or broken engine harms no other process. */
#pragma once

#include "hand/pixels/ocr/ocr-words.h"

typedef struct HfOcrEngine {
    const char *name;
    double height; /* of the ink of a line, in pixels, that suits it best */
    int border;    /* background around the ink, in pixels */
    /* `language` is the engine's name. UNSUPPORTED: it is not installed. */
    gpointer (*open)(const char *language, GError **error);
    /* Appends the words (HfLineWord), in pixels of `line`. Only x and width of their boxes count.
     */
    gboolean (*read)(gpointer opened, const HfTextLine *line, GArray *words, GError **error);
    void (*close)(gpointer opened);
} HfOcrEngine;

extern const HfOcrEngine hf_ocr_engine_tesseract;
