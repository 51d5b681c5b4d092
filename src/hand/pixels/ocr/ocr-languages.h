/* SPDX-License-Identifier: Apache-2.0 */
/* Which language a line is read in. */
#pragma once

#include "hand/pixels/text/text-line.h"

#define HF_LANGUAGE_AUTO    "auto"
#define HF_LANGUAGE_ENGLISH "eng"
#define HF_LANGUAGE_CHINESE "chi_sim"

/* What a caller may say ("auto", "en", "zh", "zh-CN", "deu", "eng+deu") as the engine calls it.
 * INVALID_PARAMS when it is no name of a language. */
char *hf_ocr_language_dup(const char *wanted, GError **error);

/* Whether the line looks like Chinese: by its strokes alone, without reading it. */
gboolean hf_text_line_looks_chinese(const HfTextLine *line);
/* Whether it could be the other. */
gboolean hf_text_line_looks_doubtful(const HfTextLine *line);
