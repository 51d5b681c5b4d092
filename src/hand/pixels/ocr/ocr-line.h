/* SPDX-License-Identifier: Apache-2.0 */
/* One line, read. */
#pragma once

#include "hand/pixels/ocr/ocr-words.h"
#include "shared/base/deadline.h"

/* Shared by all who know the line; never changed. */
typedef struct HfLineText {
    GArray *words; /* of HfLineWord, from left to right; may be empty */
    char *text;
    double confidence;
    char *language;     /* in which it was read */
    gboolean by_shapes; /* all of its letters were known by their looks */
} HfLineText;

/* `language` as the engine calls it, or auto. */
HfLineText *hf_ocr_line_read(const HfTextLine *line, const char *language,
                             const HfDeadline *deadline, GError **error);
HfLineText *hf_line_text_ref(HfLineText *text);
void hf_line_text_unref(HfLineText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLineText, hf_line_text_unref)
