/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions that callers give: none takes longer than some milliseconds, however hostile
 * it and its text are. */
#pragma once

#include <glib.h>

/* `patience`: how many steps a match may take. INVALID_PARAMS, in words about the expression as it
 * was given. */
GRegex *hf_bounded_regex_new(const char *pattern, guint patience, GError **error);
