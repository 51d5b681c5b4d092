/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one line of text, and remembers lines by their hash: unchanged, scrolled and repeated lines
 * cost nothing. */
#pragma once

#include "hand/pixels/ocr/ocr-words.h"
#include "shared/base/deadline.h"

/* Shared, never changed. */
typedef struct HfLineText {
    GArray *words; /* of HfLineWord, from left to right; may be empty */
    char *text;
    double confidence;
    char *language;     /* in which it was read */
    gboolean by_shapes; /* all of its glyphs were known */
} HfLineText;

/* `language` is the engine's name, or auto. */
HfLineText *hf_ocr_line_read(const HfTextLine *line, const char *language,
                             const HfDeadline *deadline, GError **error);
HfLineText *hf_line_text_ref(HfLineText *text);
void hf_line_text_unref(HfLineText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLineText, hf_line_text_unref)

/* NULL: not in the cache. Any thread. */
HfLineText *hf_line_cache_find(HfTextHash hash, const char *language);
void hf_line_cache_add(HfTextHash hash, const char *language, HfLineText *text);
/* For tests and benchmarks. */
void hf_line_cache_forget(void);
