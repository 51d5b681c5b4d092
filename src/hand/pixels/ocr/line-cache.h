/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that were read before, by what they look like: unchanged, scrolled and repeated lines cost
 * nothing. */
#pragma once

#include "hand/pixels/ocr/ocr-line.h"

/* NULL: not known. Any thread. */
HfLineText *hf_line_cache_find(HfTextHash hash, const char *language);
void hf_line_cache_add(HfTextHash hash, const char *language, HfLineText *text);
/* For tests and measuring: as if nothing had been read yet. */
void hf_line_cache_forget(void);
