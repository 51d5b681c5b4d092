/* SPDX-License-Identifier: Apache-2.0 */
/* Names of languages, and which one a line looks like. */
#pragma once

#include "hand/pixels/text/text-line.h"

#define HF_LANGUAGE_AUTO    "auto"
#define HF_LANGUAGE_ENGLISH "eng"
#define HF_LANGUAGE_CHINESE "chi_sim"

/* The engine's name for what a caller gives: "auto", "en", "zh", "zh-CN", "deu", "eng+deu".
 * INVALID_PARAMS: it is not the name of a language. */
char *hf_ocr_language_dup(const char *wanted, GError **error);

/* Whether the line looks like Chinese, by its strokes. */
gboolean hf_text_line_looks_chinese(const HfTextLine *line);
/* Whether it is close to the border between Chinese and Latin. */
gboolean hf_text_line_language_is_unclear(const HfTextLine *line);
