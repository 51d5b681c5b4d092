/* SPDX-License-Identifier: Apache-2.0 */
/* A message of a browser, read. Pure. */
#pragma once

#include "shared/base/json.h"

/* NULL: it is none. Texts of pages can hold what no text of ours may (half of a character, a zero):
 * U+FFFD stands for that then, since whoever waits for the answer must get it. */
json_t *hf_cdp_message_parse(const char *text, gsize length);
