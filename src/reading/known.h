/* Lines that were read before, by what they look like: unchanged, scrolled and repeated lines cost
 * nothing. */
#pragma once

#include "reading/line.h"

/* NULL: not known. Any thread. */
HfLineText *hf_known_find(HfTextHash hash, const char *language);
void hf_known_add(HfTextHash hash, const char *language, HfLineText *text);
/* For tests and measuring: as if nothing had been read yet. */
void hf_known_forget(void);
