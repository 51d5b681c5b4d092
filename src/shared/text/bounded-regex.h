/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions from callers: a match takes at most some milliseconds, however hostile the
 * expression and the text. */
#pragma once

#include <glib.h>

/* `patience`: how many steps a match may take. INVALID_PARAMS names the expression as it was
 * given. */
GRegex *hf_bounded_regex_new(const char *pattern, guint patience, GError **error);
