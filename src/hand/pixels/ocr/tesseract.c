/* SPDX-License-Identifier: Apache-2.0 */
/* Tesseract through its C interface. It is loaded with the first line, since it pulls in about
 * twenty libraries that only a reader needs. The whole picture is one line (RAW_LINE): our rows are
 * better than its page analysis of a screen, and skipping that is 20 % faster. */
#include <string.h>
#include <tesseract/capi.h>

#include "hand/pixels/ocr/ocr-engine.h"
#include "shared/base/error.h"
#include "shared/base/library.h"

/* Any value above Tesseract's minimum works. */
#define DOTS_PER_INCH 150

#define FUNCTIONS(X)                                                                               \
    X(TessBaseAPICreate)                                                                           \
    X(TessBaseAPIDelete)                                                                           \
    X(TessBaseAPIGetIterator)                                                                      \
    X(TessBaseAPIInit2)                                                                            \
    X(TessBaseAPIRecognize)                                                                        \
    X(TessBaseAPISetImage)                                                                         \
    X(TessBaseAPISetPageSegMode)                                                                   \
    X(TessBaseAPISetSourceResolution)                                                              \
    X(TessBaseAPISetVariable)                                                                      \
    X(TessDeleteText)                                                                              \
    X(TessPageIteratorBoundingBox)                                                                 \
    X(TessResultIteratorConfidence)                                                                \
    X(TessResultIteratorDelete)                                                                    \
    X(TessResultIteratorGetPageIterator)                                                           \
    X(TessResultIteratorGetUTF8Text)                                                               \
    X(TessResultIteratorNext)

typedef struct Functions {
    FUNCTIONS(HF_LIBRARY_MEMBER)
} Functions;

static const HfSymbol symbols[] = {FUNCTIONS(HF_LIBRARY_SYMBOL){0}};

static const Functions *find_tesseract_library(GError **error)
{
    static HfLibrary library = {.file = "libtesseract.so.5",
                                .purpose = "reads text from pictures",
                                .install = "libtesseract5 tesseract-ocr-eng tesseract-ocr-chi-sim",
                                .symbols = symbols,
                                .size = sizeof(Functions),
                                .once = G_ONCE_INIT};
    return hf_library_get(&library, error);
}

static gpointer open_language(const char *language, GError **error)
{
    const Functions *library = find_tesseract_library(error);
    if (!library)
        return NULL;
    TessBaseAPI *engine = library->TessBaseAPICreate();
    if (library->TessBaseAPIInit2(engine, NULL, language, OEM_LSTM_ONLY) != 0) {
        library->TessBaseAPIDelete(engine);
        hf_fail(error, HF_ERROR_UNSUPPORTED, "language: '%s' is not installed", language);
        g_autofree char *package = g_strdelimit(g_strdup(language), "_", '-');
        hf_error_suggest(error, "install it: apt install tesseract-ocr-%s", package);
        return NULL;
    }
    library->TessBaseAPISetPageSegMode(engine, PSM_RAW_LINE);
    /* Our lines are never light on dark, so a second, inverted reading would be a waste. */
    library->TessBaseAPISetVariable(engine, "tessedit_do_invert", "0");
    return engine;
}

static void add_tesseract_word(const Functions *library, TessResultIterator *at, GArray *words)
{
    int left, top, right, bottom;
    char *text = library->TessResultIteratorGetUTF8Text(at, RIL_WORD);
    const TessPageIterator *place = library->TessResultIteratorGetPageIterator(at);
    if (text &&
        library->TessPageIteratorBoundingBox(place, RIL_WORD, &left, &top, &right, &bottom)) {
        double confidence = library->TessResultIteratorConfidence(at, RIL_WORD) / 100.0;
        HfLineWord word = {g_strstrip(g_strdup(text)),
                           {left, top, right - left, bottom - top},
                           CLAMP(confidence, 0, 1)};
        if (*word.text && g_utf8_validate(word.text, -1, NULL))
            g_array_append_val(words, word);
        else
            g_free(word.text);
    }
    if (text)
        library->TessDeleteText(text);
}

static gboolean read_tesseract_line(gpointer opened, const HfTextLine *line, GArray *words,
                                    GError **error)
{
    const Functions *library = find_tesseract_library(error);
    TessBaseAPI *engine = opened;
    if (!library)
        return FALSE;
    library->TessBaseAPISetImage(engine, line->grey, line->width, line->height, 1, line->width);
    library->TessBaseAPISetSourceResolution(engine, DOTS_PER_INCH);
    if (library->TessBaseAPIRecognize(engine, NULL) != 0)
        return hf_fail(error, HF_ERROR_INTERNAL, "Tesseract could not read a line");
    TessResultIterator *at = library->TessBaseAPIGetIterator(engine);
    if (!at)
        return TRUE; /* it found no text */
    do
        add_tesseract_word(library, at, words);
    while (library->TessResultIteratorNext(at, RIL_WORD));
    library->TessResultIteratorDelete(at);
    return TRUE;
}

static void close_language(gpointer opened)
{
    const Functions *library = find_tesseract_library(NULL);
    if (library)
        library->TessBaseAPIDelete(opened);
}

const HfOcrEngine hf_ocr_engine_tesseract = {
    .name = "tesseract",
    .height = 30,
    .border = 8,
    .open = open_language,
    .read = read_tesseract_line,
    .close = close_language,
};
