/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a message of a browser. Pure. */
#pragma once

#include "shared/base/json.h"

/* NULL if it is not a message. Page text can contain what JSON text may not (lone surrogates, NUL):
 * U+FFFD replaces it, because the waiting caller has to get its answer. */
json_t *hf_cdp_message_parse(const char *text, gsize length);
